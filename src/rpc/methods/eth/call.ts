/** eth_*: calls, estimates and simulations, which change nothing. */
import { LATEST, PENDING } from "../../../chain/blocks/block-id.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { accessListResultSchema, encodeCreatedAccessList } from "../../encode/transactions/simulated-calls.ts";
import { CALLING, REJECTIONS } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { DATA, QUANTITY } from "../../openrpc/primitives.ts";
import { callObject } from "../../schema/call-object.ts";
import { stateOverrides } from "../../schema/overrides.ts";
import { blockId } from "../../schema/primitives.ts";
import { callParams } from "../call-params.ts";
import { EXAMPLE } from "../example-chain.ts";

export const call = method({
  name: "eth_call",
  summary: "Runs a call on the state after a block and gives its return data.",
  params: callParams(LATEST),
  result: DATA,
  errors: [CALLING, REJECTIONS, "TRANSACTION_INCONSISTENT", "EXECUTION_FAILED", "EXECUTION_REVERTED"],
  example: { params: [EXAMPLE.call, "latest"] },
  run: ({ calls }, [request, id, accounts, block], { signal }) =>
    calls.call({ call: request, id, overrides: { accounts, block }, signal }),
  encode: encodeData,
});

export const estimateGas = method({
  name: "eth_estimateGas",
  summary: "A gas limit with which a call succeeds, at most 1.5 % above the smallest, by default in the next block.",
  // The estimate is for a later block, and a contract that depends on the time may need more gas there than in the
  // head. Anvil and Hardhat default to the pending block for that reason, geth to the latest.
  params: callParams(PENDING),
  result: QUANTITY,
  errors: [
    CALLING,
    REJECTIONS,
    "TRANSACTION_INCONSISTENT",
    "EXECUTION_FAILED",
    "EXECUTION_REVERTED",
    "GAS_REQUIRED_EXCEEDS_ALLOWANCE",
  ],
  example: { params: [EXAMPLE.transfer] },
  run: ({ calls }, [request, id, accounts, block], { signal }) =>
    calls.estimateGas({ call: request, id, overrides: { accounts, block }, signal }),
  encode: encodeQuantity,
});

export const createAccessList = method({
  name: "eth_createAccessList",
  summary: "Accounts and slots that a call accesses, as an access list, and its gas with that list.",
  params: [
    required("call", callObject),
    optional("block", blockId, LATEST),
    optional("stateOverrides", stateOverrides),
  ],
  result: accessListResultSchema,
  errors: [CALLING, REJECTIONS, "TRANSACTION_INCONSISTENT", "EXECUTION_FAILED"],
  example: { params: [EXAMPLE.call, "latest"] },
  run: ({ accessLists }, [request, id, accounts], { signal }) =>
    accessLists.create({ call: request, id, overrides: { accounts }, signal }),
  encode: encodeCreatedAccessList,
});
