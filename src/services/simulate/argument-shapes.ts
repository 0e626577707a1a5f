/** What calls, blocks and tracers have to be that a program hands in. */
import type { BlockTag } from "../../chain/block-id.ts";
import type { Withdrawal } from "../../chainspec/block.ts";
import type { AccessListEntry, Authorization } from "../../chainspec/transaction.ts";
import type { BlockOverrides } from "../../executor/block-overrides.ts";
import type { CallRequest } from "../../executor/call-request.ts";
import {
  bytes,
  count,
  filledText,
  flag,
  listOf,
  membersOf,
  milliseconds,
  oneOf,
  optional,
  type Shape,
  shape,
  signal,
  someOf,
  text,
  unexpected,
  unsigned,
} from "../../primitives/shape.ts";
import type { AccountOverride, SlotOverride } from "../../state/overrides.ts";
import type { CallTracerOptions } from "../../tracer/formats/call-tracer.ts";
import type { FlatCallOptions } from "../../tracer/formats/flat-call.ts";
import type { PrestateOptions } from "../../tracer/formats/prestate.ts";
import type { StructLogOptions } from "../../tracer/formats/struct-log.ts";
import type { CallBundle } from "./debug-calls.ts";
import type { GethTracer } from "./debug-tracers.ts";
import type { Overrides } from "./overridden-view.ts";
import { TRACE_TYPES } from "./trace-results.ts";

const BLOCK_TAGS: readonly string[] = [
  "earliest",
  "latest",
  "pending",
  "safe",
  "finalized",
] satisfies readonly BlockTag[];

export const address: Shape = bytes(20);
export const hash: Shape = bytes(32);
export const word: Shape = unsigned(256);

export const blockId: Shape = shape(
  'a block as { number: 1n }, { tag: "latest" } or { hash, requireCanonical: false } with 32 bytes',
  (value) => {
    if (typeof value !== "object" || value === null) return false;
    const { number, tag, hash, requireCanonical, ...others } = value as Partial<Record<string, unknown>>;
    if (Object.keys(others).length > 0 || [number, tag, hash].filter((member) => member !== undefined).length !== 1)
      return false;
    if (tag !== undefined) return BLOCK_TAGS.includes(tag as string);
    if (number !== undefined) return typeof number === "bigint" && number >= 0n;
    const isBoolean = requireCanonical === undefined || typeof requireCanonical === "boolean";
    return hash instanceof Uint8Array && hash.length === 32 && isBoolean;
  },
);

/** Types of traces; an iterator that can be read once is looked at by who reads it. */
export const traceTypes: Shape = (value, path) => {
  const isSet = value instanceof Set || Array.isArray(value);
  const isIterable = typeof value === "object" && value !== null && Symbol.iterator in value;
  if (!isIterable) throw unexpected(path, `a list of ${TRACE_TYPES.map((name) => `"${name}"`).join(", ")}`, value);
  if (isSet) for (const [index, name] of [...value].entries()) oneOf(...TRACE_TYPES)(name, `${path}[${index}]`);
};

/** Bounds of one request. */
export const bounds = { timeoutMs: milliseconds, signal };

export const call: Shape = someOf<CallRequest>({
  from: address,
  to: address,
  gasLimit: unsigned(64),
  gasPrice: word,
  maxFeePerGas: word,
  maxPriorityFeePerGas: word,
  value: word,
  nonce: unsigned(64),
  data: bytes(),
  accessList: listOf(membersOf<AccessListEntry>({ address, storageKeys: listOf(hash) })),
  chainId: word,
  type: unsigned(8),
  maxFeePerBlobGas: word,
  blobVersionedHashes: listOf(hash),
  authorizations: listOf(
    membersOf<Authorization>({ chainId: word, address, nonce: unsigned(64), yParity: unsigned(8), r: word, s: word }),
  ),
});

const slots = listOf(membersOf<SlotOverride>({ slot: hash, value: bytes() }));

const blockOverrides: Shape = someOf<BlockOverrides>({
  number: unsigned(64),
  timestamp: unsigned(64),
  gasLimit: unsigned(64),
  coinbase: address,
  prevRandao: hash,
  difficulty: word,
  baseFeePerGas: word,
  blobBaseFee: word,
  blockHashes: shape("a Map of hashes by number", (value) => value instanceof Map),
  parentBeaconBlockRoot: hash,
  withdrawals: listOf(
    membersOf<Withdrawal>({ index: unsigned(64), validatorIndex: unsigned(64), address, amount: unsigned(64) }),
  ),
});

export const overrides: Shape = someOf<Overrides>({
  accounts: listOf(
    membersOf<AccountOverride>({
      address,
      balance: optional(word),
      nonce: optional(unsigned(64)),
      code: optional(bytes()),
      state: optional(slots),
      stateDiff: optional(slots),
      movePrecompileTo: optional(address),
    }),
  ),
  block: blockOverrides,
});

export const bundles: Shape = listOf(membersOf<CallBundle>({ calls: listOf(call), block: optional(blockOverrides) }));

/** What the first call of a bundle runs on. */
export const callContext = { ...bounds, block: blockId, txIndex: count, overrides };

export const structLogOptions = {
  enableMemory: flag,
  disableStack: flag,
  disableStorage: flag,
  enableReturnData: flag,
  limit: count,
};

/** By tracer: its members beside the name. */
const TRACERS: Readonly<Record<GethTracer["name"], Readonly<Record<string, Shape>>>> = {
  structLogger: { options: optional(someOf<StructLogOptions>(structLogOptions)) },
  callTracer: { options: optional(someOf<CallTracerOptions>({ onlyTopCall: flag, withLog: flag })) },
  flatCallTracer: {
    options: optional(someOf<FlatCallOptions>({ convertParityErrors: flag, includePrecompiles: flag })),
  },
  prestateTracer: {
    options: optional(
      someOf<PrestateOptions>({ diffMode: flag, disableCode: flag, disableStorage: flag, includeEmpty: flag }),
    ),
  },
  "4byteTracer": {},
  noopTracer: {},
  muxTracer: { tracers: (value, path) => listOf(tracer)(value, path) },
  script: { code: filledText, config: optional(text) },
};

/** Also a function, which TypeScript needs to know that it may ask for itself. */
export function tracer(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) {
    throw unexpected(path, 'a tracer such as { name: "callTracer" }', value);
  }
  const { name } = value as { readonly name?: unknown };
  oneOf(...Object.keys(TRACERS))(name, `${path}.name`);
  membersOf<Record<string, unknown>>({ name: text, ...TRACERS[name as GethTracer["name"]] })(value, path);
}
