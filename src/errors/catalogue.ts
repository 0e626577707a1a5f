/**
 * Every error the project raises: its stable text code, its class family and the JSON-RPC number it is answered with.
 *
 * Text codes never change once released; messages may. One family may carry several numbers, because recorded answers
 * of other clients, not the family, fix the number a JSON-RPC caller sees. `exact: true` means that the wire message is
 * the bare `what` sentence, because client libraries match those texts.
 */
export interface CatalogueEntry {
  readonly family: ErrorFamily;
  readonly rpcCode: number;
  readonly exact?: true;
}

export type ErrorFamily =
  | "InvalidRequest"
  | "InvalidParams"
  | "MethodNotFound"
  | "NotFound"
  | "TransactionRejected"
  | "Execution"
  | "Revert"
  | "Unsupported"
  | "Limit"
  | "Store"
  | "Internal";

export const catalogue = {
  // The envelope
  PARSE_ERROR: { family: "InvalidRequest", rpcCode: -32700 },
  INVALID_REQUEST: { family: "InvalidRequest", rpcCode: -32600 },
  BODY_TOO_LARGE: { family: "Limit", rpcCode: -32600 },
  BATCH_TOO_LONG: { family: "Limit", rpcCode: -32600 },
  METHOD_NOT_FOUND: { family: "MethodNotFound", rpcCode: -32601, exact: true },
  NODE_CLOSED: { family: "Unsupported", rpcCode: 4900 },

  // What the caller sent
  INVALID_PARAMS: { family: "InvalidParams", rpcCode: -32602 },
  STATE_OVERRIDE_INVALID: { family: "InvalidParams", rpcCode: -32000, exact: true },
  BLOCK_OVERRIDE_UNSUPPORTED: { family: "InvalidParams", rpcCode: -32000, exact: true },
  INVALID_OPTION: { family: "InvalidParams", rpcCode: -32602 },
  INVALID_GENESIS: { family: "InvalidParams", rpcCode: -32602 },
  INVALID_ABI: { family: "InvalidParams", rpcCode: -32602 },
  NO_ARTIFACTS: { family: "InvalidParams", rpcCode: -32602 },
  PORT_IN_USE: { family: "InvalidParams", rpcCode: -32602 },
  CANNOT_LISTEN: { family: "InvalidParams", rpcCode: -32602 },
  FILE_NOT_READABLE: { family: "InvalidParams", rpcCode: -32602 },
  FILE_NOT_WRITABLE: { family: "InvalidParams", rpcCode: -32602 },
  INVALID_BLOCK_RANGE: { family: "InvalidParams", rpcCode: -32602, exact: true },
  BLOCK_RANGE_BEYOND_HEAD: { family: "InvalidParams", rpcCode: -32602, exact: true },
  INVALID_REWARD_PERCENTILE: { family: "InvalidParams", rpcCode: -32000, exact: true },
  FEE_HISTORY_BEYOND_HEAD: { family: "InvalidParams", rpcCode: -32000, exact: true },
  PENDING_LOGS_UNSUPPORTED: { family: "InvalidParams", rpcCode: -32602, exact: true },
  UNKNOWN_TRACE_TYPE: { family: "InvalidParams", rpcCode: -32602, exact: true },
  NOT_IN_THIS_HARDFORK: { family: "InvalidParams", rpcCode: -32602, exact: true },
  TRANSACTION_INCONSISTENT: { family: "InvalidParams", rpcCode: -32000, exact: true },
  TYPED_DATA_INVALID: { family: "InvalidParams", rpcCode: -32602 },
  UNDECODABLE_TRANSACTION: { family: "InvalidParams", rpcCode: -32602 },
  BLOCK_REJECTED: { family: "InvalidParams", rpcCode: -32602 },
  STATE_FILE_INVALID: { family: "InvalidParams", rpcCode: -32602 },
  STATE_FILE_MISMATCH: { family: "InvalidParams", rpcCode: -32602 },
  EXPORT_NOT_IMPORTABLE: { family: "Unsupported", rpcCode: -32004 },

  // What is not here
  BLOCK_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  HEADER_NOT_FOUND: { family: "NotFound", rpcCode: -32000, exact: true },
  NO_BLOCK_ACCESS_LIST: { family: "NotFound", rpcCode: 4445, exact: true },
  TRANSACTION_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  TOKEN_SLOT_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  SNAPSHOT_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  FILTER_NOT_FOUND: { family: "NotFound", rpcCode: -32000, exact: true },
  SUBSCRIPTION_NOT_FOUND: { family: "NotFound", rpcCode: -32000, exact: true },
  STATE_NOT_AVAILABLE: { family: "NotFound", rpcCode: -32000 },
  UNKNOWN_ACCOUNT: { family: "NotFound", rpcCode: -32000, exact: true },

  // A transaction that may not run or wait
  NONCE_TOO_LOW: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  NONCE_TOO_HIGH: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  NONCE_MAX: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  INSUFFICIENT_FUNDS: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  INTRINSIC_GAS_TOO_LOW: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  FLOOR_GAS_TOO_LOW: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  GAS_LIMIT_EXCEEDS_BLOCK: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  GAS_LIMIT_EXCEEDS_CAP: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  FEE_CAP_BELOW_BASE_FEE: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  TIP_ABOVE_FEE_CAP: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  BLOB_FEE_CAP_BELOW_BASE_FEE: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  BLOB_TRANSACTION_INVALID: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  SENDER_NOT_EOA: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  INIT_CODE_TOO_LARGE: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  TRANSACTION_TYPE_NOT_SUPPORTED: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  AUTHORIZATION_LIST_INVALID: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  WRONG_CHAIN_ID: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  ALREADY_KNOWN: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  REPLACEMENT_UNDERPRICED: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  TRANSACTION_UNDERPRICED: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  POOL_FULL: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  TRACING_FAILED: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  CALL_OF_ANOTHER_CHAIN: { family: "TransactionRejected", rpcCode: -32000, exact: true },
  TRACE_NOT_EXECUTABLE: { family: "TransactionRejected", rpcCode: -32015, exact: true },

  // A simulation of blocks
  SIMULATED_BLOCK_ORDER: { family: "InvalidParams", rpcCode: -38020, exact: true },
  SIMULATED_TIME_ORDER: { family: "InvalidParams", rpcCode: -38021, exact: true },
  SIMULATED_BLOCK_FULL: { family: "TransactionRejected", rpcCode: -38015, exact: true },
  SIMULATION_TOO_LARGE: { family: "Limit", rpcCode: -38026, exact: true },

  // What the EVM said
  EXECUTION_FAILED: { family: "Execution", rpcCode: -32000, exact: true },
  EXECUTION_REVERTED: { family: "Revert", rpcCode: 3, exact: true },
  TRACER_FAILED: { family: "Execution", rpcCode: -32000, exact: true },
  GAS_REQUIRED_EXCEEDS_ALLOWANCE: { family: "Execution", rpcCode: -32000, exact: true },

  // What this node does not do
  UNSUPPORTED: { family: "Unsupported", rpcCode: -32004 },
  NOTIFICATIONS_UNSUPPORTED: { family: "Unsupported", rpcCode: -32601, exact: true },
  NO_SUCH_SUBSCRIPTION: { family: "Unsupported", rpcCode: -32601, exact: true },
  SIGNING_BLOBS: { family: "Unsupported", rpcCode: -32000, exact: true },
  FORK_NOT_SUPPORTED: { family: "Unsupported", rpcCode: -32004 },
  CHAIN_ID_FIXED: { family: "Unsupported", rpcCode: -32004 },
  UNCLES_NOT_ALLOWED: { family: "Unsupported", rpcCode: -32004 },
  GENESIS_NOT_TRACEABLE: { family: "Unsupported", rpcCode: -32000, exact: true },

  // Limits
  EXECUTION_TIMEOUT: { family: "Limit", rpcCode: -32005 },
  EXECUTION_ABORTED: { family: "Limit", rpcCode: -32005 },
  EXECUTION_QUEUE_FULL: { family: "Limit", rpcCode: -32005 },
  EXECUTION_MEMORY: { family: "Limit", rpcCode: -32005 },
  TOO_MANY_FILTERS: { family: "Limit", rpcCode: -32005 },
  TOO_MANY_SUBSCRIPTIONS: { family: "Limit", rpcCode: -32005 },
  TRANSACTION_NOT_MINED: { family: "Limit", rpcCode: 4, exact: true },
  TOO_MANY_BLOCKS: { family: "Limit", rpcCode: -32005 },
  TOO_MANY_SLOTS: { family: "Limit", rpcCode: -38026, exact: true },
  TRACER_LIMIT: { family: "Limit", rpcCode: -32005 },
  RESULT_LIMIT: { family: "Limit", rpcCode: -32005 },
  UNPACKED_TOO_LARGE: { family: "Limit", rpcCode: -32005 },
  JSON_TOO_DEEP: { family: "Limit", rpcCode: -32005 },
  JSON_TOO_MANY_VALUES: { family: "Limit", rpcCode: -32005 },
  JSON_VALUE_TOO_LONG: { family: "Limit", rpcCode: -32005 },
  TOO_MANY_ITEMS: { family: "Limit", rpcCode: -32005 },

  // The folder and the house
  DATA_DIR_LOCKED: { family: "Store", rpcCode: -32603 },
  DATA_DIR_MISMATCH: { family: "Store", rpcCode: -32603 },
  DATA_DIR_UNUSABLE: { family: "Store", rpcCode: -32603 },
  DATA_DIR_VERSION: { family: "Store", rpcCode: -32603 },
  STORE_CORRUPT: { family: "Store", rpcCode: -32603 },
  PREIMAGE_MISSING: { family: "Store", rpcCode: -32000 },
  STORE_CLOSED: { family: "Store", rpcCode: -32603 },
  STORE_IO_FAILED: { family: "Store", rpcCode: -32603 },
  INTERNAL_ERROR: { family: "Internal", rpcCode: -32603 },
} as const satisfies Record<string, CatalogueEntry>;

/** Stable text code of an error, the member callers switch on. */
export type ErrorCode = keyof typeof catalogue;

/** The codes of one family, so that `new NotFoundError({ code })` accepts only its own. */
export type ErrorCodeOf<Family extends ErrorFamily> = {
  [Code in ErrorCode]: (typeof catalogue)[Code]["family"] extends Family ? Code : never;
}[ErrorCode];
