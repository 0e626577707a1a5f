/** tenderly_*: simulations with decoded calls, logs and changes. */
import { LATEST } from "../../../chain/blocks/block-id.ts";
import {
  decodedExecutionSchema,
  decodedExecutionText,
  encodeDecodedExecution,
} from "../../encode/inspect/decoded-execution.ts";
import { list } from "../../encode/shape.ts";
import { listText } from "../../encode/stream/text.ts";
import { NO_STATE, numbered, OVERRIDES, REJECTIONS, STOPPED } from "../../errors.ts";
import { method, required } from "../../method.ts";
import { arrayOf } from "../../openrpc/json-schema.ts";
import { callObject, callObjects } from "../../schema/call-object.ts";
import { hash } from "../../schema/primitives.ts";
import { stateParams } from "../call-params.ts";
import { EXAMPLE } from "../example-chain.ts";
import { loadAnalysis } from "../load-analysis.ts";

const STATE = stateParams(LATEST);

export const simulateTransaction = method({
  name: "tenderly_simulateTransaction",
  summary: "Runs a call. Answers its calls and logs decoded, and the assets and states that it changed.",
  params: [required("call", callObject), ...STATE],
  result: decodedExecutionSchema,
  errors: [NO_STATE, "CALL_OF_ANOTHER_CHAIN", OVERRIDES, STOPPED, "RECORDING_LIMIT", REJECTIONS],
  example: { params: [EXAMPLE.transfer] },
  load: loadAnalysis,
  run: async ({ analysis }, [call, id, accounts, block], { signal }) => {
    const { tenderly } = await analysis();
    const [execution] = await tenderly.simulate({ calls: [call], id, overrides: { accounts, block }, signal });
    return execution as NonNullable<typeof execution>;
  },
  encode: encodeDecodedExecution,
  encodeText: decodedExecutionText,
});

export const simulateBundle = method({
  name: "tenderly_simulateBundle",
  summary: "Runs calls in sequence and answers for each what tenderly_simulateTransaction does.",
  params: [required("calls", callObjects), ...STATE],
  result: arrayOf(decodedExecutionSchema),
  errors: [NO_STATE, "CALL_OF_ANOTHER_CHAIN", OVERRIDES, STOPPED, "RECORDING_LIMIT", REJECTIONS],
  example: { params: [[EXAMPLE.transfer]] },
  load: loadAnalysis,
  run: async ({ analysis }, [calls, id, accounts, block], { signal }) =>
    (await analysis()).tenderly.simulate({ calls, id, overrides: { accounts, block }, signal }),
  encode: list(encodeDecodedExecution),
  encodeText: (executions) => listText(executions, decodedExecutionText),
});

export const tenderlyTraceTransaction = method({
  name: "tenderly_traceTransaction",
  summary: "Runs a mined transaction again and answers what tenderly_simulateTransaction does.",
  params: [required("transactionHash", hash)],
  result: decodedExecutionSchema,
  errors: [numbered(-32000, "TRANSACTION_NOT_FOUND"), "STATE_NOT_AVAILABLE", STOPPED, "RECORDING_LIMIT"],
  example: { params: [EXAMPLE.transactionHash] },
  load: loadAnalysis,
  run: async ({ analysis }, [txHash], { signal }) => (await analysis()).tenderly.trace(txHash, signal),
  encode: encodeDecodedExecution,
  encodeText: decodedExecutionText,
});
