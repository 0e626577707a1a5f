/** The compression function F of BLAKE2b (EIP-152, RFC 7693 §3.2). */
import type { Bytes } from "../bytes/bytes.ts";
import type { CoreExports } from "./core-exports.generated.ts";
import { HASH_CORE } from "./keccak.ts";

/** The part of WebAssembly that is used; the standard types come only with those of a browser's DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Bytes) => object;
  readonly Instance: new (module: object) => { readonly exports: CoreExports };
};

/** An instance of the function, with its own memory. */
export class Blake2f {
  /** Most rounds of one call, a multiple of ten. V8 switches to optimized code only between calls. */
  readonly #roundsAtOnce = 10_000;
  readonly #core: CoreExports;
  /** The input without its number of rounds. */
  readonly #input: Bytes;

  constructor() {
    this.#core = new WebAssembly.Instance(new WebAssembly.Module(HASH_CORE)).exports;
    this.#input = new Uint8Array(this.#core.memory.buffer, this.#core.blake2Input.value, 209);
  }

  /** The input: number of rounds, state, block, two byte counters, and the flag of the last block. */
  answer(input: Bytes): { readonly output: Bytes } | { readonly fault: "inputLength" | "finalFlag" } {
    if (input.length !== 213) return { fault: "inputLength" };
    const isLast = input[212] as number;
    if (isLast > 1) return { fault: "finalFlag" };
    this.#input.set(input.subarray(4));
    this.#core.beginBlake2();
    const rounds = new DataView(input.buffer, input.byteOffset).getUint32(0);
    for (let rest = rounds; rest > 0; rest -= this.#roundsAtOnce) {
      this.#core.mixBlake2(Math.min(rest, this.#roundsAtOnce));
    }
    this.#core.endBlake2();
    return { output: this.#input.slice(0, 64) };
  }
}
