/**
 * One running frame: EthereumJS' run state with the parts that every opcode touches kept in plain fields.
 *
 * Stack height, program counter, gas and memory size live here as JS numbers while plain opcodes run, and are written
 * back to the run state ({@link Frame.release}) before EthereumJS' own handlers see it, and read again afterwards
 * ({@link Frame.reclaim}). Gas beyond 2^53 waits in a reserve, so that numbers stay exact.
 */
import { EVMError, type PrecompileFunc } from "@ethereumjs/evm";
import type { Log, OpcodeFailure } from "../evm/frames.ts";
import type { Bytes } from "../primitives/bytes.ts";
import { ZERO_HASH } from "../primitives/hash.ts";
import type { WorkingStateView } from "../state/view.ts";
import type { AccessJournal } from "./access-journal.ts";
import type { CallMessage } from "./call-message.ts";
import type { FrameEnvironment, FrameState } from "./evm-environment.ts";
import type { Program } from "./evm-program.ts";
import type { OldLiveStep } from "./old-events.ts";

/** Most gas held as a number at a time; the rest is reserve. */
const GAS_CHUNK = 2 ** 52;
const GAS_CHUNK_BIG = BigInt(GAS_CHUNK);

/** Most memory a frame can have: it costs 8.8e12 gas, and more cannot be allocated. */
const MAX_MEMORY_BYTES = 2 ** 31;

/** Memory allocated when a frame first uses any. */
const FIRST_MEMORY_BYTES = 512;

/** EthereumJS' Stack keeps these private; every opcode of ours works on them. */
interface StackInternals {
  readonly _store: bigint[];
  _len: number;
}

/** What opcodes of a frame reach beyond it. */
export interface FrameSurroundings {
  readonly view: WorkingStateView;
  readonly accesses: AccessJournal;
  /** A recorder wants to hear of accounts and slots that opcodes look at. */
  readonly recordsAccesses: boolean;
  /** The precompile that answers at an address. */
  precompileAt(address: Bytes): PrecompileFunc | undefined;
  /** A log was emitted. */
  noteLog(log: Log): void;
}

/** The call that a frame runs for, where a frame of ours made it. */
export interface OpenCall {
  readonly message: CallMessage;
  /** The frame to go on with; undefined for the outermost. */
  readonly caller: Frame | undefined;
  /** Where in the caller's memory the returned data goes. */
  readonly outOffset: number;
  readonly outLength: number;
}

export class Frame implements OldLiveStep {
  readonly state: FrameState;
  readonly env: FrameEnvironment;
  readonly program: Program;
  readonly surroundings: FrameSurroundings;
  readonly call: OpenCall | undefined;
  /** Account whose storage the frame works on. */
  readonly address: Bytes;
  readonly stack: bigint[];
  stackHeight = 0;
  pc = 0;
  /** STOP or RETURN ran; the program counter then stands at the end of the code. */
  hasStopped = false;
  /** Gas left, without the reserve. */
  gas = 0;
  memoryBytes = 0;
  /** The last hash or slot, as a word and as its bytes: a hash is as a rule a slot next, and a slot one again. */
  knownWord = 0n;
  knownBytes: Bytes = ZERO_HASH;
  // What a recorder of steps reads; written only while there is one.
  stepOpcode = 0;
  stepCost = 0;
  stepForwarded = 0;
  stepMemoryBytes = 0;
  /** Why gas ran out, where that needs telling. */
  failureCause: OpcodeFailure["cause"];
  readonly #stackInternals: StackInternals;
  #reserve = 0n;
  #memoryCost = 0;

  constructor(state: FrameState, program: Program, surroundings: FrameSurroundings, call?: OpenCall) {
    this.state = state;
    this.env = state.env;
    this.program = program;
    this.surroundings = surroundings;
    this.call = call;
    this.address = state.env.address.bytes;
    this.#stackInternals = state.stack as unknown as StackInternals;
    this.stack = this.#stackInternals._store;
    this.reclaim();
    this.pc = 0;
  }

  get memory(): Bytes {
    return this.state.memory._store;
  }

  get gasRefund(): bigint {
    return this.state.gasRefund;
  }

  /** All gas left. */
  get gasLeft(): bigint {
    return this.#reserve === 0n ? BigInt(this.gas) : this.#reserve + BigInt(this.gas);
  }

