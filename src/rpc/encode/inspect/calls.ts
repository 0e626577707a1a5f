/** The calls of a transaction as JSON: texts for people, and the bytes behind them cut to what a page shows. */

import { FrameKind } from "../../../evm/frames.ts";
import type { DescribedCall, DescribedLog } from "../../../explain/render/call-list.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { bigIntToFixedBytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { CallPart, NamedChange } from "../../../services/simulate/inspect/inspector.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { arrayOf, BOOLEAN, INTEGER, type JsonSchema, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type { CallPart as CallPartJson } from "../../wire-types.generated.ts";
import { listText, membersText, objectText, type Text, wholeText } from "../stream/text.ts";

const LOG = object({
  address: ADDRESS,
  text: orNull(TEXT),
  topics: arrayOf(WORD),
  data: DATA,
  position: INTEGER,
});

const KIND: JsonSchema = {
  type: "string",
  enum: ["call", "callcode", "delegatecall", "staticcall", "create", "create2"],
};

/** The first members of a frame, in a list of calls and in a recording. */
export const FRAME_MEMBERS = {
  parent: INTEGER,
  depth: INTEGER,
  kind: KIND,
  from: ADDRESS,
  to: orNull(ADDRESS),
  account: orNull(ADDRESS),
  value: QUANTITY,
  gas: QUANTITY,
  gasUsed: QUANTITY,
};

const CALL = object({
  index: INTEGER,
  ...FRAME_MEMBERS,
  contract: TEXT,
  function: orNull(TEXT),
  arguments: TEXT,
  result: TEXT,
  failure: orNull(TEXT),
  printed: orNull(TEXT),
  input: DATA,
  inputLength: INTEGER,
  output: DATA,
  outputLength: INTEGER,
  isPrecompile: BOOLEAN,
  steps: { type: "array", items: INTEGER, minItems: 2, maxItems: 2 },
  selfDestruct: orNull(object({ beneficiary: ADDRESS, balance: QUANTITY })),
  logs: arrayOf(LOG),
});

const STORAGE = object({
  call: INTEGER,
  step: INTEGER,
  account: ADDRESS,
  slot: WORD,
  before: WORD,
  after: WORD,
  isUndone: BOOLEAN,
  variables: arrayOf(object({ name: TEXT, before: TEXT, after: TEXT })),
});

export const callPartSchema = named("CallPart", () =>
  object({
    blockHash: HASH,
    transactionIndex: INTEGER,
    callCount: INTEGER,
    stepCount: INTEGER,
    calls: arrayOf(CALL),
    storage: arrayOf(STORAGE),
  }),
);

/** Bytes of input and output that are shown; `trace_get` has the whole. */
const SHOWN_BYTES = 1_024;
const WORD_BYTES = 32;

type CallJson = CallPartJson["calls"][number];

/** Names of frame kinds in JSON. */
export const KIND_NAMES = {
  [FrameKind.call]: "call",
  [FrameKind.callCode]: "callcode",
  [FrameKind.delegateCall]: "delegatecall",
  [FrameKind.staticCall]: "staticcall",
  [FrameKind.create]: "create",
  [FrameKind.create2]: "create2",
} as const satisfies Record<FrameKind, string>;

/** Codes, inputs and outputs are cut to the length that a page shows. */
export function encodeCallPart(part: CallPart): CallPartJson {
  return { ...encodeHead(part), calls: part.calls.map(encodeCall), storage: part.storage.map(encodeStorage) };
}

/** The same as text. */
export function callPartText(part: CallPart): Text {
  return objectText([
    ...membersText(encodeHead(part), {}),
    ["calls", listText(part.calls, (call) => wholeText(encodeCall(call)))],
    ["storage", listText(part.storage, (change) => wholeText(encodeStorage(change)))],
  ]);
}

function encodeHead({ cached, steps }: CallPart): Omit<CallPartJson, "calls" | "storage"> {
  return {
    blockHash: encodeData(cached.block.hash),
    transactionIndex: cached.index,
    // Of the whole transaction, not of the part.
    callCount: cached.recording.frames.length,
    stepCount: steps,
  };
}

/** The first members of a frame. */
export function encodeFrameMembers(frame: CallFrame): Pick<CallJson, keyof typeof FRAME_MEMBERS> {
  const { parent, depth, kind, from, to, account, value, gas, gasUsed } = frame;
  return {
    parent,
    depth,
    kind: KIND_NAMES[kind],
    from: encodeData(from),
    to: to === undefined ? null : encodeData(to),
    account: account === undefined ? null : encodeData(account),
    value: encodeQuantity(value),
    gas: encodeQuantity(gas),
    gasUsed: encodeQuantity(gasUsed),
  };
}

function encodeCall({ frame, logs, ...texts }: DescribedCall): CallJson {
  const { index, input, output, selfDestruct } = frame;
  return {
    index,
    ...encodeFrameMembers(frame),
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
    // Numbers of its first step and of the first after it.
    steps: [frame.step + 1, frame.stepEnd],
    selfDestruct:
      selfDestruct === undefined
        ? null
        : { beneficiary: encodeData(selfDestruct.beneficiary), balance: encodeQuantity(selfDestruct.balance) },
    logs: logs.map(encodeLog),
  };
}

function encodeLog({ log, text }: DescribedLog): CallJson["logs"][number] {
  const { address, topics, data, position } = log;
  return {
    address: encodeData(address),
    text: text ?? null,
    topics: topics.map(encodeData),
    data: encodeStart(data),
    position,
  };
}

function encodeStorage({
  frame,
  step,
  account,
  slot,
  before,
  value,
  goneAt,
  variables,
}: NamedChange): CallPartJson["storage"][number] {
  return {
    call: frame.index,
    step,
    account: encodeData(account),
    slot: encodeWord(slot),
    before: encodeWord(before),
    after: encodeWord(value),
    // A call around it failed later.
    isUndone: goneAt !== undefined,
    variables: [...variables],
  };
}

function encodeStart(bytes: Bytes): Hex {
  return encodeData(bytes.subarray(0, SHOWN_BYTES));
}

/** 32 bytes of DATA. */
export function encodeWord(value: bigint): Hex {
  return encodeData(bigIntToFixedBytes(value, WORD_BYTES));
}
