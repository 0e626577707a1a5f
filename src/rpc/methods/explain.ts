/** hindcast_explain…: where in the source something failed, and why. */
import { LATEST } from "../../chain/archive/block-id.ts";
import { encodeExplanation } from "../encode/explanation.ts";
import { method, optional, required } from "../method.ts";
import { callObject } from "../schema/call-object.ts";
import { blockOverrides, stateOverrides } from "../schema/overrides.ts";
import { blockId, hash } from "../schema/primitives.ts";

export const explainTransaction = method({
  name: "hindcast_explainTransaction",
  summary: "Why a mined transaction failed, and where in the Solidity source: the reason and the lines that led there.",
  params: [required("transactionHash", hash)],
  run: ({ explain }, [txHash], { signal }) => explain.transaction(txHash, { signal }),
  encode: encodeExplanation,
});

export const explainCall = method({
  name: "hindcast_explainCall",
  summary: "Runs a call and says why it fails, and where in the Solidity source.",
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
