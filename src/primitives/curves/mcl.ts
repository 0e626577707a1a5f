/**
 * The library mcl, in WebAssembly: groups, fields and pairings of bn254 and BLS12-381, and the groups of
 * secp256k1 and P-256.
 *
 * It is in the package `mcl-wasm`, whose JavaScript is not used: that has one curve for the whole process, copies every
 * value in and out, and is slow to decode its WebAssembly. Here Node decodes the WebAssembly from the same file,
 * synchronously.
 */
import type { Bytes } from "../bytes/bytes.ts";
import { once } from "../once.ts";
import { compileEmbeddedWasm, fetchEmbeddedWasm } from "../platform/packages.ts";

/** The part of WebAssembly that is used; the standard types come only with those of a browser's DOM. */
declare const WebAssembly: {
  readonly Memory: new (limits: { readonly initial: number }) => WasmMemory;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => { readonly exports: MclFunctions };
};

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/**
 * The functions of the library that are used, under its names. Fr are scalars, Fp and Fp2 coordinates, G1, G2 and GT
 * the groups. Arguments are addresses unless their names say otherwise; the first is that of the result. Predicates
 * return 1 or 0.
 */
export interface MclFunctions {
  __wasm_call_ctors(): void;
  malloc(bytes: number): number;
  /** @returns 0, or an error number */
  mclBn_init(curve: number, compiledFor: number): number;
  mclBn_setETHserialization(isOn: number): void;
  mclBn_setMapToMode(mode: number): void;
  /** Whether {@link mclBnG1_isValid} also checks the subgroup. */
  mclBn_verifyOrderG1(isOn: number): void;
  mclBn_verifyOrderG2(isOn: number): void;
  /** @returns bytes read, little-endian; 0 if the number is not below the order */
  mclBnFr_deserialize(scalar: number, from: number, bytes: number): number;
  /** Reads any number of bytes, big-endian, and reduces the number. */
  mclBnFr_setBigEndianMod(scalar: number, from: number, bytes: number): number;
  mclBnFr_setLittleEndianMod(scalar: number, from: number, bytes: number): number;
  mclBnFr_isZero(scalar: number): number;
  mclBnFr_isEqual(left: number, right: number): number;
  mclBnFr_mul(product: number, left: number, right: number): void;
  mclBnFr_inv(inverse: number, scalar: number): void;
  mclBnFr_neg(negative: number, scalar: number): void;
  /** @returns bytes read, little-endian; 0 if the number is not below the modulus */
  mclBnFp_deserialize(element: number, from: number, bytes: number): number;
  /** @returns bytes written, little-endian */
  mclBnFp_serialize(to: number, room: number, element: number): number;
  mclBnFp_setInt32(element: number, value: number): void;
  mclBnFp_neg(negative: number, element: number): void;
  mclBnFp_mapToG1(point: number, element: number): number;
  mclBnFp2_mul(product: number, left: number, right: number): void;
  mclBnFp2_sqr(square: number, element: number): void;
  mclBnFp2_mapToG2(point: number, element: number): number;
  mclBnG1_clear(point: number): void;
  mclBnG1_isZero(point: number): number;
  /** Whether the point is on the curve. */
  mclBnG1_isValid(point: number): number;
  /** Whether the point is in the subgroup. */
  mclBnG1_isValidOrder(point: number): number;
  mclBnG1_getBasePoint(point: number): void;
  mclBnG1_normalize(normalized: number, point: number): void;
  mclBnG1_add(sum: number, left: number, right: number): void;
  mclBnG1_sub(difference: number, left: number, right: number): void;
  /** For points of the subgroup only. */
  mclBnG1_mul(product: number, point: number, scalar: number): void;
  /** For points of the subgroup only. */
  mclBnG1_mulVec(sum: number, points: number, scalars: number, count: number): void;
  /** @returns bytes read; 0 if they do not encode a point */
  mclBnG1_deserialize(point: number, from: number, bytes: number): number;
  mclBnG2_clear(point: number): void;
  mclBnG2_isZero(point: number): number;
  mclBnG2_isValid(point: number): number;
  mclBnG2_isValidOrder(point: number): number;
  mclBnG2_isEqual(left: number, right: number): number;
  mclBnG2_normalize(normalized: number, point: number): void;
  mclBnG2_add(sum: number, left: number, right: number): void;
  mclBnG2_dbl(double: number, point: number): void;
  mclBnG2_mulVec(sum: number, points: number, scalars: number, count: number): void;
  mclBnG2_deserialize(point: number, from: number, bytes: number): number;
  mclBnGT_setInt32(element: number, value: number): void;
  mclBnGT_isOne(element: number): number;
  mclBnGT_mul(product: number, left: number, right: number): void;
  mclBn_millerLoopVec(product: number, g1s: number, g2s: number, count: number): void;
  mclBn_finalExp(power: number, element: number): void;
  mclBn_getUint64NumToPrecompute(): number;
  mclBn_precomputeG2(lines: number, g2: number): void;
  mclBn_precomputedMillerLoop(product: number, g1: number, lines: number): void;
  mclBn_precomputedMillerLoop2(product: number, g1: number, lines: number, otherG1: number, otherLines: number): void;
}

