/** Logs as JSON. */
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { FoundLog } from "../../../services/query/log-queries.ts";
import type { Log } from "../../wire-types.ts";

/** A log. In the pending block it has no positions. A log of the forked chain is shown as the upstream node sent it. */
export function encodeLog(found: FoundLog): Log {
  if (found.given !== undefined) return found.given as unknown as Log;
  const { log, block, isPending } = found;
  const unlessPending = (value: Hex): Hex | null => (isPending ? null : value);
  return {
    address: encodeData(log.address),
    topics: log.topics.map(encodeData),
    data: encodeData(log.data),
    blockNumber: unlessPending(encodeQuantity(block.header.number)),
    transactionHash: unlessPending(encodeData(found.txHash)),
    transactionIndex: unlessPending(encodeQuantity(found.txIndex)),
    blockHash: unlessPending(encodeData(block.hash)),
    blockTimestamp: unlessPending(encodeQuantity(block.header.timestamp)),
    logIndex: unlessPending(encodeQuantity(found.logIndex)),
    removed: found.removed,
  };
}
