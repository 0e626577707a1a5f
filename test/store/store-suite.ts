/** What any chain store must do, whatever it lives in. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { bloomOfLogs } from "../../src/primitives/hash/bloom.ts";
import { DiskDatabase } from "../../src/store/backends/disk-database.ts";
import { MemoryDatabase } from "../../src/store/backends/memory/memory-database.ts";
import type { BlockRecord } from "../../src/store/chain-batch.ts";
import type { ChainStore } from "../../src/store/chain-store.ts";
import type { LogPosition, LogQuery } from "../../src/store/find-logs.ts";
import { isSlow } from "../support/seed.ts";
import { aBlock, aLog, anAddress, aReceipt, aTopic, bytesOf, hashOf } from "./a-block.ts";

/** Collects a query over everything unless told otherwise. */
export async function positionsOf(store: ChainStore, query: Partial<LogQuery> = {}): Promise<LogPosition[]> {
  const positions: LogPosition[] = [];
  const everything = { fromBlock: 0n, toBlock: 1_000_000n, addresses: [], topics: [] };
  for await (const position of store.findLogs({ ...everything, ...query })) positions.push(position);
  return positions;
}

/** Writes blocks and makes them canonical; the last one becomes the head. */
export async function writeChain(store: ChainStore, blocks: readonly BlockRecord[]): Promise<void> {
  const batch = store.batch();
  for (const block of blocks) {
    batch.putBlock(block);
    batch.setCanonical(block);
    batch.setHead(block.hash);
  }
  await batch.write();
}

const short = (positions: readonly LogPosition[]): string[] =>
  positions.map(({ blockNumber, logIndex, txIndex }) => `${blockNumber}/${logIndex}/${txIndex}`);

/** Registers the suite for stores that `open` makes. */
export function describeChainStore(name: string, open: () => Promise<ChainStore>): void {
  describe(`chain store ${name}`, () => {
    let store: ChainStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    describe("blocks", () => describeBlocks(() => store));
    describe("small tables", () => describeSmallTables(() => store));
    describe("batches", () => describeBatches(() => store));
    describe("logs", () => describeLogs(() => store));
    // Whoever reads it gives its turn, wherever it is kept.
    if (isSlow || name === "in memory") describe("a long list of logs", () => describeLongLogs(() => store));
    describe("closing", () => describeClosing(() => store));
  });
}

