/** eth_*: running without keeping. */
import { LATEST, PENDING } from "../../../chain/archive/block-id.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { encodeCreatedAccessList } from "../../encode/transactions/access-list.ts";
import { method, optional, required } from "../../method.ts";
import { callObject } from "../../schema/call-object.ts";
import { blockOverrides, stateOverrides } from "../../schema/overrides.ts";
import { blockId } from "../../schema/primitives.ts";

const callParams = [
  required("call", callObject),
  optional("block", blockId, LATEST),
  optional("stateOverrides", stateOverrides),
  optional("blockOverrides", blockOverrides),
] as const;

export const call = method({
  name: "eth_call",
  summary: "Runs a call on the state after a block and gives its return data.",
  params: callParams,
  run: ({ calls }, [request, id, accounts, block], { signal }) =>
    calls.call({ call: request, id, overrides: { accounts, block }, signal }),
  encode: encodeData,
});

export const estimateGas = method({
  name: "eth_estimateGas",
  summary: "Least gas limit with which a call succeeds, in the next block unless another is named.",
  // The gas is for a block to come: what a contract does once time has passed costs more than in the head's second.
  // Anvil and Hardhat take the pending block for that reason; geth takes the latest.
  params: [
    required("call", callObject),
    optional("block", blockId, PENDING),
    optional("stateOverrides", stateOverrides),
    optional("blockOverrides", blockOverrides),
  ],
  run: ({ calls }, [request, id, accounts, block], { signal }) =>
    calls.estimateGas({ call: request, id, overrides: { accounts, block }, signal }),
  encode: encodeQuantity,
});

export const createAccessList = method({
  name: "eth_createAccessList",
  summary: "Accounts and slots that a call looks at, as an access list, and its gas with that list.",
  params: [
    required("call", callObject),
    optional("block", blockId, LATEST),
    optional("stateOverrides", stateOverrides),
  ],
  run: ({ accessLists }, [request, id, accounts], { signal }) =>
    accessLists.create({ call: request, id, overrides: { accounts }, signal }),
  encode: encodeCreatedAccessList,
});
