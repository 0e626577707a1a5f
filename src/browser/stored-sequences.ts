/** Sequences of the fuzzer are not stored in browsers. Counterpart of `testing/fuzz/stored-sequences.ts`. */
import { UnsupportedError } from "../errors/hindcast-error.ts";

/** No sequences. */
export class StoredSequences {
  /** Nothing is stored. */
  readonly path: undefined;

  /** @throws {UnsupportedError} `UNSUPPORTED` if they were to be stored beside a file */
  constructor(file: string | undefined, _name: string) {
    if (file === undefined) return;
    throw new UnsupportedError({
      code: "UNSUPPORTED",
      what: "A browser has no test file beside which sequences could be stored.",
      fix: "Leave the option file out.",
    });
  }

  read(): readonly never[] {
    return [];
  }

  add(_sequence: unknown): void {
    // It is in the failure that the caller gets.
  }
}
