/** Names that the user gives to addresses. They are stored only in this browser. */

const KEY = "hindcast.labels";

/** Labels by address in lower case. */
type Labels = Readonly<Record<string, string>>;

function read(): Labels {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, label]) => typeof label === "string"));
  } catch {
    // The browser may forbid storage, or the stored text may belong to another page of the same origin.
    return {};
  }
}

/** By address in any case. They are the same for every node at this address. */
export const labels = {
  /** Returns the label of an address. */
  of: (address: string): string | undefined => read()[address.toLowerCase()],

  /** Finds the address whose label is, or begins with, the text. */
  find(text: string): string | undefined {
    const wanted = text.toLowerCase();
    if (wanted === "") return undefined;
    const entries = Object.entries(read()).map(([address, label]) => [address, label.toLowerCase()] as const);
    return (entries.find(([, label]) => label === wanted) ??
      entries.find(([, label]) => label.startsWith(wanted)))?.[0];
  },

  /** Sets a label. An empty one is removed. */
  set(address: string, label: string): void {
    const { [address.toLowerCase()]: _old, ...others } = read();
    const next = label === "" ? others : { ...others, [address.toLowerCase()]: label };
    localStorage.setItem(KEY, JSON.stringify(next));
  },
};