  /** Moves reserve into {@link gas}; false when there is none. */
  drawReserve(): boolean {
    if (this.#reserve === 0n) return false;
    this.#takeGas(this.gasLeft);
    return true;
  }

  /** Ends the frame as STOP does. */
  stop(): void {
    this.hasStopped = true;
    this.pc = this.program.code.length;
  }

  /** Takes off what a called frame used, reserve included. */
  spend(gas: bigint): void {
    if (this.#reserve === 0n) this.gas -= Number(gas);
    else this.#takeGas(this.gasLeft - gas);
  }

  #takeGas(total: bigint): void {
    if (total <= GAS_CHUNK_BIG) {
      this.gas = Number(total);
      this.#reserve = 0n;
    } else {
      this.gas = GAS_CHUNK;
      this.#reserve = total - GAS_CHUNK_BIG;
    }
  }

  /** Gives the run state back the memory size of the last {@link reclaim} or of our own growing. */
  recall(): void {
    this.state.memoryWordCount = BigInt(this.memoryBytes / 32);
    this.state.highestMemCost = BigInt(this.#memoryCost);
  }

  /** Writes the plain fields back, for EthereumJS' handlers to see. Memory size is always current there. */
  release(): void {
    const { state } = this;
    this.#stackInternals._len = this.stackHeight;
    state.programCounter = this.pc;
    state.gasLeft = this.gasLeft;
  }

  /** Reads the plain fields after EthereumJS' handlers ran. */
  reclaim(): void {
    const { state } = this;
    this.stackHeight = this.#stackInternals._len;
    this.pc = state.programCounter;
    this.#takeGas(state.gasLeft);
    this.reclaimMemory();
  }

  /** Reads the memory size after one of EthereumJS' gas handlers ran. */
  reclaimMemory(): void {
    const bytes = Number(this.state.memoryWordCount) * 32;
    if (bytes === this.memoryBytes) return;
    this.memoryBytes = bytes;
    this.#memoryCost = Number(this.state.highestMemCost);
  }

  /**
   * Price of having `length` bytes of memory from `offset` on, in gas, beyond what is paid already; zero when there is
   * nothing to grow. Grows the active size, as it is only asked for operations that pay or end the frame.
   *
   * A price beyond any gas limit is not exact, and is more than the frame has.
   */
  expandMemory(offset: bigint, length: bigint): number {
    if (length === 0n) return 0;
    const end = Number(offset) + Number(length);
    if (end <= this.memoryBytes) return 0;
    if (end <= MAX_MEMORY_BYTES) return this.#growMemory(Math.ceil(end / 32));
    const words = end / 32;
    return Math.max(words * 3 + (words * words) / 512, Number(this.gasLeft) * 2 + 1);
  }

  /** Active memory in bytes that a region needs, or what there is; not a number beyond any limit. Changes nothing. */
  memoryFor(offset: bigint, length: bigint): number {
    if (length === 0n) return this.memoryBytes;
    const end = Number(offset) + Number(length);
    if (end <= this.memoryBytes) return this.memoryBytes;
    return end <= MAX_MEMORY_BYTES ? Math.ceil(end / 32) * 32 : Number.NaN;
  }

  /** Price of growing the active memory to so many bytes, in gas. Changes nothing. */
  priceOfMemory(bytes: number): number {
    return bytes === this.memoryBytes ? 0 : memoryPrice(bytes / 32) - this.#memoryCost;
  }

  /** Grows the active memory to what has been paid for, and allocates it. */
  extendMemory(bytes: number): void {
    if (bytes !== this.memoryBytes) this.#growMemory(bytes / 32);
    this.allocateMemory();
  }

  #growMemory(words: number): number {
    const cost = memoryPrice(words);
    const price = cost - this.#memoryCost;
    this.#memoryCost = cost;
    this.memoryBytes = words * 32;
    this.state.memoryWordCount = BigInt(words);
    this.state.highestMemCost = BigInt(cost);
    return price;
  }

  /** Allocates the active memory. Doubles, so that memory growing word by word is copied only a few times. */
  allocateMemory(): void {
    const { memory } = this.state;
    if (memory._store.length >= this.memoryBytes) return;
    const grown = new Uint8Array(Math.max(this.memoryBytes, memory._store.length * 2, FIRST_MEMORY_BYTES));
    grown.set(memory._store);
    memory._store = grown;
  }
}

/** Ends the frame with one of EthereumJS' texts. */
export function halt(text: string): never {
  throw new EVMError(text as ConstructorParameters<typeof EVMError>[0]);
}

/** What having `words` words of memory costs in all, in gas (yellow paper (326)). Exact up to 2^26 words. */
function memoryPrice(words: number): number {
  return words * 3 + Math.floor((words * words) / 512);
}
