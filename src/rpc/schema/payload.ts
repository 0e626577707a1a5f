/** Params of testing_buildBlockV1. */
import { listOf } from "../../primitives/schema.ts";
import { object } from "../../primitives/schema-objects.ts";
import type { PayloadAttributes } from "../../services/simulate/payload.ts";
import { withdrawal } from "./overrides.ts";
import { address, data, hash, uint64 } from "./primitives.ts";

export const payloadAttributes = object(
  {
    timestamp: uint64,
    prevRandao: hash,
    suggestedFeeRecipient: address,
    withdrawals: listOf(withdrawal, "expected an array of withdrawals").nullish(),
    parentBeaconBlockRoot: hash.nullish(),
    targetGasLimit: uint64.nullish(),
  },
  "expected payload attributes",
).to(
  ({ suggestedFeeRecipient, withdrawals, ...attributes }): PayloadAttributes => ({
    ...attributes,
    feeRecipient: suggestedFeeRecipient,
    withdrawals: withdrawals ?? [],
  }),
);

export const rawTransactions = listOf(data, "expected an array of signed transactions");

const MAX_EXTRA_DATA = 32;

export const extraData = data.where(
  (bytes) => bytes.length <= MAX_EXTRA_DATA,
  `expected DATA of at most ${MAX_EXTRA_DATA} bytes`,
);
