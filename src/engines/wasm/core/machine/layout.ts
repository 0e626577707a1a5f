/**
 * Constants shared by the core and its host. AssemblyScript and TypeScript both read this file, so it contains only
 * integer constants. Offsets are in bytes.
 */

// ---- Results of `run`: the reason why it stopped.

/** The outermost frame has ended. */
export const DONE = 1;
/** Accounts, slots or codes are missing; they are in the list of needs. */
export const NEEDS = 2;
/** A precompile other than identity must be run. */
export const NEED_PRECOMPILE = 3;
/** The hash of an ancestor is needed. */
export const NEED_BLOCKHASH = 4;
/** The fuel is used up. */
export const OUT_OF_FUEL = 5;
/** The host must read recorded steps or events. */
export const TRACE_FULL = 6;
/** An operation is about to run, or failed before. */
export const LIVE_STEP = 7;
/** The operation of the last live step failed, or is a REVERT. */
export const LIVE_FAULT = 8;

// ---- Reasons why the core traps on purpose.

/** The execution exceeds its memory limit. */
export const TRAP_MEMORY = 1;

// ---- Kinds of missing state.

export const NEED_ACCOUNT = 1;
export const NEED_SLOT = 2;
export const NEED_CODE = 3;
/** Whether an account has storage (EIP-7610). */
export const NEED_STORAGE_FLAG = 4;

// ---- Members of accounts: their storage, and their flags.

export const STORAGE_EMPTY = 1;
export const STORAGE_PRESENT = 2;

export const FLAG_LOADED = 1;
export const FLAG_EXISTS = 2;
export const FLAG_HAS_CODE = 4;
/** Warm in every transaction: the standard address of a precompile. */
export const FLAG_ALWAYS_WARM = 8;

// ---- Counters (coverage.ts): of a block, of one instruction, and of exits from a block before one of its instructions.

export const COUNTS_BLOCK = 0;
export const COUNTS_INSTRUCTION = 1;
export const COUNTS_LEAVING = 2;

// ---- Values of the block and the transaction, as words.

export const ENVIRONMENT_BYTES = 352;
export const ENVIRONMENT_COINBASE = 0;
export const ENVIRONMENT_TIMESTAMP = 32;
export const ENVIRONMENT_NUMBER = 64;
export const ENVIRONMENT_DIFFICULTY = 96;
export const ENVIRONMENT_GAS_LIMIT = 128;
export const ENVIRONMENT_CHAIN_ID = 160;
export const ENVIRONMENT_BASE_FEE = 192;
export const ENVIRONMENT_BLOB_BASE_FEE = 224;
export const ENVIRONMENT_ORIGIN = 256;
export const ENVIRONMENT_GAS_PRICE = 288;
export const ENVIRONMENT_SLOT_NUMBER = 320;

// ---- The fee schedule: numbers of 64 bits.

export const FEE_EXP_BYTE = 0;
export const FEE_COLD_ACCOUNT = 8;
export const FEE_COLD_SLOT = 16;
/** Access to a warm slot or account (EIP-2929). */
export const FEE_WARM = 24;
export const FEE_SSTORE_SET = 32;
export const FEE_SSTORE_RESET = 40;
export const FEE_SSTORE_CLEAR_REFUND = 48;
/** Price of an SSTORE that changes nothing, or a slot that the transaction changed before (net metering). */
export const FEE_SSTORE_NOOP = 56;
export const FEE_SELFDESTRUCT_REFUND = 64;
export const FEE_SELFDESTRUCT_NEW_ACCOUNT = 72;
export const FEE_INIT_CODE_WORD = 80;
export const FEE_MAX_CODE_SIZE = 88;
export const FEE_MAX_INIT_CODE_SIZE = 96;
/** A call that transfers value, including the stipend; a call that creates an account. */
export const FEE_CALL_VALUE = 104;
export const FEE_CALL_NEW_ACCOUNT = 112;
/** Added to the price of the access by EXTCODESIZE and EXTCODECOPY (EIP-8038). */
export const FEE_READ_CODE = 120;
/** Code of a new contract: per byte, and per word for its hash. */
export const FEE_CODE_BYTE = 128;
export const FEE_CODE_WORD = 136;
/** State gas (EIP-8037): a new account, a new slot, a byte of code. */
export const FEE_STATE_ACCOUNT = 144;
export const FEE_STATE_SLOT = 152;
export const FEE_STATE_CODE_BYTE = 160;
export const FEES_BYTES = 168;

// ---- Data that a transaction records.

export const TRACE_FRAMES = 1;
/** Only frames of one address. */
export const TRACE_WATCHED = 2;
export const TRACE_LOGS = 4;
export const TRACE_ACCESSES = 8;
/** Includes operations that failed before they ran. */
export const TRACE_ATTEMPTS = 16;
export const TRACE_STEPS = 32;
/** Includes memory writes of steps. */
export const TRACE_MEMORY = 64;
/** Stops at every step. */
export const TRACE_LIVE = 128;
/** Input and output of reported frames: of all, of the outermost one, of those of the watched address. */
export const TRACE_DATA = 256;
export const TRACE_OUTERMOST_DATA = 512;
export const TRACE_WATCHED_DATA = 1024;

// ---- Kinds of events (trace/event.ts), and their flags.

export const EVENT_ENTER = 1;
export const EVENT_EXIT = 2;
export const EVENT_REFUSE = 3;
export const EVENT_SELFDESTRUCT = 4;
export const EVENT_LOG = 5;
export const EVENT_ACCOUNT = 6;
export const EVENT_SLOT = 7;

export const EVENT_IS_PRECOMPILE = 1;
export const EVENT_IS_CREATION = 2;
export const EVENT_IS_UNDEPOSITED = 4;
export const EVENT_HAS_DETAIL = 8;
/** The detail is a precompile's fault. */
export const EVENT_HAS_FAULT = 16;
