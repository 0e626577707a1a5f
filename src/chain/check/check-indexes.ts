/** Checks the indexes of the canonical chain against its blocks, and finds entries that belong to no block. */
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import type { ChainStore } from "../../store/chain-store.ts";
import {
  blockHashOfKey,
  canonicalKey,
  hashKey,
  metaKey,
  readUint64,
  traceAddressKey,
} from "../../store/codecs/keys.ts";
import { encodeLocation } from "../../store/codecs/values.ts";
import { logEntryKeys } from "../../store/log-entries.ts";
import { type TableName, tables } from "../../store/schema.ts";
import { areEqual, type KnownBlock, type KnownBlocks } from "./check-blocks.ts";
import { attempt, type Findings, readable } from "./findings.ts";

/** Indexes of canonical blocks that have keys and no values, each with the offset of the block number in its keys. */
const KEY_INDEXES = { logs: 1, logsByAddress: 21, logsByTopic: 34, tracesByAddress: 21 } as const;

/**
 * Checks the head, the hashes by number, and the indexes of transactions, logs and traces.
 *
 * @returns the canonical blocks, ascending; empty if the head is not known
 */
export async function checkIndexes(
  store: ChainStore,
  blocks: KnownBlocks,
  findings: Findings,
): Promise<readonly KnownBlock[]> {
  const chain = canonicalChain(store, blocks, findings);
  if (chain.length === 0) return chain;
  const expected = new ExpectedEntries(store, chain);
  await expected.check(findings);
  await checkPlaces(store, blocks, findings);
  return chain;
}

/** Finds the head and all its ancestors. */
function canonicalChain(store: ChainStore, { byHash, sorted }: KnownBlocks, findings: Findings): KnownBlock[] {
  const named = attempt(() => store.getHead());
  const chain: KnownBlock[] = [];
  let block = named && byHash.get(named);
  if (block === undefined) {
    block = lastCanonical(store, sorted);
    const remedy = block && ({ kind: "restore", entries: [{ key: metaKey("head"), value: block.hash }] } as const);
    findings.add("meta", metaKey("head"), "names no block that is there", remedy);
  }
  for (; block !== undefined; block = byHash.get(block.parentHash)) chain.push(block);
  return chain.reverse();
}

/** The highest block with a correct header that the index by number contains. */
function lastCanonical(store: ChainStore, sorted: readonly KnownBlock[]): KnownBlock | undefined {
  return sorted.findLast(({ hash, number }) =>
    areEqual(
      attempt(() => store.getCanonicalHash(number)),
      hash,
    ),
  );
}

/** Finds entries by number whose block is not stored. The others were checked together with their blocks. */
async function checkPlaces(store: ChainStore, { byHash }: KnownBlocks, findings: Findings): Promise<void> {
  for await (const { key, value } of readable(store, "blocksByNumber", findings)) {
    const hash = blockHashOfKey(key);
    if (byHash.get(hash)?.number === readUint64(key, 1)) continue;
    // A damaged header may still be restored from a copy, so its entry stays.
    const isBlock = attempt(() => store.getRaw("headers", hashKey("headers", hash))) !== undefined;
    if (!isBlock) findings.addWrong("blocksByNumber", key, value, undefined);
  }
}

/** The index entries that follow from the canonical blocks. */
class ExpectedEntries {
  readonly #store: ChainStore;
  readonly #chain: readonly KnownBlock[];
  readonly #first: bigint;
  readonly #locations = new HashMap<Bytes>();

  constructor(store: ChainStore, chain: readonly KnownBlock[]) {
    this.#store = store;
    this.#chain = chain;
    this.#first = chain[0]?.number ?? 0n;
    for (const { number, txHashes = [] } of chain) {
      for (const [txIndex, hash] of txHashes.entries()) {
        this.#locations.set(hash, encodeLocation({ blockNumber: number, txIndex }));
      }
    }
  }

