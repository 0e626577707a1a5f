/** Names of addresses: those that the user gives, stored only in this browser, and those of the development accounts. */
import { ask } from "../rpc/client.ts";

const KEY = "hindcast.labels";

/** By address in any case. They are the same for every node at this address. */
class Labels {
  /** By address in lower case; undefined until they are read. */
  #stored: Readonly<Record<string, string>> | undefined;
  #accounts: Readonly<Record<string, string>> = {};

  /** Reads them, and again after another tab has changed one. A browser may take milliseconds for the first time. */
  start(): void {
    this.#read();
    addEventListener("storage", () => {
      this.#stored = undefined;
    });
  }

  /** Names the node's accounts, from `Account 0` on. */
  async loadAccounts(): Promise<void> {
    const accounts = await ask<readonly string[]>("eth_accounts").catch(() => []);
    this.#accounts = Object.fromEntries(accounts.map((address, index) => [address.toLowerCase(), `Account ${index}`]));
  }

  /** Returns the label of an address. */
  of(address: string): string | undefined {
    return this.own(address) ?? this.#accounts[address.toLowerCase()];
  }

  /** Returns the label that the user gave. */
  own(address: string): string | undefined {
    return this.#read()[address.toLowerCase()];
  }

  /** Finds the address whose label is, or begins with, the text. */
  find(text: string): string | undefined {
    const wanted = text.toLowerCase();
    if (wanted === "") return undefined;
    const entries = Object.entries({ ...this.#accounts, ...this.#read() }).map(
      ([address, label]) => [address, label.toLowerCase()] as const,
    );
    return (entries.find(([, label]) => label === wanted) ??
      entries.find(([, label]) => label.startsWith(wanted)))?.[0];
  }

  /** Sets a label. An empty one is removed. */
  set(address: string, label: string): void {
    const { [address.toLowerCase()]: _old, ...others } = this.#read();
    this.#stored = label === "" ? others : { ...others, [address.toLowerCase()]: label };
    localStorage.setItem(KEY, JSON.stringify(this.#stored));
  }

  #read(): Readonly<Record<string, string>> {
    this.#stored ??= readStored();
    return this.#stored;
  }
}

/** The instance of this page. */
export const labels = new Labels();

function readStored(): Readonly<Record<string, string>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, label]) => typeof label === "string"));
  } catch {
    // The browser may forbid storage, or the stored text may belong to another page of the same origin.
    return {};
  }
}
