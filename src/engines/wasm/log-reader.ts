/** Reads logs from the core's memory. */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { Log } from "../../primitives/rlp/log-list.ts";
import { Records } from "./core-exports.generated.ts";
import type { CoreInstance } from "./core-instance.ts";
import { RecentBytes } from "./recent-bytes.ts";

const { Event } = Records;

const ADDRESS_OFFSET = 12;
const ADDRESS_BYTES = 20;
const TOPIC_BYTES = 32;
const NO_TOPICS: readonly Bytes[] = [];
/** Logs that are read at a time, in a quarter of a millisecond. */
const SLICE_LOGS = 1_000;

/** Reads one log after the other. Logs share the arrays of addresses and topics that are equal. */
export class LogReader {
  readonly #instance: CoreInstance;
  readonly #addresses = new RecentBytes(ADDRESS_BYTES, 2);
  /** By position. */
  readonly #topics: RecentBytes[] = [];

  constructor(instance: CoreInstance) {
    this.#instance = instance;
  }

  /** A log in the core's memory. */
  at(at: number): Log {
    const instance = this.#instance;
    const { bytes } = instance;
    const topicCount = bytes[at + Event.kind] as number;
    const dataStart = at + Event.bytes + topicCount * TOPIC_BYTES;
    const length = instance.half(at + Event.dataLength) - topicCount * TOPIC_BYTES;
    return {
      address: this.#addresses.copy(bytes, at + Event.first + ADDRESS_OFFSET),
      topics: topicCount === 0 ? NO_TOPICS : this.#topicsAt(bytes, at + Event.bytes, topicCount),
      data: length === 0 ? EMPTY_BYTES : instance.copy(dataStart, length),
    };
  }

  #topicsAt(bytes: Uint8Array, start: number, count: number): readonly Bytes[] {
    const topics: Bytes[] = [];
    for (let index = 0; index < count; index++) {
      this.#topics[index] ??= new RecentBytes(TOPIC_BYTES, 1);
      topics.push((this.#topics[index] as RecentBytes).copy(bytes, start + index * TOPIC_BYTES));
    }
    return topics;
  }
}

/** The logs of the transaction in the core; undefined if it has none. A reader for each small call adds half to its time. */
export function logsIn(instance: CoreInstance): TransactionLogs | undefined {
  const { start, end } = instance.buffer(instance.core.logs);
  return end > start ? new TransactionLogs(instance) : undefined;
}

/** The logs of a transaction, in order. */
export class TransactionLogs {
  readonly logs: Log[] = [];
  readonly #instance: CoreInstance;
  readonly #reader: LogReader;
  /** Bytes of the core's list that were read. */
  #read = 0;

  constructor(instance: CoreInstance) {
    this.#instance = instance;
    this.#reader = new LogReader(instance);
  }

  /**
   * Reads logs, until `check`, which is called after some of them, has something to wait for. The core must not run before
   * all are read.
   *
   * @returns undefined when all are read
   */
  read(check: () => Promise<void> | undefined): Promise<void> | undefined {
    while (!this.#readSome()) {
      const waiting = check();
      if (waiting !== undefined) return waiting;
    }
    return undefined;
  }

  /** Returns true if there are no others. */
  #readSome(): boolean {
    const instance = this.#instance;
    const { start, end } = instance.buffer(instance.core.logs);
    const most = this.logs.length + SLICE_LOGS;
    let at = start + this.#read;
    for (; at < end && this.logs.length < most; at += instance.half(at + Event.size)) {
      this.logs.push(this.#reader.at(at));
    }
    this.#read = at - start;
    return at >= end;
  }
}
