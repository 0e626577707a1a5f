import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Level } from "level";
import { describe, expect, it } from "vitest";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { ChainStore } from "../../src/store/chain-store.ts";
import { canonicalKey, hashKey, metaKey } from "../../src/store/codecs/keys.ts";
import { SCHEMA_VERSION } from "../../src/store/schema.ts";
import { aFolder } from "../support/a-folder.ts";
import { slowIt } from "../support/slow-suite.ts";
import { aBlock, aLog, anIdentity, hashOf } from "./a-block.ts";
import { fingerprint } from "./fingerprint.ts";
import { positionsOf, writeChain } from "./store-suite.ts";

const open = (dataDir: string, identity = anIdentity): Promise<ChainStore> => ChainStore.open({ dataDir, identity });

/** A folder with a closed store of a few blocks. */
async function aDataFolder(): Promise<string> {
  const dataDir = await aFolder();
  const store = await open(dataDir);
  await writeChain(store, [aBlock({ number: 1, logs: [[aLog(1, [1])]] }), aBlock({ number: 2 })]);
  await store.close();
  return dataDir;
}

async function editIdentity(dataDir: string, changes: Record<string, unknown>): Promise<void> {
  const path = join(dataDir, "hindcast.json");
  const identity = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...identity, ...changes }));
}

/** Expects a refusal that leaves the folder byte for byte as it was. */
async function expectRefusal(dataDir: string, code: string, identity = anIdentity): Promise<Error> {
  const before = await fingerprint(dataDir);
  const error = await open(dataDir, identity).then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error).toMatchObject({ code });
  expect(await fingerprint(dataDir)).toEqual(before);
  return error as Error;
}

