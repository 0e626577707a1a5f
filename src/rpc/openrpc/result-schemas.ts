/** Schema of each encoder's answer. A method without a result schema of its own has that of its encoder. */
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { encodeAccount, encodeAccountInfo, encodeAccountProof, encodeStorageValues } from "../encode/account.ts";
import { encodeHeaderOf, encodeUncle } from "../encode/blocks/block.ts";
import { encodeBlockAccessList } from "../encode/blocks/block-access-list.ts";
import { encodeExecutionWitness } from "../encode/blocks/execution-witness.ts";
import { encodeFeeHistory } from "../encode/blocks/fee-history.ts";
import { encodeFilterChanges, encodeLog } from "../encode/blocks/log.ts";
import { encodePayload } from "../encode/blocks/payload.ts";
import { encodeReceiptBytes, encodeReceiptJson } from "../encode/blocks/receipt.ts";
import { encodeCapabilities } from "../encode/capabilities.ts";
import { encodeChainConfig } from "../encode/chain-config.ts";
import { encodeGasEstimate } from "../encode/gas-dimensions.ts";
import { encodeGenesisConfig } from "../encode/genesis-config.ts";
import { encodeAccountSources, encodeAccountStorage } from "../encode/inspection/account.ts";
import { encodeCallPart } from "../encode/inspection/calls.ts";
import { encodeDecodedExecution } from "../encode/inspection/decoded-execution.ts";
import { encodeContract, encodeListedBlock } from "../encode/inspection/lists.ts";
import { encodeBuild, encodeRecording, encodeStepSlice, encodeWords } from "../encode/inspection/recording.ts";
import { encodeStep, encodeStepPart } from "../encode/inspection/steps.ts";
import { encodeMetadata, encodeNodeInfo } from "../encode/node-info.ts";
import {
  encodeBlockDetails,
  encodeCreation,
  encodeHistoryPage,
  encodeInternalOperation,
  encodeOtterscanCall,
  encodeTransactionPage,
} from "../encode/otterscan.ts";
import { compositionOf, nothing } from "../encode/shape.ts";
import { encodeCoverage } from "../encode/source/coverage.ts";
import { encodeExplanation } from "../encode/source/explanation.ts";
import { encodeGasProfile } from "../encode/source/gas-profile.ts";
import { encodeStateChanges } from "../encode/source/state-changes.ts";
import { encodeAccountRange, encodeStorageRange } from "../encode/state-range.ts";
import { encodeLocalizedTrace } from "../encode/traces/flat-trace.ts";
import { encodeGethTrace, encodeTransactionTrace } from "../encode/traces/geth-trace.ts";
import { encodeBlockOpcodeGas, encodeTransactionOpcodeGas } from "../encode/traces/opcode-gas.ts";
import { encodeTraceResults } from "../encode/traces/trace-results.ts";
import { encodeBatchStatus } from "../encode/transactions/call-batch.ts";
import { encodeFilledTransaction } from "../encode/transactions/filled-transaction.ts";
import { encodeHardforkComparison } from "../encode/transactions/hardfork-comparison.ts";
import { encodeBundle, encodeCallOutcome, encodeCreatedAccessList } from "../encode/transactions/simulated-calls.ts";
import {
  encodeRawTransaction,
  encodeSignedTransaction,
  encodeTransaction,
} from "../encode/transactions/transaction.ts";
import {
  encodePoolContent,
  encodePoolStatus,
  encodeSenderContent,
  inspectPoolContent,
} from "../encode/transactions/txpool.ts";
import type { Method } from "../method.ts";
import { arrayOf, type JsonSchema, NULL, orNull, ref } from "./json-schema.ts";
import { WORD } from "./schemas/primitives.ts";

