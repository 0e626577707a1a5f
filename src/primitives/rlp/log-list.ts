/** Logs and their RLP in receipts (yellow paper §4.3.1). */
import type { Bytes } from "../bytes/bytes.ts";
import type { RlpWriter } from "./rlp-writer.ts";

/** A log of the EVM. */
export interface Log {
  /** 20 bytes */
  readonly address: Bytes;
  /** At most four of 32 bytes. */
  readonly topics: readonly Bytes[];
  readonly data: Bytes;
}

/** Writes a list of [address, topics, data]. */
export function writeLogs(writer: RlpWriter, logs: readonly Log[]): void {
  const endOfLogs = writer.length;
  for (let index = logs.length - 1; index >= 0; index--) {
    const { address, topics, data } = logs[index] as Log;
    const end = writer.length;
    writer.string(data);
    const endOfTopics = writer.length;
    for (let position = topics.length - 1; position >= 0; position--) writer.string(topics[position] as Bytes);
    writer.list(endOfTopics);
    writer.string(address);
    writer.list(end);
  }
  writer.list(endOfLogs);
}
