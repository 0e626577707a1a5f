/** hindcast_explain…: the reason of a failure and its place in the Solidity source. */
import { LATEST } from "../../chain/archive/block-id.ts";
import { encodeExplanation } from "../encode/explanation.ts";
import { method, optional, required } from "../method.ts";
import { callObject } from "../schema/call-object.ts";
import { blockOverrides, stateOverrides } from "../schema/overrides.ts";
import { blockId, hash } from "../schema/primitives.ts";

export const explainTransaction = method({
  name: "hindcast_explainTransaction",
  summary: "Reason why a mined transaction failed, and the lines of Solidity source that led to the failure.",
  params: [required("transactionHash", hash)],
  run: ({ explain }, [txHash], { signal }) => explain.transaction(txHash, { signal }),
  encode: encodeExplanation,
});

export const explainCall = method({
  name: "hindcast_explainCall",
  summary: "Runs a call. Answers the reason of a failure and the lines of Solidity source that led to it.",
  params: [
    required("call", callObject),
    optional("block", blockId, LATEST),
    optional("stateOverrides", stateOverrides),
    optional("blockOverrides", blockOverrides),
  ],
  run: ({ explain }, [request, id, accounts, block], { signal }) =>
    explain.call({ call: request, id, overrides: { accounts, block }, signal }),
  encode: encodeExplanation,
});
