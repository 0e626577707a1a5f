/** Powers modulo odd numbers of 65 to 256 bits, in WebAssembly: BigInts take two to three times as long. */
import type { Bytes } from "../bytes/bytes.ts";
import { readBuilt } from "../platform/built-files.ts";
import type { CoreExports } from "./core-exports.generated.ts";

/** The part of WebAssembly that is used; the standard types come only with those of a browser's DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Bytes) => object;
  readonly Instance: new (module: object) => { readonly exports: CoreExports };
};

const BITS = 256n;
const WORD_BITS = 64n;

/** Computes one power at a time, in a memory of its own. */
export class MontgomeryPowers {
  readonly #core: CoreExports;
  readonly #exponent: Bytes;

  constructor() {
    this.#core = new WebAssembly.Instance(new WebAssembly.Module(readBuilt("curves-core.wasm"))).exports;
    const { exponent, exponentBytes, memory } = this.#core;
    this.#exponent = new Uint8Array(memory.buffer, exponent.value, exponentBytes.value);
  }

  /** Whether {@link raise} is for exponents of a length in bytes and for a modulus. */
  takes(exponentLength: number, modulus: bigint): boolean {
    const isWide = modulus >> WORD_BITS !== 0n && modulus >> BITS === 0n;
    return isWide && (modulus & 1n) === 1n && exponentLength <= this.#exponent.length;
  }

  /**
   * @param base - below the modulus
   * @param exponent - big-endian
   * @param length - of the exponent, which is padded with zeros at its end
   */
  raise(base: bigint, exponent: Bytes, length: number, modulus: bigint): bigint {
    const core = this.#core;
    this.#words(core.modulus).set(wordsOf(modulus));
    this.#words(core.one).set(wordsOf((1n << BITS) % modulus));
    this.#words(core.base).set(wordsOf((base << BITS) % modulus));
    this.#exponent.set(exponent);
    this.#exponent.fill(0, exponent.length, length);
    core.raise(length);
    return this.#words(core.power).reduceRight((number, word) => (number << WORD_BITS) | word, 0n);
  }

  #words({ value }: { readonly value: number }): BigUint64Array {
    return new BigUint64Array(this.#core.memory.buffer, value, 4);
  }
}

/** The lowest first. An array of such words takes the lowest 64 bits of each. */
const wordsOf = (number: bigint): readonly bigint[] => [number, number >> 64n, number >> 128n, number >> 192n];
