// Logs of the transaction without those of failed frames. They have the form of events, so that the host can read both in
// the same way.

import { moved } from "../machine/heap";
import {
  EVENT_DATA,
  EVENT_DATA_LENGTH,
  EVENT_FIRST,
  EVENT_KIND,
  EVENT_LOG,
  EVENT_SIZE,
  EVENT_TYPE,
  TRACE_LOGS,
} from "../machine/layout";
import { burn } from "../machine/machine";
import { reverse } from "../machine/words";
import { newEvent } from "./events";
import { wants } from "./recording";

let logs: usize = 0;
let logCapacity: u32 = 0;
export let logBytes: u32 = 0;
export let logCount: u32 = 0;

/** Removes the logs that were added since there were so many bytes and logs. */
export function undoLogs(bytes: u32, count: u32): void {
  logBytes = bytes;
  logCount = count;
}

/** Address of the logs. */
export function logsAt(): usize {
  return logs;
}

/**
 * Adds a log.
 *
 * @param topics - end of the first topic on the stack; the others are below it
 */
export function addLog(address: usize, topics: usize, topicCount: usize, data: usize, length: usize): void {
  const dataLength = (topicCount << 5) + length;
  const size = (<usize>EVENT_DATA + dataLength + 7) & ~7;
  if (logBytes + <u32>size > logCapacity) {
    const larger = max<u32>(max<u32>(logBytes + <u32>size, 4096), logCapacity * 2);
    logs = moved(logs, logBytes, larger);
    logCapacity = larger;
  }
  const log = logs + logBytes;
  memory.fill(log, 0, EVENT_DATA);
  store<u8>(log + EVENT_TYPE, <u8>EVENT_LOG);
  store<u8>(log + EVENT_KIND, <u8>topicCount);
  store<u32>(log + EVENT_SIZE, <u32>size);
  store<u32>(log + EVENT_DATA_LENGTH, <u32>dataLength);
  reverse(log + EVENT_FIRST, address);
  for (let index: usize = 0; index < topicCount; index++) {
    reverse(log + EVENT_DATA + (index << 5), topics - 32 - (index << 5));
  }
  memory.copy(log + EVENT_DATA + (topicCount << 5), data, length);
  burn(dataLength);
  logBytes += <u32>size;
  logCount++;
  if (!wants(TRACE_LOGS)) return;
  const event = newEvent(EVENT_LOG, dataLength);
  memory.copy(event, log, size);
}