function describeBlocks(store: () => ChainStore): void {
  it("returns a block's parts as they were put", async () => {
    const block = aBlock({ number: 7, logs: [[aLog(1, [2])], []], startStateRoot: hashOf(9) });
    const batch = store().batch();
    batch.putBlock(block);
    await batch.write();
    expect(store().getHeader(block.hash)).toEqual(block.header);
    expect(store().getBody(block.hash)).toEqual(block.body);
    expect(store().getTxHashes(block.hash)).toEqual(block.txHashes);
    expect(store().getTotalDifficulty(block.hash)).toBe(7n * 131_072n);
    expect(store().getStartStateRoot(block.hash)).toEqual(hashOf(9));
    expect(store().getReceipts(block.hash)).toEqual(
      block.receipts.map((receipt) => ({ ...receipt, logsBloom: bloomOfLogs(receipt.logs) })),
    );
  });

  it("returns undefined for every part of an unknown block", () => {
    const unknown = hashOf(404);
    expect(store().getHeader(unknown)).toBeUndefined();
    expect(store().getBody(unknown)).toBeUndefined();
    expect(store().getReceipts(unknown)).toBeUndefined();
    expect(store().getTxHashes(unknown)).toBeUndefined();
    expect(store().getTotalDifficulty(unknown)).toBeUndefined();
    expect(store().getStartStateRoot(unknown)).toBeUndefined();
  });

  it("returns empty lists for a block without transactions", async () => {
    const block = aBlock({ number: 1 });
    await writeChain(store(), [block]);
    expect(store().getReceipts(block.hash)).toEqual([]);
    expect(store().getTxHashes(block.hash)).toEqual([]);
    expect(store().getStartStateRoot(block.hash)).toBeUndefined();
  });

  it("keeps a total difficulty of zero and one beyond 64 bits", async () => {
    const zero = { ...aBlock({ number: 0 }), totalDifficulty: 0n };
    const large = { ...aBlock({ number: 1 }), totalDifficulty: 58_750_003_716_598_352_816_469n };
    await writeChain(store(), [zero, large]);
    expect(store().getTotalDifficulty(zero.hash)).toBe(0n);
    expect(store().getTotalDifficulty(large.hash)).toBe(58_750_003_716_598_352_816_469n);
  });

  it("keeps receipts from before Byzantium, of creations and of failures apart", async () => {
    const receipts = [
      aReceipt([], { type: 0, status: undefined, stateRoot: hashOf(1) }),
      aReceipt([], { type: 1, status: false, contractAddress: anAddress(3) }),
      aReceipt([aLog(1, [1, 2, 3, 4], bytesOf(100, 5))], { cumulativeGasUsed: 0n }),
    ];
    const block = { ...aBlock({ number: 1, logs: [[], [], []] }), receipts };
    await writeChain(store(), [block]);
    expect(store().getReceipts(block.hash)).toMatchObject(receipts);
  });

  it("finds canonical blocks by number and canonical transactions by hash", async () => {
    const block = aBlock({ number: 5, logs: [[], []] });
    await writeChain(store(), [block]);
    expect(store().getCanonicalHash(5n)).toEqual(block.hash);
    expect(store().getCanonicalHash(6n)).toBeUndefined();
    expect(store().findTransaction(block.txHashes[1] as Uint8Array)).toEqual({ blockNumber: 5n, txIndex: 1 });
    expect(store().findTransaction(hashOf(404))).toBeUndefined();
  });

  it("answers for numbers that no block can have", async () => {
    expect(store().getCanonicalHash(-1n)).toBeUndefined();
    expect(store().getCanonicalHash(1n << 64n)).toBeUndefined();
    expect(await store().blocksAt(1n << 64n)).toEqual([]);
  });

  it("finds side blocks by number and by parent", async () => {
    const parent = aBlock({ number: 1 });
    const other = aBlock({ number: 1, branch: 1 });
    const children = [0, 1, 2].map((branch) => aBlock({ number: 2, branch, parentHash: parent.hash }));
    const cousin = aBlock({ number: 2, branch: 3, parentHash: other.hash });
    const batch = store().batch();
    for (const block of [parent, other, ...children, cousin]) batch.putBlock(block);
    await batch.write();
    const byHash = (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right);
    expect(await store().childrenOf(parent)).toEqual(children.map(({ hash }) => hash).sort(byHash));
    expect((await store().blocksAt(2n)).length).toBe(4);
    expect(await store().blocksAt(2n)).toContainEqual({ hash: cousin.hash, parentHash: other.hash });
    expect(await store().childrenOf(cousin)).toEqual([]);
  });

  it("moves number, transactions and logs to the other branch in a reorg, and keeps both blocks", async () => {
    const shared = hashOf(77);
    const left = { ...aBlock({ number: 3, logs: [[aLog(1, [1])], [aLog(2, [])]] }) };
    const old = { ...left, txHashes: [shared, left.txHashes[1] as Uint8Array] };
    const fresh = { ...aBlock({ number: 3, branch: 1, logs: [[], [aLog(1, [1])]] }) };
    const next = { ...fresh, txHashes: [fresh.txHashes[0] as Uint8Array, shared] };
    await writeChain(store(), [old]);
    const batch = store().batch();
    batch.putBlock(next);
    batch.unsetCanonical(old);
    batch.setCanonical(next);
    await batch.write();
    expect(store().getCanonicalHash(3n)).toEqual(next.hash);
    expect(store().findTransaction(shared)).toEqual({ blockNumber: 3n, txIndex: 1 });
    expect(store().findTransaction(old.txHashes[1] as Uint8Array)).toBeUndefined();
    expect(store().getHeader(old.hash)).toEqual(old.header);
    expect(short(await positionsOf(store()))).toEqual(["3/0/1"]);
    expect(await positionsOf(store(), { addresses: [anAddress(2)] })).toEqual([]);
  });

  it("leaves nothing in the log index of a block that leaves the chain", async () => {
    const block = aBlock({ number: 3, logs: [[aLog(1, [1, 2])], [aLog(2, [])]] });
    await writeChain(store(), [block]);
    const batch = store().batch();
    batch.unsetCanonical(block);
    await batch.write();
    expect(await positionsOf(store())).toEqual([]);
    expect(await positionsOf(store(), { addresses: [anAddress(1)] })).toEqual([]);
    expect(await positionsOf(store(), { topics: [null, [aTopic(2)]] })).toEqual([]);
    expect(store().getCanonicalHash(3n)).toBeUndefined();
  });
}

