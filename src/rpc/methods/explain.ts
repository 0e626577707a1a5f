/** hindcast_…: where in the source something failed and why, what it paid its gas for, and what it changed. */
import { LATEST } from "../../chain/blocks/block-id.ts";
import { encodeExplanation, explanationSchema } from "../encode/source/explanation.ts";
import { encodeGasProfile, gasProfileSchema, gasProfileText } from "../encode/source/gas-profile.ts";
import { encodeStateChanges, stateChangesSchema } from "../encode/source/state-changes.ts";
import { BUILDS, FOREIGN_BLOCKS, type MethodErrors, OVERRIDES, RECORDING, REJECTIONS } from "../errors.ts";
import { method, required } from "../method.ts";
import { hash } from "../schema/primitives.ts";
import { callParams } from "./call-params.ts";
import { EXAMPLE } from "./example-chain.ts";
import { loadAnalysis } from "./load-analysis.ts";

const CALL_PARAMS = callParams(LATEST);

/** Of a mined transaction that is explained, and of a call. */
const RECORDED: MethodErrors = [RECORDING, FOREIGN_BLOCKS, BUILDS];
const CALL_ERRORS: MethodErrors = [
  RECORDED,
  "TRANSACTION_INCONSISTENT",
  "HEADER_NOT_FOUND",
  REJECTIONS,
  OVERRIDES,
  "CALL_OF_ANOTHER_CHAIN",
  "EXECUTION_FAILED",
];

export const explainTransaction = method({
  name: "hindcast_explainTransaction",
  summary: "Reason why a mined transaction failed, and the lines of Solidity source that led to the failure.",
  params: [required("transactionHash", hash)],
  result: explanationSchema,
  errors: RECORDED,
  example: { params: [EXAMPLE.transactionHash] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash], { signal }) => (await analysis()).explain.transaction(txHash, { signal }),
  encode: encodeExplanation,
});

export const explainCall = method({
  name: "hindcast_explainCall",
  summary: "Runs a call. Answers the reason of a failure and the lines of Solidity source that led to it.",
  params: CALL_PARAMS,
  result: explanationSchema,
  errors: CALL_ERRORS,
  example: { params: [EXAMPLE.call] },
  load: loadAnalysis,
  run: async ({ analysis }, [request, id, accounts, block], { signal }) =>
    (await analysis()).explain.call({ call: request, id, overrides: { accounts, block }, signal }),
  encode: encodeExplanation,
});

export const stateChanges = method({
  name: "hindcast_stateChanges",
  summary:
    "Changes that a mined transaction made: variables of storage by name, with the lines that wrote them, and assets.",
  params: [required("transactionHash", hash)],
  result: stateChangesSchema,
  errors: RECORDED,
  example: { params: [EXAMPLE.transactionHash] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash], { signal }) => (await analysis()).stateChanges.transaction(txHash, { signal }),
  encode: encodeStateChanges,
});

export const gasProfile = method({
  name: "hindcast_gasProfile",
  summary:
    "Gas of a mined transaction by function, line and opcode, also in the formats of speedscope and flame graphs.",
  params: [required("transactionHash", hash)],
  result: gasProfileSchema,
  errors: RECORDED,
  example: { params: [EXAMPLE.transactionHash] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash], { signal }) => (await analysis()).gasProfiles.transaction(txHash, { signal }),
  encode: encodeGasProfile,
  encodeText: gasProfileText,
});

export const gasProfileCall = method({
  name: "hindcast_gasProfileCall",
  summary: "Runs a call. Answers its gas by function, line and opcode.",
  params: CALL_PARAMS,
  result: gasProfileSchema,
  errors: CALL_ERRORS,
  example: { params: [EXAMPLE.call] },
  load: loadAnalysis,
  run: async ({ analysis }, [request, id, accounts, block], { signal }) =>
    (await analysis()).gasProfiles.call({ call: request, id, overrides: { accounts, block }, signal }),
  encode: encodeGasProfile,
  encodeText: gasProfileText,
});
