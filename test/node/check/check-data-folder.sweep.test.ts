/** Folders with real damage: what a check finds, what it repairs, and that a repaired folder is as it was. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingText } from "../../../src/chain/check/findings.ts";
import { checkDataFolder } from "../../../src/node/check-data-folder.ts";
import { createNode } from "../../../src/node/create-node.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { type TableName, tables } from "../../../src/store/schema.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, BOB, CAROL, NOBODY, NOW, quantity } from "../../support/a-node.ts";
import { COUNTER, deploy, EMITTER, logCall, send } from "../../support/contracts.ts";
import { editFolder, entriesOf, flipped } from "../../support/damaged-folder.ts";
import { isSlow, someOfEach } from "../../support/seed.ts";

const OPTIONS = { hardfork: "prague", clock: () => NOW } as const;

let sound: string;
/** All that stands in it, by key. */
let soundContent: Record<string, string>;

/** Transactions, logs, creations, a side branch, edits between blocks, empty blocks in a row, an impersonated sender. */
beforeAll(async () => {
  sound = await mkdtemp(join(tmpdir(), "hindcast-check-"));
  const node = await createNode({ ...OPTIONS, dataDir: sound });
  const emitter = await deploy(node, EMITTER);
  const counter = await deploy(node, COUNTER);
  for (let count = 0; count < 3; count++) {
    await send(node, { to: emitter, data: logCall([count, 2], "0xabcd") });
    await send(node, { to: counter });
  }
  await node.mine({ blocks: 20 });
  await node.setBalance(NOBODY, 5n);
  await node.impersonate(emitter);
  await node.setBalance(emitter, 10n ** 18n);
  await send(node, { from: emitter, to: BOB, value: "0x1", gas: quantity(21_000) });
  await node.reorg({ depth: 1, blocks: [[], []] });
  await send(node, { from: CAROL, to: emitter, data: logCall([7], "0x07") });
  await node.mine({ blocks: 5 });
  await node.setBalance(NOBODY, 6n);
  await node.close();
  soundContent = await contentOf(sound);
});
afterAll(() => rm(sound, { recursive: true, force: true }));

/** A copy of the sound folder. */
async function aCopy(): Promise<string> {
  const dataDir = await aFolder();
  await cp(sound, dataDir, { recursive: true });
  return dataDir;
}

/** Everything that stands in a folder, by key. */
async function contentOf(dataDir: string): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  await editFolder(dataDir, async (level) => {
    for (const table of Object.keys(tables) as TableName[]) {
      for (const { key, value } of await entriesOf(level, table)) {
        content[`${table} ${Buffer.from(key).toString("hex")}`] = Buffer.from(value).toString("hex");
      }
    }
  });
  return content;
}

type Damage = (entry: { readonly key: Uint8Array; readonly value: Uint8Array }) => Uint8Array | undefined;
const change: Damage = ({ value }) => flipped(value);
const remove: Damage = () => undefined;

const isSecond = (index: number): boolean => index === 1;

/** Damages the entries of a table that are picked. */
async function damage(dataDir: string, table: TableName, how: Damage, pick: (index: number) => boolean = isSecond) {
  await editFolder(dataDir, async (level) => {
    const entries = await entriesOf(level, table);
    expect(entries.length).toBeGreaterThan(1);
    for (const entry of entries.filter((_, index) => pick(index))) {
      const value = how(entry);
      if (value === undefined) await level.del(entry.key);
      else await level.put(entry.key, value);
    }
  });
}

const check = (dataDir: string, isRepaired = false) => checkDataFolder({ ...OPTIONS, dataDir }, isRepaired);

it("a sound folder has nothing wrong, and is not changed", async () => {
  const dataDir = await aCopy();
  const { blocks, canonicalBlocks, trieNodes, found, left } = await check(dataDir, true);
  expect([found.map(findingText), left]).toEqual([[], []]);
  expect(blocks).toBe(canonicalBlocks + 1);
  expect(trieNodes).toBeGreaterThan(50);
  expect(await contentOf(dataDir)).toEqual(soundContent);
});

