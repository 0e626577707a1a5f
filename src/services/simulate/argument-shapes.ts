/** Shapes of the calls, blocks and tracers that a program passes in. */
import { z } from "zod";
import type { BlockTag } from "../../chain/blocks/block-id.ts";
import type { Withdrawal } from "../../chainspec/header/block.ts";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import type { AccessListEntry, Authorization } from "../../chainspec/transaction/transaction-fields.ts";
import { once } from "../../primitives/once.ts";
import {
  bounds,
  bytes,
  count,
  filledText,
  listOf,
  membersOf,
  type ShapesOf,
  shape,
  someOf,
  unsigned,
} from "../../primitives/validation/shape.ts";
import type { AccountOverride, SlotOverride } from "../../state/working/overrides.ts";
import type { StructLogOptions } from "../../tracer/formats/struct-log.ts";
import type { BlockOverrides } from "./call/block-overrides.ts";
import type { Overrides } from "./call/overridden-view.ts";
import type { CallBundle } from "./debug/calls.ts";
import { TRACER_FLAGS } from "./debug/tracers.ts";
import { TRACE_TYPES } from "./trace/results.ts";

const BLOCK_TAGS = ["earliest", "latest", "pending", "safe", "finalized"] as const satisfies readonly BlockTag[];

/** An address: 20 bytes. */
export const address = once(() => bytes(20));
/** A hash or a slot: 32 bytes. */
export const hash = once(() => bytes(32));
/** A bigint of 0 to 2^256 - 1, such as an amount of wei. */
export const word = once(() => unsigned(256));
/** A bigint of 0 to 2^64 - 1, such as a nonce, a gas limit or a block number. */
export const uint64 = once(() => unsigned(64));

/** A tag, or a block by number or hash. A hash may be restricted to the canonical chain (EIP-1898). */
export const blockId = once(() => {
  const members = z
    .strictObject({
      number: z.bigint().nonnegative(),
      tag: z.enum(BLOCK_TAGS),
      hash: hash(),
      requireCanonical: z.boolean(),
    })
    .partial()
    .refine(({ number, tag, hash }) => [number, tag, hash].filter((member) => member !== undefined).length === 1);
  return shape(
    'a block as { number: 1n }, { tag: "latest" } or { hash, requireCanonical: false } with 32 bytes',
    (value) => members.safeParse(value).success,
  );
});

/**
 * Types of traces. An iterator is accepted unchecked, because it can be read only once; its consumer checks the items.
 */
export const traceTypes = once(() =>
  shape(
    `a list of ${TRACE_TYPES.map((name) => `"${name}"`).join(", ")}`,
    (value) => typeof value === "object" && value !== null && Symbol.iterator in value,
  )
    .transform((types) => (types instanceof Set || Array.isArray(types) ? [...types] : []))
    .pipe(z.array(z.enum(TRACE_TYPES))),
);

/** A call, or the transaction to simulate. Members that are absent are filled in as for `eth_call`. */
export const call = once(() =>
  someOf<Omit<CallRequest, "blobMember">>({
    from: address(),
    to: address(),
    gasLimit: uint64(),
    gasPrice: word(),
    maxFeePerGas: word(),
    maxPriorityFeePerGas: word(),
    value: word(),
    nonce: uint64(),
    data: bytes(),
    accessList: listOf(membersOf<AccessListEntry>({ address: address(), storageKeys: listOf(hash()) })),
    chainId: word(),
    type: unsigned(8),
    maxFeePerBlobGas: word(),
    blobVersionedHashes: listOf(hash()),
    authorizations: listOf(
      membersOf<Authorization>({
        chainId: word(),
        address: address(),
        nonce: uint64(),
        yParity: unsigned(8),
        r: word(),
        s: word(),
      }),
    ),
  }),
);

const blockOverrides = once(() =>
  someOf<BlockOverrides>({
    number: uint64(),
    timestamp: uint64(),
    gasLimit: uint64(),
    coinbase: address(),
    prevRandao: hash(),
    difficulty: word(),
    baseFeePerGas: word(),
    blobBaseFee: word(),
    slotNumber: uint64(),
    blockHashes: shape("a Map of hashes by number", (value) => value instanceof Map),
    parentBeaconBlockRoot: hash(),
    withdrawals: listOf(
      membersOf<Withdrawal>({ index: uint64(), validatorIndex: uint64(), address: address(), amount: uint64() }),
    ),
  }),
);

/** Accounts and block members that a simulation sees changed. */
export const overrides = once(() => {
  const slots = listOf(membersOf<SlotOverride>({ slot: hash(), value: bytes() })).optional();
  return someOf<Overrides>({
    accounts: listOf(
      membersOf<AccountOverride>({
        address: address(),
        balance: word().optional(),
        nonce: uint64().optional(),
        code: bytes().optional(),
        state: slots,
        stateDiff: slots,
        movePrecompileTo: address().optional(),
      }),
    ),
    block: blockOverrides(),
  });
});

/** Bundles of calls, each in a block of its own, for `eth_callMany` and `debug_traceCallMany`. */
export const bundles = once(() =>
  listOf(membersOf<CallBundle>({ calls: listOf(call()), block: blockOverrides().optional() })),
);

/** The block and state of a bundle's first call. */
export const callContext = once(() => ({ ...bounds(), block: blockId(), txIndex: count(), overrides: overrides() }));

/** Options of geth's struct logger. */
export const structLogOptions = (): ShapesOf<StructLogOptions> => ({
  enableMemory: z.boolean(),
  disableStack: z.boolean(),
  disableStorage: z.boolean(),
  enableReturnData: z.boolean(),
  limit: count(),
});

/** By tracer name: its members other than the name. */
function tracerMembers(): Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> {
  const native = TRACER_FLAGS.map(([name, flags]) => {
    if (name === "structLogger") return [name, { options: someOf<StructLogOptions>(structLogOptions()).optional() }];
    if (flags.length === 0) return [name, {}];
    const members = Object.fromEntries(flags.map((flag) => [flag, z.boolean()]));
    return [name, { options: someOf<Readonly<Record<string, boolean>>>(members).optional() }];
  });
  return {
    ...Object.fromEntries(native),
    muxTracer: { tracers: listOf(z.lazy(tracer)) },
    script: { code: filledText(), config: z.string().optional() },
  };
}

/** A tracer of geth by kind, with the options of that kind. */
export const tracer: () => z.ZodType = once(() => {
  const members = Object.entries(tracerMembers());
  const names = members.map(([name]) => JSON.stringify(name)).join(", ");
  return z.discriminatedUnion(
    "name",
    members.map(([name, others]): z.ZodObject => z.strictObject({ name: z.literal(name), ...others })) as [z.ZodObject],
    {
      error: ({ code }) =>
        `expected ${code === "invalid_union" ? `one of ${names}` : 'a tracer such as { name: "callTracer" }'}`,
    },
  );
});
