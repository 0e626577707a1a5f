/** Sequences that failed, stored in a file beside the tests, so that they are tried first the next time. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { callKey, type WholeCall, wholeCall } from "./calls.ts";
import type { FuzzCall } from "./options.ts";
import type { Sequence } from "./sequences.ts";

/** Sequences of one search in most files: older ones are dropped. */
const MOST = 20;

type Stored = Record<string, readonly Sequence[]>;

/** The sequences of one search, in `__fuzz__/<test file>.json` beside the test file. */
export class StoredSequences {
  readonly #path: string | undefined;
  readonly #name: string;

  /**
   * @param file - the test file, also as a `file:` URL; undefined keeps nothing
   * @param name - of the search in that file
   */
  constructor(file: string | undefined, name: string) {
    const path = file?.startsWith("file:") ? fileURLToPath(file) : file;
    this.#path = path === undefined ? undefined : join(dirname(path), "__fuzz__", `${basename(path)}.json`);
    this.#name = name;
  }

  /** The path of the file; undefined if nothing is stored. */
  get path(): string | undefined {
    return this.#path;
  }

  /** @throws {UnsupportedError} `UNSUPPORTED` if the file holds something else */
  read(): readonly Sequence[] {
    return this.#read()[this.#name] ?? [];
  }

  /** Puts a sequence before those that are stored. */
  add(sequence: Sequence): void {
    const path = this.#path;
    if (path === undefined) return;
    const stored = this.#read();
    const key = callKeys(sequence);
    const others = (stored[this.#name] ?? []).filter((other) => callKeys(other) !== key);
    stored[this.#name] = [sequence, ...others].slice(0, MOST);
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, `${JSON.stringify(stored, writeValue, 2)}\n`);
    renameSync(draft, path);
  }

  #read(): Stored {
    if (this.#path === undefined) return {};
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch {
      return {};
    }
    try {
      const stored: unknown = JSON.parse(text, readValue);
      if (isStored(stored)) return stored;
    } catch {
      // Said below.
    }
    throw new UnsupportedError({
      code: "UNSUPPORTED",
      what: `${this.#path} holds no sequences of calls.`,
      fix: "Delete it, and run the tests again.",
    });
  }
}

function callKeys(sequence: Sequence): string {
  return sequence.map(callKey).join();
}

/** Integers and bytes as objects, since JSON has neither. */
function writeValue(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return { integer: `${value}` };
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("hex") } : value;
}

function readValue(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { integer, bytes } = value as Readonly<Record<string, unknown>>;
  if (typeof integer === "string") return BigInt(integer);
  return typeof bytes === "string" ? new Uint8Array(Buffer.from(bytes, "hex")) : value;
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (sequences) => Array.isArray(sequences) && sequences.every((calls) => Array.isArray(calls) && calls.every(isCall)),
  );
}

function isCall(value: unknown): value is WholeCall {
  if (typeof value !== "object" || value === null) return false;
  const { target, function: name, args, from, value: wei, delay } = wholeCall(value as FuzzCall);
  const texts = [target, name, from].every((text) => typeof text === "string");
  return texts && Array.isArray(args) && typeof wei === "bigint" && typeof delay === "bigint";
}
