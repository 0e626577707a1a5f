/** The common standards, loaded when something has no name otherwise. Until then nothing is known by them. */
import type { Standards } from "./signatures.ts";

const NONE: Standards = { functions: new Map(), errors: new Map(), events: new Map() };
let loaded = NONE;
let loading: Promise<void> | undefined;

/** The tables, empty until {@link loadStandards} is done. */
export const standards = (): Standards => loaded;

/** Loads the tables once. Without them the page shows selectors. */
export function loadStandards(): Promise<void> {
  loading ??= import("./signatures.ts").then(
    ({ parseStandards }) => {
      loaded = parseStandards();
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}
