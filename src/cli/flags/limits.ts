/** Options for the limits of one request: the members of `limits` in the library's options, in the same units. */
import {
  MAX_EXECUTION_MEMORY,
  MAX_STATE_FILE_BYTES,
  MIN_EXECUTION_MEMORY,
  MIN_RECORDING_MEMORY,
} from "../../node/options/limit-bounds.ts";
import type { FlagsOf } from "./flag.ts";
import { integer, wholeNumber } from "./option-values.ts";

/** Values by option. */
export interface LimitValues {
  readonly callGasLimit: bigint;
  /** milliseconds */
  readonly callTimeout: number;
  /** milliseconds */
  readonly traceTimeout: number;
  readonly traceFilterBlocks: number;
  readonly minedBlocks: number;
  /** milliseconds */
  readonly waitTimeout: number;
  readonly stateFileBytes: number;
  readonly stateFileValues: number;
  readonly recordingMemory: number;
  readonly executionMemory: number;
  readonly importMemory: number;
  readonly concurrentExecutions: number;
  readonly queuedExecutions: number;
}

const MEBIBYTE = 1024 * 1024;
const MOST = Number.MAX_SAFE_INTEGER;

/** The options of this group, in the order of the help. */
export const LIMIT_FLAGS: FlagsOf<LimitValues> = {
  callGasLimit: {
    flags: "--call-gas-limit <gas>",
    help: "most gas of a simulated call (default: 50000000; 200000000 for amsterdam)",
    shape: integer(),
  },
  callTimeout: {
    flags: "--call-timeout <milliseconds>",
    help: "longest time of a call, waiting included (default: 5000; 60000 on a fork)",
    shape: wholeNumber(1, MOST),
  },
  traceTimeout: {
    flags: "--trace-timeout <milliseconds>",
    help: "longest time of a trace, waiting included (default: 60000; 300000 on a fork)",
    shape: wholeNumber(1, MOST),
  },
  traceFilterBlocks: {
    flags: "--trace-filter-blocks <number>",
    help: "most blocks in the range of trace_filter (default: any number)",
    shape: wholeNumber(0, MOST),
  },
  minedBlocks: {
    flags: "--mined-blocks <number>",
    help: "most blocks that one request may mine (default: 100000)",
    shape: wholeNumber(0, MOST),
  },
  waitTimeout: {
    flags: "--wait-timeout <milliseconds>",
    help: "longest wait of a request for its transaction (default: 60000)",
    shape: wholeNumber(1, MOST),
  },
  stateFileBytes: {
    flags: "--state-file-bytes <number>",
    help: `largest state file, unpacked (default: ${512 * MEBIBYTE})`,
    shape: wholeNumber(0, MAX_STATE_FILE_BYTES),
  },
  stateFileValues: {
    flags: "--state-file-values <number>",
    help: "most values of a state file (default: 2000000)",
    shape: wholeNumber(0, MOST),
  },
  recordingMemory: {
    flags: "--recording-memory <bytes>",
    help: `memory for what a trace is made of (default: ${128 * MEBIBYTE})`,
    shape: wholeNumber(MIN_RECORDING_MEMORY, MOST),
  },
  executionMemory: {
    flags: "--execution-memory <bytes>",
    help: `memory of one execution (default: ${256 * MEBIBYTE})`,
    shape: wholeNumber(MIN_EXECUTION_MEMORY, MAX_EXECUTION_MEMORY),
    aliases: ["--memory-limit"],
  },
  importMemory: {
    flags: "--import-memory <bytes>",
    help: `the same for imported blocks (default: ${2048 * MEBIBYTE})`,
    shape: wholeNumber(MIN_EXECUTION_MEMORY, MAX_EXECUTION_MEMORY),
  },
  concurrentExecutions: {
    flags: "--concurrent-executions <number>",
    help: "most executions at a time (default: 256)",
    shape: wholeNumber(1, MOST),
  },
  queuedExecutions: {
    flags: "--queued-executions <number>",
    help: "most executions that wait (default: 1024)",
    shape: wholeNumber(0, MOST),
  },
};
