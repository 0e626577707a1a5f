/** Names that the user gives to addresses. They stay in this browser. */

const KEY = "hindcast.labels";

/** Addresses in lower case, with their labels. */
type Labels = Readonly<Record<string, string>>;

function read(): Labels {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, label]) => typeof label === "string"));
  } catch {
    // A browser may keep nothing, or what is kept may be another page's.
    return {};
  }
}

export const labels = {
  /** The label of an address. */
  of: (address: string): string | undefined => read()[address.toLowerCase()],

  /** The address that a label, or the beginning of one, stands for. */
  find(text: string): string | undefined {
    const wanted = text.toLowerCase();
    if (wanted === "") return undefined;
    const entries = Object.entries(read()).map(([address, label]) => [address, label.toLowerCase()] as const);
    return (entries.find(([, label]) => label === wanted) ??
      entries.find(([, label]) => label.startsWith(wanted)))?.[0];
  },

  /** Sets a label; an empty one is taken away. */
  set(address: string, label: string): void {
    const { [address.toLowerCase()]: _old, ...others } = read();
    const next = label === "" ? others : { ...others, [address.toLowerCase()]: label };
    localStorage.setItem(KEY, JSON.stringify(next));
  },
};
