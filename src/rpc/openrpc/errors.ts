/**
 * The errors that a method can answer with.
 *
 * The types of a method do not show which errors its service throws, so they are listed here by kind of method. Tests
 * compare every error that they receive with this list.
 */
import { type CatalogueEntry, catalogue, type ErrorCode, type ErrorFamily } from "../../errors/catalogue.ts";
import type { Method } from "../method.ts";

/** An error code with its JSON-RPC number. */
export interface MethodError {
  readonly code: ErrorCode;
  readonly rpcCode: number;
}

interface Rule {
  readonly methods: RegExp;
  /** A code, or a code with the JSON-RPC number that it has in these methods. */
  readonly errors: readonly (ErrorCode | readonly [code: ErrorCode, rpcCode: number])[];
}

const ENTRIES = Object.entries(catalogue) as readonly (readonly [ErrorCode, CatalogueEntry])[];
const family = (name: ErrorFamily): readonly ErrorCode[] =>
  ENTRIES.filter(([, entry]) => entry.family === name).map(([code]) => code);

/** Errors of a transaction that is refused before it is executed. */
const REJECTIONS = family("TransactionRejected").filter(
  (code) => !/^(TRAC|CALL_OF|SIMULATED|ALREADY|REPLACE|POOL)/.test(code),
);
const POOL = ["ALREADY_KNOWN", "REPLACEMENT_UNDERPRICED", "POOL_FULL"] as const satisfies readonly ErrorCode[];
const STOPPED = [
  "EXECUTION_TIMEOUT",
  "EXECUTION_ABORTED",
  "EXECUTION_QUEUE_FULL",
  "EXECUTION_MEMORY",
] as const satisfies readonly ErrorCode[];
const FILE_LIMITS = [
  "UNPACKED_TOO_LARGE",
  "JSON_TOO_DEEP",
  "JSON_TOO_MANY_VALUES",
  "JSON_VALUE_TOO_LONG",
  "TOO_MANY_ITEMS",
] as const satisfies readonly ErrorCode[];
const OVERRIDES = ["STATE_OVERRIDE_INVALID", "BLOCK_OVERRIDE_UNSUPPORTED"] as const satisfies readonly ErrorCode[];
/** Of runs of blocks of a forked chain. */
const FOREIGN = ["FOREIGN_RULES", "TRANSACTION_TYPE_NOT_SUPPORTED"] as const satisfies readonly ErrorCode[];
const NOT_TRACED = [
  ["TRANSACTION_NOT_FOUND", -32000],
  ["BLOCK_NOT_FOUND", -32000],
  "GENESIS_NOT_TRACEABLE",
  "STATE_NOT_AVAILABLE",
] as const satisfies Rule["errors"];