describe("a data folder", () => {
  it("is made, parents included, and says what it holds", async () => {
    const dataDir = join(await aFolder(), "some", "where");
    await (await open(dataDir)).close();
    expect((await readdir(dataDir)).sort()).toEqual(["chain", "hindcast.json"]);
    expect(JSON.parse(await readFile(join(dataDir, "hindcast.json"), "utf8"))).toEqual({
      about: "A Hindcast chain store. Do not edit.",
      version: SCHEMA_VERSION,
      genesisHash: encodeData(anIdentity.genesisHash),
      chainId: "31337",
    });
  });

  it("of another genesis is refused, naming both", async () => {
    const dataDir = await aDataFolder();
    const error = await expectRefusal(dataDir, "DATA_DIR_MISMATCH", { ...anIdentity, genesisHash: hashOf(5) });
    expect(error.message).toContain(encodeData(anIdentity.genesisHash));
    expect(error.message).toContain(encodeData(hashOf(5)));
  });

  it("of another chain id is refused, naming both", async () => {
    const dataDir = await aDataFolder();
    const error = await expectRefusal(dataDir, "DATA_DIR_MISMATCH", { ...anIdentity, chainId: (1n << 60n) + 1n });
    expect(error.message).toContain("chain with id 31337");
    expect(error.message).toContain("chain with id 1152921504606846977");
  });

  it("whose chain has lost the file that names the others is refused, before LevelDB deletes them", async () => {
    const dataDir = await aDataFolder();
    await rm(join(dataDir, "chain", "CURRENT"));
    const error = await expectRefusal(dataDir, "STORE_CORRUPT");
    expect(error.message).toContain("but no CURRENT");
  });

  it("whose chain was never begun is a new one", async () => {
    const dataDir = await aDataFolder();
    await rm(join(dataDir, "chain"), { recursive: true });
    await (await open(dataDir)).close();
  });

  it("of another version is refused, whatever else its file says", async () => {
    const dataDir = await aDataFolder();
    await editIdentity(dataDir, { version: SCHEMA_VERSION + 1, genesisHash: { written: "otherwise" } });
    const error = await expectRefusal(dataDir, "DATA_DIR_VERSION");
    expect(error.message).toContain(`version ${SCHEMA_VERSION + 1}`);
  });

  it.each([
    ["lacks its genesis hash", "genesisHash", undefined],
    ["lacks its chain id", "chainId", undefined],
    ["has no hash for its genesis", "genesisHash", Uint8Array.of(1)],
    ["has no number for its chain id", "chainId", Uint8Array.of(0, 1)],
  ] as const)("whose chain %s is refused, naming the entry", async (_what, slot, value) => {
    const dataDir = await aDataFolder();
    const level = new Level<Uint8Array, Uint8Array>(join(dataDir, "chain"), {
      keyEncoding: "view",
      valueEncoding: "view",
    });
    if (value === undefined) await level.del(metaKey(slot));
    else await level.put(metaKey(slot), value);
    await level.close();
    await expect(open(dataDir)).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      message: expect.stringMatching(
        new RegExp(`table "meta" ${value === undefined ? "lacks a value" : "holds a damaged value"}.*slot ${slot}`),
      ),
    });
  });

  it("of the version before is opened, read and written, and refused by that version from then on", async () => {
    const dataDir = await aDataFolder();
    await editIdentity(dataDir, { version: 1 });
    const level = new Level<Uint8Array, Uint8Array>(join(dataDir, "chain"), {
      keyEncoding: "view",
      valueEncoding: "view",
    });
    await level.put(metaKey("version"), Uint8Array.of(1));
    await level.close();
    const store = await open(dataDir);
    expect(store.getCanonicalHash(2n)).toEqual(aBlock({ number: 2 }).hash);
    const batch = store.batch();
    batch.putDerivedStates([{ hash: hashOf(1), bytes: Uint8Array.of(0xc0) }]);
    await batch.write();
    await store.close();
    expect(JSON.parse(await readFile(join(dataDir, "hindcast.json"), "utf8"))).toMatchObject({
      version: SCHEMA_VERSION,
    });
    const again = await open(dataDir);
    expect(again.getDerivedState(hashOf(1))).toEqual(Uint8Array.of(0xc0));
    await again.close();
  });

  it("that is not empty and not ours is refused", async () => {
    const dataDir = await aFolder();
    await writeFile(join(dataDir, "thesis.tex"), "important");
    const error = await expectRefusal(dataDir, "DATA_DIR_MISMATCH");
    expect(error.message).toContain("thesis.tex");
  });

  it("that is another program's LevelDB is refused", async () => {
    const dataDir = await aFolder();
    const foreign = new Level(join(dataDir, "chain"));
    await foreign.put("key", "value");
    await foreign.close();
    await expectRefusal(dataDir, "DATA_DIR_MISMATCH");
  });

  it("whose identity file is no JSON, or lacks a member, is refused", async () => {
    const dataDir = await aDataFolder();
    await editIdentity(dataDir, { chainId: 31_337 });
    await expectRefusal(dataDir, "STORE_CORRUPT");
    await writeFile(join(dataDir, "hindcast.json"), '{"version": 1,');
    await expectRefusal(dataDir, "STORE_CORRUPT");
    await writeFile(join(dataDir, "hindcast.json"), "null");
    await expectRefusal(dataDir, "STORE_CORRUPT");
  });

  it("that is a file is refused", async () => {
    const file = join(await aFolder(), "file");
    await writeFile(file, "text");
    await expect(open(file)).rejects.toMatchObject({ code: "DATA_DIR_UNUSABLE" });
    await expect(open(join(file, "below"))).rejects.toMatchObject({ code: "DATA_DIR_UNUSABLE" });
    expect(await readFile(file, "utf8")).toBe("text");
  });

  it.runIf(process.platform === "linux")("is told where the folder above takes no new ones", async () => {
    await expect(open("/proc/hindcast-no-such-folder/chain")).rejects.toMatchObject({ code: "DATA_DIR_UNUSABLE" });
  });

  it("opens after a crash while its identity file was written", async () => {
    const dataDir = await aFolder();
    await writeFile(join(dataDir, "hindcast.json.tmp"), '{"vers');
    const store = await open(dataDir);
    await writeChain(store, [aBlock({ number: 1 })]);
    await store.close();
    await (await open(dataDir)).close();
    expect((await readdir(dataDir)).sort()).toEqual(["chain", "hindcast.json"]);
  });

  it("opens after a crash between its identity file and LevelDB's files", async () => {
    const dataDir = await aDataFolder();
    for (const left of [[], ["LOCK", "LOG"]]) {
      await rm(join(dataDir, "chain"), { recursive: true });
      if (left.length > 0) await mkdir(join(dataDir, "chain"));
      for (const name of left) await writeFile(join(dataDir, "chain", name), "");
      const store = await open(dataDir);
      expect(store.getHead()).toBeUndefined();
      await store.close();
    }
  });

  it("opens after a crash between LevelDB's files and the first signature", async () => {
    const dataDir = await aDataFolder();
    await rm(join(dataDir, "chain"), { recursive: true });
    const bare = new Level(join(dataDir, "chain"));
    await bare.open();
    await bare.close();
    await (await open(dataDir)).close();
    await expect(open(dataDir, { ...anIdentity, chainId: 1n })).rejects.toMatchObject({ code: "DATA_DIR_MISMATCH" });
  });

  it("put together from two others is refused by the signature inside", async () => {
    const [dataDir, other] = [await aDataFolder(), await aFolder()];
    const identity = { genesisHash: hashOf(5), chainId: 5n };
    await (await open(other, identity)).close();
    await writeFile(join(dataDir, "hindcast.json"), await readFile(join(other, "hindcast.json")));
    await expect(open(dataDir, identity)).rejects.toMatchObject({ code: "DATA_DIR_MISMATCH" });
  });

  it("keeps its identity file as it is when it is opened again", async () => {
    const dataDir = await aDataFolder();
    const identityFile = async (): Promise<string | undefined> =>
      (await fingerprint(dataDir)).find((line) => line.startsWith("hindcast.json"));
    const before = await identityFile();
    await (await open(dataDir)).close();
    expect(await identityFile()).toBe(before);
  });
});

