/**
 * All errors of the project: stable text code, class family, and JSON-RPC error number.
 *
 * Text codes never change once released; messages may. The codes of a family can have different numbers, because the
 * numbers follow recorded answers of other clients.
 *
 * Client libraries recognize many errors by a part of geth's text. Such a text stays as it is; advice follows in
 * separate sentences without the words that clients look for (`test/rpc/wrong-requests.test.ts`).
 *
 * It has over 300 lines, because it is one table.
 */
export interface CatalogueEntry {
  readonly family: ErrorFamily;
  readonly rpcCode: number;
  /** Default advice, if the thrower gives none. */
  readonly fix?: string;
  /**
   * True if a client compares the whole text: the JSON-RPC message is only that text, and advice goes to
   * `error.data.hint`.
   */
  readonly exact?: true;
}

/** The class of an error, without the `Error` at its end. */
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
  | "Remote"
  | "Store"
  | "Internal";

/** By text code. `fix` is advice that is the same wherever the error is thrown. */
export const catalogue = {
  // The envelope
  PARSE_ERROR: { family: "InvalidRequest", rpcCode: -32700 },
  INVALID_REQUEST: { family: "InvalidRequest", rpcCode: -32600 },
  BODY_TOO_LARGE: { family: "Limit", rpcCode: -32600 },
  BODIES_TOO_LARGE: { family: "Limit", rpcCode: -32005 },
  BATCH_TOO_LONG: { family: "Limit", rpcCode: -32600 },
  RESPONSE_TOO_LARGE: { family: "Limit", rpcCode: -32003 },
  METHOD_NOT_FOUND: { family: "MethodNotFound", rpcCode: -32601 },
  NODE_CLOSED: { family: "Unsupported", rpcCode: 4900 },

  // Batches of calls: EIP-5792 has the numbers
  UNSUPPORTED_CAPABILITY: { family: "Unsupported", rpcCode: 5700 },
  UNSUPPORTED_CHAIN_ID: { family: "Unsupported", rpcCode: 5710 },
  DUPLICATE_BATCH_ID: { family: "Unsupported", rpcCode: 5720, fix: "Leave the id out, or choose another." },
  UNKNOWN_BATCH_ID: {
    family: "NotFound",
    rpcCode: 5730,
    fix: "Give an id that wallet_sendCalls answered; the last 1,000 are known.",
  },
  BATCH_TOO_LARGE: { family: "Limit", rpcCode: 5740, fix: "Send fewer calls in a batch." },
  ATOMICITY_NOT_SUPPORTED: { family: "Unsupported", rpcCode: 5760 },

  // Params
  INVALID_PARAMS: { family: "InvalidParams", rpcCode: -32602 },
  STATE_OVERRIDE_INVALID: { family: "InvalidParams", rpcCode: -32000 },
  BLOCK_OVERRIDE_UNSUPPORTED: {
    family: "InvalidParams",
    rpcCode: -32000,
    fix: "eth_simulateV1 builds whole blocks and takes more block overrides.",
  },
  INVALID_OPTION: { family: "InvalidParams", rpcCode: -32602 },
  INVALID_GENESIS: { family: "InvalidParams", rpcCode: -32602 },
  INVALID_ABI: { family: "InvalidParams", rpcCode: -32602 },
  INVALID_BUILD: { family: "InvalidParams", rpcCode: -32602 },
  NO_ARTIFACTS: { family: "InvalidParams", rpcCode: -32602 },
  PORT_IN_USE: { family: "InvalidParams", rpcCode: -32602 },
  CANNOT_LISTEN: { family: "InvalidParams", rpcCode: -32602 },
  FILE_NOT_READABLE: { family: "InvalidParams", rpcCode: -32602 },
  FILE_NOT_WRITABLE: { family: "InvalidParams", rpcCode: -32602 },
  INVALID_BLOCK_RANGE: { family: "InvalidParams", rpcCode: -32602 },
  BLOCK_RANGE_BEYOND_HEAD: { family: "InvalidParams", rpcCode: -32602 },
  INVALID_REWARD_PERCENTILE: {
    family: "InvalidParams",
    rpcCode: -32000,
    fix: "Give percentiles from 0 to 100, each greater than the one before it.",
  },
  FEE_HISTORY_BEYOND_HEAD: {
    family: "InvalidParams",
    rpcCode: -32000,
    fix: 'Give a block up to the head, or "latest".',
  },
  PENDING_LOGS_UNSUPPORTED: {
    family: "InvalidParams",
    rpcCode: -32602,
    fix: 'Use "latest"; logs of later blocks are reported as they are mined.',
  },
  UNKNOWN_TRACE_TYPE: {
    family: "InvalidParams",
    rpcCode: -32602,
    fix: "Use some of: trace, vmTrace, stateDiff.",
  },
  NOT_IN_THIS_HARDFORK: { family: "InvalidParams", rpcCode: -32602 },
  TRANSACTION_INCONSISTENT: { family: "InvalidParams", rpcCode: -32000 },
  TYPED_DATA_INVALID: { family: "InvalidParams", rpcCode: -32602 },
  UNDECODABLE_TRANSACTION: { family: "InvalidParams", rpcCode: -32602 },
  BLOCK_REJECTED: { family: "InvalidParams", rpcCode: -32602 },
  STATE_FILE_INVALID: { family: "InvalidParams", rpcCode: -32602 },
  STATE_FILE_MISMATCH: { family: "InvalidParams", rpcCode: -32602 },
  EXPORT_NOT_IMPORTABLE: { family: "Unsupported", rpcCode: -32004 },

  // Missing data
  BLOCK_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  // Foundry repeats a request after some seconds if the whole text is "header not found" (alloy's `is_retry_err`).
  HEADER_NOT_FOUND: { family: "NotFound", rpcCode: -32000, exact: true },
  NO_BLOCK_ACCESS_LIST: { family: "NotFound", rpcCode: -32001, exact: true },
  BLOCK_ACCESS_LIST_PRUNED: {
    family: "NotFound",
    rpcCode: 4444,
    exact: true,
    fix: "Only blocks that this node executed have one here; ask the node that the blocks come from.",
  },
  TRANSACTION_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  UNKNOWN_PREIMAGE: { family: "NotFound", rpcCode: -32000, exact: true },
  BASE_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  TOKEN_SLOT_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  SNAPSHOT_NOT_FOUND: { family: "NotFound", rpcCode: -32001 },
  FILTER_NOT_FOUND: {
    family: "NotFound",
    rpcCode: -32000,
    fix: "It expired, was uninstalled or never existed. Make a new one with eth_newFilter, and poll it regularly.",
  },
  SUBSCRIPTION_NOT_FOUND: {
    family: "NotFound",
    rpcCode: -32000,
    fix: "A subscription belongs to its connection and ends with it. Make a new one with eth_subscribe.",
  },
  STATE_NOT_AVAILABLE: { family: "NotFound", rpcCode: -32000 },
  UNKNOWN_ACCOUNT: { family: "NotFound", rpcCode: -32000 },
  ACCOUNT_LOCKED: { family: "Unsupported", rpcCode: -32000, exact: true },
  WRONG_PASSPHRASE: { family: "InvalidParams", rpcCode: -32000, exact: true },

  // Rejected transactions
  NONCE_TOO_LOW: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: `Use the sender's next nonce: eth_getTransactionCount with "pending" gives it.`,
  },
  NONCE_TOO_HIGH: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: `Use the sender's next nonce: eth_getTransactionCount with "pending" gives it.`,
  },
  NONCE_MAX: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "An account with this nonce cannot send more transactions (EIP-2681): send from another one.",
  },
  INSUFFICIENT_FUNDS: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Amounts are in wei. Send less, or give the sender more with anvil_setBalance.",
  },
  INTRINSIC_GAS_TOO_LOW: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Raise gas, or leave it out to have it estimated.",
  },
  FLOOR_GAS_TOO_LOW: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "From Prague on, calldata has a minimum price (EIP-7623). Raise gas, or leave it out to have it estimated.",
  },
  GAS_LIMIT_EXCEEDS_BLOCK: { family: "TransactionRejected", rpcCode: -32000 },
  TRANSACTION_TOO_LARGE: { family: "TransactionRejected", rpcCode: -32000 },
  DEPOSIT_EVENT_INVALID: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "No block may contain it: the deposit contract (config.depositContractAddress) must emit the same event as mainnet's.",
  },
  GAS_LIMIT_EXCEEDS_CAP: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "No transaction of a public chain may have more from Osaka on. Lower gas, or start without --enable-tx-gas-limit.",
  },
  FEE_CAP_BELOW_BASE_FEE: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Raise maxFeePerGas (or gasPrice) to the base fee at least, or leave the fees out.",
  },
  TIP_ABOVE_FEE_CAP: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Raise maxFeePerGas, or lower maxPriorityFeePerGas.",
  },
  BLOB_FEE_CAP_BELOW_BASE_FEE: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Raise maxFeePerBlobGas; eth_blobBaseFee gives the minimum.",
  },
  BLOB_TRANSACTION_INVALID: { family: "TransactionRejected", rpcCode: -32000 },
  SENDER_NOT_EOA: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "An account with code sends no transactions (EIP-3607), unless it is impersonated: anvil_impersonateAccount.",
  },
  INIT_CODE_TOO_LARGE: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Make the contract or its constructor smaller, or allow more on this chain alone: --code-size-limit, --disable-code-size-limit.",
  },
  TRANSACTION_TYPE_NOT_SUPPORTED: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Known types: 0x0, 0x1 (from Berlin on), 0x2 (London), 0x3 (Cancun), 0x4 (Prague).",
  },
  AUTHORIZATION_LIST_INVALID: { family: "TransactionRejected", rpcCode: -32000 },
  WRONG_CHAIN_ID: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Sign it for this chain: eth_chainId gives its id.",
  },
  ALREADY_KNOWN: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "It waits in the pool. evm_mine puts it into a block.",
  },
  REPLACEMENT_UNDERPRICED: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "A transaction of this sender with this nonce is waiting. To replace it, raise maxFeePerGas and maxPriorityFeePerGas by a tenth (with blobs: double them).",
  },
  TRANSACTION_UNDERPRICED: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Raise gasPrice or maxFeePerGas; eth_gasPrice suggests a price.",
  },
  CONDITION_NOT_MET: {
    family: "TransactionRejected",
    rpcCode: -32003,
    fix: "Nothing was sent. Simulate again on the current chain, and send with its numbers and values.",
  },
  POOL_FULL: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Mine the waiting transactions with evm_mine, or drop them with anvil_dropAllTransactions.",
  },
  TRACING_FAILED: { family: "TransactionRejected", rpcCode: -32000 },
  CALL_OF_ANOTHER_CHAIN: {
    family: "TransactionRejected",
    rpcCode: -32000,
    fix: "Leave chainId out, or ask a node of that chain.",
  },
  TRACE_NOT_EXECUTABLE: { family: "TransactionRejected", rpcCode: -32015 },

  // eth_simulateV1
  SIMULATED_BLOCK_ORDER: {
    family: "InvalidParams",
    rpcCode: -38020,
    fix: "Each block needs a higher number than the one before it; the first follows the block that the simulation starts from.",
  },
  SIMULATED_TIME_ORDER: {
    family: "InvalidParams",
    rpcCode: -38021,
    fix: "Each block needs a later time than the one before it; the first follows the block that the simulation starts from.",
  },
  SIMULATED_BLOCK_FULL: {
    family: "TransactionRejected",
    rpcCode: -38015,
    fix: "Lower the gas of the calls, or raise gasLimit in blockOverrides.",
  },
  SIMULATION_TOO_LARGE: {
    family: "Limit",
    rpcCode: -38026,
    fix: "A simulation has at most 256 blocks, including empty ones between the given numbers.",
  },

  // Results of the EVM
  EXECUTION_FAILED: { family: "Execution", rpcCode: -32000 },
  EXECUTION_REVERTED: { family: "Revert", rpcCode: 3 },
  TRACER_FAILED: { family: "Execution", rpcCode: -32000 },
  GAS_REQUIRED_EXCEEDS_ALLOWANCE: {
    family: "Execution",
    rpcCode: -32000,
    fix: "The number is the most gas that the call can have. Its own gas, the sender's balance, or a limit of the block or the node sets it.",
  },

  // Unsupported methods and modes
  UNSUPPORTED: { family: "Unsupported", rpcCode: -32004 },
  COVERAGE_NOT_STARTED: {
    family: "Unsupported",
    rpcCode: -32004,
    fix: "Call node.coverage.start() or hindcast_coverageStart first, then run the calls to count.",
  },
  NOTIFICATIONS_UNSUPPORTED: {
    family: "Unsupported",
    rpcCode: -32601,
    fix: "Subscribe over WebSocket or IPC; over HTTP, poll a filter made with eth_newFilter or eth_newBlockFilter.",
  },
  NO_SUCH_SUBSCRIPTION: {
    family: "Unsupported",
    rpcCode: -32601,
    fix: "Use one of: newHeads, logs, newPendingTransactions, transactionReceipts, syncing.",
  },
  SIGNING_BLOBS: {
    family: "Unsupported",
    rpcCode: -32000,
    fix: "Sign it yourself and send it with eth_sendRawTransaction.",
  },
  PACKAGE_MISSING: { family: "Unsupported", rpcCode: -32004 },
  FORK_NOT_SUPPORTED: { family: "Unsupported", rpcCode: -32004 },
  CHAIN_NOT_SHARED: {
    family: "Unsupported",
    rpcCode: -32004,
    fix: "Start it with --share and --share-token, or with the option share.",
  },
  SHARE_TOKEN_WRONG: { family: "Unsupported", rpcCode: -32004 },
  TOO_MANY_BASES: { family: "Unsupported", rpcCode: -32004 },
  CHAIN_FOLLOWS_ANOTHER: { family: "Unsupported", rpcCode: -32004 },
  FOLLOWING_REFUSED: { family: "Unsupported", rpcCode: -32004 },
  SHARED_LOG_REFUSED: { family: "Unsupported", rpcCode: -32004 },
  JOBS_FAILED: { family: "Unsupported", rpcCode: -32004 },
  JOBS_REFUSED: { family: "Unsupported", rpcCode: -32004 },
  WRITER_FENCED: { family: "Unsupported", rpcCode: -32004 },
  TAKE_OVER_REFUSED: { family: "Unsupported", rpcCode: -32004 },
  CHAIN_ID_FIXED: { family: "Unsupported", rpcCode: -32004 },
  STATE_NOT_LISTABLE: { family: "Unsupported", rpcCode: -32004 },
  STATE_NOT_PROVABLE: { family: "Unsupported", rpcCode: -32004 },
  FOREIGN_RULES: { family: "Unsupported", rpcCode: -32004 },
  FOREIGN_TRANSACTION: { family: "Unsupported", rpcCode: -32004 },
  EXPLORER_READ_ONLY: {
    family: "Unsupported",
    rpcCode: -32004,
    fix: "Ask a server of the node without --explorer-read-only, or use node.abi in the program.",
  },
  UNCLES_NOT_ALLOWED: { family: "Unsupported", rpcCode: -32004 },
  BLOCK_NOT_MINABLE: { family: "Unsupported", rpcCode: -32004 },
  GENESIS_NOT_TRACEABLE: {
    family: "Unsupported",
    rpcCode: -32000,
    fix: "Its accounts come from the genesis file, not from transactions. The first block with traces is block 1.",
  },

  // Limits
  EXECUTION_TIMEOUT: { family: "Limit", rpcCode: -32005 },
  EXECUTION_ABORTED: { family: "Limit", rpcCode: -32005 },
  EXECUTION_QUEUE_FULL: { family: "Limit", rpcCode: -32005 },
  EXECUTION_MEMORY: { family: "Limit", rpcCode: -32005 },
  BLOCK_NOT_EXECUTED: { family: "Limit", rpcCode: -32005 },
  TOO_MANY_FILTERS: { family: "Limit", rpcCode: -32005 },
  TOO_MANY_SUBSCRIPTIONS: { family: "Limit", rpcCode: -32005 },
  TRANSACTION_NOT_MINED: {
    family: "Limit",
    rpcCode: 4,
    fix: "It is still waiting in the pool: evm_mine puts it into a block.",
  },
  TOO_MANY_BLOCKS: { family: "Limit", rpcCode: -32005 },
  TOO_MANY_SLOTS: {
    family: "Limit",
    rpcCode: -38026,
    fix: "Ask for them in several requests.",
  },
  TRACER_LIMIT: { family: "Limit", rpcCode: -32005 },
  RECORDING_LIMIT: { family: "Limit", rpcCode: -32005 },
  RESULT_LIMIT: { family: "Limit", rpcCode: -32005 },
  UNPACKED_TOO_LARGE: { family: "Limit", rpcCode: -32005 },
  JSON_TOO_DEEP: { family: "Limit", rpcCode: -32005 },
  JSON_TOO_MANY_VALUES: { family: "Limit", rpcCode: -32005 },
  JSON_VALUE_TOO_LONG: { family: "Limit", rpcCode: -32005 },
  TOO_MANY_ITEMS: { family: "Limit", rpcCode: -32005 },

  // The upstream node of a fork
  WRITER_UNREACHABLE: { family: "Remote", rpcCode: -32002 },
  WRITER_FAILED: { family: "Remote", rpcCode: -32002 },
  WRITER_LEASE_OVER: { family: "Remote", rpcCode: -32002 },
  SHARED_LOG_UNREACHABLE: { family: "Remote", rpcCode: -32002 },
  REMOTE_UNREACHABLE: { family: "Remote", rpcCode: -32002 },
  REMOTE_RATE_LIMITED: { family: "Remote", rpcCode: -32002 },
  REMOTE_BLOCK_UNKNOWN: { family: "Remote", rpcCode: -32002 },
  REMOTE_STATE_PRUNED: { family: "Remote", rpcCode: -32002 },
  REMOTE_METHOD_MISSING: { family: "Remote", rpcCode: -32002 },
  REMOTE_BAD_ANSWER: { family: "Remote", rpcCode: -32002 },
  REMOTE_REFUSED: { family: "Remote", rpcCode: -32002 },
  REMOTE_DISAGREES: { family: "Remote", rpcCode: -32002 },
  REMOTE_LIE: { family: "Remote", rpcCode: -32002 },
  REMOTE_OFFLINE: { family: "Remote", rpcCode: -32002 },

  // Data folder and internal errors
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

/** Stable text code of an error; callers switch on it. */
export type ErrorCode = keyof typeof catalogue;

/** The codes of one family, so that `new NotFoundError({ code })` accepts only its own. */
export type ErrorCodeOf<Family extends ErrorFamily> = {
  [Code in ErrorCode]: (typeof catalogue)[Code]["family"] extends Family ? Code : never;
}[ErrorCode];
