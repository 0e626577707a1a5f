/**
 * Keccak-f[1600] as WebAssembly that this file generates. A 64-bit rotation is one instruction there and a dozen in
 * JavaScript, and hashing takes half of the time of computing a state root.
 *
 * @see FIPS 202 §3; Ethereum pads with 0x01 where SHA-3 pads with 0x06
 */
import type { Bytes } from "../bytes/bytes.ts";
import { Wasm, WasmCode, wasmModule } from "./wasm-code.ts";

/** Bytes absorbed per permutation for a hash of 32 bytes. */
const RATE = 136;
const DIGEST_BYTES = 32;
const LANES = 25;
const ROUNDS = 24;
/** Offset of the round constants in the module's memory, after the state. */
const CONSTANTS_OFFSET = 256;
/** Offset of the message, of which as much is copied as fits in the one page of memory. */
const INPUT_OFFSET = 512;
const INPUT_BYTES = 470 * RATE;

/** Rotation of lane x + 5y in step ρ. */
const ROTATIONS = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
] as const;

/** The part of WebAssembly that is used; the standard types come only with those of a browser's DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly f: (block: number) => void; readonly m: { readonly buffer: ArrayBuffer } } };
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
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()));
  const absorb = exports.f;
  const state = new Uint8Array(exports.m.buffer, 0, LANES * 8);
  const digest = new Uint8Array(exports.m.buffer, 0, DIGEST_BYTES);
  const input = new Uint8Array(exports.m.buffer, INPUT_OFFSET, INPUT_BYTES);
  const absorbAll = (start: number, end: number): void => {
    for (let block = start; block < end; block += RATE) absorb(INPUT_OFFSET + block);
  };
  const ofInput = (start: number, end: number, target: Bytes): Bytes => {
    const padded = end - ((end - start) % RATE) + RATE;
    if (padded > INPUT_BYTES) throw new RangeError(`${end - start} bytes at ${start} leave no room for what pads them`);
    input.fill(0, end, padded);
    input[end] = 0x01;
    input[padded - 1] = (input[padded - 1] as number) | 0x80;
    absorbAll(start, padded);
    target.set(digest);
    // Zeroed for the next hash.
    state.fill(0);
    return target;
  };
  const into = (bytes: Bytes, target: Bytes): Bytes => {
    let rest = bytes;
    for (; rest.length >= INPUT_BYTES; rest = rest.subarray(INPUT_BYTES)) {
      input.set(rest.subarray(0, INPUT_BYTES));
      absorbAll(0, INPUT_BYTES);
    }
    input.set(rest);
    return ofInput(0, rest.length, target);
  };
  return { into, input, ofInput };
}

/**
 * The module: a function `f` that XORs the 136 bytes at an address into the 200 bytes at the start of the memory `m`,
 * and permutes those.
 */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const constants = new DataView(new ArrayBuffer(ROUNDS * 8));
  for (const [round, constant] of roundConstants().entries()) constants.setBigUint64(round * 8, constant, true);
  return wasmModule({
    parameters: [Wasm.typeI32],
    locals: [
      [LANE_LOCALS, Wasm.typeI64],
      [1, Wasm.typeI32],
    ],
    body: permutation(),
    data: { address: CONSTANTS_OFFSET, bytes: new Uint8Array(constants.buffer) },
  });
}

/**
 * Local variables: the block's address; 25 lanes, 25 moved lanes, 5 column parities, 5 of step θ; the pointer to the
 * constant.
 */
const BLOCK = 0;
const LANE_LOCALS = 60;
const POINTER = 1 + LANE_LOCALS;
const lane = (index: number): number => 1 + index;
const moved = (index: number): number => 26 + index;
const parity = (x: number): number => 51 + x;
const theta = (x: number): number => 56 + x;

function permutation(): readonly number[] {
  const code = new WasmCode();
  loadLanes(code);
  code.constI32(0);
  code.set(POINTER);
  code.push(Wasm.loop, Wasm.voidBlock);
  mixColumns(code);
  moveLanes(code);
  mixRows(code);
  code.get(POINTER);
  code.constI32(8);
  code.push(Wasm.addI32);
  code.tee(POINTER);
  code.constI32(ROUNDS * 8);
  code.push(Wasm.lessI32, Wasm.branchIf, 0, Wasm.end);
  storeLanes(code);
  code.push(Wasm.end);
  return code.bytes;
}

/** Loads the state and XORs the block into its first lanes. */
function loadLanes(code: WasmCode): void {
  for (let index = 0; index < LANES; index++) {
    code.constI32(0);
    code.load(index * 8);
    if (index * 8 < RATE) {
      code.get(BLOCK);
      code.load(index * 8);
      code.xor();
    }
    code.set(lane(index));
  }
}

function storeLanes(code: WasmCode): void {
  for (let index = 0; index < LANES; index++) {
    code.constI32(0);
    code.get(lane(index));
    code.store(index * 8);
  }
}

/** First half of step θ: computes the values to XOR into each column. */
function mixColumns(code: WasmCode): void {
  for (let x = 0; x < 5; x++) {
    code.get(lane(x));
    for (let y = 1; y < 5; y++) {
      code.get(lane(x + 5 * y));
      code.xor();
    }
    code.set(parity(x));
  }
  for (let x = 0; x < 5; x++) {
    code.get(parity((x + 4) % 5));
    code.get(parity((x + 1) % 5));
    code.rotateLeft(1);
    code.xor();
    code.set(theta(x));
  }
}

/** Second half of step θ, and steps ρ and π. */
function moveLanes(code: WasmCode): void {
  for (let index = 0; index < LANES; index++) {
    const [x, y] = [index % 5, Math.floor(index / 5)];
    code.get(lane(index));
    code.get(theta(x));
    code.xor();
    code.rotateLeft(ROTATIONS[index] as number);
    code.set(moved(y + 5 * ((2 * x + 3 * y) % 5)));
  }
}

/** Steps χ and ι. */
function mixRows(code: WasmCode): void {
  for (let index = 0; index < LANES; index++) {
    const [x, row] = [index % 5, index - (index % 5)];
    code.get(moved(index));
    code.get(moved(((x + 1) % 5) + row));
    code.constI64(-1n);
    code.xor();
    code.get(moved(((x + 2) % 5) + row));
    code.push(Wasm.andI64);
    code.xor();
    if (index === 0) {
      code.get(POINTER);
      code.load(CONSTANTS_OFFSET);
      code.xor();
    }
    code.set(lane(index));
  }
}

/** Constants of step ι, from the linear feedback register of FIPS 202 §3.2.5. */
function roundConstants(): bigint[] {
  let register = 1;
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit++) {
      if ((register & 1) === 1) constant |= 1n << BigInt((1 << bit) - 1);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
    return constant;
  });
}
