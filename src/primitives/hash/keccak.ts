/**
 * Keccak-256, the hash function of Ethereum.
 *
 * @see FIPS 202 §3; Ethereum pads with 0x01 where SHA-3 pads with 0x06
 */
import type { Bytes } from "../bytes/bytes.ts";
import { readBuilt } from "../platform/built-files.ts";
import type { CoreExports } from "./core-exports.generated.ts";

/**
 * The hashes in WebAssembly, where a 64-bit rotation is one instruction; in JavaScript it is a dozen, and hashing takes half of the
 * time of computing a state root. `core/` is compiled to the module. Each instance has a memory of its own.
 */
export const HASH_CORE: Bytes = readBuilt("hash-core.wasm");

const DIGEST_BYTES = 32;

/** The part of WebAssembly that is used; the standard types come only with those of a browser's DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Bytes) => object;
  readonly Instance: new (module: object) => { readonly exports: CoreExports };
};

/** Keccak-256 with its own memory. */
export interface Keccak256 {
  /** Hashes a byte string into an array of 32 bytes, which it returns. */
  readonly into: (bytes: Bytes, target: Bytes) => Bytes;
  /** Memory for a message that {@link ofInput} hashes without copying it. Other hashes overwrite it. */
  readonly input: Bytes;
  /** Hashes a part of {@link input} into an array of 32 bytes, which it returns. The input stays unchanged. */
  readonly ofInput: (start: number, end: number, target: Bytes) => Bytes;
}

/** A process needs only one. */
export function makeKeccak256(): Keccak256 {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(HASH_CORE));
  const { beginKeccak, absorbBlocks, endKeccak } = exports;
  const { buffer } = exports.memory;
  const place = exports.input.value;
  const input = new Uint8Array(buffer, place, exports.INPUT_BYTES.value);
  const digest = new Uint8Array(buffer, exports.keccakState.value, DIGEST_BYTES);
  const end = (start: number, length: number, target: Bytes): Bytes => {
    endKeccak(place + start, length);
    target.set(digest);
    return target;
  };
  const ofInput = (start: number, until: number, target: Bytes): Bytes => {
    if (until > input.length) throw new RangeError(`The input ends at ${input.length}, before ${until}`);
    beginKeccak();
    return end(start, until - start, target);
  };
  const into = (bytes: Bytes, target: Bytes): Bytes => {
    let rest = bytes;
    beginKeccak();
    for (; rest.length > input.length; rest = rest.subarray(input.length)) {
      input.set(rest.subarray(0, input.length));
      absorbBlocks(place, input.length);
    }
    input.set(rest);
    return end(0, rest.length, target);
  };
  return { into, input, ofInput };
}