/** What is damaged: default tests take one damage of each table. */
type Case = readonly [what: string, table: TableName, how: Damage, text: RegExp];
const ofEachTable = (cases: readonly Case[]): readonly Case[] => someOfEach(cases, ([, table]) => table);

describe("what can be made again", () => {
  it.each(
    ofEachTable([
      ["a changed receipt", "receipts", change, /^receipts: the entry of blockHash 0x[0-9a-f]{64} has other receipts/],
      ["a missing receipt", "receipts", remove, /^receipts: .* is not there\.$/],
      ["changed hashes of transactions", "txHashes", change, /^txHashes: .* is wrong\.$/],
      ["missing hashes of transactions", "txHashes", remove, /^txHashes: .* is not there\.$/],
      ["a changed total difficulty", "totalDifficulties", () => Uint8Array.of(9), /^totalDifficulties: .* is wrong\.$/],
      [
        "a changed hash by number",
        "canonicalHashes",
        change,
        /^canonicalHashes: the entry of blockNumber 1 is wrong\.$/,
      ],
      ["a missing hash by number", "canonicalHashes", remove, /^canonicalHashes: .* is not there\.$/],
      ["a changed entry by number", "blocksByNumber", change, /^blocksByNumber: .* is wrong\.$/],
      ["a changed place of a transaction", "transactions", change, /^transactions: .* is wrong\.$/],
      ["a missing place of a transaction", "transactions", remove, /^transactions: .* is not there\.$/],
      [
        "a missing log entry",
        "logs",
        remove,
        /^logs: the entry of blockNumber \d+, logIndex 0, txIndex 0 is not there/,
      ],
      ["a missing log entry of an address", "logsByAddress", remove, /^logsByAddress: .* is not there\.$/],
      ["a missing log entry of a topic", "logsByTopic", remove, /^logsByTopic: .* is not there\.$/],
      ["a missing trace entry", "tracesByAddress", remove, /^tracesByAddress: .* is not there\.$/],
    ]),
  )("%s is found and repaired", async (_what, table, how, text) => {
    const dataDir = await aCopy();
    await damage(dataDir, table, how);
    // A check that repairs nothing finds the same: default tests look at some tables.
    const unrepaired = isSlow || table === "receipts" || table === "logs" ? await check(dataDir) : undefined;
    expect(unrepaired?.left).toEqual(unrepaired?.found);
    const { found, left } = await check(dataDir, true);
    expect(found.map(findingText)).toEqual(expect.arrayContaining([expect.stringMatching(text)]));
    expect(unrepaired?.found ?? found).toEqual(found);
    expect(left).toEqual([]);
    expect(await contentOf(dataDir)).toEqual(soundContent);
  });

  it.each(
    someOfEach<readonly [string, TableName, Damage]>(
      [
        ["changed codes", "codes", change],
        ["missing codes", "codes", remove],
        ["derivations of states", "derivedStates", change],
        ["receipts", "receipts", change],
      ],
      ([, table]) => table,
    ),
  )("many %s at once are made again by executing blocks", async (_what, table, how) => {
    const dataDir = await aCopy();
    await damage(dataDir, table, how, (index) => index % 3 === 1);
    const { found, left } = await check(dataDir, true);
    expect(found.length).toBeGreaterThan(1);
    expect(left).toEqual([]);
    expect((await check(dataDir)).found).toEqual([]);
  });

  it("all receipts are made again, also of a transaction that an impersonated contract sent", async () => {
    const dataDir = await aCopy();
    await damage(dataDir, "receipts", remove, () => true);
    expect((await check(dataDir, true)).left).toEqual([]);
    expect(await contentOf(dataDir)).toEqual(soundContent);
  });

  it.each(
    someOfEach<readonly [string, Damage]>(
      [
        ["changed", change],
        ["missing", remove],
      ],
      () => "trie nodes",
    ),
  )("every third trie node, %s, is made again up to the first state that is not a block's", async (_how, how) => {
    const dataDir = await aCopy();
    await damage(dataDir, "trieNodes", how, (index) => index % 3 === 1);
    const { found, left } = await check(dataDir, true);
    // Edits before block 29 and after the head were no blocks: what they wrote is lost, and what was built on it.
    for (const finding of left)
      expect(findingText(finding)).toMatch(/the edits (before block 29|after)|block (29|3\d)/);
    expect(left.filter((finding) => findingText(finding).includes("the edits before block 29"))).not.toEqual([]);
    expect(found.length - left.length).toBeGreaterThan(50);
  });

  it("the head is found again where it is not named any more", async () => {
    const dataDir = await aCopy();
    await editFolder(dataDir, (level) => level.put(Uint8Array.of(0x01, 0x10), new Uint8Array(32)));
    const { found, left } = await check(dataDir, true);
    expect(found.map(findingText)).toEqual(["meta: the entry of slot head names no block that is there."]);
    expect(left).toEqual([]);
    const node = await createNode({ ...OPTIONS, dataDir });
    expect(await node.provider.request({ method: "eth_getBalance", params: [NOBODY, "latest"] })).toBe("0x6");
    await node.close();
  });

  it("a last imported block that is not there counts as none", async () => {
    const dataDir = await aCopy();
    for (const slot of [0x11, 0x12])
      await editFolder(dataDir, (level) => level.put(Uint8Array.of(0x01, slot), new Uint8Array(32).fill(7)));
    const node = await createNode({ ...OPTIONS, dataDir });
    const finalized = await node.provider.request({ method: "eth_getBlockByNumber", params: ["finalized", false] });
    expect(finalized).toMatchObject({ number: "0x0" });
    await node.close();
  });

  it("entries that belong to no block are taken out", async () => {
    const dataDir = await aCopy();
    await editFolder(dataDir, async (level) => {
      for (const table of ["transactions", "logs", "logsByAddress", "logsByTopic", "tracesByAddress"] as const) {
        const [entry] = await entriesOf(level, table);
        if (entry !== undefined) await level.put(flipped(entry.key), entry.value);
      }
      await level.put(Uint8Array.of(0x20, 0, 0, 0, 0, 0, 0, 1, 0), new Uint8Array(32));
    });
    const { found } = await check(dataDir);
    expect(found).toHaveLength(6);
    for (const finding of found) expect(findingText(finding)).toMatch(/ should not be there\.$/);
    expect((await check(dataDir, true)).left).toEqual([]);
    expect(await contentOf(dataDir)).toEqual(soundContent);
  });
});