function describeSmallTables(store: () => ChainStore): void {
  it("holds nothing at first", () => {
    expect(store().getHead()).toBeUndefined();
    expect(store().getSafe()).toBeUndefined();
    expect(store().getFinalized()).toBeUndefined();
    expect(store().getEditedStateRoot()).toBeUndefined();
    expect(store().getTimeOffset()).toBe(0n);
    expect(store().getSetting("anything")).toBeUndefined();
  });

  it("keeps head, safe, finalized, time offset and settings", async () => {
    const batch = store().batch();
    batch.setHead(hashOf(1));
    batch.setSafe(hashOf(2));
    batch.setFinalized(hashOf(3));
    batch.setEditedStateRoot(hashOf(4));
    batch.setTimeOffset(-3_600n);
    batch.putSetting("imported", bytesOf(2, 5));
    batch.putSetting("empty", new Uint8Array(0));
    await batch.write();
    expect(store().getHead()).toEqual(hashOf(1));
    expect(store().getSafe()).toEqual(hashOf(2));
    expect(store().getFinalized()).toEqual(hashOf(3));
    expect(store().getEditedStateRoot()).toEqual(hashOf(4));
    expect(store().getTimeOffset()).toBe(-3_600n);
    expect(store().getSetting("imported")).toEqual(bytesOf(2, 5));
    expect(store().getSetting("empty")).toEqual(new Uint8Array(0));
  });

  it("forgets the edited state root when the head moves, and settings that are put undefined", async () => {
    const edit = store().batch();
    edit.setEditedStateRoot(hashOf(4));
    edit.putSetting("imported", bytesOf(1));
    await edit.write();
    const move = store().batch();
    move.setHead(hashOf(2));
    move.putSetting("imported", undefined);
    await move.write();
    expect(store().getEditedStateRoot()).toBeUndefined();
    expect(store().getSetting("imported")).toBeUndefined();
  });

  it("keeps trie nodes, codes and senders by hash", async () => {
    const node = { hash: hashOf(1), bytes: Uint8Array.of(0xc2, 1, 2) };
    const code = { hash: hashOf(2), bytes: Uint8Array.of(0x60, 0) };
    const batch = store().batch();
    batch.putTrieNodes([node]);
    batch.putCodes([code]);
    batch.putSender(hashOf(3), anAddress(1));
    await batch.write();
    expect(store().getTrieNode(hashOf(1))).toEqual(node.bytes);
    expect(store().getCode(hashOf(2))).toEqual(code.bytes);
    expect(store().getSender(hashOf(3))).toEqual(anAddress(1));
    // Each table has its own keys.
    expect(store().getTrieNode(hashOf(2))).toBeUndefined();
    expect(store().getCode(hashOf(1))).toBeUndefined();
    expect(store().getSender(hashOf(1))).toBeUndefined();
  });

  it("returns plain Uint8Arrays", async () => {
    const batch = store().batch();
    batch.putCodes([{ hash: hashOf(2), bytes: Uint8Array.of(1) }]);
    await batch.write();
    expect(Object.getPrototypeOf(store().getCode(hashOf(2)))).toBe(Uint8Array.prototype);
  });

  it("refuses hashes of another length as a mistake of the program", () => {
    expect(() => store().getHeader(bytesOf(20))).toThrow(TypeError);
  });
}

