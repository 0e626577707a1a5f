// Logs of the transaction without those of failed frames. They have the form of events, so that the host can read both in
// the same way.

import { ByteBuffer } from "../machine/byte-buffer";
import { EVENT_LOG, TRACE_LOGS } from "../machine/layout";
import { burn } from "../machine/machine";
import { Stack } from "../words/stack";
import { Word } from "../words/word";
import { addEvent } from "./event";
import { newEvent } from "./events";
import { wants } from "./recording";

export const logs: ByteBuffer = changetype<ByteBuffer>(memory.data(offsetof<ByteBuffer>(), 16));

/** Removes the logs that were added since there were so many bytes. */
export function undoLogs(bytes: u32): void {
  logs.length = bytes;
}

/**
 * Adds a log.
 *
 * @param topics - the stack whose top item is the first topic; the others are below it
 */
export function addLog(address: Word, topics: Stack, topicCount: usize, data: usize, length: usize): void {
  const dataLength = (topicCount << 5) + length;
  const log = addEvent(logs, EVENT_LOG, dataLength);
  log.kind = <u8>topicCount;
  address.write(log.first);
  for (let index: usize = 0; index < topicCount; index++) {
    topics.item(index + 1).write(log.data + (index << 5));
  }
  memory.copy(log.data + (topicCount << 5), data, length);
  burn(dataLength);
  if (wants(TRACE_LOGS))
    memory.copy(changetype<usize>(newEvent(EVENT_LOG, dataLength)), changetype<usize>(log), log.size);
}
