/**
 * The compression function F of BLAKE2b (EIP-152, RFC 7693 §3.2) as a WebAssembly function, emitted by this file: a round
 * takes an eighth of its time in JavaScript, which has no 64-bit integers but BigInts (measured).
 */
import type { Bytes } from "../../../primitives/bytes.ts";
import { Wasm, WasmCode, wasmModule } from "../../../primitives/wasm-code.ts";
import type { PrecompileAnswer } from "./precompile.ts";

/** What is used of the host's WebAssembly; the standard types come only with those of a browser's DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Bytes) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly f: (rounds: number) => void; readonly m: { readonly buffer: ArrayBuffer } } };
};

/** Names nothing outside of itself: threads are given it as text. */
export class Blake2f {
  readonly #compress: (rounds: number) => void;
  readonly #memory: Bytes;

  /** @param module - from {@link blake2fModule} */
  constructor(module: Bytes) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
    this.#compress = exports.f;
    this.#memory = new Uint8Array(exports.m.buffer);
  }

  /** The input is the number of rounds, the state, a block, two counters of bytes, and whether the block is the last. */
  answer(input: Bytes): PrecompileAnswer {
    if (input.length !== 213) return { fault: "inputLength" };
    const isLast = input[212] as number;
    if (isLast > 1) return { fault: "finalFlag" };
    const rounds = new DataView(input.buffer, input.byteOffset).getUint32(0);
    this.#memory.set(input.subarray(4, 212));
    this.#memory.fill(isLast === 1 ? 0xff : 0, 208, 216);
    this.#compress(rounds);
    return { output: this.#memory.slice(0, 64) };
  }
}

/** Bytes in memory: state, block, counters, and ones throughout for the last block; the new state overwrites the old. */
const STATE = 0;
const BLOCK = 64;
const COUNTERS = 192;
const LAST = 208;

/** The only parameter, and 16 words behind it. */
const ROUNDS = 0;
const WORDS = 16;
const word = (index: number): number => 1 + index;

/** RFC 7693 §2.6 */
const INITIAL: readonly bigint[] = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

/** RFC 7693 §2.7: the words of the block that a round takes, in their order, each a hexadecimal digit. */
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

/** RFC 7693 §3.2: the words that are mixed with each other, four at a time: columns, then diagonals. */
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

/** The module of the compression function, whose argument is the number of rounds, up to 2^32 - 1. */
export function blake2fModule(): Bytes {
  const code = new WasmCode();
  loadWords(code);
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
  storeWords(code);
  code.push(Wasm.end);
  return wasmModule({ parameters: [Wasm.typeI32], locals: [[WORDS, Wasm.typeI64]], body: code.bytes });
}

/** The state, the initial words, and what the counters and the last block change of those. */
function loadWords(code: WasmCode): void {
  const changes = [COUNTERS, COUNTERS + 8, LAST];
  for (let index = 0; index < WORDS; index++) {
    if (index < 8) {
      code.constI32(0);
      code.load(STATE + 8 * index);
    } else {
      code.constI64(INITIAL[index - 8] as bigint);
    }
    const change = changes[index - 12];
    if (change !== undefined) {
      code.constI32(0);
      code.load(change);
      code.xor();
    }
    code.set(word(index));
  }
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

/** Adds a word to another without carries, and rotates the other to the right. */
function rotateSum(code: WasmCode, target: number, other: number, bits: number): void {
  code.get(word(target));
  code.get(word(other));
  code.xor();
  code.rotateRight(bits);
  code.set(word(target));
}

/** Both halves of the words are added to the state without carries. */
function storeWords(code: WasmCode): void {
  for (let index = 0; index < 8; index++) {
    code.constI32(0);
    code.constI32(0);
    code.load(STATE + 8 * index);
    code.get(word(index));
    code.xor();
    code.get(word(index + 8));
    code.xor();
    code.store(STATE + 8 * index);
  }
}