  async check(findings: Findings): Promise<void> {
    const breaks = new Breaks();
    for (const block of this.#chain) {
      const turn = breaks.check();
      if (turn !== undefined) await turn;
      this.#checkBlock(block, findings);
    }
    await this.#checkNumbers(findings);
    await this.#checkTransactions(findings);
    for (const [table, offset] of Object.entries(KEY_INDEXES)) {
      await this.#checkKeys(table as keyof typeof KEY_INDEXES, offset, findings);
    }
  }

  /** Checks that every entry of a block is stored. */
  #checkBlock(block: KnownBlock, findings: Findings): void {
    this.#expect("canonicalHashes", canonicalKey(block.number), block.hash, findings);
    for (const hash of block.txHashes ?? []) {
      this.#expect("transactions", hashKey("transactions", hash), this.#locations.get(hash), findings);
    }
    for (const [table, keys] of this.#keysOf(block)) {
      for (const key of keys) this.#expect(table, key, EMPTY_BYTES, findings);
    }
  }

  #expect(table: TableName, key: Bytes, right: Bytes | undefined, findings: Findings): void {
    const found = attempt(() => this.#store.getRaw(table, key));
    if (!areEqual(found, right)) findings.addWrong(table, key, found, right);
  }

  /** The keys of a block in the indexes without values. If its receipts are damaged, their keys are not known. */
  #keysOf({ hash, number, txHashes = [], hasReceipts }: KnownBlock): [keyof typeof KEY_INDEXES, Bytes[]][] {
    const receipts = txHashes.length > 0 && hasReceipts ? (attempt(() => this.#store.getReceipts(hash)) ?? []) : [];
    const addresses = attempt(() => this.#store.getTraceAddresses(hash)) ?? [];
    const logKeys = [...logEntryKeys(number, receipts)];
    const ofPrefix = (prefix: number): Bytes[] => logKeys.filter((key) => key[0] === prefix);
    return [
      ["logs", ofPrefix(tables.logs.prefix)],
      ["logsByAddress", ofPrefix(tables.logsByAddress.prefix)],
      ["logsByTopic", ofPrefix(tables.logsByTopic.prefix)],
      ["tracesByAddress", addresses.map((address) => traceAddressKey(address, number))],
    ];
  }

  async #checkNumbers(findings: Findings): Promise<void> {
    for await (const { key, value } of readable(this.#store, "canonicalHashes", findings)) {
      if (this.#at(readUint64(key, 1)) === undefined) findings.addWrong("canonicalHashes", key, value, undefined);
    }
  }

  async #checkTransactions(findings: Findings): Promise<void> {
    for await (const { key, value } of readable(this.#store, "transactions", findings)) {
      if (this.#locations.get(key.slice(1)) === undefined) {
        findings.addWrong("transactions", key, value, undefined);
      }
    }
  }

  /** Finds entries that do not match their block. Each block is read once for each table. */
  async #checkKeys(table: keyof typeof KEY_INDEXES, offset: number, findings: Findings): Promise<void> {
    const known = new Map<bigint, ReadonlySet<string>>();
    for await (const { key, value } of readable(this.#store, table, findings)) {
      const number = readUint64(key, offset);
      const block = this.#at(number);
      // Without receipts the entry cannot be checked, so it stays.
      if (block !== undefined && !block.hasReceipts && table !== "tracesByAddress") continue;
      let keys = known.get(number);
      if (keys === undefined) {
        const own = block === undefined ? [] : (this.#keysOf(block).find(([name]) => name === table)?.[1] ?? []);
        keys = new Set(own.map((each) => bytesKey(each)));
        known.set(number, keys);
      }
      if (!keys.has(bytesKey(key))) findings.addWrong(table, key, value, undefined);
    }
  }

  #at(number: bigint): KnownBlock | undefined {
    return number < this.#first ? undefined : this.#chain[Number(number - this.#first)];
  }
}
