/**
 * Finds the blocks whose traces mention an account, lazily and in either direction. The cost grows with the results
 * that are taken, not with the chain or with how often the account was used.
 */
import { type Bytes, concatBytes } from "../primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../primitives/bytes/limits.ts";
import type { BackendSnapshot, KeyCursor } from "./backends/backend.ts";
import { blockNumberOfTraceKey, traceAddressKey } from "./codecs/keys.ts";

/** Entries read at once. */
const CHUNK = 64;
const LAST_BLOCK = MAX_UINT64;

/** Which entries of the index, and from which end. */
export interface TraceBlockQuery {
  readonly address: Bytes;
  /** Both bounds belong to the range. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  readonly order: "ascending" | "descending";
}

/**
 * Numbers of canonical blocks as they were when reading began.
 *
 * @param openSnapshot - called when reading begins; closed when it ends, however it ends
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
 * Cursors only move forward, so windows of blocks are read from the end: wider ones while they hold little, narrow ones
 * where they are full.
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

/** Entries of blocks from `low` to `high`, ascending; undefined where they are too many for one look. */
async function window({ address, cursor }: EntryList, low: bigint, high: bigint): Promise<bigint[] | undefined> {
  const found: bigint[] = [];
  let target = traceAddressKey(address, low);
  for (;;) {
    const numbers = (await cursor.keysFrom(target, CHUNK + 1)).map(blockNumberOfTraceKey);
    const last = numbers.at(-1);
    if (last === undefined) return found;
    found.push(...numbers.filter((number) => number <= high));
    if (last >= high) return found;
    if (found.length > CHUNK) return undefined;
    target = traceAddressKey(address, last + 1n);
  }
}

/** The next key in order. */
function successor(key: Bytes): Bytes {
  return concatBytes(key, Uint8Array.of(0));
}
