/** Has memory given back that V8 would keep: what lies outside its heap weighs nothing for it while nobody allocates. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { once } from "../once.ts";

/** Bytes from which on it is worth a collection of garbage, which takes some ten milliseconds. */
const WORTHWHILE_BYTES = 64 * 1024 * 1024;
/** More may be let go of in the meantime. */
const DELAY_MS = 1_000;

/** The collector, which V8 hands out to contexts that are made after it was told to. */
const collector = once((): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
});

export class GiveBack {
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** So many bytes outside the heap are referred to no more. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < WORTHWHILE_BYTES || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#collect(), DELAY_MS).unref();
  }

  #collect(): void {
    this.#bytes = 0;
    this.#timer = undefined;
    collector()();
  }
}
