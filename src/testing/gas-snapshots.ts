/**
 * Gas of transactions, stored in a file beside the tests and compared with what the tests use later.
 *
 * A test file has a snapshot file of its own, so that files may run at the same time.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UnsupportedError } from "../errors/hindcast-error.ts";

/** The test that is running. */
export interface RunningTest {
  /** Path of its file. */
  readonly file: string;
  /** With those of the groups around it. */
  readonly name: string;
}

/** Result of the comparison of a test's gas with its snapshot. */
export interface GasComparison {
  readonly pass: boolean;
  /** The message if the gas differs. */
  readonly message: string;
}

/** `update` stores all current values, `new` only missing ones; `none`, used on CI, fails if one is missing. */
export type SnapshotMode = "update" | "new" | "none";

/** The snapshots of one test file at a time: {@link begin} must be called before each test. */
export class GasSnapshots {
  readonly #mode: SnapshotMode;
  readonly #files = new Map<string, Record<string, number>>();
  /** Snapshots of each test so far that have no name of their own. */
  readonly #counts = new Map<string, number>();

  constructor(mode: SnapshotMode = snapshotMode(process.env)) {
    this.#mode = mode;
  }

  /** Begins a test, whose snapshots are numbered from 1. */
  begin({ file, name }: RunningTest): void {
    this.#counts.delete(`${file} ${name}`);
  }

  /**
   * Compares gas with its snapshot, or stores it.
   *
   * @param title - default the number of the snapshot in its test
   */
  compare({ file, name }: RunningTest, gasUsed: bigint, title?: string): GasComparison {
    const path = join(dirname(file), "__snapshots__", `${basename(file)}.gas.json`);
    const stored = this.#read(path);
    const key = `${name} > ${title ?? this.#next(`${file} ${name}`)}`;
    const before = stored[key];
    if (before === Number(gasUsed)) return { pass: true, message: `Expected other gas than ${before} for "${key}".` };
    if (this.#mode === "update" || (this.#mode === "new" && before === undefined)) {
      stored[key] = Number(gasUsed);
      write(path, stored);
      return { pass: true, message: `The gas of "${key}" was written to ${path}.` };
    }
    const change =
      before === undefined ? "no snapshot is stored" : `${before} are stored: ${signed(Number(gasUsed) - before)}`;
    const fix = "Set HINDCAST_GAS_SNAPSHOTS=update to keep what is used now";
    return { pass: false, message: `Gas of "${key}": ${gasUsed} are used, ${change} (${path}). ${fix}.` };
  }

  #next(test: string): number {
    const count = (this.#counts.get(test) ?? 0) + 1;
    this.#counts.set(test, count);
    return count;
  }

  #read(path: string): Record<string, number> {
    let stored = this.#files.get(path);
    if (stored === undefined) {
      stored = readStored(path);
      this.#files.set(path, stored);
    }
    return stored;
  }
}

function snapshotMode({ HINDCAST_GAS_SNAPSHOTS: mode, CI }: NodeJS.ProcessEnv): SnapshotMode {
  if (mode === "update" || mode === "new" || mode === "none") return mode;
  return CI === undefined || CI === "" || CI === "false" ? "new" : "none";
}

function readStored(path: string): Record<string, number> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored === "object" && stored !== null) return stored as Record<string, number>;
  } catch {
    // Said below.
  }
  throw new UnsupportedError({
    code: "UNSUPPORTED",
    what: `${path} holds no gas snapshots.`,
    fix: "Delete it, and run the tests again.",
  });
}

/** Sorted, so that a change shows as such in version control. */
function write(path: string, stored: Readonly<Record<string, number>>): void {
  const sorted = Object.fromEntries(Object.entries(stored).sort(([left], [right]) => (left < right ? -1 : 1)));
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(sorted, undefined, 2)}\n`);
  renameSync(draft, path);
}

function signed(change: number): string {
  return change > 0 ? `+${change}` : `${change}`;
}