function describeBatches(store: () => ChainStore): void {
  it("shows nothing of a batch before it is written, and all of it after", async () => {
    const blocks = Array.from({ length: 50 }, (_, number) => aBlock({ number, logs: [[aLog(1, [])]] }));
    const batch = store().batch();
    for (const block of blocks) {
      batch.putBlock(block);
      batch.setCanonical(block);
    }
    expect(store().getCanonicalHash(49n)).toBeUndefined();
    await batch.write();
    for (const block of blocks) expect(store().getCanonicalHash(block.number)).toEqual(block.hash);
    expect((await positionsOf(store())).length).toBe(50);
  });

  it("lets the later of two puts in a batch win", async () => {
    const batch = store().batch();
    batch.setHead(hashOf(1));
    batch.setHead(hashOf(2));
    await batch.write();
    expect(store().getHead()).toEqual(hashOf(2));
  });

  it("keeps what was put when the caller writes to his array afterwards", async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const batch = store().batch();
    batch.putCodes([{ hash: hashOf(1), bytes }]);
    await batch.write();
    bytes[0] = 99;
    expect(store().getCode(hashOf(1))).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("writes batches in the order they were handed over in", async () => {
    const batches = Array.from({ length: 40 }, (_, index) => {
      const batch = store().batch();
      batch.setHead(hashOf(index));
      // The earlier, the longer.
      batch.putCodes([{ hash: hashOf(index), bytes: new Uint8Array(200_000 - index * 5_000) }]);
      return batch;
    });
    await Promise.all(batches.map((batch) => batch.write()));
    expect(store().getHead()).toEqual(hashOf(39));
  });

  it("accepts an empty batch, and refuses to use one twice", async () => {
    const batch = store().batch();
    await batch.write();
    expect(() => batch.setHead(hashOf(1))).toThrow(TypeError);
    await expect(batch.write()).rejects.toThrow(TypeError);
  });
}

function describeLongLogs(store: () => ChainStore): void {
  it("gives the event loop its turn while it reads a long list", async () => {
    const logs = Array.from({ length: 1_000 }, () => aLog(4, []));
    await writeChain(
      store(),
      Array.from({ length: 20 }, (_, index) => aBlock({ number: 400 + index, logs: [logs] })),
    );
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const before = process.cpuUsage();
    const read = (): Promise<unknown[]> => positionsOf(store(), { addresses: [anAddress(4)] });
    for (let time = 0; time < 4; time++) expect(await read()).toHaveLength(20_000);
    const { user, system } = process.cpuUsage(before);
    clearInterval(timer);
    // One every 15 ms. Processor time is counted, which a busy machine does not stretch; other threads take a part of it.
    expect(turns).toBeGreaterThanOrEqual(Math.floor((user + system) / 150_000));
  });
}

function describeLogs(store: () => ChainStore): void {
  const chain = [
    aBlock({ number: 1, logs: [[aLog(1, [1]), aLog(2, [1, 2])], [aLog(1, [])]] }),
    aBlock({ number: 2 }),
    aBlock({ number: 300, logs: [[aLog(3, [2, 1])], [], [aLog(1, [1, 2, 3, 4])]] }),
  ];
  beforeEach(() => writeChain(store(), chain));
  const found = async (query: Partial<LogQuery>): Promise<string[]> => short(await positionsOf(store(), query));

  it("lists all logs without criteria, with the hash of their block", async () => {
    const positions = await positionsOf(store());
    expect(short(positions)).toEqual(["1/0/0", "1/1/0", "1/2/1", "300/0/0", "300/1/2"]);
    expect(positions.map(({ blockHash }) => blockHash)).toEqual([0, 0, 0, 2, 2].map((index) => chain[index]?.hash));
  });

  it("filters by any of several addresses, named twice or never seen", async () => {
    const addresses = [anAddress(3), anAddress(2), anAddress(3), anAddress(99)];
    expect(await found({ addresses })).toEqual(["1/1/0", "300/0/0"]);
  });

  it("filters by topics at their positions", async () => {
    expect(await found({ topics: [[aTopic(1)]] })).toEqual(["1/0/0", "1/1/0", "300/1/2"]);
    expect(await found({ topics: [null, [aTopic(1)]] })).toEqual(["300/0/0"]);
    expect(await found({ topics: [[aTopic(1), aTopic(2)], [aTopic(2)]] })).toEqual(["1/1/0", "300/1/2"]);
    expect(await found({ topics: [[], [], [], [aTopic(4)]] })).toEqual(["300/1/2"]);
  });

  it("asks for address and topics together", async () => {
    expect(await found({ addresses: [anAddress(1)], topics: [[aTopic(1)]] })).toEqual(["1/0/0", "300/1/2"]);
    expect(await found({ addresses: [anAddress(3)], topics: [[aTopic(1)]] })).toEqual([]);
  });

  it("finds nothing at a fifth topic", async () => {
    expect(await found({ topics: [null, null, null, null, [aTopic(1)]] })).toEqual([]);
  });

  it("includes both bounds of the range, and nothing when they are crossed", async () => {
    expect(await found({ fromBlock: 1n, toBlock: 1n })).toEqual(["1/0/0", "1/1/0", "1/2/1"]);
    expect(await found({ fromBlock: 2n, toBlock: 299n })).toEqual([]);
    expect(await found({ fromBlock: 300n, toBlock: 300n, addresses: [anAddress(1)] })).toEqual(["300/1/2"]);
    expect(await found({ fromBlock: 2n, toBlock: 1n })).toEqual([]);
    expect(await found({ fromBlock: -5n, toBlock: 1n << 70n })).toHaveLength(5);
    expect(await found({ fromBlock: 1n << 65n, toBlock: 1n << 70n })).toEqual([]);
  });

  it("sees the chain as it was when reading began", async () => {
    const reading = store().findLogs({ fromBlock: 0n, toBlock: 1_000n, addresses: [anAddress(1)], topics: [] });
    const first = await reading.next();
    const replaced = aBlock({ number: 300, branch: 1, logs: [[aLog(1, [])]] });
    const batch = store().batch();
    for (const block of chain) batch.unsetCanonical(block);
    batch.setCanonical(replaced);
    await batch.write();
    const rest: LogPosition[] = [];
    for await (const position of reading) rest.push(position);
    expect(short([first.value as LogPosition, ...rest])).toEqual(["1/0/0", "1/2/1", "300/1/2"]);
    expect(rest.at(-1)?.blockHash).toEqual(chain[2]?.hash);
    expect(await found({ addresses: [anAddress(1)] })).toEqual(["300/0/0"]);
  });

  it("stops with the signal's own reason", async () => {
    const query = { fromBlock: 0n, toBlock: 1_000n, addresses: [], topics: [] };
    const gone = new Error("client went away");
    await expect(
      store()
        .findLogs(query, { signal: AbortSignal.abort(gone) })
        .next(),
    ).rejects.toBe(gone);
    const stopping = new AbortController();
    const many = Array.from({ length: 200 }, (_, index) => aBlock({ number: 400 + index, logs: [[aLog(1, [])]] }));
    await writeChain(store(), many);
    const reading = async (): Promise<void> => {
      for await (const { blockNumber } of store().findLogs(query, stopping))
        if (blockNumber === 405n) stopping.abort(gone);
    };
    await expect(reading()).rejects.toBe(gone);
  });

  it("lets go of its snapshot when the reader leaves early", async () => {
    const closed: number[] = [];
    let taken = 0;
    for (const { prototype } of [DiskDatabase, MemoryDatabase]) {
      const take = prototype.snapshot;
      const spy = vi.spyOn(prototype, "snapshot").mockImplementation(function (this: DiskDatabase & MemoryDatabase) {
        const snapshot = take.call(this);
        const number = ++taken;
        const close = snapshot.close.bind(snapshot);
        snapshot.close = () => {
          closed.push(number);
          return close();
        };
        return snapshot;
      });
      onTestFinished(() => void spy.mockRestore());
    }
    for await (const position of store().findLogs({ fromBlock: 0n, toBlock: 9n, addresses: [], topics: [] })) {
      expect([position.blockNumber, closed]).toEqual([1n, []]);
      break;
    }
    expect(taken).toBeGreaterThan(0);
    expect(closed.sort()).toEqual(Array.from({ length: taken }, (_, index) => index + 1));
  });
}

function describeClosing(store: () => ChainStore): void {
  it("answers STORE_CLOSED to everything after it was closed", async () => {
    const batch = store().batch();
    batch.setHead(hashOf(1));
    await store().close();
    await store().close();
    const closed = expect.objectContaining({ code: "STORE_CLOSED" });
    expect(() => store().getHead()).toThrow(closed);
    expect(() => store().getTrieNode(hashOf(1))).toThrow(closed);
    expect(() => store().getReceipts(hashOf(1))).toThrow(closed);
    await expect(batch.write()).rejects.toEqual(closed);
    await expect(store().blocksAt(1n)).rejects.toEqual(closed);
    await expect(positionsOf(store())).rejects.toEqual(closed);
  });

  it("ends a query that is being read with STORE_CLOSED", async () => {
    const blocks = Array.from({ length: 100 }, (_, number) => aBlock({ number, logs: [[aLog(1, [])]] }));
    await writeChain(store(), blocks);
    const reading = async (): Promise<void> => {
      for await (const { blockNumber } of store().findLogs({
        fromBlock: 0n,
        toBlock: 99n,
        addresses: [],
        topics: [],
      })) {
        if (blockNumber === 2n) await store().close();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });

  it("finishes a write that was under way when it is closed", async () => {
    const batch = store().batch();
    batch.setHead(hashOf(1));
    const order: string[] = [];
    const written = batch.write().then(() => order.push("written"));
    const closed = store()
      .close()
      .then(() => order.push("closed"));
    await Promise.all([written, closed]);
    expect(order).toEqual(["written", "closed"]);
  });
}
