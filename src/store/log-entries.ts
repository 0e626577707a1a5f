/** Entries of a block in the log tables. */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import { addressLogsPrefix, logKey, logsPrefix, positionBytes, topicLogsPrefix } from "./codecs/keys.ts";

/**
 * Keys of all log entries of a canonical block: each log has an entry in the table of all logs, one under its address
 * and one under each topic. The values are empty.
 *
 * @param receipts - of all transactions of the block, in order
 */
export function* logEntryKeys(
  blockNumber: bigint,
  receipts: readonly { readonly logs: readonly Log[] }[],
): Generator<Bytes, void, undefined> {
  let logIndex = 0;
  for (const [txIndex, { logs }] of receipts.entries()) {
    for (const { address, topics } of logs) {
      const position = positionBytes(blockNumber, logIndex++, txIndex);
      yield logKey(logsPrefix(), position);
      yield logKey(addressLogsPrefix(address), position);
      for (const [topicPosition, topic] of topics.entries()) {
        yield logKey(topicLogsPrefix(topicPosition, topic), position);
      }
    }
  }
}
