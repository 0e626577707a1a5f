/** The calls of a transaction as JSON: texts for people, and the bytes behind them cut to what a page shows. */

import { FrameKind } from "../../../evm/frames.ts";
import type { DescribedCall, DescribedLog } from "../../../explain/render/call-list.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { bigIntToFixedBytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { CallPart, NamedChange } from "../../../services/simulate/explain/inspect.ts";

/** Bytes of input and output that are shown; `trace_get` has the whole. */
const SHOWN_BYTES = 1_024;
const WORD_BYTES = 32;

/** Names of frame kinds in JSON. */
export const KIND_NAMES = {
  [FrameKind.call]: "call",
  [FrameKind.callCode]: "callcode",
  [FrameKind.delegateCall]: "delegatecall",
  [FrameKind.staticCall]: "staticcall",
  [FrameKind.create]: "create",
  [FrameKind.create2]: "create2",
} as const satisfies Record<FrameKind, string>;

/** The answer of `hindcast_getCalls`. */
export interface CallPartJson {
  readonly blockHash: Hex;
  readonly transactionIndex: number;
  /** Of the whole transaction. */
  readonly callCount: number;
  readonly stepCount: number;
  readonly calls: readonly CallJson[];
  readonly storage: readonly StorageJson[];
}

interface CallJson {
  readonly index: number;
  /** Index of the call around it; -1 for the outermost. */
  readonly parent: number;
  readonly depth: number;
  readonly kind: string;
  readonly from: Hex;
  readonly to: Hex | null;
  /** Whose storage and balance it works on. */
  readonly account: Hex | null;
  readonly value: Hex;
  readonly gas: Hex;
  readonly gasUsed: Hex;
  readonly contract: string;
  readonly function: string | null;
  readonly arguments: string;
  readonly result: string;
  readonly failure: string | null;
  readonly printed: string | null;
  /** The first bytes. */
  readonly input: Hex;
  readonly inputLength: number;
  readonly output: Hex;
  readonly outputLength: number;
  readonly isPrecompile: boolean;
  /** Numbers of its first step and of the first behind it. */
  readonly steps: readonly [number, number];
  readonly selfDestruct: { readonly beneficiary: Hex; readonly balance: Hex } | null;
  readonly logs: readonly LogJson[];
}

interface LogJson {
  readonly address: Hex;
  readonly text: string | null;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Calls of its own that had started before. */
  readonly position: number;
}

interface StorageJson {
  /** Index of the call. */
  readonly call: number;
  readonly step: number;
  readonly account: Hex;
  readonly slot: Hex;
  readonly before: Hex;
  readonly after: Hex;
  /** A call around it failed later. */
  readonly isUndone: boolean;
  /** Variables that it changed, by name; empty if no variable is known to have the slot. */
  readonly variables: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

/** Codes, inputs and outputs are cut to the length that a page shows. */
export function encodeCallPart({ kept, steps, calls, storage }: CallPart): CallPartJson {
  return {
    blockHash: encodeData(kept.block.hash),
    transactionIndex: kept.index,
    callCount: kept.recording.frames.length,
    stepCount: steps,
    calls: calls.map(encodeCall),
    storage: storage.map(encodeStorage),
  };
}

function encodeCall({ frame, logs, ...texts }: DescribedCall): CallJson {
  const { index, parent, depth, kind, from, to, account, value, gas, gasUsed, input, output, selfDestruct } = frame;
  return {
    index,
    parent,
    depth,
    kind: KIND_NAMES[kind],
    from: encodeData(from),
    to: to === undefined ? null : encodeData(to),
    account: account === undefined ? null : encodeData(account),
    value: encodeQuantity(value),
    gas: encodeQuantity(gas),
    gasUsed: encodeQuantity(gasUsed),
    contract: texts.contract,
    function: texts.function ?? null,
    arguments: texts.arguments,
    result: texts.result,
    failure: texts.failure ?? null,
    printed: texts.printed ?? null,
    input: encodeStart(input),
    inputLength: input.length,
    output: encodeStart(output),
    outputLength: output.length,
    isPrecompile: frame.isPrecompile,
    steps: [frame.step + 1, frame.stepEnd],
    selfDestruct:
      selfDestruct === undefined
        ? null
        : { beneficiary: encodeData(selfDestruct.beneficiary), balance: encodeQuantity(selfDestruct.balance) },
    logs: logs.map(encodeLog),
  };
}

function encodeLog({ log, text }: DescribedLog): LogJson {
  const { address, topics, data, position } = log;
  return {
    address: encodeData(address),
    text: text ?? null,
    topics: topics.map(encodeData),
    data: encodeStart(data),
    position,
  };
}

function encodeStorage({ frame, step, account, slot, before, value, goneAt, variables }: NamedChange): StorageJson {
  return {
    call: frame.index,
    step,
    account: encodeData(account),
    slot: encodeWord(slot),
    before: encodeWord(before),
    after: encodeWord(value),
    isUndone: goneAt !== undefined,
    variables,
  };
}

function encodeStart(bytes: Bytes): Hex {
  return encodeData(bytes.subarray(0, SHOWN_BYTES));
}

/** 32 bytes of DATA. */
export function encodeWord(value: bigint): Hex {
  return encodeData(bigIntToFixedBytes(value, WORD_BYTES));
}