/** A folder of four blocks with difficulties, and their hashes. */
async function aMinedFolder(): Promise<{ dataDir: string; hashes: readonly Uint8Array[] }> {
  const dataDir = await aFolder();
  const node = await createNode({ ...OPTIONS, hardfork: "london", dataDir });
  await node.mine({ blocks: 3 });
  const hashes = [0n, 1n, 2n, 3n].map((number) => node.getBlock(number)?.hash ?? new Uint8Array());
  await node.close();
  return { dataDir, hashes };
}

describe("of blocks with difficulties", () => {
  const checkLondon = (dataDir: string, isRepaired = false) =>
    checkDataFolder({ ...OPTIONS, hardfork: "london", dataDir }, isRepaired);
  const keyOf = (table: TableName, hash: Uint8Array | undefined) =>
    Uint8Array.of(tables[table].prefix, ...(hash ?? new Uint8Array()));

  it.each(someOfEach([0, 2], () => "blocks"))(
    "a changed total difficulty of block %i is found, and the others are right",
    async (number) => {
      const { dataDir, hashes } = await aMinedFolder();
      const before = await contentOf(dataDir);
      const key = keyOf("totalDifficulties", hashes[number]);
      await editFolder(dataDir, (level) => level.put(key, Uint8Array.of(9)));
      const { found, left } = await checkLondon(dataDir, true);
      expect(found.map(findingText)).toEqual([expect.stringMatching(/^totalDifficulties: .* is wrong\.$/)]);
      expect(left).toEqual([]);
      expect(await contentOf(dataDir)).toEqual(before);
    },
  );

  it.each(someOfEach([0, 2], () => "blocks"))(
    "a lost header of block %i is told with the block above it",
    async (number) => {
      const { dataDir, hashes } = await aMinedFolder();
      await editFolder(dataDir, (level) => level.put(keyOf("headers", hashes[number]), new Uint8Array(5)));
      const texts = (await checkLondon(dataDir)).found.map(findingText);
      expect(texts.filter((text) => text.startsWith("headers:"))).toEqual([
        expect.stringMatching(/does not have the hash it stands under\.$/),
        expect.stringMatching(new RegExp(`has a parent that is not there: block ${number}\\.$`)),
      ]);
      expect(texts.filter((text) => text.startsWith("totalDifficulties:"))).toEqual([]);
    },
  );
});

