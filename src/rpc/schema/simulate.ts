/** The payload of eth_simulateV1. Unknown members are ignored, as in geth, but for those that are nearly known. */
import { z } from "zod";
import type { BundleRequest } from "../../services/simulate/bundle/call-bundle.ts";
import type { RequestedBlock } from "../../services/simulate/simulate-v1/plan.ts";
import { callObject } from "./call-object.ts";
import { namedMembers } from "./named-members.ts";
import { blockOverrides, stateOverrides } from "./overrides.ts";
import { address, blockId, countOrDecimal, data, quantity } from "./primitives.ts";

const requestedBlock = namedMembers(
  z.object(
    {
      blockOverrides: blockOverrides.nullish(),
      stateOverrides: stateOverrides.nullish(),
      calls: z.array(callObject, { error: "expected an array of calls" }).nullish(),
    },
    { error: "expected an object with calls, stateOverrides and blockOverrides" },
  ),
).transform(
  (block): RequestedBlock => ({
    overrides: block.blockOverrides ?? undefined,
    accounts: block.stateOverrides ?? undefined,
    calls: block.calls ?? [],
  }),
);

/** The parsed payload of eth_simulateV1. */
export interface SimulatePayload {
  readonly blocks: readonly RequestedBlock[];
  readonly traceTransfers: boolean;
  readonly validation: boolean;
  readonly returnFullTransactions: boolean;
}

/** The first parameter of `eth_simulateV1` (execution-apis). */
export const simulatePayload = namedMembers(
  z.object(
    {
      blockStateCalls: z.array(requestedBlock, { error: "expected an array of blocks" }),
      traceTransfers: z.boolean({ error: "expected true or false" }).nullish(),
      validation: z.boolean({ error: "expected true or false" }).nullish(),
      returnFullTransactions: z.boolean({ error: "expected true or false" }).nullish(),
    },
    { error: "expected an object with blockStateCalls" },
  ),
).transform(
  (payload): SimulatePayload => ({
    blocks: payload.blockStateCalls,
    traceTransfers: payload.traceTransfers ?? false,
    validation: payload.validation ?? false,
    returnFullTransactions: payload.returnFullTransactions ?? false,
  }),
);

/** The payload of eth_callBundle, as Flashbots defines it. */
export const bundle = namedMembers(
  z.object(
    {
      txs: z.array(data, { error: "expected a list of signed transactions" }),
      blockNumber: countOrDecimal,
      stateBlockNumber: blockId,
      timestamp: countOrDecimal.nullish(),
      timeout: countOrDecimal.nullish(),
      gasLimit: countOrDecimal.nullish(),
      difficulty: quantity.nullish(),
      baseFee: quantity.nullish(),
      coinbase: address.nullish(),
    },
    { error: "expected an object with txs, blockNumber and stateBlockNumber" },
  ),
  // Members of eth_sendBundle, which has no block that it runs in.
  { ignored: ["minTimestamp", "maxTimestamp"] },
).transform(
  (members): BundleRequest => ({
    transactions: members.txs,
    stateBlock: members.stateBlockNumber,
    timeoutMs: members.timeout == null ? undefined : Number(members.timeout) * 1000,
    block: {
      number: members.blockNumber,
      timestamp: members.timestamp ?? undefined,
      gasLimit: members.gasLimit ?? undefined,
      difficulty: members.difficulty ?? undefined,
      baseFeePerGas: members.baseFee ?? undefined,
      coinbase: members.coinbase ?? undefined,
    },
  }),
);
