/**
 * The compression function F of BLAKE2b (EIP-152, RFC 7693 §3.2) as WebAssembly that this file generates. JavaScript is
 * slower, because it has no 64-bit integers but BigInts.
 */
import type { Bytes } from "../bytes/bytes.ts";
import { Wasm, WasmCode, wasmModule } from "./wasm-code.ts";

/** The part of WebAssembly that is used; the standard types come only with those of a browser's DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Bytes) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly f: (rounds: number) => void; readonly m: { readonly buffer: ArrayBuffer } } };
};

/** Refers to nothing outside the class, because threads receive its source text. */
export class Blake2f {
  /** Most rounds of one call, a multiple of ten. V8 switches to optimized code only between calls. */
  readonly #roundsAtOnce = 10_000;
  /** RFC 7693 §2.6, as 32-bit words, the lower half of each number first. */
  readonly #initial = [
    0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1,
    0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
  ];
  readonly #mix: (rounds: number) => void;
  /** The memory: 16 words of 64 bits that are mixed, then the block. */
  readonly #bytes: Bytes;
  readonly #halves: Uint32Array;

  /** @param module - from {@link blake2fModule} */
  constructor(module: Bytes) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
    this.#mix = exports.f;
    this.#bytes = new Uint8Array(exports.m.buffer);
    this.#halves = new Uint32Array(exports.m.buffer, 0, 32);
  }

  /** The input: number of rounds, state, block, two byte counters, and the flag of the last block. */
  answer(input: Bytes): { readonly output: Bytes } | { readonly fault: "inputLength" | "finalFlag" } {
    if (input.length !== 213) return { fault: "inputLength" };
    const isLast = input[212] as number;
    if (isLast > 1) return { fault: "finalFlag" };
    const view = new DataView(input.buffer, input.byteOffset);
    const halves = this.#halves;
    this.#bytes.set(input.subarray(4, 68));
    this.#bytes.set(input.subarray(68, 196), 128);
    halves.set(this.#initial, 16);
    for (let half = 0; half < 4; half++) {
      halves[24 + half] = (halves[24 + half] as number) ^ view.getUint32(196 + 4 * half, true);
    }
    if (isLast === 1) for (const half of [28, 29]) halves[half] = ~(halves[half] as number);
    for (let rest = view.getUint32(0); rest > 0; rest -= this.#roundsAtOnce) {
      this.#mix(Math.min(rest, this.#roundsAtOnce));
    }
    const output = input.slice(4, 68);
    for (let index = 0; index < output.length; index++) {
      output[index] = (output[index] as number) ^ (this.#bytes[index] as number) ^ (this.#bytes[64 + index] as number);
    }
    return { output };
  }
}

/** Offsets in memory, in bytes. */
const MIXED_WORDS = 0;
const BLOCK = 128;

/** Local variables: the parameter, then 16 words. */
const ROUNDS = 0;
const WORDS = 16;
const word = (index: number): number => 1 + index;

/** RFC 7693 §2.7: order of the block's words in each round, each a hexadecimal digit. */
const SCHEDULE: readonly string[] = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
];

/** RFC 7693 §3.2: words that are mixed with each other, four at a time: columns, then diagonals. */
const MIXED: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/** The module of a function that mixes the words in memory, for a number of rounds from the first of the schedule. */
export function blake2fModule(): Bytes {
  const code = new WasmCode();
  for (let index = 0; index < WORDS; index++) {
    code.constI32(MIXED_WORDS);
    code.load(8 * index);
    code.set(word(index));
  }
  code.push(Wasm.block, Wasm.voidBlock, Wasm.loop, Wasm.voidBlock);
  for (const schedule of SCHEDULE) {
    code.get(ROUNDS);
    code.push(Wasm.isZeroI32, Wasm.branchIf, 1);
    code.get(ROUNDS);
    code.constI32(1);
    code.push(Wasm.subtractI32);
    code.set(ROUNDS);
    mixAll(code, schedule);
  }
  code.push(Wasm.branch, 0, Wasm.end, Wasm.end);
  for (let index = 0; index < WORDS; index++) {
    code.constI32(MIXED_WORDS);
    code.get(word(index));
    code.store(8 * index);
  }
  code.push(Wasm.end);
  return wasmModule({ parameters: [Wasm.typeI32], locals: [[WORDS, Wasm.typeI64]], body: code.bytes });
}

function mixAll(code: WasmCode, schedule: string): void {
  for (const [index, words] of MIXED.entries()) {
    const [first, second] = [schedule[2 * index], schedule[2 * index + 1]].map((digit) => Number(`0x${digit}`));
    mix(code, words, [first as number, second as number]);
  }
}

/** RFC 7693 §3.1: the function G. */
function mix(
  code: WasmCode,
  [a, b, c, d]: readonly [number, number, number, number],
  blockWords: readonly [number, number],
): void {
  for (const [half, blockWord] of blockWords.entries()) {
    code.get(word(a));
    code.get(word(b));
    code.add();
    code.constI32(0);
    code.load(BLOCK + 8 * blockWord);
    code.add();
    code.set(word(a));
    rotateSum(code, d, a, half === 0 ? 32 : 16);
    code.get(word(c));
    code.get(word(d));
    code.add();
    code.set(word(c));
    rotateSum(code, b, c, half === 0 ? 24 : 63);
  }
}

/** Adds a word to another, modulo 2^64, and rotates the other to the right. */
function rotateSum(code: WasmCode, target: number, other: number, bits: number): void {
  code.get(word(target));
  code.get(word(other));
  code.xor();
  code.rotateRight(bits);
  code.set(word(target));
}
