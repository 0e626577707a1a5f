import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderDatabase } from "../../../src/store/backends/folder-database.ts";
import { JournalDatabase } from "../../../src/store/backends/journal-database.ts";
import { journalFolder } from "../../../src/store/backends/journal-folder.ts";
import { ChainStore } from "../../../src/store/chain-store.ts";
import { aFolder } from "../../support/a-folder.ts";
import { aBlock, anIdentity, hashOf } from "../a-block.ts";
import { aJournalFolder } from "../a-journal.ts";
import { writeChain } from "../store-suite.ts";
import { faultsOfFiles } from "./journal-files.ts";

it("Node's files do what a journal needs", async () => {
  const parent = await aFolder();
  let count = 0;
  expect(await faultsOfFiles(() => journalFolder(join(parent, `${count++}`)), JournalDatabase)).toEqual([]);
});

describe("a data folder with a journal", () => {
  it("keeps it where LevelDB can be loaded, and has one file beside it", async () => {
    const dataDir = await aJournalFolder(await aFolder());
    const store = await ChainStore.open({ dataDir, identity: anIdentity });
    expect(store.isPermanent).toBe(true);
    await writeChain(store, [aBlock({ number: 1 })]);
    await store.close();
    expect((await readdir(join(dataDir, "chain"))).sort()).toEqual(["journal-a", "journal-b"]);
    const again = await ChainStore.open({ dataDir, identity: anIdentity });
    expect(again.getHead()).toEqual(aBlock({ number: 1 }).hash);
    expect(again.notices).toEqual([]);
    await again.close();
  });

  it("is refused to a second store", async () => {
    const dataDir = await aJournalFolder(await aFolder());
    const store = await ChainStore.open({ dataDir, identity: anIdentity });
    await expect(ChainStore.open({ dataDir, identity: anIdentity })).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
    await store.close();
  });

  it("of another chain is refused, also when only the journal is of another one", async () => {
    const dataDir = await aJournalFolder(await aFolder());
    await (await ChainStore.open({ dataDir, identity: anIdentity })).close();
    const other = { ...anIdentity, genesisHash: hashOf(9) };
    await expect(ChainStore.open({ dataDir, identity: other })).rejects.toMatchObject({ code: "DATA_DIR_MISMATCH" });
  });

  it("that is damaged says where, and what to do", async () => {
    const dataDir = await aJournalFolder(await aFolder());
    const store = await ChainStore.open({ dataDir, identity: anIdentity });
    await writeChain(store, [aBlock({ number: 1 })]);
    await store.close();
    const files = await journalFolder(join(dataDir, "chain")).open("journal-a");
    files.write(Uint8Array.of(0xee, 0xee), 60);
    files.close();
    await expect(ChainStore.open({ dataDir, identity: anIdentity })).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      message: expect.stringMatching(/journal-a, at byte \d+, is damaged.*Restore the data folder from a copy/),
    });
  });

  it("is not opened if it has a LevelDB, too", async () => {
    const folder = await aFolder();
    await mkdir(join(folder, "chain"));
    for (const name of ["journal-a", "CURRENT"]) await writeFile(join(folder, "chain", name), "");
    await expect(folderDatabase(join(folder, "chain"))).rejects.toMatchObject({ code: "STORE_CORRUPT" });
  });

  it("refuses all writes after one that failed, and reads", async () => {
    const dataDir = await aJournalFolder(await aFolder());
    const store = await ChainStore.open({ dataDir, identity: anIdentity });
    await writeChain(store, [aBlock({ number: 1 })]);
    const file = await journalFolder(join(dataDir, "chain")).open("journal-a");
    const size = file.size();
    file.write(Uint8Array.of(1), size);
    await expect(writeChain(store, [aBlock({ number: 2 })])).rejects.toMatchObject({
      code: "STORE_IO_FAILED",
      message: expect.stringContaining("changed by another program"),
    });
    file.truncate(size);
    file.close();
    await expect(writeChain(store, [aBlock({ number: 2 })])).rejects.toMatchObject({ code: "STORE_IO_FAILED" });
    expect(store.getHead()).toEqual(aBlock({ number: 1 }).hash);
    await store.close();
    const again = await ChainStore.open({ dataDir, identity: anIdentity });
    expect(again.getHead()).toEqual(aBlock({ number: 1 }).hash);
    await again.close();
  });
});
