/** The payload of eth_simulateV1. Unknown members are ignored, as in geth. */
import { boolean, listOf } from "../../primitives/schema.ts";
import { object } from "../../primitives/schema-objects.ts";
import type { RequestedBlock } from "../../services/simulate/simulate-v1-plan.ts";
import { callObject } from "./call-object.ts";
import { blockOverrides, stateOverrides } from "./overrides.ts";

const requestedBlock = object(
  {
    blockOverrides: blockOverrides.nullish(),
    stateOverrides: stateOverrides.nullish(),
    calls: listOf(callObject, "expected an array of calls").nullish(),
  },
  "expected an object with calls, stateOverrides and blockOverrides",
).to(
  (block): RequestedBlock => ({
    overrides: block.blockOverrides,
    accounts: block.stateOverrides,
    calls: block.calls ?? [],
  }),
);

/** What eth_simulateV1 is asked. */
export interface SimulatePayload {
  readonly blocks: readonly RequestedBlock[];
  readonly traceTransfers: boolean;
  readonly validation: boolean;
  readonly returnFullTransactions: boolean;
}

export const simulatePayload = object(
  {
    blockStateCalls: listOf(requestedBlock, "expected an array of blocks"),
    traceTransfers: boolean().nullish(),
    validation: boolean().nullish(),
    returnFullTransactions: boolean().nullish(),
  },
  "expected an object with blockStateCalls",
).to(
  (payload): SimulatePayload => ({
    blocks: payload.blockStateCalls,
    traceTransfers: payload.traceTransfers ?? false,
    validation: payload.validation ?? false,
    returnFullTransactions: payload.returnFullTransactions ?? false,
  }),
);
