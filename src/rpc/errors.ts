/**
 * Errors that the entries of several methods name. The types of a method do not show which errors its service throws, so that its
 * entry lists them; tests compare every error that they receive with this list.
 */
import { type CatalogueEntry, catalogue, type ErrorCode } from "../errors/catalogue.ts";

/** An error code with the JSON-RPC number that it has in a method. */
export interface NumberedError {
  readonly code: ErrorCode;
  readonly rpcCode: number;
}

/** An error of a method: with the number of the catalogue, or another one. */
export type MethodError = ErrorCode | NumberedError;

/**
 * Errors of a method, and lists that it shares with others. They become one list when a document is written: to spread them in every
 * entry took a millisecond of a node's start.
 */
export type MethodErrors = readonly (MethodError | MethodErrors)[];

/** Errors that have another JSON-RPC number than the catalogue's in some methods. */
export function numbered(rpcCode: number, ...codes: readonly ErrorCode[]): MethodErrors {
  return codes.map((code) => ({ code, rpcCode }));
}

/** The family has those of simulations and of the pool, too. */
const OF_OTHERS = /^(TRAC|CALL_OF|SIMULATED|ALREADY|REPLACE|POOL)/;

/** Of a transaction that is refused before it is executed. */
export const REJECTIONS: readonly ErrorCode[] = (Object.entries(catalogue) as [ErrorCode, CatalogueEntry][])
  .filter(([code, { family }]) => family === "TransactionRejected" && !OF_OTHERS.test(code))
  .map(([code]) => code);
/** Of a transaction that the pool does not take. */
export const POOL: MethodErrors = ["ALREADY_KNOWN", "REPLACEMENT_UNDERPRICED", "POOL_FULL"];
/** Of an execution that is ended at a limit. */
export const STOPPED: MethodErrors = [
  "EXECUTION_TIMEOUT",
  "EXECUTION_ABORTED",
  "EXECUTION_QUEUE_FULL",
  "EXECUTION_MEMORY",
];
/** Of changes to the state or the block of a run. */
export const OVERRIDES: MethodErrors = ["STATE_OVERRIDE_INVALID", "BLOCK_OVERRIDE_UNSUPPORTED"];
/** Of a block after which something is run or read. */
export const NO_STATE: MethodErrors = ["HEADER_NOT_FOUND", "STATE_NOT_AVAILABLE"];
/** Of a call that is run after a block. */
export const CALLING: MethodErrors = [NO_STATE, STOPPED, OVERRIDES, "CALL_OF_ANOTHER_CHAIN"];
/** Of runs of blocks of a forked chain. */
export const FOREIGN_BLOCKS: MethodErrors = ["FOREIGN_RULES", "TRANSACTION_TYPE_NOT_SUPPORTED"];

/** Of what an account of the node signs. */
export const SIGNING: MethodErrors = [
  "UNKNOWN_ACCOUNT",
  "ACCOUNT_LOCKED",
  "TRANSACTION_INCONSISTENT",
  "UNDECODABLE_TRANSACTION",
  "SIGNING_BLOBS",
];
/** Of a signed transaction that a client sends. */
export const RAW_TRANSACTION: MethodErrors = [numbered(-32000, "UNDECODABLE_TRANSACTION"), "TOO_MANY_ITEMS"];
/** Of a transaction whose missing members, the gas among them, are filled in. */
export const FILLING: MethodErrors = [
  REJECTIONS,
  POOL,
  STOPPED,
  "EXECUTION_FAILED",
  "EXECUTION_REVERTED",
  "GAS_REQUIRED_EXCEEDS_ALLOWANCE",
  "CALL_OF_ANOTHER_CHAIN",
];
/** Of blocks that are mined on request. */
export const NEW_BLOCKS: MethodErrors = [
  "BLOCK_NOT_FOUND",
  "STATE_NOT_AVAILABLE",
  "UNCLES_NOT_ALLOWED",
  "TOO_MANY_BLOCKS",
];
/** Of transactions that a block is made of. */
export const MINING: MethodErrors = ["TRANSACTION_NOT_FOUND", "BLOCK_REJECTED", "BLOCK_NOT_MINABLE", REJECTIONS];
/** Of an access list that a block does not have. */
export const NO_ACCESS_LIST: MethodErrors = ["NO_BLOCK_ACCESS_LIST", "BLOCK_ACCESS_LIST_PRUNED"];
/** Of a search for logs. */
export const LOGS: MethodErrors = ["INVALID_BLOCK_RANGE", "PENDING_LOGS_UNSUPPORTED", "EXECUTION_ABORTED"];
/** Of subscriptions. */
export const SUBSCRIBING: MethodErrors = [
  "NOTIFICATIONS_UNSUPPORTED",
  "NO_SUCH_SUBSCRIPTION",
  "TOO_MANY_SUBSCRIPTIONS",
  "SUBSCRIPTION_NOT_FOUND",
];
/** Of a fork that is made or moved. */
export const FORKING: MethodErrors = [
  "FORK_NOT_SUPPORTED",
  "INVALID_OPTION",
  "REMOTE_UNREACHABLE",
  "REMOTE_BLOCK_UNKNOWN",
  "REMOTE_DISAGREES",
];

/** Of a mined transaction that is to be run again. */
export const NOT_TRACED: MethodErrors = [
  numbered(-32000, "TRANSACTION_NOT_FOUND", "BLOCK_NOT_FOUND"),
  "GENESIS_NOT_TRACEABLE",
  "STATE_NOT_AVAILABLE",
];
/** Of a mined transaction that is run again and recorded. */
export const RECORDING: MethodErrors = [NOT_TRACED, STOPPED, "RECORDING_LIMIT"];
/** Of the methods `trace_…`. */
export const TRACING: MethodErrors = [
  "BLOCK_NOT_FOUND",
  "STATE_NOT_AVAILABLE",
  "TRANSACTION_NOT_FOUND",
  STOPPED,
  "RECORDING_LIMIT",
];
/** Of the methods `debug_…` that run blocks again. */
export const DEBUGGING: MethodErrors = [
  NOT_TRACED,
  "HEADER_NOT_FOUND",
  "PREIMAGE_MISSING",
  STOPPED,
  "TRACER_FAILED",
  "TRACER_LIMIT",
  "RECORDING_LIMIT",
  "UNSUPPORTED",
];
/** Of builds, which name the sources of contracts. */
export const BUILDS: MethodErrors = ["INVALID_BUILD", "FILE_NOT_READABLE"];
