/** Logs of a forked chain, from its node. */
import type { Block } from "../../chainspec/header/block.ts";
import type { Header } from "../../chainspec/header/header.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { Log } from "../../primitives/rlp/log-list.ts";
import { data, optionalQuantity, quantity, requireList, requireObject } from "../../remote/decode/members.ts";
import { decodeLogJson } from "../../remote/decode/receipt.ts";
import type { RemoteChain } from "../../remote/upstream.ts";
import type { LogCriteria } from "./log-filter.ts";

/** Criteria of a query, and a block or a range. */
export type RemoteLogQuery = RemoteLogRange & LogCriteria;

type RemoteLogRange = { readonly blockHash: Bytes } | { readonly fromBlock: bigint; readonly toBlock: bigint };

/** Block members that are part of a log's JSON. */
export type LogBlock = Pick<Block, "hash"> & { readonly header: Pick<Header, "number" | "timestamp"> };

/** A log with its block, transaction and index. */
export interface RemoteLog {
  readonly log: Log;
  readonly block: LogBlock;
  readonly txHash: Bytes;
  readonly txIndex: number;
  readonly logIndex: number;
  readonly given: UpstreamJson;
}

/**
 * Logs in chain order. If the upstream node refuses a range, as providers do with long ones, the range is halved.
 *
 * @throws {RemoteError} if the upstream node refuses a single block
 */
export async function remoteLogs(remote: RemoteChain, query: RemoteLogQuery): Promise<readonly RemoteLog[]> {
  try {
    const logs = await remote.history("eth_getLogs", [filterOf(query)]);
    return requireList(logs, "logs").map((log) => decodeLog(requireObject(log, "logs")));
  } catch (error) {
    if ("blockHash" in query || query.fromBlock === query.toBlock || !isRefused(error)) throw error;
    const middle = (query.fromBlock + query.toBlock) / 2n;
    const first = await remoteLogs(remote, { ...query, toBlock: middle });
    return [...first, ...(await remoteLogs(remote, { ...query, fromBlock: middle + 1n }))];
  }
}

function filterOf(query: RemoteLogQuery): unknown {
  const { addresses, topics } = query;
  const range =
    "blockHash" in query
      ? { blockHash: encodeData(query.blockHash) }
      : { fromBlock: encodeQuantity(query.fromBlock), toBlock: encodeQuantity(query.toBlock) };
  return {
    ...range,
    ...(addresses.length === 0 ? {} : { address: addresses.map(encodeData) }),
    ...(topics.length === 0 ? {} : { topics: topics.map((any) => any?.map(encodeData) ?? null) }),
  };
}

/** A log in the JSON of a log or of a receipt's logs. @throws {RemoteError} `REMOTE_BAD_ANSWER` */
export function decodeLog(given: UpstreamJson): RemoteLog {
  const header = { number: quantity(given, "blockNumber"), timestamp: optionalQuantity(given, "blockTimestamp") ?? 0n };
  return {
    log: decodeLogJson(given),
    block: { hash: data(given, "blockHash", 32), header },
    txHash: data(given, "transactionHash", 32),
    txIndex: Number(quantity(given, "transactionIndex")),
    logIndex: Number(quantity(given, "logIndex")),
    given,
  };
}

function isRefused(error: unknown): boolean {
  return error instanceof HindcastError && error.code === "REMOTE_REFUSED";
}
