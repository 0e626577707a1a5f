/// <reference lib="esnext.disposable" />
import { Methods } from "./methods.js";
type ErrorFamily = "InvalidRequest" | "InvalidParams" | "MethodNotFound" | "NotFound" | "TransactionRejected" | "Execution" | "Revert" | "Unsupported" | "Limit" | "Remote" | "Store" | "Internal";
declare const catalogue: {
    readonly PARSE_ERROR: {
        readonly family: "InvalidRequest";
        readonly rpcCode: -32700;
    };
    readonly INVALID_REQUEST: {
        readonly family: "InvalidRequest";
        readonly rpcCode: -32600;
    };
    readonly BODY_TOO_LARGE: {
        readonly family: "Limit";
        readonly rpcCode: -32600;
    };
    readonly BODIES_TOO_LARGE: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly BATCH_TOO_LONG: {
        readonly family: "Limit";
        readonly rpcCode: -32600;
    };
    readonly RESPONSE_TOO_LARGE: {
        readonly family: "Limit";
        readonly rpcCode: -32003;
    };
    readonly METHOD_NOT_FOUND: {
        readonly family: "MethodNotFound";
        readonly rpcCode: -32601;
    };
    readonly NODE_CLOSED: {
        readonly family: "Unsupported";
        readonly rpcCode: 4900;
    };
    readonly UNSUPPORTED_CAPABILITY: {
        readonly family: "Unsupported";
        readonly rpcCode: 5700;
    };
    readonly UNSUPPORTED_CHAIN_ID: {
        readonly family: "Unsupported";
        readonly rpcCode: 5710;
    };
    readonly DUPLICATE_BATCH_ID: {
        readonly family: "Unsupported";
        readonly rpcCode: 5720;
        readonly fix: "Leave the id out, or choose another.";
    };
    readonly UNKNOWN_BATCH_ID: {
        readonly family: "NotFound";
        readonly rpcCode: 5730;
        readonly fix: "Give an id that wallet_sendCalls answered; the last 1,000 are known.";
    };
    readonly BATCH_TOO_LARGE: {
        readonly family: "Limit";
        readonly rpcCode: 5740;
        readonly fix: "Send fewer calls in a batch.";
    };
    readonly ATOMICITY_NOT_SUPPORTED: {
        readonly family: "Unsupported";
        readonly rpcCode: 5760;
    };
    readonly INVALID_PARAMS: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly STATE_OVERRIDE_INVALID: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32000;
    };
    readonly BLOCK_OVERRIDE_UNSUPPORTED: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32000;
        readonly fix: "eth_simulateV1 builds whole blocks and takes more block overrides.";
    };
    readonly INVALID_OPTION: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly INVALID_GENESIS: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly INVALID_ABI: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly INVALID_BUILD: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly NO_ARTIFACTS: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly PORT_IN_USE: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly CANNOT_LISTEN: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly FILE_NOT_READABLE: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly FILE_NOT_WRITABLE: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly INVALID_BLOCK_RANGE: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly BLOCK_RANGE_BEYOND_HEAD: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly INVALID_REWARD_PERCENTILE: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32000;
        readonly fix: "Give percentiles from 0 to 100, each greater than the one before it.";
    };
    readonly FEE_HISTORY_BEYOND_HEAD: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32000;
        readonly fix: "Give a block up to the head, or \"latest\".";
    };
    readonly PENDING_LOGS_UNSUPPORTED: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
        readonly fix: "Use \"latest\"; logs of later blocks are reported as they are mined.";
    };
    readonly UNKNOWN_TRACE_TYPE: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
        readonly fix: "Use some of: trace, vmTrace, stateDiff.";
    };
    readonly NOT_IN_THIS_HARDFORK: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly TRANSACTION_INCONSISTENT: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32000;
    };
    readonly TYPED_DATA_INVALID: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly UNDECODABLE_TRANSACTION: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly BLOCK_REJECTED: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly STATE_FILE_INVALID: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly STATE_FILE_MISMATCH: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32602;
    };
    readonly EXPORT_NOT_IMPORTABLE: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly BLOCK_NOT_FOUND: {
        readonly family: "NotFound";
        readonly rpcCode: -32001;
    };
    readonly HEADER_NOT_FOUND: {
        readonly family: "NotFound";
        readonly rpcCode: -32000;
        readonly exact: true;
    };
    readonly NO_BLOCK_ACCESS_LIST: {
        readonly family: "NotFound";
        readonly rpcCode: -32001;
        readonly exact: true;
    };
    readonly BLOCK_ACCESS_LIST_PRUNED: {
        readonly family: "NotFound";
        readonly rpcCode: 4444;
        readonly exact: true;
        readonly fix: "Only blocks that this node executed have one here; ask the node that the blocks come from.";
    };
    readonly TRANSACTION_NOT_FOUND: {
        readonly family: "NotFound";
        readonly rpcCode: -32001;
    };
    readonly UNKNOWN_PREIMAGE: {
        readonly family: "NotFound";
        readonly rpcCode: -32000;
        readonly exact: true;
    };
    readonly BASE_NOT_FOUND: {
        readonly family: "NotFound";
        readonly rpcCode: -32001;
    };
    readonly TOKEN_SLOT_NOT_FOUND: {
        readonly family: "NotFound";
        readonly rpcCode: -32001;
    };
    readonly SNAPSHOT_NOT_FOUND: {
        readonly family: "NotFound";
        readonly rpcCode: -32001;
    };
    readonly FILTER_NOT_FOUND: {
        readonly family: "NotFound";
        readonly rpcCode: -32000;
        readonly fix: "It expired, was uninstalled or never existed. Make a new one with eth_newFilter, and poll it regularly.";
    };
    readonly SUBSCRIPTION_NOT_FOUND: {
        readonly family: "NotFound";
        readonly rpcCode: -32000;
        readonly fix: "A subscription belongs to its connection and ends with it. Make a new one with eth_subscribe.";
    };
    readonly STATE_NOT_AVAILABLE: {
        readonly family: "NotFound";
        readonly rpcCode: -32000;
    };
    readonly UNKNOWN_ACCOUNT: {
        readonly family: "NotFound";
        readonly rpcCode: -32000;
    };
    readonly ACCOUNT_LOCKED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32000;
        readonly exact: true;
    };
    readonly WRONG_PASSPHRASE: {
        readonly family: "InvalidParams";
        readonly rpcCode: -32000;
        readonly exact: true;
    };
    readonly NONCE_TOO_LOW: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Use the sender's next nonce: eth_getTransactionCount with \"pending\" gives it.";
    };
    readonly NONCE_TOO_HIGH: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Use the sender's next nonce: eth_getTransactionCount with \"pending\" gives it.";
    };
    readonly NONCE_MAX: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "An account with this nonce cannot send more transactions (EIP-2681): send from another one.";
    };
    readonly INSUFFICIENT_FUNDS: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Amounts are in wei. Send less, or give the sender more with anvil_setBalance.";
    };
    readonly INTRINSIC_GAS_TOO_LOW: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Raise gas, or leave it out to have it estimated.";
    };
    readonly FLOOR_GAS_TOO_LOW: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "From Prague on, calldata has a minimum price (EIP-7623). Raise gas, or leave it out to have it estimated.";
    };
    readonly GAS_LIMIT_EXCEEDS_BLOCK: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
    };
    readonly TRANSACTION_TOO_LARGE: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
    };
    readonly DEPOSIT_EVENT_INVALID: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "No block may contain it: the deposit contract (config.depositContractAddress) must emit the same event as mainnet's.";
    };
    readonly GAS_LIMIT_EXCEEDS_CAP: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "No transaction of a public chain may have more from Osaka on. Lower gas, or start without --enable-tx-gas-limit.";
    };
    readonly FEE_CAP_BELOW_BASE_FEE: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Raise maxFeePerGas (or gasPrice) to the base fee at least, or leave the fees out.";
    };
    readonly TIP_ABOVE_FEE_CAP: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Raise maxFeePerGas, or lower maxPriorityFeePerGas.";
    };
    readonly BLOB_FEE_CAP_BELOW_BASE_FEE: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Raise maxFeePerBlobGas; eth_blobBaseFee gives the minimum.";
    };
    readonly BLOB_TRANSACTION_INVALID: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
    };
    readonly SENDER_NOT_EOA: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "An account with code sends no transactions (EIP-3607), unless it is impersonated: anvil_impersonateAccount.";
    };
    readonly INIT_CODE_TOO_LARGE: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Make the contract or its constructor smaller, or allow more on this chain alone: --code-size-limit, --disable-code-size-limit.";
    };
    readonly TRANSACTION_TYPE_NOT_SUPPORTED: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Known types: 0x0, 0x1 (from Berlin on), 0x2 (London), 0x3 (Cancun), 0x4 (Prague).";
    };
    readonly AUTHORIZATION_LIST_INVALID: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
    };
    readonly WRONG_CHAIN_ID: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Sign it for this chain: eth_chainId gives its id.";
    };
    readonly ALREADY_KNOWN: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "It waits in the pool. evm_mine puts it into a block.";
    };
    readonly REPLACEMENT_UNDERPRICED: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "A transaction of this sender with this nonce is waiting. To replace it, raise maxFeePerGas and maxPriorityFeePerGas by a tenth (with blobs: double them).";
    };
    readonly TRANSACTION_UNDERPRICED: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Raise gasPrice or maxFeePerGas; eth_gasPrice suggests a price.";
    };
    readonly CONDITION_NOT_MET: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32003;
        readonly fix: "Nothing was sent. Simulate again on the current chain, and send with its numbers and values.";
    };
    readonly POOL_FULL: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Mine the waiting transactions with evm_mine, or drop them with anvil_dropAllTransactions.";
    };
    readonly TRACING_FAILED: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
    };
    readonly CALL_OF_ANOTHER_CHAIN: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32000;
        readonly fix: "Leave chainId out, or ask a node of that chain.";
    };
    readonly TRACE_NOT_EXECUTABLE: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -32015;
    };
    readonly SIMULATED_BLOCK_ORDER: {
        readonly family: "InvalidParams";
        readonly rpcCode: -38020;
        readonly fix: "Each block needs a higher number than the one before it; the first follows the block that the simulation starts from.";
    };
    readonly SIMULATED_TIME_ORDER: {
        readonly family: "InvalidParams";
        readonly rpcCode: -38021;
        readonly fix: "Each block needs a later time than the one before it; the first follows the block that the simulation starts from.";
    };
    readonly SIMULATED_BLOCK_FULL: {
        readonly family: "TransactionRejected";
        readonly rpcCode: -38015;
        readonly fix: "Lower the gas of the calls, or raise gasLimit in blockOverrides.";
    };
    readonly SIMULATION_TOO_LARGE: {
        readonly family: "Limit";
        readonly rpcCode: -38026;
        readonly fix: "A simulation has at most 256 blocks, including empty ones between the given numbers.";
    };
    readonly EXECUTION_FAILED: {
        readonly family: "Execution";
        readonly rpcCode: -32000;
    };
    readonly EXECUTION_REVERTED: {
        readonly family: "Revert";
        readonly rpcCode: 3;
    };
    readonly TRACER_FAILED: {
        readonly family: "Execution";
        readonly rpcCode: -32000;
    };
    readonly GAS_REQUIRED_EXCEEDS_ALLOWANCE: {
        readonly family: "Execution";
        readonly rpcCode: -32000;
        readonly fix: "The number is the most gas that the call can have. Its own gas, the sender's balance, or a limit of the block or the node sets it.";
    };
    readonly UNSUPPORTED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly COVERAGE_NOT_STARTED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
        readonly fix: "Call node.coverage.start() or hindcast_coverageStart first, then run the calls to count.";
    };
    readonly NOTIFICATIONS_UNSUPPORTED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32601;
        readonly fix: "Subscribe over WebSocket or IPC; over HTTP, poll a filter made with eth_newFilter or eth_newBlockFilter.";
    };
    readonly NO_SUCH_SUBSCRIPTION: {
        readonly family: "Unsupported";
        readonly rpcCode: -32601;
        readonly fix: "Use one of: newHeads, logs, newPendingTransactions, transactionReceipts, syncing.";
    };
    readonly SIGNING_BLOBS: {
        readonly family: "Unsupported";
        readonly rpcCode: -32000;
        readonly fix: "Sign it yourself and send it with eth_sendRawTransaction.";
    };
    readonly PACKAGE_MISSING: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly FORK_NOT_SUPPORTED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly CHAIN_NOT_SHARED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
        readonly fix: "Start it with --share and --share-token, or with the option share.";
    };
    readonly SHARE_TOKEN_WRONG: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly TOO_MANY_BASES: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly CHAIN_FOLLOWS_ANOTHER: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly FOLLOWING_REFUSED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly SHARED_LOG_REFUSED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly JOBS_FAILED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly JOBS_REFUSED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly WRITER_FENCED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly TAKE_OVER_REFUSED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly CHAIN_ID_FIXED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly STATE_NOT_LISTABLE: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly STATE_NOT_PROVABLE: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly FOREIGN_RULES: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly FOREIGN_TRANSACTION: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly EXPLORER_READ_ONLY: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
        readonly fix: "Ask a server of the node without --explorer-read-only, or use node.abi in the program.";
    };
    readonly UNCLES_NOT_ALLOWED: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly BLOCK_NOT_MINABLE: {
        readonly family: "Unsupported";
        readonly rpcCode: -32004;
    };
    readonly GENESIS_NOT_TRACEABLE: {
        readonly family: "Unsupported";
        readonly rpcCode: -32000;
        readonly fix: "Its accounts come from the genesis file, not from transactions. The first block with traces is block 1.";
    };
    readonly EXECUTION_TIMEOUT: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly EXECUTION_ABORTED: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly EXECUTION_QUEUE_FULL: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly EXECUTION_MEMORY: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly BLOCK_NOT_EXECUTED: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly TOO_MANY_FILTERS: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly TOO_MANY_SUBSCRIPTIONS: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly TRANSACTION_NOT_MINED: {
        readonly family: "Limit";
        readonly rpcCode: 4;
        readonly fix: "It is still waiting in the pool: evm_mine puts it into a block.";
    };
    readonly TOO_MANY_BLOCKS: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly TOO_MANY_SLOTS: {
        readonly family: "Limit";
        readonly rpcCode: -38026;
        readonly fix: "Ask for them in several requests.";
    };
    readonly TRACER_LIMIT: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly RECORDING_LIMIT: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly RESULT_LIMIT: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly UNPACKED_TOO_LARGE: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly JSON_TOO_DEEP: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly JSON_TOO_MANY_VALUES: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly JSON_VALUE_TOO_LONG: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly TOO_MANY_ITEMS: {
        readonly family: "Limit";
        readonly rpcCode: -32005;
    };
    readonly WRITER_UNREACHABLE: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly WRITER_FAILED: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly WRITER_LEASE_OVER: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly SHARED_LOG_UNREACHABLE: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_UNREACHABLE: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_RATE_LIMITED: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_BLOCK_UNKNOWN: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_STATE_PRUNED: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_METHOD_MISSING: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_BAD_ANSWER: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_REFUSED: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_DISAGREES: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_LIE: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly REMOTE_OFFLINE: {
        readonly family: "Remote";
        readonly rpcCode: -32002;
    };
    readonly DATA_DIR_LOCKED: {
        readonly family: "Store";
        readonly rpcCode: -32603;
    };
    readonly DATA_DIR_MISMATCH: {
        readonly family: "Store";
        readonly rpcCode: -32603;
    };
    readonly DATA_DIR_UNUSABLE: {
        readonly family: "Store";
        readonly rpcCode: -32603;
    };
    readonly DATA_DIR_VERSION: {
        readonly family: "Store";
        readonly rpcCode: -32603;
    };
    readonly STORE_CORRUPT: {
        readonly family: "Store";
        readonly rpcCode: -32603;
    };
    readonly PREIMAGE_MISSING: {
        readonly family: "Store";
        readonly rpcCode: -32000;
    };
    readonly STORE_CLOSED: {
        readonly family: "Store";
        readonly rpcCode: -32603;
    };
    readonly STORE_IO_FAILED: {
        readonly family: "Store";
        readonly rpcCode: -32603;
    };
    readonly INTERNAL_ERROR: {
        readonly family: "Internal";
        readonly rpcCode: -32603;
    };
};
type ErrorCode = keyof typeof catalogue;
type ErrorCodeOf<Family extends ErrorFamily> = {
    [Code in ErrorCode]: (typeof catalogue)[Code]["family"] extends Family ? Code : never;
}[ErrorCode];
interface CustomError {
    readonly name: string;
    readonly args: readonly unknown[];
    readonly namedArgs: Readonly<Record<string, unknown>>;
}
interface FailureFacts {
    readonly contract?: string | undefined;
    readonly contractName?: (() => string | undefined) | undefined;
    readonly transaction?: string | undefined;
    readonly customError?: (() => CustomError | undefined) | undefined;
}
type ErrorValues = Readonly<Record<string, bigint | number | string | boolean | undefined>>;
interface ErrorWords {
    readonly rpcCode?: number;
    readonly message: string | (() => string);
    readonly data?: unknown;
}
interface ErrorDetails<Code extends ErrorCode = ErrorCode> {
    readonly code: Code;
    readonly what: string;
    readonly where?: string;
    readonly fix?: string;
    readonly cause?: unknown;
    readonly data?: unknown;
    readonly solidityStack?: () => string | undefined;
    readonly facts?: FailureFacts;
    readonly values?: ErrorValues;
    readonly rpcCode?: number;
}
declare class HindcastError extends Error {
    #private;
    readonly code: ErrorCode;
    readonly values: ErrorValues;
    readonly what: string;
    readonly where: string | undefined;
    readonly fix: string | undefined;
    readonly data: unknown;
    readonly solidityStack: string | undefined;
    constructor(details: ErrorDetails);
    get rpcCode(): number;
    get rpcMessage(): string;
    get hasLateMessage(): boolean;
    get rpcData(): unknown;
    get hasWords(): boolean;
    get facts(): FailureFacts;
    inWords(words: ErrorWords): this;
    concerning(facts: FailureFacts): this;
}
declare class FamilyError<Family extends ErrorFamily> extends HindcastError {
    constructor(details: ErrorDetails<ErrorCodeOf<Family>>);
}
declare class InvalidRequestError extends FamilyError<"InvalidRequest"> {
}
declare class InvalidParamsError extends FamilyError<"InvalidParams"> {
}
declare class MethodNotFoundError extends FamilyError<"MethodNotFound"> {
}
declare class NotFoundError extends FamilyError<"NotFound"> {
}
declare class TransactionRejectedError extends FamilyError<"TransactionRejected"> {
}
declare class ExecutionError extends FamilyError<"Execution" | "Revert"> {
}
declare class RevertError extends ExecutionError {
    constructor(details: ErrorDetails<ErrorCodeOf<"Revert">>);
}
declare class UnsupportedError extends FamilyError<"Unsupported"> {
}
declare class LimitError extends FamilyError<"Limit"> {
}
declare class RemoteError extends FamilyError<"Remote"> {
    get isUnanswered(): boolean;
}
declare class StoreError extends FamilyError<"Store"> {
}
declare class InternalError extends FamilyError<"Internal"> {
}
type Bytes = Uint8Array;
type CurveFault = "inputLength" | "pairingLength" | "fieldElement" | "fieldElementTopBytes" | "bn254Point" | "blsPoint" | "bn254Subgroup" | "blsG1Subgroup" | "blsG2Subgroup" | "versionedHash" | "kzgScalar" | "kzgUncompressed" | "kzgPointEncoding" | "kzgInfinity" | "kzgFieldElement" | "kzgPoint" | "kzgSubgroup" | "kzgProof";
declare const FRAME_ERRORS: readonly [
    "outOfGas",
    "codeStoreOutOfGas",
    "codeSizeExceeded",
    "initCodeSizeExceeded",
    "createCollision",
    "reverted",
    "invalidOpcode",
    "invalidJump",
    "stackUnderflow",
    "stackOverflow",
    "staticStateChange",
    "outOfBounds",
    "invalidCode",
    "precompileFailed",
    "insufficientBalance",
    "callTooDeep",
    "nonceOverflow",
    "valueOverflow",
    "internal"
];
type FrameError = (typeof FRAME_ERRORS)[number];
declare const FrameKind: {
    readonly call: 0;
    readonly callCode: 1;
    readonly delegateCall: 2;
    readonly staticCall: 3;
    readonly create: 4;
    readonly create2: 5;
};
type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];
type FailureDetail = OpcodeFailure | PrecompileFailure;
interface OpcodeFailure {
    readonly opcode: number;
    readonly stackHeight: number;
    readonly cause: GasCause | undefined;
    readonly initCodeSize: bigint | undefined;
}
declare const GAS_CAUSES: readonly [
    "memoryOverflow",
    "gasOverflow",
    "reentrancySentry",
    "staticFrame"
];
type GasCause = (typeof GAS_CAUSES)[number];
type PrecompileFault = CurveFault | "modexpLength" | "finalFlag";
interface PrecompileFailure {
    readonly fault: PrecompileFault;
}
declare const StepOutcome: {
    readonly done: 0;
    readonly outOfGas: 1;
    readonly failed: 2;
    readonly badJump: 3;
    readonly undefinedOpcode: 4;
    readonly stackError: 5;
    readonly uncomputable: 6;
};
type StepOutcome = (typeof StepOutcome)[keyof typeof StepOutcome];
type JsonObject = Readonly<Record<string, unknown>>;
interface SourceRange {
    readonly file: SourceFile;
    readonly start: number;
    readonly end: number;
}
interface SourcePosition {
    readonly line: number;
    readonly column: number;
}
interface SourceBranch {
    readonly range: SourceRange;
    readonly isCheck: boolean;
    readonly arms: readonly [
        SourceRange | undefined,
        SourceRange | undefined
    ];
}
type CallKind = "virtual" | "super" | "direct" | "variable";
interface SourceCall {
    readonly range: SourceRange;
    readonly callee: number;
    readonly kind: CallKind;
}
interface SourceStatements {
    readonly statements: readonly SourceRange[];
    readonly branches: readonly SourceBranch[];
    readonly blocks: readonly SourceRange[];
    readonly unconditionalRevert: SourceRange | undefined;
    readonly calls: readonly SourceCall[];
    readonly mentions: readonly number[];
}
type FunctionKind = "function" | "constructor" | "fallback" | "receive" | "modifier" | "getter";
interface SourceFunction {
    readonly id: number;
    readonly kind: FunctionKind;
    readonly name: string;
    readonly contract: SourceContract | undefined;
    readonly range: SourceRange;
    readonly body: SourceRange | undefined;
    readonly code: SourceStatements;
    readonly isPayable: boolean;
    readonly selector: string | undefined;
    readonly parameterTypes: readonly string[];
    readonly isPrivate: boolean;
    readonly modifiers: readonly SourceCall[];
}
interface SourceNamespace {
    readonly name: string;
    readonly struct: JsonObject;
}
interface SourceContract {
    readonly id: number;
    readonly name: string;
    readonly kind: "contract" | "library" | "interface";
    readonly range: SourceRange;
    readonly bases: readonly number[];
    readonly functions: readonly SourceFunction[];
    readonly variables: readonly JsonObject[];
    readonly initialValues: readonly SourceRange[];
    readonly namespaces: readonly SourceNamespace[];
}
declare class SourceFile {
    #private;
    readonly path: string;
    readonly isPackage: boolean;
    readonly functions: SourceFunction[];
    get length(): number;
    positionOf(offset: number): SourcePosition;
    lineText(line: number): string;
    textOf(start: number, end: number): string;
    placesInFunctions(text: string): readonly SourceRange[];
    functionAt(start: number, end: number): SourceFunction | undefined;
}
type SourceMatch = "full" | "partial";
type Recognition = "exact" | "withoutMetadata" | "similar";
interface AbiParameter {
    readonly name: string;
    readonly type: string;
    readonly internalType: string | undefined;
    readonly isIndexed: boolean;
    readonly components: readonly AbiParameter[];
}
interface AbiItem {
    readonly kind: "function" | "event" | "error" | "constructor";
    readonly name: string;
    readonly inputs: readonly AbiParameter[];
    readonly outputs: readonly AbiParameter[];
    readonly mutability: "pure" | "view" | "nonpayable" | "payable";
    readonly isAnonymous: boolean;
}
type AbiValue = bigint | boolean | string | Bytes | readonly AbiValue[];
interface EventEntry {
    readonly item: AbiItem;
    readonly plain: readonly AbiParameter[];
    readonly indexed: readonly AbiParameter[];
}
declare class Contract {
    #private;
    readonly name: string | undefined;
    readonly items: readonly AbiItem[];
    readonly sourceMatch: SourceMatch | undefined;
    get functions(): ReadonlyMap<string, AbiItem>;
    get errors(): ReadonlyMap<string, AbiItem>;
    get events(): ReadonlyMap<string, readonly EventEntry[]>;
    get constructorItem(): AbiItem | undefined;
}
interface CreatedContract {
    readonly contract: Contract;
    readonly arguments: Bytes;
}
interface AbiOwner {
    readonly name?: string;
    readonly address?: Bytes;
}
interface DecodedArgument {
    readonly parameter: AbiParameter;
    readonly value: AbiValue | undefined;
    readonly topic?: Bytes;
}
interface DecodedItem {
    readonly item: AbiItem;
    readonly arguments: readonly DecodedArgument[];
}
declare class AbiRegistry {
    #private;
    add(abi: unknown, owner?: AbiOwner): void;
    addArtifacts(folder: string): Promise<readonly string[]>;
    useArtifacts(folder: string): void;
    refresh(): Promise<void>;
    refreshAtOnce(): void;
    addBuild(input: unknown, output?: unknown): readonly string[];
    addValue(value: unknown, owner: AbiOwner): readonly string[];
    get isEmpty(): boolean;
    contractAt(address: Bytes | undefined, code: Bytes): Contract | undefined;
    contractOf(initCode: Bytes): CreatedContract | undefined;
    decodeCall(data: Bytes, nearest?: Contract): DecodedItem | undefined;
    functionOf(data: Bytes, nearest?: Contract): AbiItem | undefined;
    decodeError(data: Bytes, nearest?: Contract): DecodedItem | undefined;
    decodeOutputs({ outputs }: AbiItem, data: Bytes): readonly DecodedArgument[] | undefined;
    decodeConstructor(data: Bytes, { constructorItem: item }: Contract): DecodedItem | undefined;
    decodeEvent(topics: readonly Bytes[], data: Bytes, nearest?: Contract): DecodedItem | undefined;
}
interface Log {
    readonly address: Bytes;
    readonly topics: readonly Bytes[];
    readonly data: Bytes;
}
type UpstreamJson = Readonly<Record<string, unknown>>;
interface GasDimensions {
    readonly executionGasUsed: bigint;
    readonly stateGasUsed: bigint;
    readonly gasRefund: bigint;
}
interface Receipt {
    readonly type: number;
    readonly status: boolean | undefined;
    readonly stateRoot: Bytes | undefined;
    readonly cumulativeGasUsed: bigint;
    readonly logsBloom: Bytes;
    readonly logs: readonly Log[];
    readonly contractAddress: Bytes | undefined;
    readonly dimensions?: GasDimensions | undefined;
    readonly given?: UpstreamJson;
}
declare const HARDFORKS: readonly [
    "chainstart",
    "homestead",
    "tangerineWhistle",
    "spuriousDragon",
    "byzantium",
    "constantinople",
    "petersburg",
    "istanbul",
    "muirGlacier",
    "berlin",
    "london",
    "arrowGlacier",
    "grayGlacier",
    "paris",
    "shanghai",
    "cancun",
    "prague",
    "osaka",
    "bpo1",
    "bpo2",
    "bpo3",
    "bpo4",
    "bpo5",
    "amsterdam"
];
type Hardfork = (typeof HARDFORKS)[number];
interface EvmAccount {
    readonly nonce: bigint;
    readonly balance: bigint;
    readonly codeHash: Bytes;
}
declare class StepBuffer {
    #private;
    readonly first: number;
    readonly length: number;
    readonly bytes: Uint8Array;
    readonly words: Uint32Array;
    readonly writes: Uint8Array;
    pc(row: number): number;
    opcode(row: number): number;
    outcome(row: number): StepOutcome;
    frame(row: number): number;
    memoryBytes(row: number): number;
    gas(row: number): number;
    cost(row: number): number;
    forwarded(row: number): number;
    refund(row: number): number;
    hasWord(row: number): boolean;
    word(row: number): bigint;
    items(row: number): readonly [
        upper: number,
        lower: number
    ];
    writeLength(row: number): number;
    writeOffset(row: number): number;
    written(row: number): Bytes;
}
interface FrameStart {
    readonly kind: FrameKind;
    readonly depth: number;
    readonly from: Bytes;
    readonly to: Bytes | undefined;
    readonly value: bigint;
    readonly gas: bigint;
    readonly input: Bytes;
    readonly isPrecompile: boolean;
    readonly step: number;
}
interface SelfDestruct {
    readonly address: Bytes;
    readonly beneficiary: Bytes;
    readonly balance: bigint;
}
interface AccountAccess {
    readonly address: Bytes;
    readonly slots: readonly Bytes[];
}
declare const ENGINE_NAMES: readonly [
    "wasm",
    "ethereumjs"
];
type EngineName = (typeof ENGINE_NAMES)[number];
interface EngineLimits {
    readonly executionMemory: number;
    readonly importMemory: number;
    readonly concurrentExecutions: number;
    readonly queuedExecutions: number;
}
interface Recording {
    readonly frames: readonly CallFrame[];
    readonly steps: StepStream | undefined;
    readonly accesses: readonly AccountAccess[];
}
type StepStream = Iterable<StepBuffer | Promise<void>>;
interface CallFrame extends Omit<FrameStart, "to"> {
    readonly index: number;
    readonly parent: number;
    readonly isStarted: boolean;
    readonly to: Bytes | undefined;
    readonly account: Bytes | undefined;
    readonly gasUsed: bigint;
    readonly output: Bytes;
    readonly undeposited: Bytes | undefined;
    readonly code: Bytes;
    readonly error: FrameError | undefined;
    readonly detail: FailureDetail | undefined;
    readonly children: readonly number[];
    readonly logs: readonly FrameLog[];
    readonly selfDestruct: SelfDestruct | undefined;
    readonly stepEnd: number;
}
interface FrameLog extends Log {
    readonly position: number;
    readonly index: number;
}
interface RecordingRequest {
    readonly logs?: boolean;
    readonly accesses?: boolean;
    readonly steps?: boolean;
    readonly memory?: boolean;
    readonly maxBytes?: number;
}
interface CallTracerOptions {
    readonly onlyTopCall?: boolean;
    readonly withLog?: boolean;
}
type GethCallType = "CALL" | "CALLCODE" | "DELEGATECALL" | "STATICCALL" | "CREATE" | "CREATE2" | "SELFDESTRUCT";
interface GethLog {
    readonly address: Bytes;
    readonly topics: readonly Bytes[];
    readonly data: Bytes;
    readonly index: number;
    readonly position: number;
}
interface GethCallFrame extends Partial<GasDimensions> {
    readonly type: GethCallType;
    readonly from: Bytes;
    readonly gas: bigint;
    readonly gasUsed: bigint;
    readonly to?: Bytes;
    readonly input: Bytes;
    readonly output?: Bytes;
    readonly error?: string;
    readonly revertReason?: string;
    readonly calls?: readonly GethCallFrame[];
    readonly logs?: readonly GethLog[];
    readonly value?: bigint;
}
interface PlacedCall {
    readonly frame: GethCallFrame;
    readonly depth: number;
    readonly callCount: number;
}
type FailureReason = {
    readonly kind: "revert";
    readonly text: string | undefined;
    readonly data: Bytes;
} | {
    readonly kind: "panic";
    readonly code: bigint;
    readonly data: Bytes;
} | {
    readonly kind: "customError";
    readonly error: DecodedItem | undefined;
    readonly data: Bytes;
} | {
    readonly kind: "invalidOpcode";
} | {
    readonly kind: "notPayable";
    readonly value: bigint;
    readonly target: "function" | "fallback";
} | {
    readonly kind: "noReceive";
    readonly value: bigint;
} | {
    readonly kind: "unknownSelector";
    readonly selector: Bytes;
} | {
    readonly kind: "noFallback";
    readonly given: number;
} | {
    readonly kind: "invalidArguments";
    readonly given: number;
} | {
    readonly kind: "directLibraryCall";
} | {
    readonly kind: "noCode";
    readonly address: Bytes | undefined;
} | {
    readonly kind: "shortReturnData";
    readonly given: number;
} | {
    readonly kind: "callNotStarted";
    readonly cause: FrameError | undefined;
} | {
    readonly kind: "codeTooLarge";
} | {
    readonly kind: "halt";
    readonly cause: FrameError;
};
interface SolidityFrame {
    readonly contract: string | undefined;
    readonly function: string | undefined;
    readonly arguments: readonly DecodedArgument[] | undefined;
    readonly range: SourceRange | undefined;
    readonly isApproximate: boolean;
    readonly address: Bytes | undefined;
    readonly isCreation: boolean;
    readonly recognition: Recognition | undefined;
    readonly sourceMatch?: SourceMatch | undefined;
    readonly namesakes: readonly string[];
    readonly callFrame: number;
}
interface SolidityStack {
    readonly reason: FailureReason;
    readonly frames: readonly SolidityFrame[];
    readonly causedBy?: SolidityStack;
}
interface RenderOptions {
    readonly abi?: AbiRegistry | undefined;
    readonly colors?: boolean | undefined;
    readonly maxLines?: number | undefined;
    readonly solidityStack?: SolidityStack | undefined;
}
type RenderableTrace = Recording | GethCallFrame;
declare function renderTrace(trace: RenderableTrace, options?: RenderOptions): string;
type Hex$1 = `0x${string}`;
type LooseBytes = Bytes | Hex$1;
type LooseInteger = bigint | number | string;
declare function hexToBytes(hex: Hex$1): Bytes;
declare function bytesToHex(bytes: Bytes): Hex$1;
interface MessageEndpoint {
    postMessage(message: unknown, transfer?: never): void;
    addEventListener(type: "message", listener: (event: {
        readonly data: unknown;
    }) => void): void;
    removeEventListener(type: "message", listener: (event: {
        readonly data: unknown;
    }) => void): void;
    start?(): void;
    close?(): void;
}
interface ConsoleValue {
    readonly type: string;
    readonly value: bigint | boolean | string | Bytes;
}
interface ConsoleMessage {
    readonly text: string;
    readonly values: readonly ConsoleValue[];
}
interface ConsoleLog extends ConsoleMessage {
    readonly address: Bytes;
    readonly transactionHash: Bytes | undefined;
}
type ConsoleListener = (log: ConsoleLog) => void;
interface AbortState {
    readonly aborted: boolean;
    readonly reason: unknown;
    throwIfAborted(): void;
    addEventListener(type: "abort", listener: () => void, options?: {
        once?: boolean;
    }): void;
    removeEventListener(type: "abort", listener: () => void): void;
}
interface CountedCode {
    readonly code: Bytes;
    readonly differences: Float64Array;
}
type CoverageSnapshot = ReadonlyMap<string, CountedCode>;
interface LineCoverage {
    readonly line: number;
    readonly times: number;
}
interface FunctionCoverage {
    readonly name: string;
    readonly line: number;
    readonly times: number;
}
interface BranchCoverage {
    readonly line: number;
    readonly branch: number;
    readonly arm: number;
    readonly times: number;
}
interface FileCoverage {
    readonly path: string;
    readonly lines: readonly LineCoverage[];
    readonly functions: readonly FunctionCoverage[];
    readonly branches: readonly BranchCoverage[];
}
interface Location {
    readonly start: {
        readonly line: number;
        readonly column: number;
    };
    readonly end: {
        readonly line: number;
        readonly column: number;
    };
}
interface IstanbulFile {
    readonly path: string;
    readonly statementMap: Readonly<Record<string, Location>>;
    readonly s: Readonly<Record<string, number>>;
    readonly fnMap: Readonly<Record<string, {
        readonly name: string;
        readonly line: number;
        readonly loc: Location;
        readonly decl: Location;
    }>>;
    readonly f: Readonly<Record<string, number>>;
    readonly branchMap: Readonly<Record<string, {
        readonly type: string;
        readonly line: number;
        readonly loc: Location;
        readonly locations: readonly Location[];
    }>>;
    readonly b: Readonly<Record<string, readonly number[]>>;
}
type PathPattern = string | RegExp;
interface CoveredFiles {
    readonly include?: readonly PathPattern[];
    readonly exclude?: readonly PathPattern[];
}
declare class CoverageReport {
    readonly files: readonly FileCoverage[];
    toLcov(): string;
    toIstanbul(): Readonly<Record<string, IstanbulFile>>;
}
declare class Coverage {
    #private;
    get isRunning(): boolean;
    get blocks(): number;
    start(): void;
    startWith(other: Coverage): void;
    stop(): void;
    snapshot(): CoverageSnapshot;
    report(files?: CoveredFiles): Promise<CoverageReport>;
    since(snapshot: CoverageSnapshot, files?: CoveredFiles): Promise<CoverageReport>;
}
interface Header {
    readonly parentHash: Bytes;
    readonly unclesHash: Bytes;
    readonly coinbase: Bytes;
    readonly stateRoot: Bytes;
    readonly transactionsRoot: Bytes;
    readonly receiptsRoot: Bytes;
    readonly logsBloom: Bytes;
    readonly difficulty: bigint;
    readonly number: bigint;
    readonly gasLimit: bigint;
    readonly gasUsed: bigint;
    readonly timestamp: bigint;
    readonly extraData: Bytes;
    readonly mixHash: Bytes;
    readonly nonce: Bytes;
    readonly baseFeePerGas?: bigint | undefined;
    readonly withdrawalsRoot?: Bytes | undefined;
    readonly blobGasUsed?: bigint | undefined;
    readonly excessBlobGas?: bigint | undefined;
    readonly parentBeaconBlockRoot?: Bytes | undefined;
    readonly requestsHash?: Bytes | undefined;
    readonly blockAccessListHash?: Bytes | undefined;
    readonly slotNumber?: bigint | undefined;
}
interface BlobSidecar {
    readonly version: 0 | 1;
    readonly blobs: readonly Bytes[];
    readonly commitments: readonly Bytes[];
    readonly proofs: readonly Bytes[];
}
interface AccessListEntry {
    readonly address: Bytes;
    readonly storageKeys: readonly Bytes[];
}
interface Authorization {
    readonly chainId: bigint;
    readonly address: Bytes;
    readonly nonce: bigint;
    readonly yParity: bigint;
    readonly r: bigint;
    readonly s: bigint;
}
interface TransactionFields {
    readonly type: number;
    readonly sender: Bytes;
    readonly to: Bytes | undefined;
    readonly nonce: bigint;
    readonly gasLimit: bigint;
    readonly value: bigint;
    readonly data: Bytes;
    readonly maxFeePerGas: bigint;
    readonly maxPriorityFeePerGas: bigint;
    readonly accessList: readonly AccessListEntry[];
    readonly blobVersionedHashes: readonly Bytes[];
    readonly maxFeePerBlobGas: bigint;
    readonly authorizations: readonly Authorization[];
    readonly mint?: bigint;
}
interface OpenSignature {
    readonly hash: Bytes;
    readonly r: Bytes;
    readonly s: Bytes;
    readonly yParity: number;
}
interface SignedFields extends Omit<TransactionFields, "sender"> {
    readonly chainId: bigint | undefined;
    readonly v: bigint;
    readonly r: bigint;
    readonly s: bigint;
}
declare class Transaction implements TransactionFields, SignedFields {
    #private;
    readonly type: number;
    readonly chainId: bigint | undefined;
    readonly to: Bytes | undefined;
    readonly nonce: bigint;
    readonly gasLimit: bigint;
    readonly value: bigint;
    readonly data: Bytes;
    readonly maxFeePerGas: bigint;
    readonly maxPriorityFeePerGas: bigint;
    readonly accessList: readonly AccessListEntry[];
    readonly blobVersionedHashes: readonly Bytes[];
    readonly maxFeePerBlobGas: bigint;
    readonly authorizations: readonly Authorization[];
    readonly v: bigint;
    readonly r: bigint;
    readonly s: bigint;
    readonly isImpersonated: boolean;
    readonly sidecar: BlobSidecar | undefined;
    readonly given: UpstreamJson | undefined;
    get hash(): Bytes;
    get sender(): Bytes;
    get openSignature(): OpenSignature | undefined;
    takeSigner(publicKey: Bytes): void;
    get publicKey(): Bytes | undefined;
    get yParity(): bigint;
    withoutSidecar(): Transaction;
    sentBy(sender: Bytes): Transaction;
    encode(): Bytes;
}
interface Withdrawal {
    readonly index: bigint;
    readonly validatorIndex: bigint;
    readonly address: Bytes;
    readonly amount: bigint;
}
interface BlockBody {
    readonly transactions: readonly Transaction[];
    readonly uncles: readonly Header[];
    readonly withdrawals: readonly Withdrawal[] | undefined;
}
interface Block extends BlockBody {
    readonly hash: Bytes;
    readonly header: Header;
    readonly given?: UpstreamJson;
    readonly givenUncles?: readonly UpstreamJson[];
}
declare const kind: unique symbol;
type Named<Kind extends string> = Bytes & {
    readonly [kind]: Kind;
};
type StateRoot = Named<"state root">;
type ChangesRoot = Named<"changes root">;
type ForkedBlockHash = Named<"forked block hash">;
type OwnStateId = StateRoot | ChangesRoot;
type StateId = OwnStateId | ForkedBlockHash;
interface AccountState extends EvmAccount {
    readonly storageRoot: Bytes;
}
interface AccountInfo {
    readonly balance: bigint;
    readonly nonce: bigint;
    readonly code: Bytes;
}
interface ExecutionLimits {
    readonly timeoutMs?: number | undefined;
    readonly signal?: AbortState | undefined;
    readonly recordingMemory?: number | undefined;
}
interface FetchProgress {
    readonly label: string;
    readonly answered: number;
    readonly waiting: number;
    readonly elapsedMs: number;
}
interface RemoteProvider {
    request(call: {
        readonly method: string;
        readonly params?: readonly unknown[];
    }): Promise<unknown>;
}
interface RemoteCacheOptions {
    readonly folder?: string | undefined;
    readonly maxBytes?: number | undefined;
}
interface CallRequest {
    readonly from?: Bytes | undefined;
    readonly to?: Bytes | undefined;
    readonly gasLimit?: bigint | undefined;
    readonly gasPrice?: bigint | undefined;
    readonly maxFeePerGas?: bigint | undefined;
    readonly maxPriorityFeePerGas?: bigint | undefined;
    readonly value?: bigint | undefined;
    readonly nonce?: bigint | undefined;
    readonly data?: Bytes | undefined;
    readonly accessList?: readonly AccessListEntry[] | undefined;
    readonly chainId?: bigint | undefined;
    readonly type?: bigint | undefined;
    readonly maxFeePerBlobGas?: bigint | undefined;
    readonly blobVersionedHashes?: readonly Bytes[] | undefined;
    readonly authorizations?: readonly Authorization[] | undefined;
    readonly blobMember?: "blobs" | "commitments" | "proofs" | undefined;
}
interface HeadChange {
    readonly removed: readonly Block[];
    readonly added: readonly Block[];
    readonly forgetsTransactions?: boolean;
}
interface DevAccount {
    readonly address: Bytes;
    readonly privateKey: Bytes;
}
type BlockTag = "earliest" | "latest" | "pending" | "safe" | "finalized";
type BlockId = {
    readonly number: bigint;
} | {
    readonly tag: BlockTag;
} | {
    readonly hash: Bytes;
    readonly requireCanonical: boolean;
};
type TransactionOrder = "fees" | "fifo";
interface TxPoolLimits {
    readonly maxTransactions: number;
    readonly maxPerSender: number;
    readonly maxBlobs: number;
}
interface BlockTimes {
    readonly timestamp?: bigint;
    readonly interval?: bigint;
}
interface MineOptions extends BlockTimes {
    readonly blocks?: number;
    readonly uncles?: readonly Header[];
    readonly transactions?: readonly Transaction[];
}
type MiningInterval = number | readonly [
    least: number,
    most: number
];
type MiningMode = "auto" | "manual" | {
    readonly intervalMs: MiningInterval;
    readonly automine?: boolean;
};
interface Snapshot {
    readonly name: string | undefined;
    readonly blockNumber: bigint;
    readonly blockHash: Bytes;
    readonly stateRoot: StateId;
}
interface ReorgOptions {
    readonly depth: number;
    readonly blocks?: number | readonly (readonly Transaction[])[];
}
type ScheduleSource = "genesis" | "table" | "debug_chainConfig" | "eth_config" | "header" | "assumption";
interface ForkDescription {
    readonly label: string;
    readonly chainId: bigint;
    readonly networkId: bigint | undefined;
    readonly blockNumber: bigint;
    readonly blockHash: Bytes;
    readonly scheduleSource: ScheduleSource;
    readonly warning: string | undefined;
    readonly requests: number;
    readonly cacheHits: number;
}
interface SideBlockOptions {
    readonly parent?: Bytes;
    readonly timestamp?: bigint;
    readonly coinbase?: Bytes;
    readonly extraData?: Bytes;
}
interface LoadStateOptions {
    readonly merge?: boolean | undefined;
}
declare class TimeControl {
    #private;
    get now(): bigint;
    increase(by: LooseInteger): Promise<bigint>;
    set(to: LooseInteger): Promise<bigint>;
    setInUnit(to: bigint): Promise<bigint>;
    setNext(to: LooseInteger): void;
    setInterval(by: LooseInteger): void;
    removeInterval(): boolean;
}
interface TransactionOutcome {
    readonly error: FrameError | undefined;
    readonly detail: FailureDetail | undefined;
    readonly output: Bytes;
    readonly gasUsed: bigint;
    readonly intrinsicGas: bigint;
    readonly gasRefund: bigint;
    readonly executionGasUsed: bigint;
    readonly gasUsedBeforeRefund: bigint;
    readonly stateGasUsed: bigint;
    readonly blockGas: bigint;
    readonly dimensions: GasDimensions | undefined;
    readonly logs: readonly Log[];
    readonly contractAddress: Bytes | undefined;
    readonly effectiveGasPrice: bigint;
}
interface BlockOverrides {
    readonly number?: bigint | undefined;
    readonly timestamp?: bigint | undefined;
    readonly gasLimit?: bigint | undefined;
    readonly coinbase?: Bytes | undefined;
    readonly prevRandao?: Bytes | undefined;
    readonly difficulty?: bigint | undefined;
    readonly baseFeePerGas?: bigint | undefined;
    readonly blobBaseFee?: bigint | undefined;
    readonly slotNumber?: bigint | undefined;
    readonly blockHashes?: ReadonlyMap<bigint, Bytes> | undefined;
    readonly parentBeaconBlockRoot?: Bytes | undefined;
    readonly withdrawals?: readonly Withdrawal[] | undefined;
}
interface BoundWords {
    readonly where: string;
    readonly fix: string;
}
type GasBound = () => BoundWords;
interface SlotOverride {
    readonly slot: Bytes;
    readonly value: Bytes;
}
interface AccountOverride {
    readonly address: Bytes;
    readonly balance?: bigint | undefined;
    readonly nonce?: bigint | undefined;
    readonly code?: Bytes | undefined;
    readonly state?: readonly SlotOverride[] | undefined;
    readonly stateDiff?: readonly SlotOverride[] | undefined;
    readonly movePrecompileTo?: Bytes | undefined;
}
interface Overrides {
    readonly accounts?: readonly AccountOverride[] | undefined;
    readonly block?: BlockOverrides | undefined;
}
interface SimulationLimits {
    readonly callGasLimit?: bigint | undefined;
    readonly callTimeoutMs: number;
    readonly traceTimeoutMs: number;
    readonly traceFilterBlocks?: number | undefined;
    readonly minedBlocks: number;
    readonly waitTimeoutMs: number;
    readonly stateFileBytes: number;
    readonly stateFileValues: number;
    readonly recordingMemory: number;
}
interface CallOutcome extends TransactionOutcome {
    readonly bound: GasBound | undefined;
}
type AssetKind = "ether" | "erc20" | "erc721" | "erc1155";
interface Asset {
    readonly kind: AssetKind;
    readonly token: Bytes | undefined;
    readonly tokenId: bigint | undefined;
}
interface AssetMove extends Asset {
    readonly from: Bytes;
    readonly to: Bytes;
    readonly amount: bigint;
    readonly callFrame: number;
}
interface AssetChange extends Asset {
    readonly account: Bytes;
    readonly amount: bigint;
}
type TraceClient = "hindcast" | "openethereum" | "reth" | "erigon";
type Delta<Value> = "=" | {
    readonly "+": Value;
} | {
    readonly "-": Value;
} | {
    readonly "*": {
        readonly from: Value;
        readonly to: Value;
    };
};
interface SlotDelta {
    readonly slot: Bytes;
    readonly delta: Delta<Bytes>;
}
interface AccountDiff {
    readonly address: Bytes;
    readonly balance: Delta<bigint>;
    readonly nonce: Delta<bigint>;
    readonly code: Delta<Bytes>;
    readonly storage: readonly SlotDelta[];
}
type StateDiff = readonly AccountDiff[];
interface GasEstimate {
    readonly gas: bigint;
    readonly executionGas: bigint;
    readonly stateGas: bigint;
    readonly binds: "execution" | "state" | "floor";
}
interface CallTrace {
    readonly recording: Recording;
    readonly failed: boolean;
    readonly gasUsed: bigint;
    readonly stateGasUsed: bigint | undefined;
}
interface WholeRecording extends Recording {
    readonly steps: StepTable | undefined;
}
declare class StepTable implements StepStream {
    #private;
    add(steps: StepBuffer): void;
    get length(): number;
    get size(): number;
    [Symbol.iterator](): Iterator<StepBuffer>;
    bufferOf(step: number): StepBuffer;
}
interface StreamBounds {
    readonly heldBytes: number;
    readonly waitingBuffers: number;
}
type ListOf<Item, Bounds extends StreamBounds | undefined> = Bounds extends StreamBounds ? Iterable<Item> : Item[];
interface TracePlace {
    readonly blockHash: Bytes;
    readonly blockNumber: bigint;
    readonly txHash: Bytes;
    readonly txIndex: number;
}
interface FlatCallOptions {
    readonly convertParityErrors?: boolean;
    readonly includePrecompiles?: boolean;
}
interface FlatCallAction {
    readonly callType?: string;
    readonly creationMethod?: string;
    readonly from?: Bytes;
    readonly to?: Bytes;
    readonly gas?: bigint;
    readonly value?: bigint;
    readonly input?: Bytes;
    readonly init?: Bytes;
    readonly address?: Bytes;
    readonly refundAddress?: Bytes;
    readonly balance?: bigint;
}
interface FlatCallResult {
    readonly gasUsed: bigint;
    readonly output?: Bytes;
    readonly address?: Bytes;
    readonly code?: Bytes;
}
interface FlatCall {
    readonly type: "call" | "create" | "suicide";
    readonly action: FlatCallAction;
    readonly result?: FlatCallResult;
    readonly error?: string;
    readonly subtraces: number;
    readonly traceAddress: readonly number[];
}
interface FourByteCount {
    readonly selector: Bytes;
    readonly dataLength: number;
    readonly count: number;
}
interface KeccakPreimage {
    readonly hash: Bytes;
    readonly preimage: Bytes;
}
interface PrestateOptions {
    readonly diffMode?: boolean;
    readonly disableCode?: boolean;
    readonly disableStorage?: boolean;
    readonly includeEmpty?: boolean;
}
interface PrestateAccount {
    readonly address: Bytes;
    readonly balance?: bigint;
    readonly nonce?: bigint;
    readonly code?: Bytes;
    readonly codeHash?: Bytes;
    readonly storage?: readonly {
        readonly slot: Bytes;
        readonly value: Bytes;
    }[];
}
interface PrestateDiff {
    readonly pre: readonly PrestateAccount[];
    readonly post: readonly PrestateAccount[];
}
interface StructLogOptions {
    readonly enableMemory?: boolean;
    readonly disableStack?: boolean;
    readonly disableStorage?: boolean;
    readonly enableReturnData?: boolean;
    readonly limit?: number;
}
interface StoredSlot {
    readonly slot: bigint;
    readonly value: bigint;
}
interface StructLog {
    readonly pc: number;
    readonly op: string;
    readonly gas: number;
    readonly gasCost: number;
    readonly depth: number;
    readonly error?: string;
    readonly stack?: readonly bigint[];
    readonly memory?: Bytes;
    readonly storage?: readonly StoredSlot[];
    readonly returnData?: Bytes;
    readonly refund?: number;
}
declare class StructLogs implements Iterable<StructLog>, AsyncIterable<StructLog> {
    readonly recording: Recording;
    readonly options: StructLogOptions;
    [Symbol.iterator](): Generator<StructLog>;
    [Symbol.asyncIterator](): AsyncGenerator<StructLog>;
}
type NativeTracer = {
    readonly name: "structLogger";
    readonly options?: StructLogOptions;
} | {
    readonly name: "callTracer";
    readonly options?: CallTracerOptions;
} | {
    readonly name: "flatCallTracer";
    readonly options?: FlatCallOptions;
} | {
    readonly name: "prestateTracer";
    readonly options?: PrestateOptions;
} | {
    readonly name: "4byteTracer";
} | {
    readonly name: "keccak256PreimageTracer";
} | {
    readonly name: "noopTracer";
} | {
    readonly name: "stateGasTracer";
} | {
    readonly name: "muxTracer";
    readonly tracers: readonly NativeTracer[];
};
type GethTracer = NativeTracer | {
    readonly name: "script";
    readonly code: string;
    readonly config?: string | undefined;
};
type NativeTrace = {
    readonly name: "structLogger";
    readonly gasUsed: bigint;
    readonly failed: boolean;
    readonly dimensions?: GasDimensions | undefined;
    readonly returnValue: Bytes;
    readonly logs: StructLogs;
} | {
    readonly name: "callTracer";
    readonly call: GethCallFrame | undefined;
} | {
    readonly name: "flatCallTracer";
    readonly calls: readonly FlatCall[];
    readonly place: TracePlace | undefined;
} | {
    readonly name: "prestateTracer";
    readonly accounts: readonly PrestateAccount[] | PrestateDiff;
} | {
    readonly name: "4byteTracer";
    readonly counts: readonly FourByteCount[];
} | {
    readonly name: "keccak256PreimageTracer";
    readonly preimages: readonly KeccakPreimage[];
} | {
    readonly name: "noopTracer";
} | {
    readonly name: "stateGasTracer";
    readonly gasUsed: bigint;
    readonly dimensions: GasDimensions;
} | {
    readonly name: "muxTracer";
    readonly traces: readonly NativeTrace[];
};
type GethTrace = NativeTrace | {
    readonly name: "script";
    readonly value: unknown;
};
type StreamedTrace = Exclude<GethTrace, {
    readonly name: "callTracer" | "flatCallTracer" | "muxTracer";
}> | {
    readonly name: "callTracer";
    readonly calls: Iterable<PlacedCall>;
} | {
    readonly name: "flatCallTracer";
    readonly calls: Iterable<FlatCall>;
    readonly place: TracePlace | undefined;
} | {
    readonly name: "muxTracer";
    readonly traces: readonly StreamedTrace[];
};
interface CallBundle {
    readonly calls: readonly CallRequest[];
    readonly block?: BlockOverrides | undefined;
}
interface CallContext {
    readonly block?: BlockId | undefined;
    readonly txIndex?: number | undefined;
    readonly overrides?: Overrides | undefined;
    readonly timeoutMs?: number | undefined;
    readonly signal?: AbortState | undefined;
}
type TraceOf<Tracer extends GethTracer, Bounds extends StreamBounds | undefined = undefined> = Extract<Bounds extends StreamBounds ? StreamedTrace : GethTrace, {
    readonly name: Tracer["name"];
}>;
type StructLogger = NativeTracer & {
    readonly name: "structLogger";
};
interface TraceOptions<Tracer extends GethTracer = GethTracer> extends TraceBounds {
    readonly tracer?: Tracer | undefined;
}
interface TraceBounds {
    readonly timeoutMs?: number | undefined;
    readonly signal?: AbortState | undefined;
}
interface TraceCallsOptions<Tracer extends GethTracer = GethTracer> extends TraceOptions<Tracer>, CallContext {
}
interface TransactionTrace<Tracer extends GethTracer = GethTracer, Bounds extends StreamBounds | undefined = undefined> {
    readonly txHash: Bytes;
    readonly trace: TraceOf<Tracer, Bounds>;
}
interface GasByCause {
    readonly total: bigint;
    readonly intrinsic: bigint;
    readonly execution: bigint;
    readonly state: bigint;
    readonly floor: bigint;
    readonly refund: bigint;
    readonly beforeRefund: bigint;
}
interface HardforkRun {
    readonly status: "succeeded" | "reverted" | "failed" | "refused";
    readonly reason: string | undefined;
    readonly bound: BoundWords | undefined;
    readonly output: Bytes;
    readonly gas: GasByCause | undefined;
    readonly logs: readonly Log[];
}
type Pair<T> = readonly [
    T,
    T
];
type WriteDifference = {
    readonly address: Bytes;
} & ({
    readonly member: "balance" | "nonce";
    readonly values: Pair<bigint>;
} | {
    readonly member: "code";
    readonly values: Pair<Bytes>;
} | {
    readonly member: "storage";
    readonly slot: Bytes;
    readonly values: Pair<bigint>;
});
interface ComparisonRequest {
    readonly calls?: readonly CallRequest[] | undefined;
    readonly block?: BlockId | undefined;
    readonly hardforks?: Pair<Hardfork> | undefined;
    readonly overrides?: Overrides | undefined;
}
interface ComparedRun {
    readonly txHash: Bytes | undefined;
    readonly runs: Pair<HardforkRun>;
    readonly isSame: boolean;
    readonly logs: Pair<readonly Log[]>;
    readonly writes: readonly WriteDifference[];
}
interface HardforkComparison {
    readonly hardforks: Pair<Hardfork>;
    readonly runs: readonly ComparedRun[];
    readonly blockGas: Pair<bigint>;
}
interface RecordedTransaction {
    readonly tx: Transaction;
    readonly index: number;
    readonly outcome: TransactionOutcome;
    readonly recording: WholeRecording;
}
declare class DebugService {
    #private;
    traceTransaction<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(hash: Bytes, options?: TraceOptions<Tracer>, streamed?: Bounds): Promise<TraceOf<Tracer, Bounds>>;
    recordTransaction(hash: Bytes, request?: RecordingRequest, options?: TraceBounds): Promise<RecordedTransaction>;
    eachStructLog(hash: Bytes, options?: StructLogOptions & TraceBounds): AsyncGenerator<StructLog>;
    recordBlock(block: Block, request?: RecordingRequest, options?: TraceBounds): AsyncGenerator<RecordedTransaction>;
    traceBlock<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(id: BlockId, options?: TraceOptions<Tracer>, streamed?: Bounds): Promise<TransactionTrace<Tracer, Bounds>[]>;
    traceRawBlock<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(bytes: Bytes, options?: TraceOptions<Tracer>, streamed?: Bounds): Promise<TransactionTrace<Tracer, Bounds>[]>;
    traceCall<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(call: CallRequest, options?: TraceCallsOptions<Tracer>, streamed?: Bounds): Promise<TraceOf<Tracer, Bounds>>;
    traceCallMany<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(bundles: readonly CallBundle[], options?: TraceCallsOptions<Tracer>, streamed?: Bounds): Promise<TraceOf<Tracer, Bounds>[][]>;
    callMany(bundles: readonly CallBundle[], context?: CallContext): Promise<CallOutcome[][]>;
}
interface StorageRange {
    readonly slots: readonly NamedSlot[];
    readonly next: Bytes | undefined;
}
interface NamedSlot {
    readonly hash: Bytes;
    readonly slot: Bytes | undefined;
    readonly value: Bytes;
}
interface AccountRange {
    readonly stateRoot: Bytes;
    readonly accounts: readonly ListedAccount[];
    readonly next: Bytes | undefined;
}
interface ListedAccount {
    readonly hash: Bytes;
    readonly address: Bytes | undefined;
    readonly account: AccountState;
    readonly code: Bytes | undefined;
    readonly slots: readonly NamedSlot[] | undefined;
}
interface AccountRangeRequest {
    readonly start?: Bytes | undefined;
    readonly limit?: number | undefined;
    readonly withoutCode?: boolean | undefined;
    readonly withoutStorage?: boolean | undefined;
    readonly withUnnamed?: boolean | undefined;
}
interface StoragePart {
    readonly address: Bytes;
    readonly start: Bytes;
    readonly limit: number;
}
interface StorageRangeRequest extends StoragePart {
    readonly txIndex: number;
}
interface AccountAfterRequest {
    readonly txIndex: number;
    readonly address: Bytes;
}
type InspectOptions = Pick<TraceBounds, "signal">;
declare class StateInspector {
    #private;
    storageRange(id: BlockId, request: StorageRangeRequest, options?: InspectOptions): Promise<StorageRange>;
    accountAfter(id: BlockId, { txIndex, address }: AccountAfterRequest, options?: InspectOptions): Promise<AccountInfo | undefined>;
    storageAfter(id: BlockId, part: StoragePart, options?: InspectOptions): Promise<StorageRange>;
    accountRange(id: BlockId, request?: AccountRangeRequest, options?: InspectOptions): Promise<AccountRange>;
    modifiedAccounts(from: BlockId, to?: BlockId, options?: InspectOptions): Promise<Bytes[]>;
    intermediateRoots(id: BlockId, options?: InspectOptions): Promise<Bytes[]>;
}
interface FunctionGas {
    readonly name: string;
    readonly file: string | undefined;
    readonly line: number | undefined;
    readonly calls: number;
    readonly self: bigint;
    readonly total: bigint;
}
interface LineGas {
    readonly file: string | undefined;
    readonly line: number | undefined;
    readonly gas: bigint;
    readonly count: number;
}
interface OpcodeGas {
    readonly name: string;
    readonly gas: bigint;
    readonly count: number;
}
interface StackGas {
    readonly names: readonly string[];
    readonly gas: bigint;
}
interface ProfileRows {
    readonly gasUsed: bigint;
    readonly gasRefund: bigint;
    readonly stateGasUsed?: bigint;
    functions(): readonly FunctionGas[];
    lines(): readonly LineGas[];
    opcodes(): readonly OpcodeGas[];
    stacks(): Iterable<StackGas>;
}
interface GasChange {
    readonly name: string;
    readonly before: bigint;
    readonly after: bigint;
    readonly change: bigint;
}
interface GasDifference {
    readonly gasUsed: Omit<GasChange, "name">;
    readonly functions: readonly GasChange[];
    readonly lines: readonly GasChange[];
    readonly opcodes: readonly GasChange[];
}
interface SpeedscopeFile {
    readonly $schema: string;
    readonly shared: {
        readonly frames: readonly SpeedscopeFrame[];
    };
    readonly profiles: readonly SpeedscopeProfile[];
    readonly name: string;
    readonly exporter: string;
}
interface SpeedscopeFrame {
    readonly name: string;
    readonly file?: string;
    readonly line?: number;
}
interface SpeedscopeProfile {
    readonly type: "sampled";
    readonly name: string;
    readonly unit: "none";
    readonly startValue: number;
    readonly endValue: number;
    readonly samples: readonly (readonly number[])[];
    readonly weights: readonly number[];
}
declare class GasProfile implements ProfileRows {
    #private;
    readonly gasUsed: bigint;
    readonly gasRefund: bigint;
    readonly stateGasUsed: bigint;
    functions(): readonly FunctionGas[];
    lines(): readonly LineGas[];
    opcodes(): readonly OpcodeGas[];
    stacks(): Generator<StackGas>;
    toFolded(): string;
    toSpeedscope(name?: string): SpeedscopeFile;
    toTable(): string;
    since(before: ProfileRows): GasDifference;
    toTableSince(before: ProfileRows): string;
}
type UnnamedReason = "the contract is not known" | "the build has neither a storage layout nor an AST" | "no variable is known to have this slot";
interface VariableChange {
    readonly account: Bytes;
    readonly contract: string | undefined;
    readonly name: string | undefined;
    readonly unnamedBecause: UnnamedReason | undefined;
    readonly type: string | undefined;
    readonly slot: bigint;
    readonly isTransient: boolean;
    readonly before: string;
    readonly after: string;
    readonly writes: readonly VariableWrite[];
}
interface VariableWrite {
    readonly before: string;
    readonly after: string;
    readonly isUndone: boolean;
    readonly callFrame: number;
    readonly function: string | undefined;
    readonly file: string | undefined;
    readonly position: SourcePosition | undefined;
    readonly isApproximate: boolean;
}
interface StateChanges {
    readonly stack: SolidityStack | undefined;
    readonly storage: readonly VariableChange[];
    readonly moves: readonly AssetMove[];
    readonly assets: readonly AssetChange[];
    readonly frames: readonly CallFrame[];
    readonly gaps: readonly string[];
}
interface CallAction {
    readonly callType: "call" | "callcode" | "delegatecall" | "staticcall";
    readonly from: Bytes;
    readonly to: Bytes;
    readonly value: bigint;
    readonly gas: bigint;
    readonly input: Bytes;
}
interface CreateAction {
    readonly creationMethod?: "create" | "create2";
    readonly from: Bytes;
    readonly value: bigint;
    readonly gas: bigint;
    readonly init: Bytes;
}
interface SelfDestructAction {
    readonly address: Bytes;
    readonly refundAddress: Bytes;
    readonly balance: bigint;
}
interface RewardAction {
    readonly author: Bytes;
    readonly rewardType: "block" | "uncle";
    readonly value: bigint;
}
interface CallResult {
    readonly gasUsed: bigint;
    readonly output: Bytes;
}
interface CreateResult {
    readonly gasUsed: bigint;
    readonly code: Bytes;
    readonly address: Bytes;
}
interface FlatTraceBase {
    readonly error?: string;
    readonly subtraces: number;
    readonly traceAddress: readonly number[];
}
type FlatTrace = (FlatTraceBase & {
    readonly type: "call";
    readonly action: CallAction;
    readonly result?: CallResult | null;
}) | (FlatTraceBase & {
    readonly type: "create";
    readonly action: CreateAction;
    readonly result?: CreateResult | null;
}) | (FlatTraceBase & {
    readonly type: "suicide";
    readonly action: SelfDestructAction;
    readonly result: null;
}) | (FlatTraceBase & {
    readonly type: "reward";
    readonly action: RewardAction;
    readonly result: null;
});
interface TraceLocation {
    readonly blockHash: Bytes;
    readonly blockNumber: bigint;
    readonly transactionHash?: Bytes | null;
    readonly transactionPosition?: number | null;
}
type LocalizedTrace = FlatTrace & TraceLocation;
interface VmTrace {
    readonly code: Bytes;
    readonly ops: Iterable<VmOperation>;
}
interface VmOperation {
    readonly pc: number;
    readonly cost: number;
    readonly ex: VmExecuted | null;
    readonly sub: VmTrace | null;
    readonly op?: string;
    readonly idx?: string;
}
interface VmExecuted {
    readonly used: number;
    readonly push: readonly bigint[];
    readonly mem: {
        readonly off: number;
        readonly data: Bytes;
    } | null;
    readonly store: {
        readonly key: bigint;
        readonly val: bigint;
    } | null;
}
interface VmTraceOptions {
    readonly client?: TraceClient;
    readonly idxPrefix?: string;
}
declare class RecordedVmTrace implements VmTrace {
    #private;
    readonly code: Bytes;
    readonly ops: Iterable<VmOperation>;
    get recording(): Recording;
    get options(): VmTraceOptions;
}
type TraceType = "trace" | "vmTrace" | "stateDiff";
interface StreamedTraceResults {
    readonly output: Bytes;
    readonly trace: Iterable<FlatTrace>;
    readonly vmTrace: RecordedVmTrace | undefined;
    readonly stateDiff: StateDiff | undefined;
    readonly transactionHash?: Bytes | undefined;
}
interface TraceResults extends StreamedTraceResults {
    readonly trace: readonly FlatTrace[];
}
type ResultsOf<Bounds extends StreamBounds | undefined> = Bounds extends StreamBounds ? StreamedTraceResults : TraceResults;
interface TracedCall {
    readonly call: CallRequest;
    readonly types: Iterable<TraceType>;
}
interface TraceFilter {
    readonly fromBlock: BlockId;
    readonly toBlock: BlockId;
    readonly fromAddress: readonly Bytes[];
    readonly toAddress: readonly Bytes[];
    readonly mode: "union" | "intersection";
    readonly after: number;
    readonly count: number | undefined;
}
interface TraceCallOptions extends TraceBounds {
    readonly block?: BlockId | undefined;
    readonly overrides?: Overrides | undefined;
    readonly includePrecompiles?: boolean | undefined;
}
declare class TraceService {
    #private;
    get client(): TraceClient;
    typesOf(names: Iterable<string>, place?: string): ReadonlySet<TraceType>;
    block<Bounds extends StreamBounds | undefined = undefined>(id: BlockId, options?: TraceBounds, streamed?: Bounds): Promise<ListOf<LocalizedTrace, Bounds> | undefined>;
    transaction<Bounds extends StreamBounds | undefined = undefined>(hash: Bytes, options?: TraceBounds, streamed?: Bounds): Promise<ListOf<LocalizedTrace, Bounds> | undefined>;
    get(hash: Bytes, path: readonly number[], options?: TraceBounds): Promise<LocalizedTrace | undefined>;
    filter(request?: Partial<TraceFilter>, options?: TraceBounds): Promise<LocalizedTrace[] | undefined>;
    eachMatch(request?: Partial<TraceFilter>, options?: TraceBounds): AsyncGenerator<LocalizedTrace>;
    call<Bounds extends StreamBounds | undefined = undefined>(call: CallRequest, types: Iterable<TraceType>, options?: TraceCallOptions, streamed?: Bounds): Promise<ResultsOf<Bounds>>;
    callMany<Bounds extends StreamBounds | undefined = undefined>(calls: readonly TracedCall[], options?: TraceCallOptions, streamed?: Bounds): Promise<ResultsOf<Bounds>[]>;
    rawTransaction<Bounds extends StreamBounds | undefined = undefined>(bytes: Bytes, names: Iterable<TraceType>, options?: TraceCallOptions, streamed?: Bounds): Promise<ResultsOf<Bounds>>;
    replayTransaction<Bounds extends StreamBounds | undefined = undefined>(hash: Bytes, types: Iterable<TraceType>, options?: TraceBounds, streamed?: Bounds): Promise<ResultsOf<Bounds>>;
    replayBlock<Bounds extends StreamBounds | undefined = undefined>(id: BlockId, types: Iterable<TraceType>, options?: TraceBounds, streamed?: Bounds): Promise<ResultsOf<Bounds>[]>;
}
type ChangeKind = "none" | "dropped" | "replaced" | "inserted";
interface ReplayedRun {
    readonly status: "succeeded" | "reverted" | "failed" | "refused";
    readonly reason: string | undefined;
    readonly output: Bytes;
    readonly gasUsed: bigint;
    readonly logs: readonly Log[];
    readonly contractAddress: Bytes | undefined;
}
interface PrintedLine {
    readonly address: Bytes;
    readonly text: string;
}
interface NamedDifference {
    readonly name: string;
    readonly values: Pair<string>;
}
interface SlotDifference {
    readonly address: Bytes;
    readonly slot: Bytes;
    readonly values: Pair<bigint>;
    readonly variables: readonly NamedDifference[];
}
interface BalanceDifference {
    readonly address: Bytes;
    readonly changes: Pair<bigint>;
}
interface ComparedTransaction {
    readonly blockNumber: bigint;
    readonly txHash: Bytes | undefined;
    readonly txIndex: number | undefined;
    readonly change: ChangeKind;
    readonly runs: Pair<ReplayedRun | undefined>;
    readonly logs: Pair<readonly Log[]>;
    readonly console: Pair<readonly PrintedLine[]>;
    readonly balances: readonly BalanceDifference[];
    readonly storage: readonly SlotDifference[];
}
interface ReplayTotals {
    readonly blocks: number;
    readonly transactions: number;
    readonly different: number;
    readonly otherStatus: number;
    readonly refused: number;
    readonly gasUsed: Pair<bigint>;
    readonly logs: Pair<number>;
    readonly differentLogs: Pair<number>;
    readonly consoleLines: Pair<number>;
}
interface BalanceSum {
    readonly address: Bytes;
    readonly wei: bigint;
}
interface ReplayedBlock {
    readonly number: bigint;
    readonly hash: Bytes;
    readonly transactions: readonly ComparedTransaction[];
    readonly totals: ReplayTotals;
}
interface HistoryComparison {
    readonly transactions: readonly ComparedTransaction[];
    readonly omitted: number;
    readonly totals: ReplayTotals;
    readonly balances: readonly BalanceSum[];
}
interface ReplayBounds extends TraceBounds {
    readonly limit?: number | undefined;
}
type ResponseShape = "standard" | "parity";
interface ExportOptions {
    readonly from?: bigint;
    readonly to?: bigint;
    readonly force?: boolean;
}
interface ImportOptions {
    readonly onProgress?: (progress: {
        readonly blocks: number;
        readonly bytes: number;
        readonly totalBytes: number;
    }) => void;
    readonly signal?: AbortState;
}
interface ImportSummary {
    readonly imported: number;
    readonly known: number;
}
type ReplayedBlockId = bigint | number | BlockId;
interface ReplayInsertion {
    readonly before?: Bytes | Hex$1;
    readonly after?: Bytes | Hex$1;
    readonly block?: ReplayedBlockId;
    readonly call: CallRequest;
}
interface ReplayRequest {
    readonly transaction?: Bytes | Hex$1;
    readonly blocks?: readonly [
        from: ReplayedBlockId,
        to: ReplayedBlockId
    ];
    readonly code?: Readonly<Record<Hex$1, LooseBytes | object>>;
    readonly storage?: Readonly<Record<Hex$1, Readonly<Record<Hex$1, LooseBytes | bigint>>>>;
    readonly transactions?: {
        readonly drop?: readonly (Bytes | Hex$1)[];
        readonly insert?: readonly ReplayInsertion[];
        readonly replace?: readonly {
            readonly transaction: Bytes | Hex$1;
            readonly call: CallRequest;
            readonly creates?: boolean;
        }[];
    };
}
interface RunningIpcServer {
    readonly path: string;
    close(): Promise<void>;
}
interface RunningServer {
    readonly host: string;
    readonly port: number;
    readonly url: string;
    close(): Promise<void>;
}
interface GasConstant {
    readonly kind: "transfer" | "send" | "gas" | "assembly" | "gasleft";
    readonly gas: bigint;
    readonly isStatic: boolean;
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly text: string;
}
interface OperationPrice {
    readonly name: string;
    readonly isStatic: boolean;
    readonly prices: Pair<bigint>;
}
interface ReportOptions {
    readonly hardforks?: Pair<Hardfork> | undefined;
    readonly blockGasLimit?: bigint | undefined;
}
interface DeploymentReport {
    readonly name: string;
    readonly codeSize: number;
    readonly initCodeSize: number;
    readonly runs: Pair<HardforkRun>;
    readonly isExact: boolean;
    readonly problems: readonly string[];
}
interface GasConstantReport extends GasConstant {
    readonly lost: readonly OperationPrice[];
}
interface HardforkReport {
    readonly hardforks: Pair<Hardfork>;
    readonly blockGasLimit: bigint;
    readonly deployments: readonly DeploymentReport[];
    readonly gasConstants: readonly GasConstantReport[];
    readonly gaps: readonly string[];
}
interface NodeRenderOptions extends RenderOptions, TraceBounds {
    readonly storage?: boolean | undefined;
}
type Method = (...args: never) => unknown;
type MethodNames<Service> = {
    [Name in keyof Service]: Service[Name] extends Method ? Name : never;
}[keyof Service];
type MethodsOf<Service> = Pick<Service, MethodNames<Service>>;
interface ProfiledCall {
    readonly call: CallRequest;
    readonly block?: BlockId | undefined;
    readonly overrides?: Overrides | undefined;
}
type HardforkStarts = Readonly<Record<string, bigint | number>>;
declare const PREDEPLOY_NAMES: readonly [
    "multicall3",
    "create2",
    "entrypoint",
    "permit2"
];
type PredeployName = (typeof PREDEPLOY_NAMES)[number];
declare const DIALECTS: readonly [
    "hindcast",
    "anvil",
    "hardhat",
    "ganache"
];
type Dialect = (typeof DIALECTS)[number];
interface ForkOptions {
    readonly url?: string;
    readonly urls?: readonly string[];
    readonly provider?: RemoteProvider;
    readonly blockNumber?: bigint | number | "latest";
    readonly blockHash?: string;
    readonly transactionHash?: string;
    readonly chainId?: bigint | number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly cache?: boolean | RemoteCacheOptions;
    readonly verify?: boolean;
    readonly offline?: boolean;
    readonly timeoutMs?: number;
    readonly retries?: number;
    readonly retryBackoffMs?: number;
    readonly computeUnitsPerSecond?: number;
    readonly traceUpstream?: boolean;
    readonly onProgress?: (progress: FetchProgress) => void;
}
interface AccountOptions {
    readonly privateKey: string;
    readonly balance?: bigint;
}
interface FundedAccountOptions {
    readonly address: string;
    readonly balance?: bigint;
}
interface SourcesOptions {
    readonly urls: string | readonly string[];
    readonly timeoutMs?: number;
}
interface ShareOptions {
    readonly token: string;
}
interface FollowOptions {
    readonly url: string;
    readonly token?: string;
}
interface SharedOptions {
    readonly url: string;
    readonly role?: "writer" | "reader" | "standby";
    readonly chain?: string;
    readonly work?: boolean;
    readonly address?: string;
    readonly leaseMs?: number;
    readonly baseAfterBytes?: number;
    readonly onFenced?: (error: Error) => void;
}
interface NodeOptions {
    readonly dataDir?: string;
    readonly genesis?: unknown;
    readonly fork?: ForkOptions;
    readonly share?: ShareOptions;
    readonly follow?: string | FollowOptions;
    readonly shared?: SharedOptions;
    readonly hardfork?: string;
    readonly hardforkAt?: HardforkStarts;
    readonly chainId?: bigint | number;
    readonly networkId?: bigint | number;
    readonly accounts?: number | readonly AccountOptions[];
    readonly balance?: bigint;
    readonly fundedAccounts?: readonly FundedAccountOptions[];
    readonly mnemonic?: string;
    readonly derivationPath?: string;
    readonly gasLimit?: bigint | number;
    readonly baseFeePerGas?: bigint;
    readonly gasPrice?: bigint;
    readonly priorityFeePerGas?: bigint;
    readonly coinbase?: string;
    readonly mining?: MiningMode;
    readonly timestamp?: bigint | number;
    readonly genesisNumber?: bigint | number;
    readonly clock?: () => bigint | number;
    readonly predeploy?: readonly PredeployName[];
    readonly create2Deployer?: boolean;
    readonly slotsInAnEpoch?: bigint | number;
    readonly responseShape?: ResponseShape;
    readonly traceClient?: TraceClient;
    readonly dialect?: Dialect;
    readonly engine?: EngineName;
    readonly clientVersion?: string;
    readonly transactionOrder?: TransactionOrder;
    readonly throwOnTransactionFailures?: boolean;
    readonly allowBlocksWithSameTimestamp?: boolean;
    readonly autoImpersonate?: boolean;
    readonly artifacts?: string | readonly string[];
    readonly sources?: string | readonly string[] | SourcesOptions;
    readonly solidityStack?: boolean;
    readonly codeSizeLimit?: number;
    readonly transactionGasCap?: boolean;
    readonly maxTransactions?: number;
    readonly poolBalanceChecks?: boolean;
    readonly poolLimits?: Partial<TxPoolLimits>;
    readonly limits?: Partial<SimulationLimits & EngineLimits>;
    readonly maxCacheBytes?: number;
    readonly maxBatchLength?: number;
    readonly maxRequestValues?: number;
    readonly onRequest?: (method: string, error: HindcastError | undefined) => void;
    readonly onSlowRequest?: (method: string, elapsedMs: number) => void;
    readonly onMiningProgress?: (blocks: number, total: number) => void;
    readonly onNotice?: (notice: string) => void;
    readonly onError?: (error: unknown) => void;
}
interface ListenOptions {
    readonly port?: number;
    readonly host?: string;
    readonly allowedHosts?: readonly string[];
    readonly allowedOrigins?: readonly string[];
    readonly allowsLocalOrigins?: boolean;
    readonly maxBodyBytes?: number;
    readonly explorer?: boolean | "read-only";
    readonly sourcify?: boolean;
}
interface ListenIpcOptions {
    readonly path: string;
    readonly maxRequestBytes?: number;
}
interface NodeFork extends ForkDescription {
    refresh(): Promise<void>;
}
declare class HindcastNode {
    #private;
    readonly abi: AbiRegistry;
    readonly provider: Eip1193Provider;
    readonly trace: MethodsOf<TraceService>;
    readonly debug: MethodsOf<DebugService> & MethodsOf<StateInspector>;
    renderTrace(hash: Bytes | Hex$1, options?: NodeRenderOptions): Promise<string>;
    solidityStack(subject: Bytes | Hex$1 | ProfiledCall, options?: TraceBounds): Promise<SolidityStack | undefined>;
    explain(hash: Bytes | Hex$1, options?: TraceBounds): Promise<StateChanges>;
    gasProfile(subject: Bytes | Hex$1 | ProfiledCall, options?: TraceBounds): Promise<GasProfile>;
    estimateGas(request: ProfiledCall): Promise<GasEstimate>;
    compareHardforks(request?: ComparisonRequest, options?: TraceBounds): Promise<HardforkComparison>;
    replay(request: ReplayRequest, options?: ReplayBounds): Promise<HistoryComparison>;
    eachReplayedBlock(request: ReplayRequest, options?: TraceBounds): AsyncGenerator<ReplayedBlock, void, undefined>;
    hardforkReport(folder: string, options?: ReportOptions): Promise<HardforkReport>;
    get coverage(): Coverage;
    get chainId(): bigint;
    get engine(): EngineName;
    get fork(): NodeFork | undefined;
    get head(): Block;
    get accounts(): readonly DevAccount[];
    get miningMode(): MiningMode;
    setMiningMode(mode: MiningMode): void;
    getBlock(id: bigint | Bytes | Hex$1): Block | undefined;
    getReceipts(of: Pick<Block, "hash">): readonly Receipt[];
    getCode(of: LooseBytes): Promise<Bytes>;
    mine(options?: MineOptions): Promise<readonly Block[]>;
    mineSideBlock(options?: SideBlockOptions): Promise<Block>;
    reorg(options: ReorgOptions): Promise<readonly Block[]>;
    rollback(depth: number): Promise<HeadChange>;
    snapshot(name?: string): Promise<Snapshot>;
    revert(snapshot: Snapshot | string): Promise<HeadChange>;
    branch(): Promise<HindcastNode>;
    dumpState(): Promise<Bytes>;
    loadState(bytes: Bytes, options?: LoadStateOptions): Promise<void>;
    reset(): Promise<void>;
    get time(): TimeControl;
    onHeadChange(listener: (change: HeadChange) => unknown): () => void;
    onCallTrace(listener: (trace: CallTrace) => void): () => void;
    get isLogging(): boolean;
    onConsoleLog(listener: ConsoleListener): () => void;
    setBalance(address: LooseBytes, balance: LooseInteger): Promise<void>;
    setNonce(address: LooseBytes, nonce: LooseInteger): Promise<void>;
    setCode(address: LooseBytes, code: LooseBytes): Promise<void>;
    setStorageAt(address: LooseBytes, slot: LooseBytes, value: LooseBytes): Promise<void>;
    impersonate(address: LooseBytes): void;
    stopImpersonating(address: LooseBytes): void;
    importBlock(bytes: LooseBytes): Promise<Block>;
    importChain(bytes: Bytes, options?: ImportOptions): Promise<ImportSummary>;
    exportChain(options?: ExportOptions): Iterable<Bytes>;
    listen(options?: ListenOptions): Promise<RunningServer>;
    listenIpc(options: ListenIpcOptions): Promise<RunningIpcServer>;
    serveOn(port: MessageEndpoint): () => void;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
declare function createNode$1(options?: NodeOptions): Promise<HindcastNode>;
interface BlockOfTransaction {
    readonly number: bigint;
    readonly timestamp: bigint;
    readonly coinbase: Bytes;
    readonly gasLimit: bigint;
    readonly difficulty?: bigint;
    readonly prevRandao?: Bytes;
    readonly baseFeePerGas?: bigint;
    readonly blobBaseFee?: bigint;
    readonly blockHash?: (number: bigint) => Bytes | undefined;
}
interface TraceOnStateRequest {
    readonly genesis: unknown;
    readonly block: BlockOfTransaction;
    readonly transaction: Bytes;
    readonly tracer?: GethTracer;
    readonly limits?: ExecutionLimits;
    readonly engine?: EngineName;
}
declare function traceTransactionOnState(request: TraceOnStateRequest): Promise<GethTrace>;
type Hex = `0x${string}`;
interface CallLogJson {
    address: Hex;
    topics: Hex[];
    data: Hex;
    index: Hex;
    position: Hex;
}
interface GasDimensionsJson<Amount> {
    executionGasUsed: Amount;
    stateGasUsed: Amount;
    gasRefund: Amount;
}
interface StateGasJson extends GasDimensionsJson<Hex> {
    gasUsed: Hex;
}
interface CallFrameJson extends Partial<GasDimensionsJson<Hex>> {
    type: string;
    from: Hex;
    gas: Hex;
    gasUsed: Hex;
    to?: Hex;
    input: Hex;
    output?: Hex;
    error?: string;
    revertReason?: string;
    calls?: CallFrameJson[];
    logs?: CallLogJson[];
    value?: Hex;
}
interface FlatCallJson {
    action: Record<string, string>;
    blockHash: Hex | null;
    blockNumber: number;
    error?: string;
    result?: Record<string, Hex>;
    subtraces: number;
    traceAddress: number[];
    transactionHash: Hex | null;
    transactionPosition: number;
    type: string;
}
interface StructLogJson {
    pc: number;
    op: string;
    gas: number;
    gasCost: number;
    depth: number;
    error?: string;
    stack?: Hex[];
    memory?: Hex[];
    storage?: Record<Hex, Hex>;
    returnData?: Hex;
    refund?: number;
}
interface StructLoggerJson extends Partial<GasDimensionsJson<number>> {
    gas: number;
    failed: boolean;
    returnValue: Hex;
    structLogs: StructLogJson[];
}
interface PrestateAccountJson {
    balance?: Hex;
    code?: Hex;
    codeHash?: Hex;
    nonce?: number;
    storage?: Record<Hex, Hex>;
}
type PrestateJson = Record<Hex, PrestateAccountJson>;
type GethTraceJson = StructLoggerJson | CallFrameJson | FlatCallJson[] | PrestateJson | StateGasJson | {
    pre: PrestateJson;
    post: PrestateJson;
} | Record<string, unknown>;
type AnyTrace = GethTrace | StreamedTrace;
declare function encodeGethTrace(trace: AnyTrace): GethTraceJson;
declare class ProviderRpcError extends Error {
    readonly code: number;
    readonly data: unknown;
    readonly solidityStack: string | undefined;
    readonly where: string | undefined;
    readonly fix: string | undefined;
    readonly contract: string | undefined;
    readonly contractName: string | undefined;
    readonly transaction: string | undefined;
    readonly transactionHash: string | undefined;
    readonly customError: CustomError | undefined;
    constructor(error: HindcastError);
}
type MethodName = keyof Methods;
type ParamsOf<Name extends MethodName> = NonNullable<Methods[Name]["request"]["params"]>;
type ResultOf<Name extends MethodName> = Methods[Name]["result"];
interface Eip1193Provider {
    request<Name extends MethodName>(args: {
        readonly method: Name;
    } & Methods[Name]["request"]): Promise<Methods[Name]["result"]>;
    request(...uncallable: [
        never,
        never
    ]): Promise<never>;
    send(method: string, params?: readonly unknown[] | object): Promise<unknown>;
    on(event: string, listener: (...values: unknown[]) => void): this;
    removeListener(event: string, listener: (...values: unknown[]) => void): this;
    once(event: string, listener: (...values: unknown[]) => void): this;
    addListener(event: string, listener: (...values: unknown[]) => void): this;
    off(event: string, listener: (...values: unknown[]) => void): this;
    removeAllListeners(event?: string): this;
}
declare const ABSENT: {
    readonly artifacts: "A browser has no folders of artifacts: pass documents to the node's abi.";
    readonly engine: "The bundle for browsers has one engine.";
};
type BrowserNodeOptions = Omit<NodeOptions, keyof typeof ABSENT>;
interface BrowserNode extends Omit<HindcastNode, "listen" | "listenIpc" | "hardforkReport" | "branch"> {
    branch(): Promise<BrowserNode>;
}
declare function createNode(options?: BrowserNodeOptions): Promise<BrowserNode>;
interface FuzzTarget {
    readonly abi: unknown;
    readonly address: Hex$1;
    readonly functions?: readonly string[];
}
interface FuzzCall {
    readonly target: string;
    readonly function: string;
    readonly args?: readonly AbiValue[];
    readonly from: Hex$1;
    readonly value?: bigint;
    readonly delay?: bigint;
}
interface FuzzState {
    readonly node: HindcastNode;
    readonly calls: readonly FuzzCall[];
    read<Value = bigint>(target: string, functionName: string, ...args: readonly AbiValue[]): Promise<Value>;
    balanceOf(of: string): Promise<bigint>;
}
type FuzzInvariant = (state: FuzzState) => unknown;
interface FuzzOptions {
    readonly targets: Readonly<Record<string, FuzzTarget>>;
    readonly invariants?: Readonly<Record<string, FuzzInvariant>>;
    readonly senders?: readonly Hex$1[];
    readonly failOn?: "nothing" | "assert" | "panic" | "revert";
    readonly runs?: number;
    readonly maxCalls?: number;
    readonly timeoutMs?: number;
    readonly maxValue?: bigint;
    readonly maxDelay?: bigint;
    readonly gasLimit?: bigint;
    readonly seed?: number;
    readonly file?: string;
    readonly name?: string;
}
interface FuzzReport {
    readonly runs: number;
    readonly calls: number;
    readonly blocks: number;
    readonly seed: number;
}
declare class FuzzFailure extends Error {
    readonly invariant: string | undefined;
    readonly calls: readonly FuzzCall[];
}
interface FixtureOptions extends NodeOptions {
    readonly isolation?: "test" | "file";
    readonly listen?: boolean | ListenOptions;
    readonly gasReport?: boolean | string;
    readonly coverage?: boolean | string;
}
interface HindcastFixture {
    readonly node: HindcastNode;
    ready(): Promise<HindcastNode>;
    readonly provider: Eip1193Provider;
    readonly url: string;
    matchGasSnapshot(hash: Bytes | Hex$1, title?: string): Promise<void>;
}
export { AbiRegistry, ExecutionError, FuzzFailure, GasProfile, HindcastError, HindcastNode, InternalError, InvalidParamsError, InvalidRequestError, LimitError, MethodNotFoundError, NotFoundError, ProviderRpcError, RemoteError, RevertError, StoreError, TimeControl, Transaction, TransactionRejectedError, UnsupportedError, bytesToHex, createNode, createNode$1, encodeGethTrace, hexToBytes, renderTrace, traceTransactionOnState };
export type { AbiOwner, AbiValue, AccountOptions, Block, BlockId, BlockOfTransaction, BlockTag, BrowserNode, BrowserNodeOptions, Bytes, CallRequest, CallTrace, ComparedTransaction, ComparisonRequest, ConsoleLog, DevAccount, Eip1193Provider, EngineName, ErrorCode, ExecutionLimits, ExportOptions, FixtureOptions, FlatTrace, FundedAccountOptions, FuzzCall, FuzzOptions, FuzzReport, GasEstimate, GethTrace, GethTraceJson, GethTracer, HardforkComparison, HardforkReport, HeadChange, Header, Hex$1 as Hex, HindcastFixture, HistoryComparison, ImportOptions, ImportSummary, ListenIpcOptions, ListenOptions, LoadStateOptions, LocalizedTrace, Log, MessageEndpoint, MethodName, MineOptions, MiningMode, NodeOptions, ParamsOf, Receipt, RecordedTransaction, Recording, RenderOptions, RenderableTrace, ReorgOptions, ReplayBounds, ReplayInsertion, ReplayRequest, ReplayedBlock, ReportOptions, ResultOf, RunningIpcServer, RunningServer, SideBlockOptions, SimulationLimits, Snapshot, SourcesOptions, StateDiff, StructLog, TraceBounds, TraceFilter, TraceOf, TraceOnStateRequest, TraceResults, TraceType, TracedCall, VmTrace, Withdrawal };
