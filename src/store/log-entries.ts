/** Entries of a block in the log tables. */
import { ByteArena } from "../primitives/bytes/byte-arena.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import {
  addressLogsPrefix,
  logKey,
  logsPrefix,
  POSITION_BYTES,
  positionBytes,
  topicLogsPrefix,
} from "./codecs/keys.ts";

/**
 * Keys of all log entries of a canonical block: each log has an entry in the table of all logs, one under its address
 * and one under each topic. The values are empty.
 *
 * @param receipts - of all transactions of the block, in order
 * @param arena - allocates the keys
 */
export function* logEntryKeys(
  blockNumber: bigint,
  receipts: readonly { readonly logs: readonly Log[] }[],
  arena = new ByteArena(),
): Generator<Bytes, void, undefined> {
  let logIndex = 0;
  for (const [txIndex, { logs }] of receipts.entries()) {
    for (const { address, topics } of logs) {
      const position = positionBytes(blockNumber, logIndex++, txIndex);
      const keyOf = (prefix: Bytes): Bytes => logKey(prefix, position, arena.allocate(prefix.length + POSITION_BYTES));
      yield keyOf(logsPrefix());
      yield keyOf(addressLogsPrefix(address));
      for (const [topicPosition, topic] of topics.entries()) yield keyOf(topicLogsPrefix(topicPosition, topic));
    }
  }
}
