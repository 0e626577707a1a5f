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