/** The library's numbers of its curves. */
export const MclCurve = { bn254: 4, bls12381: 5, secp256k1: 102, p256: 107 } as const;

/** File of the package that has the WebAssembly. */
const SCRIPT = "mcl-wasm/dist/mcl_c.js";

/** The library, compiled. */
const compiled = once(() => compileEmbeddedWasm(SCRIPT, /wasmBase64 = '([\w+/=]+)'/));

/** Undefined if {@link Mcl} can be instantiated; a promise while its WebAssembly is fetched, as in browsers. */
export const fetchMcl = (): Promise<void> | undefined => fetchEmbeddedWasm(SCRIPT);

/** An instance of the library with its own memory. */
export class Mcl {
  /**
   * Sizes of values in memory, in bytes. The library is compiled for coordinates of up to 384 bits and scalars of up to
   * 256.
   */
  readonly sizes = { scalar: 32, element: 48, g1: 144, g2: 288, target: 576 } as const;
  readonly functions: MclFunctions;
  readonly #memory: WasmMemory;
  #bytes: Bytes;

  /** @param curve - one of {@link MclCurve} */
  constructor(curve: number) {
    // The stack takes half of it; the library grows it as needed.
    this.#memory = new WebAssembly.Memory({ initial: 32 });
    this.functions = new WebAssembly.Instance(compiled(), { env: { memory: this.#memory } }).exports;
    this.functions.__wasm_call_ctors();
    // A check by the library that its build has these sizes: words of a coordinate plus ten times words of a scalar.
    if (this.functions.mclBn_init(curve, 6 + 10 * 4) !== 0) throw new Error(`mcl does not know the curve ${curve}.`);
    // Subgroups are checked explicitly where the EIPs require it.
    this.functions.mclBn_verifyOrderG1(0);
    this.functions.mclBn_verifyOrderG2(0);
    this.#bytes = new Uint8Array(this.#memory.buffer);
  }

  /** The memory. Do not keep it: it moves when it grows. */
  get bytes(): Bytes {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  /** Allocates bytes for the lifetime of the instance and returns their address. */
  allocate(bytes: number): number {
    const address = this.functions.malloc(bytes);
    if (address === 0) throw new Error(`mcl has no memory for ${bytes} bytes.`);
    return address;
  }

  /**
   * Reads a big-endian number of 32 bytes of an input as a scalar.
   *
   * @param buffer - address of 32 bytes that may be overwritten
   * @returns false if it is zero or not below the order
   */
  readScalar(scalar: number, buffer: number, input: Bytes, at: number): boolean {
    this.writeReversed(buffer, input, at, 32);
    return this.functions.mclBnFr_deserialize(scalar, buffer, 32) === 32 && this.functions.mclBnFr_isZero(scalar) === 0;
  }

  /** Copies a part of an input in reverse order, because the library's numbers are little-endian. */
  writeReversed(address: number, input: Bytes, at: number, length: number): void {
    const { bytes } = this;
    for (let index = 0; index < length; index++) bytes[address + index] = input[at + length - 1 - index] as number;
  }
}
