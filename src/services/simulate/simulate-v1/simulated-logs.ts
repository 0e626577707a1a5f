/**
 * Logs of a simulated block's transactions in execution order, with ether transfers as ERC-20-like logs (ERC-7528).
 * Logs and transfers of failed frames are dropped.
 */

import type { EventSink, FrameEnd, FrameStart, SelfDestruct, SinkWants } from "../../../evm/event-sink.ts";
import { runsForeignCode } from "../../../evm/frames.ts";
import { type Bytes, bigIntToFixedBytes, padBytesLeft } from "../../../primitives/bytes/bytes.ts";
import { decodeData } from "../../../primitives/bytes/hex.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";

/** Pseudo-address of ether (ERC-7528). */
const ETHER: Bytes = decodeData("0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee");
/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER: Bytes = decodeData("0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");

/** A log and its index in the block. With transfers, dropped logs use up an index too, as in geth. */
export interface SimulatedLog {
  readonly log: Log;
  readonly index: number;
}

interface OpenFrame {
  readonly logs: SimulatedLog[];
  /** Value sent with a creation; its recipient is known only at the end. */
  readonly endowment: { readonly from: Bytes; readonly value: bigint; readonly index: number } | undefined;
}

/** Sink for the transactions of one block, in order; the log index runs through all of them. */
export class SimulatedLogs implements EventSink {
  readonly wants: SinkWants = { frames: "all", logs: true };
  readonly #open: OpenFrame[] = [];
  #logs: readonly SimulatedLog[] = [];
  #nextIndex = 0;

  /** The logs of the last completed transaction. */
  get logs(): readonly SimulatedLog[] {
    return this.#logs;
  }

  enterFrame(frame: FrameStart): void {
    const { from, to, value } = frame;
    const isTransfer = movesEther(frame);
    this.#open.push({
      logs: isTransfer && to !== undefined ? [this.#next(transferLog(from, to, value))] : [],
      endowment: isTransfer && to === undefined ? { from, value, index: this.#nextIndex++ } : undefined,
    });
  }

  #next(log: Log): SimulatedLog {
    return { log, index: this.#nextIndex++ };
  }

  exitFrame({ error, createdAddress }: FrameEnd): void {
    const frame = this.#open.pop();
    if (frame === undefined) return;
    const parent = this.#open.at(-1);
    const logs = error === undefined ? [...endowmentLogs(frame, createdAddress), ...frame.logs] : [];
    if (parent === undefined) this.#logs = logs;
    else for (const log of logs) parent.logs.push(log);
  }

  refuseFrame(frame: FrameStart): void {
    if (movesEther(frame)) this.#nextIndex++;
  }

  selfDestruct({ address, beneficiary, balance }: SelfDestruct): void {
    if (balance === 0n) return;
    this.#open.at(-1)?.logs.push(this.#next(transferLog(address, beneficiary, balance)));
  }

  log(log: Log): void {
    this.#open.at(-1)?.logs.push(this.#next(log));
  }
}

/** DELEGATECALL and CALLCODE run another account's code in the caller's own context, so that no ether moves. */
function movesEther({ kind, value }: FrameStart): boolean {
  return value > 0n && !runsForeignCode(kind);
}

function endowmentLogs({ endowment }: OpenFrame, createdAddress: Bytes | undefined): SimulatedLog[] {
  if (endowment === undefined || createdAddress === undefined) return [];
  const { from, value, index } = endowment;
  return [{ log: transferLog(from, createdAddress, value), index }];
}

function transferLog(from: Bytes, to: Bytes, value: bigint): Log {
  return {
    address: ETHER,
    topics: [TRANSFER, padBytesLeft(from, 32), padBytesLeft(to, 32)],
    data: bigIntToFixedBytes(value, 32),
  };
}
