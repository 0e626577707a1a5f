/** An execution with its calls and logs decoded by ABI, and what it changed: the content of Tenderly's simulations. */
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import type { AbiRegistry, DecodedArgument, DecodedItem } from "../../../explain/abi/registry.ts";
import { type AssetMove, assetMoves } from "../../../explain/asset-moves.ts";
import type { Steps } from "../../../primitives/platform/turns.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";
import type { ChangedAccount } from "../../../tracer/formats/state-diff.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { TraceAddresses } from "../../../tracer/trace-address.ts";

/** A call of the execution, in the order in which calls begin. */
export interface DecodedCall {
  readonly frame: CallFrame;
  /** Indexes of the calls that lead here, from the outermost down. */
  readonly traceAddress: readonly number[];
  /** The function with its arguments; undefined if no ABI has it, and for creations. */
  readonly called: DecodedItem | undefined;
  /** Undefined if the call failed or no ABI fits. */
  readonly returned: readonly DecodedArgument[] | undefined;
}

/** A log; its event is undefined if no ABI has it. */
export interface DecodedLog {
  readonly log: Log;
  readonly event: DecodedItem | undefined;
}

/** One transaction of a simulation, or a mined one. */
export interface DecodedExecution {
  readonly blockNumber: bigint;
  /** Transaction type (EIP-2718). */
  readonly type: number;
  readonly outcome: TransactionOutcome;
  /** Gas of the transactions of the block or bundle up to this one. */
  readonly cumulativeGasUsed: bigint;
  readonly calls: readonly DecodedCall[];
  readonly logs: readonly DecodedLog[];
  /** Ether and tokens in order, without the price of the gas. */
  readonly moves: readonly AssetMove[];
  readonly changes: readonly ChangedAccount[];
}

/** The same execution before decoding. */
export interface ExecutionToDecode
  extends Pick<DecodedExecution, "blockNumber" | "type" | "outcome" | "cumulativeGasUsed" | "changes"> {
  /** Recorded with logs. */
  readonly frames: readonly CallFrame[];
}

/** Decodes calls and logs; reads nothing and runs nothing. */
export function* decodeExecution(
  { frames, ...execution }: ExecutionToDecode,
  abi: AbiRegistry,
): Steps<DecodedExecution> {
  const addresses = new TraceAddresses(frames);
  const calls: DecodedCall[] = [];
  for (const frame of frames) {
    // Computed when it is read: frames that are nested deeply have long addresses.
    const call = {
      frame,
      get traceAddress() {
        return addresses.of(frame.index);
      },
    };
    calls.push(Object.assign(call, decodeCall(frame, abi)));
    yield;
  }
  const logs: DecodedLog[] = [];
  for (const log of execution.outcome.logs) {
    logs.push({ log, event: abi.decodeEvent(log.topics, log.data) });
    yield;
  }
  return { ...execution, calls, logs, moves: yield* assetMoves(frames) };
}

function decodeCall(frame: CallFrame, abi: AbiRegistry): Pick<DecodedCall, "called" | "returned"> {
  const { to, code, input, output, error } = frame;
  if (code.length === 0) return { called: undefined, returned: undefined };
  const called = abi.decodeCall(input, abi.contractAt(to, code));
  const isAnswered = called !== undefined && error === undefined;
  return { called, returned: isAnswered ? abi.decodeOutputs(called.item, output) : undefined };
}