const BY_ENCODER: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [nothing, NULL],
  [encodeQuantity, ref("Quantity")],
  [encodeData, ref("Data")],
  [encodeRawTransaction, ref("Data")],
  [encodeReceiptBytes, ref("Data")],
  [encodeHeaderOf, ref("Header")],
  [encodeBlockAccessList, ref("BlockAccessList")],
  [encodeUncle, ref("Uncle")],
  [encodeTransaction, ref("Transaction")],
  [encodeSignedTransaction, ref("SignedTransaction")],
  [encodeFilledTransaction, ref("FilledTransaction")],
  [encodeReceiptJson, ref("Receipt")],
  [encodeLog, ref("Log")],
  [encodeFilterChanges, ref("FilterChanges")],
  [encodeFeeHistory, ref("FeeHistory")],
  [encodeChainConfig, ref("ChainConfig")],
  [encodeGenesisConfig, ref("GenesisConfig")],
  [encodeExecutionWitness, ref("ExecutionWitness")],
  [encodeExplanation, ref("Explanation")],
  [encodeGasProfile, ref("GasProfile")],
  [encodeCoverage, ref("Coverage")],
  [encodeStateChanges, ref("StateChanges")],
  [encodeHardforkComparison, ref("HardforkComparison")],
  [encodeGasEstimate, ref("GasEstimate")],
  [encodeCallPart, ref("CallPart")],
  [encodeStepPart, ref("StepPart")],
  [encodeStep, ref("Step")],
  [encodeRecording, ref("Recording")],
  [encodeStepSlice, ref("StepSlice")],
  [encodeBuild, ref("Build")],
  [encodeWords, arrayOf(WORD)],
  [encodeContract, ref("Contract")],
  [encodeAccountStorage, ref("AccountStorage")],
  [encodeAccountSources, ref("AccountSources")],
  [encodeListedBlock, ref("ListedBlock")],
  [encodeCapabilities, ref("Capabilities")],
  [encodePoolStatus, ref("PoolStatus")],
  [encodePoolContent, ref("PoolContent")],
  [encodeSenderContent, ref("PoolContentFrom")],
  [inspectPoolContent, ref("PoolTexts")],
  [encodeNodeInfo, ref("NodeInfo")],
  [encodeMetadata, ref("Metadata")],
  [encodeAccountProof, ref("AccountProof")],
  [encodeAccount, ref("Account")],
  [encodeAccountInfo, ref("AccountInfo")],
  [encodeStorageValues, ref("StorageValues")],
  [encodeStorageRange, ref("StorageRange")],
  [encodeAccountRange, ref("AccountRange")],
  [encodeCreatedAccessList, ref("AccessListResult")],
  [encodeCallOutcome, ref("CallOutcome")],
  [encodeBundle, ref("BundleResult")],
  [encodeDecodedExecution, ref("DecodedExecution")],
  [encodeBatchStatus, ref("CallBatchStatus")],
  [encodeBlockOpcodeGas, ref("BlockOpcodeGas")],
  [encodeTransactionOpcodeGas, ref("TransactionOpcodeGas")],
  [encodePayload, ref("Payload")],
  [encodeLocalizedTrace, ref("LocalizedTrace")],
  [encodeTraceResults, ref("TraceResults")],
  [encodeBlockDetails, ref("OtterscanBlockDetails")],
  [encodeTransactionPage, ref("OtterscanTransactionPage")],
  [encodeHistoryPage, ref("OtterscanHistoryPage")],
  [encodeOtterscanCall, ref("OtterscanCall")],
  [encodeInternalOperation, ref("OtterscanOperation")],
  [encodeCreation, ref("OtterscanCreation")],
  [encodeGethTrace, ref("GethTrace")],
  [encodeTransactionTrace, ref("TransactionTrace")],
]);

/** The schema of a method's result; undefined if neither the method nor its encoder has one. */
export function resultSchemaOf({ result, encode }: Pick<Method, "result" | "encode">): JsonSchema | undefined {
  return result ?? schemaOfEncoder(encode);
}

function schemaOfEncoder(encode: unknown): JsonSchema | undefined {
  const composition = compositionOf(encode);
  if (composition === undefined) return BY_ENCODER.get(encode);
  const inner = schemaOfEncoder(composition.of);
  if (inner === undefined) return undefined;
  return composition.kind === "list" ? arrayOf(inner) : orNull(inner);
}
