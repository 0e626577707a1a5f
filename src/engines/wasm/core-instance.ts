/** An instance of the core with its memory. It serves one session at a time, by the rules of one hardfork. */
import type { Message } from "../../evm/engine.ts";
import type { PrecompileFault } from "../../evm/frames.ts";
import type { EngineState } from "../../evm/state-port.ts";
import { readWord, writeWord } from "../../primitives/bytes/words.ts";
import { once } from "../../primitives/once.ts";
import { readBuilt } from "../../primitives/platform/built-files.ts";
import * as Layout from "./core/machine/layout.ts";
import { type CoreExports, Records } from "./core-exports.generated.ts";
import { type CoreRules, type FeeName, feesOf, pricesOf, rulesOf } from "./core-rules.ts";
import { brokenCore, type MemoryLimit, outOfMemory } from "./traps.ts";

const { ByteBuffer, Code, Fees } = Records;

/** The part of WebAssembly that is used. TypeScript has its types only together with those of a browser's DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  readonly RuntimeError: new () => Error;
};

/** The compiled core. All nodes of a process share it, and so the optimized code that V8 makes of it. */
const compiledCore = once(() => new WebAssembly.Module(readBuilt("engine-core.wasm")));

/** An instance, with functions that read and write its memory by address. That memory may move when it grows. */
export class CoreInstance {
  readonly core: CoreExports;
  /** Address of the mailbox. */
  readonly mailbox: number;
  /** Address of the values that instructions read of transaction and block. */
  readonly environment: number;
  /** Codes of the state in the core: place by hash, and bytes by place as long as the core has them, too. */
  readonly codePlaces = new Map<string, number>();
  readonly codes = new Map<number, Uint8Array>();
  /** Faults of precompile inputs. The core refers to a fault by its index plus one. */
  readonly faults: PrecompileFault[] = [];
  /** Contents of the core from the last session: addresses of precompiles, and the state in its tables. */
  precompileTable: object | undefined;
  state: EngineState | undefined;
  /** The current or last message. */
  message: Message | undefined;
  /** True after a trap: the memory may be inconsistent. */
  isBroken = false;
  #memoryLimit: MemoryLimit;
  #bytes: Uint8Array;
  #halves: Uint32Array;
  #lanes: BigUint64Array;

  constructor(rules: CoreRules, memoryLimit: MemoryLimit) {
    // The exports of core/index.ts; no other module is used here.
    this.core = new WebAssembly.Instance(compiledCore(), {}).exports as CoreExports;
    this.mailbox = this.core.mailbox.value >>> 0;
    this.environment = this.core.environment.value >>> 0;
    const { buffer } = this.core.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#halves = new Uint32Array(buffer);
    this.#lanes = new BigUint64Array(buffer);
    this.#memoryLimit = memoryLimit;
    this.limitMemory(memoryLimit);
    this.#setRules(rules);
  }

  /** Sets the most bytes of memory of the next execution. */
  limitMemory(limit: MemoryLimit): void {
    this.#memoryLimit = limit;
    // The core has 32 bits for it.
    this.core.setMemoryLimit(Math.min(limit.bytes, 0xffff_ffff));
  }

