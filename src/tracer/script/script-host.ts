/** Answers what a script asks about the running step, its frame, the state, and addresses. */
import { createAddress } from "../../primitives/address.ts";
import { type Bytes, concatBytes, EMPTY_BYTES } from "../../primitives/bytes.ts";
import { keccak256 } from "../../primitives/hash.ts";
import { decodeData, encodeQuantity } from "../../primitives/hex.ts";
import type { LiveStep } from "../events.ts";
import type { HostValue } from "./sandbox.ts";

/** The state as it is at the running step. Answers at once. */
export interface ScriptState {
  balance(address: Bytes): bigint;
  nonce(address: Bytes): bigint;
  code(address: Bytes): Bytes;
  /** 32 bytes */
  storage(address: Bytes, slot: Bytes): Bytes;
  exists(address: Bytes): boolean;
  isPrecompile(address: Bytes): boolean;
}

/** A frame as `log.contract` shows it, and as `enter` is told of it. */
export interface ScriptFrame {
  readonly type: string;
  readonly from: Bytes;
  readonly to: Bytes;
  /** undefined for STATICCALL */
  readonly value: bigint | undefined;
  readonly gas: bigint;
  readonly input: Bytes;
  /** Who called the code that runs; for DELEGATECALL the parent's caller. */
  readonly caller: Bytes;
  /** Whose storage the code works on. */
  readonly account: Bytes;
  /** What CALLVALUE reads. */
  readonly callValue: bigint;
}

/** How a frame ended, as `exit` is told. */
export interface ScriptFrameEnd {
  readonly gasUsed: bigint;
  readonly output: Bytes;
  readonly error: string | undefined;
}

/** What the script's current question is about. */
export interface ScriptMoment {
  readonly step: LiveStep | undefined;
  /** The running frame. */
  readonly running: ScriptFrame | undefined;
  /** The frame that `enter` is told of. */
  readonly entered: ScriptFrame | undefined;
  readonly ended: ScriptFrameEnd | undefined;
}

const address = (text: number | string): Bytes => decodeData(String(text));

/** The answer, or undefined where there is none. */
export function answer(
  moment: ScriptMoment,
  state: ScriptState,
  question: readonly [kind: string, first: number | string, second: number | string, third: number | string],
): HostValue {
  const [kind, first, second, third] = question;
  switch (kind) {
    case "balance":
      return encodeQuantity(state.balance(address(first)));
    case "nonce":
      return Number(state.nonce(address(first)));
    case "code":
      return state.code(address(first));
    case "state":
      return state.storage(address(first), decodeData(String(second)));
    case "exists":
      return state.exists(address(first)) ? 1 : 0;
    case "isPrecompiled":
      return state.isPrecompile(address(first)) ? 1 : 0;
    case "toContract":
      return createAddress(address(first), BigInt(second));
    case "toContract2":
      return createAddress2(address(first), decodeData(String(second)), decodeData(String(third)));
    default:
      return answerOfMoment(moment, kind, Number(first), Number(second));
  }
}

function answerOfMoment(moment: ScriptMoment, kind: string, first: number, second: number): HostValue {
  const { step, running, entered, ended } = moment;
  switch (kind) {
    case "peek":
      return encodeQuantity(step?.stack[step.stackHeight - 1 - first] ?? 0n);
    case "memory":
      return step === undefined ? EMPTY_BYTES : readMemory(step, first, second);
    case "caller":
      return running?.caller ?? EMPTY_BYTES;
    case "address":
      return running?.account ?? EMPTY_BYTES;
    case "value":
      return encodeQuantity(running?.callValue ?? 0n);
    case "input":
      return running?.input ?? EMPTY_BYTES;
    case "frameType":
      return entered?.type;
    case "frameFrom":
      return entered?.from;
    case "frameTo":
      return entered?.to;
    case "frameInput":
      return entered?.input;
    case "frameGas":
      return Number(entered?.gas ?? 0n);
    case "frameValue":
      return entered?.value === undefined ? undefined : encodeQuantity(entered.value);
    case "frameGasUsed":
      return Number(ended?.gasUsed ?? 0n);
    case "frameOutput":
      return ended?.output ?? EMPTY_BYTES;
    case "frameError":
      return ended?.error;
    default:
      throw new TypeError(`answer: unknown question ${kind}`);
  }
}

/** A copy; zeros beyond what the frame has. */
function readMemory(step: LiveStep, begin: number, end: number): Bytes {
  const copy = new Uint8Array(end - begin);
  const limit = Math.min(end, step.stepMemoryBytes, step.memory.length);
  if (limit > begin) copy.set(step.memory.subarray(begin, limit));
  return copy;
}

/** Address of a CREATE2 (EIP-1014). */
export function createAddress2(creator: Bytes, salt: Bytes, initCode: Bytes): Bytes {
  return keccak256(concatBytes(Uint8Array.of(0xff), creator, salt, keccak256(initCode))).subarray(12);
}
