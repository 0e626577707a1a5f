/** Params of testing_buildBlockV1. */
import { z } from "zod";
import type { PayloadAttributes } from "../../services/simulate/call/payload.ts";
import { namedMembers } from "./named-members.ts";
import { withdrawal } from "./overrides.ts";
import { address, data, hash, uint64 } from "./primitives.ts";

/** PayloadAttributesV4 of the engine API, and its earlier versions. */
export const payloadAttributes = namedMembers(
  z.object(
    {
      timestamp: uint64,
      prevRandao: hash,
      suggestedFeeRecipient: address,
      withdrawals: z.array(withdrawal, { error: "expected an array of withdrawals" }).nullish(),
      parentBeaconBlockRoot: hash.nullish(),
      slotNumber: uint64.nullish(),
      targetGasLimit: uint64.nullish(),
    },
    { error: "expected payload attributes" },
  ),
).transform(
  (attributes): PayloadAttributes => ({
    timestamp: attributes.timestamp,
    prevRandao: attributes.prevRandao,
    feeRecipient: attributes.suggestedFeeRecipient,
    withdrawals: attributes.withdrawals ?? [],
    parentBeaconBlockRoot: attributes.parentBeaconBlockRoot ?? undefined,
    slotNumber: attributes.slotNumber ?? undefined,
    targetGasLimit: attributes.targetGasLimit ?? undefined,
  }),
);

/** Network encodings of transactions, in the order of the block. */
export const rawTransactions = z.array(data, { error: "expected an array of signed transactions" });

const MAX_EXTRA_DATA = 32;

/** `extraData` of a header: at most 32 bytes. */
export const extraData = data.refine((bytes) => bytes.length <= MAX_EXTRA_DATA, {
  message: `expected DATA of at most ${MAX_EXTRA_DATA} bytes`,
});
