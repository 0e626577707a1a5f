/** The journal of a data folder, damaged at its end and in the middle: nothing whole is lost, and nothing damaged is believed. */
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkDataFolder } from "../../src/node/check-data-folder.ts";
import { createNode } from "../../src/node/create-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { JournalDatabase } from "../../src/store/backends/journal-database.ts";
import { journalFolder } from "../../src/store/backends/journal-folder.ts";
import { tables } from "../../src/store/schema.ts";
import { lacksSector, sectorsOf, useJournal } from "../store/a-journal.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB, NOW, quantity } from "../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { testSeed } from "../support/seed.ts";

const OPTIONS = { hardfork: "prague", clock: () => NOW } as const;
const BLOCKS = 40;
const TAILS = 100;
const MIDDLES = 50;

/** The length of the journal and the hash of the head, after each block; the folder is as a killed process leaves it. */
async function aKilledChain(dataDir: string) {
  const open = join(await aFolder(), "open");
  await (await createNode({ ...OPTIONS, dataDir: open })).close();
  await useJournal(open);
  const node = await createNode({ ...OPTIONS, dataDir: open });
  const journal = join(open, "chain/journal-a");
  const moments: { readonly length: number; readonly hash: string }[] = [];
  const note = (): void => void moments.push({ length: statSync(journal).size, hash: encodeData(node.head.hash) });
  note();
  const emitter = await deploy(node, EMITTER);
  note();
  while (moments.length <= BLOCKS) {
    const number = moments.length;
    if (number % 3 === 0) await node.mine();
    else if (number % 3 === 1) await send(node, { from: ALICE, to: BOB, value: "0x5" });
    else await send(node, { to: emitter, data: logCall([number, 2], "0xabcd") });
    note();
  }
  cpSync(open, dataDir, { recursive: true });
  await node.close();
  return moments;
}

it(`${TAILS} damaged ends and ${MIDDLES} damaged middles of a journal`, async () => {
  const parent = await aFolder();
  const [whole, folder] = [join(parent, "whole"), join(parent, "damaged")];
  const moments = await aKilledChain(whole);
  const journal = join(folder, "chain/journal-a");
  const intact = readFileSync(join(whole, "chain/journal-a"));
  const random = randomNumbers(testSeed);
  const between = (least: number, end: number): number => least + Math.floor(random() * (end - least));
  const [first, beforeLast] = [moments[0]?.length ?? 0, moments.at(-2)?.length ?? 0];

  const damagedFolder = (bytes: Uint8Array): void => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(whole, folder, { recursive: true });
    writeFileSync(journal, bytes);
  };
  const refused = async (bytes: Uint8Array, what: string): Promise<void> => {
    damagedFolder(bytes);
    await expect(createNode({ ...OPTIONS, dataDir: folder }), what).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    await expect(checkDataFolder({ ...OPTIONS, dataDir: folder }, true), what).rejects.toMatchObject({
      code: "STORE_CORRUPT",
    });
    expect(readFileSync(journal).equals(bytes), what).toBe(true);
  };

  for (let tail = 0; tail < TAILS; tail++) {
    const kind = ["cut", "cut", "changed", "lacking"][tail % 4];
    const at = kind === "cut" ? between(first, intact.length) : between(beforeLast, intact.length);
    const bytes = Buffer.from(kind === "cut" ? intact.subarray(0, at) : intact);
    if (kind === "changed") bytes[at] = (bytes[at] ?? 0) ^ (1 << between(0, 8));
    if (kind === "lacking") {
      const sectors = sectorsOf(bytes, beforeLast);
      for (const [index, sector] of sectors.entries())
        if (index === tail % sectors.length || random() < 0.3) sector.fill(0);
    }
    const what = `${kind} at ${at} of ${intact.length}`;
    if (kind === "changed" && (at < beforeLast + 8 || !lacksSector(bytes, beforeLast))) {
      await refused(bytes, what);
      continue;
    }
    damagedFolder(bytes);
    const end = kind === "cut" ? at : beforeLast;
    const expected = moments.findLast(({ length }) => length <= end);
    const notices: string[] = [];
    const node = await createNode({ ...OPTIONS, dataDir: folder, onNotice: (notice) => notices.push(notice) });
    expect(encodeData(node.head.hash), what).toBe(expected?.hash);
    expect(notices, what).toHaveLength(expected?.length === bytes.length ? 0 : 1);
    await node.mine();
    const { number } = node.head.header;
    expect(await node.provider.send("eth_getBlockByNumber", [quantity(Number(number)), true])).not.toBeNull();
    await node.close();
    expect((await checkDataFolder({ ...OPTIONS, dataDir: folder }, false)).found, what).toEqual([]);
  }

  for (let middle = 0; middle < MIDDLES; middle++) {
    const bytes = Buffer.from(intact);
    const at = between(0, beforeLast);
    const length = middle % 2 === 0 ? 1 : between(2, 2_000);
    for (let byte = at; byte < Math.min(at + length, beforeLast); byte++)
      bytes[byte] = (bytes[byte] ?? 0) ^ between(1, 256);
    await refused(bytes, `${length} bytes changed at ${at} of ${intact.length}`);
  }
});

it("a journal that lacks entries of indexes is found to lack them, and repaired", async () => {
  const dataDir = join(await aFolder(), "killed");
  await aKilledChain(dataDir);
  const database = new JournalDatabase(journalFolder(join(dataDir, "chain")));
  await database.open();
  const logs = { gte: Uint8Array.of(tables.logs.prefix), lte: Uint8Array.of(tables.logs.prefix + 1) };
  const [[key]] = (await database.iterator(logs).all()) as [[Uint8Array, Uint8Array]];
  await database.batch([{ type: "del", key }]);
  await database.close();
  const options = { ...OPTIONS, dataDir };
  expect((await checkDataFolder(options, false)).found.length).toBeGreaterThan(0);
  await checkDataFolder(options, true);
  expect((await checkDataFolder(options, false)).found).toEqual([]);
});
