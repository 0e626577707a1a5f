/**
 * Logs of a forked chain with `verify`. The upstream node is not asked for logs, because it could leave some out: they are
 * read from the receipts of all blocks whose bloom allows a match, and both are proven by the headers.
 */
import type { Block } from "../../chainspec/header/block.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import { LimitError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { requireList, requireObject } from "../../remote/decode/members.ts";
import { type LogCriteria, matches, mayMatch } from "./log-filter.ts";
import type { ProvenHashes } from "./proven-hashes.ts";
import { decodeLog, type RemoteLog } from "./remote-logs.ts";

/** Most blocks in the range of a query. */
const MOST_BLOCKS = 10_000n;
/** Number of headers, and of blocks with receipts, that are read at once. */
const HEADERS_AT_ONCE = 1_000n;
const BLOCKS_AT_ONCE = 32;

/** Source of blocks and receipts that were checked by the hash of the block. */
export interface ProvenBlocks {
  getBlockByHash(hash: Bytes): Promise<Block | undefined>;
  getReceipts(block: Block): Promise<readonly Receipt[]>;
}

/**
 * Logs of a range of blocks, in chain order.
 *
 * @throws {LimitError} `RESULT_LIMIT` for a range of more than 10,000 blocks
 * @throws {RemoteError} `REMOTE_LIE`
 */
export async function provenLogs(
  blocks: ProvenBlocks,
  hashes: ProvenHashes,
  query: LogCriteria & { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<readonly RemoteLog[]> {
  const { fromBlock, toBlock } = query;
  if (toBlock - fromBlock >= MOST_BLOCKS) throw tooMany(toBlock - fromBlock + 1n);
  const logs: RemoteLog[][] = [];
  for (let last = toBlock; last >= fromBlock; last -= HEADERS_AT_ONCE) {
    const first = last - HEADERS_AT_ONCE + 1n;
    const headers = await hashes.headers(first < fromBlock ? fromBlock : first, last);
    const candidates = headers.filter(({ header }) => mayMatch(header.logsBloom, query));
    const found: RemoteLog[] = [];
    for (let start = 0; start < candidates.length; start += BLOCKS_AT_ONCE) {
      const part = candidates.slice(start, start + BLOCKS_AT_ONCE);
      const logsOfBlocks = await Promise.all(part.map(({ hash }) => logsAt(blocks, hash, query)));
      for (const log of logsOfBlocks.flat()) found.push(log);
    }
    logs.unshift(found);
  }
  return logs.flat();
}

async function logsAt(blocks: ProvenBlocks, hash: Bytes, criteria: LogCriteria): Promise<readonly RemoteLog[]> {
  const block = await blocks.getBlockByHash(hash);
  return block === undefined ? [] : logsOf(blocks, block, criteria);
}

/** Logs of one block. */
export async function logsOf(blocks: ProvenBlocks, block: Block, criteria: LogCriteria): Promise<readonly RemoteLog[]> {
  const receipts = await blocks.getReceipts(block);
  return receipts
    .flatMap(({ given = {} }) => requireList(given.logs, "logs"))
    .map((json) => decodeLog(requireObject(json, "logs")))
    .filter(({ log }) => matches(log, criteria));
}

function tooMany(blocks: bigint): LimitError {
  return new LimitError({
    code: "RESULT_LIMIT",
    what: `Logs of ${blocks} blocks of the forked chain cannot be checked in one request.`,
    where: `With \`verify\` every header of the range is read: ${MOST_BLOCKS} at most.`,
    fix: "Ask for a shorter range, or fork without `verify`.",
    data: { limit: Number(MOST_BLOCKS), given: Number(blocks), flag: null },
  });
}
