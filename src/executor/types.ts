/**
 * The executor's public shapes: what the rest of the house says to it and hears from it. No EthereumJS type here, since
 * a second engine will answer the same requests.
 */

import type { FailureDetail, FrameError, Log } from "../evm/frames.ts";
import type { Bytes } from "../primitives/bytes.ts";

export type { FailureDetail, FrameError, Log };

/** The block a message runs in: what the opcodes NUMBER, TIMESTAMP, … read. */
export interface BlockContext {
  /** Hardfork whose rules hold, by its EthereumJS name ("chainstart" … "osaka", "bpo1"). */
  readonly hardfork: string;
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Bytes;
  readonly gasLimit: bigint;
  readonly difficulty: bigint;
  /** 32 bytes; what PREVRANDAO reads from the Merge on. */
  readonly prevRandao: Bytes;
  /** wei per gas; undefined before London. */
  readonly baseFeePerGas: bigint | undefined;
  /** wei per blob gas; undefined before Cancun. */
  readonly blobBaseFee: bigint | undefined;
  /** Hash of an ancestor by number, for BLOCKHASH; undefined where there is none. */
  blockHash(number: bigint): Bytes | undefined;
}

/** What bounds a run. Reaching any of them throws a LimitError and leaves the run without a result. */
export interface ExecutionLimits {
  /** Wall-clock budget of the run, milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An outermost message: a call, or a creation when `to` is undefined. */
export interface EvmMessage {
  readonly from: Bytes;
  readonly to: Bytes | undefined;
  /** wei */
  readonly value: bigint;
  readonly data: Bytes;
  /** Gas the first instruction sees: intrinsic gas is already subtracted. */
  readonly gasLimit: bigint;
  /** Effective price in wei, for GASPRICE. */
  readonly gasPrice: bigint;
  readonly blobVersionedHashes: readonly Bytes[];
}

/** Outcome of an outermost message. */
export interface EvmResult {
  readonly error: FrameError | undefined;
  /** Undefined unless the outermost frame ended by an opcode that could not be dispatched, or by a precompile. */
  readonly detail: FailureDetail | undefined;
  /** Return data, revert data, or for a creation the deployed code; empty on other failures. */
  readonly output: Bytes;
  /** Gas used inside the frame: no intrinsic gas, no refund. */
  readonly gasUsed: bigint;
  readonly gasRefund: bigint;
  readonly logs: readonly Log[];
  readonly createdAddress: Bytes | undefined;
  /** Accounts whose SELFDESTRUCT stands and that are to be deleted at the end of the transaction (EIP-6780 applied). */
  readonly destroyed: readonly Bytes[];
}