it("bytes that are no header are told, also under their own hash", async () => {
  const dataDir = await aCopy();
  const value = Uint8Array.of(0xc1, 0x80);
  const key = Uint8Array.of(tables.headers.prefix, ...keccak256(value));
  await editFolder(dataDir, (level) => level.put(key, value));
  expect((await check(dataDir)).found.map(findingText)).toEqual([
    expect.stringMatching(
      /^headers: .* cannot be read \(Malformed block header: a header has 15 to 23 items, got 1\.\)\.$/,
    ),
  ]);
});

describe("what is lost", () => {
  it.each<[string, TableName, Damage, RegExp]>([
    ["a changed header", "headers", change, /^headers: .* does not have the hash it stands under\.$/],
    ["a missing body", "bodies", remove, /^bodies: .* is not there\.$/],
    ["a body of another block", "bodies", () => Uint8Array.of(0xc3, 0xc0, 0xc0, 0xc1), /^bodies: .* is not a body/],
  ])("%s is told, and stays", async (_what, table, how, text) => {
    const dataDir = await aCopy();
    await damage(dataDir, table, how);
    const { left } = await check(dataDir, true);
    const lost = left.filter(({ remedy }) => remedy === undefined).map(findingText);
    expect(lost).toEqual(expect.arrayContaining([expect.stringMatching(text)]));
  });
});

describe("a folder", () => {
  it("that holds no chain is refused, and left as it is", async () => {
    const dataDir = await aFolder();
    await writeFile(join(dataDir, "thesis.tex"), "important");
    await expect(check(dataDir)).rejects.toMatchObject({ code: "DATA_DIR_UNUSABLE" });
  });

  it("of another chain is refused", async () => {
    const dataDir = await aCopy();
    const wrong = checkDataFolder({ ...OPTIONS, chainId: 5, dataDir }, false);
    await expect(wrong).rejects.toMatchObject({ code: "DATA_DIR_MISMATCH" });
  });

  it("that a node has open is refused", async () => {
    const dataDir = await aCopy();
    const node = await createNode({ ...OPTIONS, dataDir });
    await expect(check(dataDir)).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
    await node.close();
  });

  it("answers what it answered before it was damaged, once it is repaired", async () => {
    const dataDir = await aCopy();
    const questions = [
      ["eth_getBlockReceipts", "0x3"],
      ["eth_getLogs", { fromBlock: "0x0" }],
      ["trace_filter", { fromBlock: "0x1", fromAddress: [ALICE] }],
      ["eth_getProof", CAROL, [], "0x5"],
    ] as const;
    const answers = async (folder: string): Promise<unknown[]> => {
      const node = await createNode({ ...OPTIONS, dataDir: folder });
      const given = [];
      for (const [method, ...params] of questions) given.push(await node.provider.send(method, params));
      await node.close();
      return given;
    };
    const expected = await answers(sound);
    for (const table of ["receipts", "trieNodes", "logs", "transactions"] as const) {
      await damage(dataDir, table, remove, (index) => index < 3);
    }
    await check(dataDir, true);
    expect(await answers(dataDir)).toEqual(expected);
  });
});