describe("a damaged store", () => {
  /** Overwrites one value behind the store's back. */
  async function damage(dataDir: string, key: Uint8Array, value: Uint8Array): Promise<ChainStore> {
    const raw = new Level<Uint8Array, Uint8Array>(join(dataDir, "chain"), {
      keyEncoding: "view",
      valueEncoding: "view",
    });
    await raw.put(key, value);
    await raw.close();
    return open(dataDir);
  }
  const [block] = [aBlock({ number: 1, logs: [[aLog(1, [1])]] })];
  const txHash = block?.txHashes[0] as Uint8Array;
  const garbage = Uint8Array.of(0xf8, 1, 2, 3);

  const cases: readonly [table: string, key: Uint8Array, named: string, read: (store: ChainStore) => unknown][] = [
    ["headers", hashKey("headers", block.hash), encodeData(block.hash), (store) => store.getHeader(block.hash)],
    ["bodies", hashKey("bodies", block.hash), encodeData(block.hash), (store) => store.getBody(block.hash)],
    ["receipts", hashKey("receipts", block.hash), encodeData(block.hash), (store) => store.getReceipts(block.hash)],
    ["txHashes", hashKey("txHashes", block.hash), encodeData(block.hash), (store) => store.getTxHashes(block.hash)],
    ["canonicalHashes", canonicalKey(1n), "blockNumber 1", (store) => store.getCanonicalHash(1n)],
    ["transactions", hashKey("transactions", txHash), encodeData(txHash), (store) => store.findTransaction(txHash)],
    ["senders", hashKey("senders", txHash), encodeData(txHash), (store) => store.getSender(txHash)],
    ["trieNodes", hashKey("trieNodes", txHash), encodeData(txHash), (store) => store.getTrieNode(txHash)],
    [
      "startStateRoots",
      hashKey("startStateRoots", txHash),
      encodeData(txHash),
      (store) => store.getStartStateRoot(txHash),
    ],
    ["meta", metaKey("head"), "slot head", (store) => store.getHead()],
    ["meta", metaKey("timeOffset"), "slot timeOffset", (store) => store.getTimeOffset()],
  ];

  it.each(cases)("names the table %s and the key of a damaged value", async (table, key, named, read) => {
    const store = await damage(await aDataFolder(), key, garbage);
    let error: unknown;
    try {
      read(store);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "STORE_CORRUPT" });
    expect((error as Error).message).toContain(`table "${table}"`);
    expect((error as Error).message).toContain(named);
    await store.close();
  });

  it("names a total difficulty with leading zeros", async () => {
    const store = await damage(await aDataFolder(), hashKey("totalDifficulties", block.hash), Uint8Array.of(0, 1));
    expect(() => store.getTotalDifficulty(block.hash)).toThrow(/table "totalDifficulties"/);
    await store.close();
  });

  it("names the block that a log belongs to when it has no hash", async () => {
    const dataDir = await aDataFolder();
    const raw = new Level<Uint8Array, Uint8Array>(join(dataDir, "chain"), {
      keyEncoding: "view",
      valueEncoding: "view",
    });
    await raw.del(canonicalKey(1n));
    await raw.close();
    const store = await open(dataDir);
    await expect(positionsOf(store)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    await store.close();
  });

  it("says STORE_CORRUPT when LevelDB's own files do not open", async () => {
    const dataDir = await aDataFolder();
    const files = await readdir(join(dataDir, "chain"));
    const manifest = files.find((name) => name.startsWith("MANIFEST")) as string;
    await writeFile(join(dataDir, "chain", manifest), "not a manifest at all, and long enough to be looked at");
    await expect(open(dataDir)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
  });

  it("names table and key when LevelDB finds a table file damaged", async () => {
    const dataDir = await aFolder();
    const blocks = Array.from({ length: 2_000 }, (_, number) => aBlock({ number }));
    const first = await open(dataDir);
    await writeChain(first, blocks);
    await first.close();
    // Opening moves what the journal holds into a table file.
    await (await open(dataDir)).close();
    const names = (await readdir(join(dataDir, "chain"))).filter((name) => name.endsWith(".ldb"));
    for (const name of names) {
      const path = join(dataDir, "chain", name);
      const bytes = await readFile(path);
      bytes.fill(0xff, bytes.length >> 2, bytes.length >> 1);
      await writeFile(path, bytes);
    }
    const store = await open(dataDir);
    const errors = blocks.flatMap(({ hash }) => {
      try {
        store.getHeader(hash);
        return [];
      } catch (error) {
        return [error as Error];
      }
    });
    expect(errors[0]).toMatchObject({ code: "STORE_CORRUPT" });
    expect(errors[0]?.message).toMatch(/table "headers".*blockHash 0x[0-9a-f]{64}/);
    await store.close();
  });
});

describe("a store whose folder fails under it", () => {
  slowIt("refuses the write that failed and all later ones, and still reads and closes", async () => {
    const dataDir = await aDataFolder();
    const store = await open(dataDir);
    const write = (number: number, length: number): Promise<void> => {
      const batch = store.batch();
      batch.setHead(hashOf(number));
      batch.putCodes([{ hash: hashOf(number), bytes: new Uint8Array(length) }]);
      return batch.write();
    };
    // LevelDB needs a new file every 32 MiB.
    await rm(join(dataDir, "chain"), { recursive: true });
    let written = 0;
    let error: unknown;
    while (error === undefined && written < 20) {
      error = await write(written, 8_000_000).catch((reason: unknown) => reason);
      if (error === undefined) written++;
    }
    expect(error).toMatchObject({ code: "STORE_IO_FAILED" });
    expect(store.getHead()).toEqual(hashOf(written - 1));
    await expect(write(99, 1)).rejects.toMatchObject({ code: "STORE_IO_FAILED" });
    await store.close();
    await expect(write(99, 1)).rejects.toMatchObject({ code: "STORE_IO_FAILED" });
    expect(() => store.getHead()).toThrow(expect.objectContaining({ code: "STORE_CLOSED" }));
  });
});
