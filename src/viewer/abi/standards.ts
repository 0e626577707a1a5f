/** The common standards, loaded when something has no name otherwise. Until then nothing is known by them. */
import type { Standards } from "./signatures.ts";

const NONE: Standards = { functions: new Map(), errors: new Map(), events: new Map() };

class StandardTables {
  #loaded = NONE;
  #loading: Promise<void> | undefined;

  get loaded(): Standards {
    return this.#loaded;
  }

  load(): Promise<void> {
    this.#loading ??= import("./signatures.ts").then(
      ({ parseStandards }) => {
        this.#loaded = parseStandards();
      },
      () => {
        this.#loading = undefined;
      },
    );
    return this.#loading;
  }
}

const tables = new StandardTables();

/** The tables, empty until {@link loadStandards} is done. */
export const standards = (): Standards => tables.loaded;

/** Loads the tables once. Without them the page shows selectors. */
export const loadStandards = (): Promise<void> => tables.load();