/** A method has the errors of all rules that match its name. */
const RULES: readonly Rule[] = [
  {
    methods:
      /^eth_(getBalance|getTransactionCount|getCode|getStorageAt|getStorageValues|getProof|getAccount|getAccountInfo)$/,
    errors: ["HEADER_NOT_FOUND", "STATE_NOT_AVAILABLE"],
  },
  { methods: /^eth_getStorageValues$/, errors: ["TOO_MANY_SLOTS"] },
  {
    methods: /^(eth_(call|estimateGas|createAccessList|simulateV1|callMany)|hindcast_estimateGas)$/,
    errors: ["HEADER_NOT_FOUND", "STATE_NOT_AVAILABLE", ...STOPPED, ...OVERRIDES, "CALL_OF_ANOTHER_CHAIN"],
  },
  {
    methods: /^(eth_(call|estimateGas|createAccessList)|hindcast_estimateGas)$/,
    errors: [...REJECTIONS, "EXECUTION_FAILED"],
  },
  { methods: /^(eth_(call|estimateGas)|hindcast_estimateGas)$/, errors: ["EXECUTION_REVERTED"] },
  { methods: /^(eth|hindcast)_estimateGas$/, errors: ["GAS_REQUIRED_EXCEEDS_ALLOWANCE"] },
  {
    methods: /^eth_callMany$/,
    errors: [["TRANSACTION_NOT_FOUND", -32000], ["BLOCK_NOT_FOUND", -32000], ...REJECTIONS],
  },
  {
    methods: /^eth_simulateV1$/,
    errors: [
      ...(["SIMULATED_BLOCK_ORDER", "SIMULATED_TIME_ORDER", "SIMULATED_BLOCK_FULL", "SIMULATION_TOO_LARGE"] as const),
      ["EXECUTION_TIMEOUT", -32016],
      ["NONCE_TOO_LOW", -38010],
      ["NONCE_TOO_HIGH", -38011],
      ["FEE_CAP_BELOW_BASE_FEE", -38012],
      ["INTRINSIC_GAS_TOO_LOW", -38013],
      ["FLOOR_GAS_TOO_LOW", -38013],
      ["INSUFFICIENT_FUNDS", -38014],
      ["INIT_CODE_TOO_LARGE", -38025],
      ["TIP_ABOVE_FEE_CAP", -32602],
    ],
  },
  {
    methods: /^eth_(newFilter|getLogs|getFilterLogs|getFilterChanges|subscribe)$/,
    errors: ["INVALID_BLOCK_RANGE", "PENDING_LOGS_UNSUPPORTED", "EXECUTION_ABORTED"],
  },
  { methods: /^eth_(getLogs|getFilterLogs)$/, errors: ["HEADER_NOT_FOUND", "BLOCK_RANGE_BEYOND_HEAD"] },
  { methods: /^eth_new.*Filter$/, errors: ["TOO_MANY_FILTERS"] },
  { methods: /^eth_getFilter/, errors: ["FILTER_NOT_FOUND"] },
  {
    methods: /^(eth|debug)_(un)?subscribe$/,
    errors: ["NOTIFICATIONS_UNSUPPORTED", "NO_SUCH_SUBSCRIPTION", "TOO_MANY_SUBSCRIPTIONS", "SUBSCRIPTION_NOT_FOUND"],
  },
  {
    methods: /^eth_feeHistory$/,
    errors: ["INVALID_REWARD_PERCENTILE", "FEE_HISTORY_BEYOND_HEAD", "EXECUTION_ABORTED"],
  },
  {
    methods: /^eth_(send|sign|fill)|^personal_s(ign|end)|_reorg$/,
    errors: [
      "UNKNOWN_ACCOUNT",
      "ACCOUNT_LOCKED",
      "TRANSACTION_INCONSISTENT",
      "UNDECODABLE_TRANSACTION",
      "SIGNING_BLOBS",
    ],
  },
  {
    methods: /^personal_(unlockAccount|sendTransaction|signTransaction)$/,
    errors: ["UNKNOWN_ACCOUNT", "WRONG_PASSPHRASE"],
  },
  { methods: /^eth_signTypedData/, errors: ["TYPED_DATA_INVALID"] },
  {
    methods: /^eth_(send|signTransaction|fill)|^personal_(send|sign)Transaction$|_reorg$/,
    errors: [
      ...REJECTIONS,
      ...POOL,
      ...STOPPED,
      ...([
        "EXECUTION_FAILED",
        "EXECUTION_REVERTED",
        "GAS_REQUIRED_EXCEEDS_ALLOWANCE",
        "CALL_OF_ANOTHER_CHAIN",
      ] as const),
    ],
  },
  { methods: /^eth_send|^personal_send|^wallet_sendCalls$|^testing_/, errors: ["BLOCK_NOT_MINABLE", "BLOCK_REJECTED"] },
  { methods: /^eth_sendRaw|^(anvil|hardhat|ganache)_reorg$/, errors: [["UNDECODABLE_TRANSACTION", -32000]] },
  { methods: /Sync$/, errors: ["TRANSACTION_NOT_MINED", "TRANSACTION_NOT_FOUND"] },
  // For a side block that must be canonical: other unknown blocks are null.
  { methods: /^(eth_getBlock(Receipts|AccessList)|trace_block)$/, errors: ["HEADER_NOT_FOUND"] },
  { methods: /BlockAccessList/, errors: ["NO_BLOCK_ACCESS_LIST", "BLOCK_ACCESS_LIST_PRUNED"] },
  { methods: /^debug_getRaw/, errors: ["HEADER_NOT_FOUND"] },
  {
    methods: /^debug_(trace|storage|account|dump|getModified|intermediate)/,
    errors: [
      ...NOT_TRACED,
      "HEADER_NOT_FOUND",
      "PREIMAGE_MISSING",
      ...STOPPED,
      ...(["TRACER_FAILED", "TRACER_LIMIT", "RECORDING_LIMIT", "UNSUPPORTED"] as const),
    ],
  },
  { methods: /^debug_(storage|account|getModified)/, errors: [["INVALID_PARAMS", -32000]] },
  { methods: /^debug_getModified/, errors: [["INVALID_BLOCK_RANGE", -32000]] },
  { methods: /^debug_subscribe$/, errors: ["HEADER_NOT_FOUND", ["INVALID_BLOCK_RANGE", -32000]] },
  {
    methods: /^debug_executionWitness/,
    errors: [...NOT_TRACED, "HEADER_NOT_FOUND", "STATE_NOT_LISTABLE"],
  },
  { methods: /^debug_preimage$/, errors: ["UNKNOWN_PREIMAGE"] },
  { methods: /^debug_traceBlock$/, errors: ["BLOCK_REJECTED"] },
  { methods: /^debug_traceCall/, errors: [...REJECTIONS, ...OVERRIDES, "TRACING_FAILED", "CALL_OF_ANOTHER_CHAIN"] },
  {
    methods: /^trace_/,
    errors: ["BLOCK_NOT_FOUND", "STATE_NOT_AVAILABLE", "TRANSACTION_NOT_FOUND", ...STOPPED, "RECORDING_LIMIT"],
  },
  {
    methods: /^hindcast_(explain|gasProfile|stateChanges)/,
    errors: [...NOT_TRACED, ...STOPPED, "RECORDING_LIMIT", ...FOREIGN, "INVALID_BUILD", "FILE_NOT_READABLE"],
  },
  {
    methods: /^hindcast_get(Calls|Steps|Step|Recorded\w+|Recording|Builds)$/,
    errors: [...NOT_TRACED, ...STOPPED, "RECORDING_LIMIT", "RESULT_LIMIT", ...FOREIGN],
  },
  { methods: /^hindcast_get(Calls|Steps?|Builds|Sources|Storage)$/, errors: ["INVALID_BUILD", "FILE_NOT_READABLE"] },
  { methods: /^hindcast_get(Contract|Sources|Storage)$/, errors: ["HEADER_NOT_FOUND", "STATE_NOT_AVAILABLE"] },
  { methods: /^hindcast_getStorage$/, errors: ["BLOCK_NOT_FOUND", ...NOT_TRACED, ...STOPPED, ...FOREIGN] },
  {
    methods: /^hindcast_(explain|gasProfile)Call$/,
    errors: ["HEADER_NOT_FOUND", ...REJECTIONS, ...OVERRIDES, "CALL_OF_ANOTHER_CHAIN", "EXECUTION_FAILED"],
  },
  {
    methods: /^hindcast_compareHardforks$/,
    errors: ["HEADER_NOT_FOUND", ...NOT_TRACED, ...STOPPED, ...OVERRIDES, "CALL_OF_ANOTHER_CHAIN", ...FOREIGN],
  },
  {
    methods: /^hindcast_coverageReport$/,
    errors: ["COVERAGE_NOT_STARTED", "INVALID_BUILD", "FILE_NOT_READABLE"],
  },
  { methods: /^trace_(call|raw|replay)/, errors: ["UNKNOWN_TRACE_TYPE", ["UNKNOWN_TRACE_TYPE", -32000]] },
  {
    methods: /^trace_(call|raw)/,
    errors: ["TRACE_NOT_EXECUTABLE", "EXECUTION_FAILED", "CALL_OF_ANOTHER_CHAIN", ...OVERRIDES, ...REJECTIONS],
  },
  {
    methods: /^ots_/,
    errors: [["TRANSACTION_NOT_FOUND", -32000], "HEADER_NOT_FOUND", "STATE_NOT_AVAILABLE", ...STOPPED],
  },
  {
    methods: /^tenderly_simulate/,
    errors: [
      "HEADER_NOT_FOUND",
      "STATE_NOT_AVAILABLE",
      "CALL_OF_ANOTHER_CHAIN",
      ...OVERRIDES,
      ...STOPPED,
      ...REJECTIONS,
    ],
  },
  { methods: /^tenderly_trace/, errors: [["TRANSACTION_NOT_FOUND", -32000], "STATE_NOT_AVAILABLE", ...STOPPED] },
  {
    methods: /^eth_callBundle$/,
    errors: ["HEADER_NOT_FOUND", "STATE_NOT_AVAILABLE", ...STOPPED, ...REJECTIONS, "UNDECODABLE_TRANSACTION"],
  },
  { methods: /^trace_raw/, errors: ["UNDECODABLE_TRANSACTION"] },
  {
    methods: /^testing_/,
    errors: [
      ...(["HEADER_NOT_FOUND", "STATE_NOT_AVAILABLE", "UNSUPPORTED", "UNDECODABLE_TRANSACTION"] as const),
      ...REJECTIONS,
      ...STOPPED,
    ],
  },
  {
    methods: /_(mine|mine_detailed|increaseBlocks|mineSideBlock|reorg|rollback)$/,
    errors: ["BLOCK_NOT_FOUND", "STATE_NOT_AVAILABLE", "UNCLES_NOT_ALLOWED", "TOO_MANY_BLOCKS"],
  },
  {
    methods: /_(mine|increaseBlocks|reorg|start|setAutomine|setIntervalMining)/,
    errors: ["TRANSACTION_NOT_FOUND", "BLOCK_REJECTED", "BLOCK_NOT_MINABLE", ...REJECTIONS],
  },
  {
    methods: /_(setMinGasPrice|setGasPrice|setPrevRandao|setNextBlockPrevRandao|setNextBlockBaseFeePerGas)$/,
    errors: ["NOT_IN_THIS_HARDFORK"],
  },
  { methods: /erc20/i, errors: ["TOKEN_SLOT_NOT_FOUND", ...REJECTIONS, ...STOPPED] },
  { methods: /_impersonateSignature$/, errors: ["UNSUPPORTED"] },
  {
    methods: /_(setRpcUrl|reset)$/,
    errors: ["FORK_NOT_SUPPORTED", "INVALID_OPTION", "REMOTE_UNREACHABLE", "REMOTE_BLOCK_UNKNOWN", "REMOTE_DISAGREES"],
  },
  { methods: /^eth_get(Proof|Account)$/, errors: ["STATE_NOT_PROVABLE"] },
  { methods: /^debug_(accountRange|storageRangeAt|dumpBlock)/, errors: ["STATE_NOT_LISTABLE"] },
  {
    methods: /^(trace_(block|transaction|get|filter|replay|.*OpcodeGas)|debug_trace(Block|Transaction))/,
    errors: FOREIGN,
  },
  { methods: /^wallet_.+EthereumChain$/, errors: [["CHAIN_ID_FIXED", 4902]] },
  {
    methods: /^wallet_sendCalls$/,
    errors: [
      ...(["UNSUPPORTED_CAPABILITY", "UNSUPPORTED_CHAIN_ID", "DUPLICATE_BATCH_ID", "BATCH_TOO_LARGE"] as const),
      ...(["ATOMICITY_NOT_SUPPORTED", "UNKNOWN_ACCOUNT", "ACCOUNT_LOCKED", "TRANSACTION_INCONSISTENT"] as const),
      ...(["EXECUTION_FAILED", "EXECUTION_REVERTED", "GAS_REQUIRED_EXCEEDS_ALLOWANCE"] as const),
      ...REJECTIONS,
      ...POOL,
      ...STOPPED,
    ],
  },
  { methods: /^wallet_(get|show)CallsStatus$/, errors: ["UNKNOWN_BATCH_ID"] },
  { methods: /_setChainId$/, errors: ["CHAIN_ID_FIXED"] },
  { methods: /_revert$/, errors: ["SNAPSHOT_NOT_FOUND"] },
  { methods: /_dumpState$/, errors: ["UNSUPPORTED"] },
  { methods: /_loadState$/, errors: ["STATE_FILE_INVALID", "STATE_FILE_MISMATCH", ...FILE_LIMITS] },
];

/**
 * The errors of a method, each once. Errors that every request can meet are left out: those of the envelope, the store,
 * the upstream node of a fork, and a closed node.
 */
export function errorsOf({ name }: Pick<Method, "name">): readonly MethodError[] {
  const stated = RULES.filter(({ methods }) => methods.test(name)).flatMap(({ errors }) => errors);
  const list = [...stated, "INVALID_PARAMS" as const].map((each): MethodError => {
    if (typeof each !== "string") return { code: each[0], rpcCode: each[1] };
    return { code: each, rpcCode: catalogue[each].rpcCode };
  });
  const unique = new Map(list.map((error) => [`${error.code} ${error.rpcCode}`, error]));
  return [...unique.values()];
}