  /**
   * Calls the core.
   *
   * @throws {LimitError} `EXECUTION_MEMORY`
   * @throws {InternalError} `INTERNAL_ERROR` if the core trapped
   */
  guard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw this.explain(error);
    }
  }

  /** Converts a trap of the core to an error for callers; returns other errors unchanged. */
  explain(error: unknown): unknown {
    // V8 throws a RuntimeError if the core traps: by a bug, or because it may not allocate more memory.
    if (!(error instanceof WebAssembly.RuntimeError)) return error;
    this.isBroken = true;
    const isOutOfMemory = this.core.trapReason.value === Layout.TRAP_MEMORY;
    return isOutOfMemory ? outOfMemory(this.#memoryLimit, this.message) : brokenCore(error, this.message);
  }

  /**
   * Forgets the state and the codes of the node that used it, which another node must read from its own store. The core
   * drops the bytes of those codes when it has many.
   */
  forgetNode(): void {
    this.codePlaces.clear();
    this.codes.clear();
    this.faults.length = 0;
    this.precompileTable = undefined;
    this.state = undefined;
    this.message = undefined;
  }

  /** True if the core has the bytes of a code. */
  isLoaded(place: number): boolean {
    return this.half(place + Code.raw) !== 0;
  }

  /** Lets the core drop codes, and does so here. Must be called only when its fuel is used up. */
  dropCodes(): void {
    this.core.dropCodes();
    for (const place of this.codes.keys()) if (!this.isLoaded(place)) this.codes.delete(place);
  }

  #setRules(rules: CoreRules): void {
    const { core } = this;
    core.setRules(rulesOf(rules.hardfork));
    this.halves.set(pricesOf(rules.hardfork), (core.prices.value >>> 0) / 4);
    if (rules.isCounting === true) core.startCounting();
    const fees = core.fees.value >>> 0;
    for (const [name, fee] of Object.entries(feesOf(rules))) this.writeLong(fees + Fees[name as FeeName], BigInt(fee));
  }

  /** The core's memory. Do not keep it across calls of the core, because views of a memory that has grown are empty. */
  get bytes(): Uint8Array {
    if (this.#bytes.length === 0) this.#refreshViews();
    return this.#bytes;
  }

  /** The memory as 32-bit numbers. */
  get halves(): Uint32Array {
    if (this.#halves.length === 0) this.#refreshViews();
    return this.#halves;
  }

  /** The memory as 64-bit numbers. */
  get lanes(): BigUint64Array {
    if (this.#lanes.length === 0) this.#refreshViews();
    return this.#lanes;
  }

  #refreshViews(): void {
    const { buffer } = this.core.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#halves = new Uint32Array(buffer);
    this.#lanes = new BigUint64Array(buffer);
  }

  /** Bytes of memory that the instance has. */
  get size(): number {
    return this.core.memory.buffer.byteLength;
  }

  /** Address of an account in the core's tables, by its number; valid until the tables grow. */
  accountAt(number: number): number {
    return this.core.accountAt(number) >>> 0;
  }

  /** Address of a slot in the core's tables, by its number; valid until the tables grow. */
  slotAt(number: number): number {
    return this.core.slotAt(number) >>> 0;
  }

  half(at: number): number {
    return this.halves[at >>> 2] as number;
  }

  setHalf(at: number, value: number): void {
    this.halves[at >>> 2] = value;
  }

  /** A 64-bit number. */
  long(at: number): bigint {
    return this.lanes[at / 8] as bigint;
  }

  /** A 64-bit number as a JS number, exact below 2^53. */
  number(at: number): number {
    const { halves } = this;
    return (halves[at >>> 2] as number) + (halves[(at >>> 2) + 1] as number) * 2 ** 32;
  }

  writeLong(at: number, value: bigint): void {
    this.lanes[at / 8] = value;
  }

  /** A word, least significant byte first. */
  word(at: number): bigint {
    return readWord(this.lanes, at / 8);
  }

  writeWord(at: number, value: bigint): void {
    writeWord(this.lanes, at / 8, value);
  }

  /** Writes big-endian bytes as a word. */
  writeReversed(at: number, source: Uint8Array): void {
    const { bytes } = this;
    bytes.fill(0, at, at + 32);
    for (let index = 0, from = source.length - 1; from >= 0; index++, from--)
      bytes[at + index] = source[from] as number;
  }

  /** The last bytes of a word, big-endian. */
  reversed(at: number, length: number): Uint8Array {
    const { bytes } = this;
    const result = new Uint8Array(length);
    for (let index = 0, from = at + length - 1; index < length; index++, from--) result[index] = bytes[from] as number;
    return result;
  }

  /** The value of a word without leading zeros, big-endian. */
  stripped(at: number): Uint8Array {
    const { bytes } = this;
    let length = 32;
    while (length > 0 && bytes[at + length - 1] === 0) length--;
    return this.reversed(at, length);
  }

  /** Addresses of the first byte of a buffer of the core and of the one after its last; valid until it grows. */
  buffer(exported: { readonly value: number }): { readonly start: number; readonly end: number } {
    const at = exported.value >>> 0;
    const start = this.half(at + ByteBuffer.at);
    return { start, end: start + this.half(at + ByteBuffer.length) };
  }

  /** A copy of a buffer of the core, in the place of bytes that are needed no more if it fits there. */
  copyOfBuffer(exported: { readonly value: number }, spare?: Uint8Array): Uint8Array {
    const { start, end } = this.buffer(exported);
    if (spare === undefined || spare.length < end - start) return this.bytes.slice(start, end);
    spare.set(this.bytes.subarray(start, end));
    return spare.subarray(0, end - start);
  }

  /** A copy of bytes. */
  copy(at: number, length: number): Uint8Array {
    return this.bytes.slice(at, at + length);
  }
}
