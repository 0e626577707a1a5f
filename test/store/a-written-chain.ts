/** The data that `store-process.ts` writes, and a check that a store has all of it. */
import { equalBytes } from "../../src/primitives/bytes/bytes.ts";
import type { Log } from "../../src/primitives/rlp/log-list.ts";
import type { ChainStore } from "../../src/store/chain-store.ts";
import { aBlock, aLog, hashOf } from "./a-block.ts";

/** Every so often a log that LevelDB has to write in several pieces, for a kill to fall between them. */
const LONG_DATA_BYTES = 400_000;

/** Transactions and logs of a block follow from its number. */
export function logsOfNumber(number: number): Log[][] {
  const length = number % 20 === 0 ? LONG_DATA_BYTES : (number * 37) % 3_000;
  const data = new Uint8Array(length).fill(number & 0xff);
  return number % 2 === 0 ? [[aLog(number % 5, [number % 7], data)], []] : [];
}

/**
 * Number of the head, once every block up to it is known to be there with all that belongs to it, and none behind it.
 *
 * @throws {Error} that names what is missing
 */
export async function checkWrittenChain(store: ChainStore): Promise<number> {
  const name = store.getSetting("number");
  if (name === undefined) return -1;
  const head = Buffer.from(name).readUInt32BE();
  let logs = 0;
  for (let number = 0; number <= head; number++) {
    const block = aBlock({ number, logs: logsOfNumber(number) });
    const parts: readonly (readonly [string, boolean])[] = [
      ["canonical hash", equalBytes(store.getCanonicalHash(block.number) ?? new Uint8Array(0), block.hash)],
      ["header", equalBytes(store.getHeader(block.hash) ?? new Uint8Array(0), block.header)],
      ["body", equalBytes(store.getBody(block.hash) ?? new Uint8Array(0), block.body)],
      ["receipts", store.getReceipts(block.hash)?.length === block.receipts.length],
      ["transactions", block.txHashes.every((hash) => store.findTransaction(hash)?.blockNumber === block.number)],
      ["trie node", store.getTrieNode(hashOf(number)) !== undefined],
    ];
    for (const [part, isThere] of parts) if (!isThere) throw new Error(`block ${number} of ${head} lacks its ${part}`);
    logs += block.receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0);
  }
  if (!equalBytes(store.getHead() ?? new Uint8Array(0), aBlock({ number: head, logs: logsOfNumber(head) }).hash)) {
    throw new Error(`the head is not block ${head}`);
  }
  if (store.getCanonicalHash(BigInt(head + 1)) !== undefined) throw new Error(`there is a block behind head ${head}`);
  for await (const _ of store.findLogs({ fromBlock: 0n, toBlock: BigInt(head + 9), addresses: [], topics: [] })) logs--;
  if (logs !== 0) throw new Error(`the log index differs by ${logs} from the logs`);
  return head;
}
