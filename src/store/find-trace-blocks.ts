/**
 * Finds the blocks whose traces contain an address, lazily and in either direction. The cost depends on the results
 * that are taken, not on the length of the chain or the number of the address's entries.
 */
import { type Bytes, concatBytes } from "../primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../primitives/bytes/limits.ts";
import type { BackendSnapshot, KeyCursor } from "./backends/backend.ts";
import { blockNumberOfTraceKey, traceAddressKey } from "./codecs/keys.ts";

/** Entries that are read at once. */
const CHUNK = 64;
const LAST_BLOCK = MAX_UINT64;

/** Address, block range and direction. */
export interface TraceBlockQuery {
  readonly address: Bytes;
  /** Both bounds are inclusive. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly order: "ascending" | "descending";
}

/**
 * Numbers of canonical blocks in a snapshot.
 *
 * @param openSnapshot - called when reading begins; the snapshot is closed when it ends for any reason
 * @throws {StoreError} `STORE_CLOSED`, `STORE_CORRUPT`
 */
export async function* findTraceBlocks(
  openSnapshot: () => BackendSnapshot,
  { address, fromBlock, toBlock, order }: TraceBlockQuery,
): AsyncGenerator<bigint, void, undefined> {
  const first = fromBlock < 0n ? 0n : fromBlock;
  const last = toBlock > LAST_BLOCK ? LAST_BLOCK : toBlock;
  if (first > last) return;
  const snapshot = openSnapshot();
  try {
    const end = successor(traceAddressKey(address, last));
    const list = { address, cursor: snapshot.cursor(traceAddressKey(address, first), end) };
    yield* order === "ascending" ? ascending(list, first) : descending(list, first, last);
  } finally {
    await snapshot.close();
  }
}

interface EntryList {
  readonly address: Bytes;
  readonly cursor: KeyCursor;
}

async function* ascending({ address, cursor }: EntryList, first: bigint): AsyncGenerator<bigint, void, undefined> {
  let target = traceAddressKey(address, first);
  for (;;) {
    const keys = await cursor.keysFrom(target, CHUNK);
    const last = keys.at(-1);
    if (last === undefined) return;
    yield* keys.map(blockNumberOfTraceKey);
    target = successor(last);
  }
}

/**
 * Cursors only move forward, so windows of blocks are read from the end. They are widened while they hold few entries
 * and narrowed if they hold too many.
 */
async function* descending(list: EntryList, first: bigint, last: bigint): AsyncGenerator<bigint, void, undefined> {
  let width = BigInt(CHUNK);
  for (let high = last; high >= first; ) {
    const low = high - width + 1n > first ? high - width + 1n : first;
    const found = await window(list, low, high);
    if (found === undefined) {
      width /= 2n;
      continue;
    }
    yield* found.reverse();
    high = low - 1n;
    if (found.length < CHUNK / 2) width *= 2n;
  }
}

/** Entries of the blocks from `low` to `high`, ascending; undefined if there are too many for one window. */
async function window({ address, cursor }: EntryList, low: bigint, high: bigint): Promise<bigint[] | undefined> {
  const found: bigint[] = [];
  let target = traceAddressKey(address, low);
  for (;;) {
    const numbers = (await cursor.keysFrom(target, CHUNK + 1)).map(blockNumberOfTraceKey);
    const last = numbers.at(-1);
    if (last === undefined) return found;
    for (const number of numbers) if (number <= high) found.push(number);
    if (last >= high) return found;
    if (found.length > CHUNK) return undefined;
    target = traceAddressKey(address, last + 1n);
  }
}

/** The smallest key after this one. */
function successor(key: Bytes): Bytes {
  return concatBytes(key, Uint8Array.of(0));
}
