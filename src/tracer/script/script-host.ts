/** Answers a script's calls about the current step, its frame, the state, and addresses. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { LiveStep } from "../../evm/event-sink.ts";
import type { EvmAccount, StateReader } from "../../evm/state-port.ts";
import { createAddress, createSaltedAddress } from "../../primitives/address.ts";
import { type Bytes, EMPTY_BYTES, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import type { HostValue } from "../../sandbox/sandbox.ts";

/** A frame, as `log.contract` shows it and as `enter` receives it. */
export interface ScriptFrame {
  readonly type: string;
  readonly from: Bytes;
  readonly to: Bytes;
  /** wei; undefined for STATICCALL. */
  readonly value: bigint | undefined;
  readonly gas: bigint;
  readonly input: Bytes;
  /** The caller; for DELEGATECALL the parent's caller. */
  readonly caller: Bytes;
  /** The account whose storage the code uses. */
  readonly account: Bytes;
  /** Value of CALLVALUE. */
  readonly callValue: bigint;
}

/** The end of a frame, as `exit` receives it. */
export interface ScriptFrameEnd {
  readonly gasUsed: bigint;
  readonly output: Bytes;
  readonly error: string | undefined;
}

/** The state, the current step and the frames, which a script can read during a call. */
export interface ScriptView {
  /** The current state. */
  readonly state: StateReader;
  readonly isPrecompile: (address: Bytes) => boolean;
  readonly step: LiveStep | undefined;
  /** The executing frame. */
  readonly running: ScriptFrame | undefined;
  /** The frame passed to `enter`. */
  readonly entered: ScriptFrame | undefined;
  readonly ended: ScriptFrameEnd | undefined;
}

const address = (text: number | string): Bytes => decodeData(String(text));

/** Answers a call of the script; undefined is an answer too. */
export function answer(
  view: ScriptView,
  question: readonly [kind: string, first: number | string, second: number | string, third: number | string],
): HostValue {
  const [kind, first, second, third] = question;
  const { state } = view;
  switch (kind) {
    case "balance":
      return encodeQuantity(accountAt(state, address(first))?.balance ?? 0n);
    case "nonce":
      return Number(accountAt(state, address(first))?.nonce ?? 0n);
    case "code": {
      const account = accountAt(state, address(first));
      return account === undefined ? EMPTY_BYTES : atOnce(state.getCode(account.codeHash));
    }
    case "state":
      return padBytesLeft(atOnce(state.getStorage(address(first), decodeData(String(second)))), 32);
    case "exists":
      return accountAt(state, address(first)) === undefined ? 0 : 1;
    case "isPrecompiled":
      return view.isPrecompile(address(first)) ? 1 : 0;
    case "toContract":
      return createAddress(address(first), BigInt(second));
    case "toContract2":
      return createSaltedAddress(address(first), decodeData(String(second)), decodeData(String(third)));
    default:
      return answerFromView(view, kind, Number(first), Number(second));
  }
}

function answerFromView(view: ScriptView, kind: string, first: number, second: number): HostValue {
  const { step, running, entered, ended } = view;
  switch (kind) {
    case "peek":
      return encodeQuantity(step?.stackItem(first) ?? 0n);
    case "memory":
      return step?.readMemory(first, second - first) ?? EMPTY_BYTES;
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

/** An account of the state. @throws {UnsupportedError} if reading it is asynchronous */
export function accountAt(state: StateReader, at: Bytes): EvmAccount | undefined {
  return atOnce(state.getAccount(at));
}

/** The value, which must be present: a script cannot wait in the middle of an operation. */
function atOnce<T>(value: MaybePromise<T>): T {
  if (!(value instanceof Promise)) return value;
  value.catch(() => {});
  throw new UnsupportedError({
    code: "UNSUPPORTED",
    what: "A JavaScript tracer asked for a part of a remote state that has not been fetched.",
    fix: "Use one of the built-in tracers, or run the call once before.",
  });
}
