import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DiskDatabase } from "../../../src/store/backends/disk-database.ts";
import { ChainStore } from "../../../src/store/chain-store.ts";
import { aFolder } from "../../support/a-folder.ts";
import { aBlock, anIdentity } from "../a-block.ts";
import { writeChain } from "../store-suite.ts";

afterEach(() => void vi.restoreAllMocks());

describe("what is written to the disk", () => {
  it("is handed to the system with each batch, and written through when the store is closed", async () => {
    const store = await ChainStore.open({ dataDir: await aFolder(), identity: anIdentity });
    const batch = vi.spyOn(DiskDatabase.prototype, "batch");
    await writeChain(store, [aBlock({ number: 1 })]);
    await writeChain(store, [aBlock({ number: 2 })]);
    expect(batch.mock.calls.map(([, options]) => options)).toEqual([{ sync: false }, { sync: false }]);
    await store.close();
    expect(batch.mock.calls.map(([, options]) => options)).toEqual([{ sync: false }, { sync: false }, { sync: true }]);
    expect(batch.mock.calls.at(-1)?.[0]).toHaveLength(1);
  });

  it("is nothing when a store is closed into which nothing was written", async () => {
    const dataDir = await aFolder();
    await (await ChainStore.open({ dataDir, identity: anIdentity })).close();
    const store = await ChainStore.open({ dataDir, identity: anIdentity });
    const batch = vi.spyOn(DiskDatabase.prototype, "batch");
    await store.close();
    expect(batch).not.toHaveBeenCalled();
  });

  it("is nothing any more after a write has failed", async () => {
    const store = await ChainStore.open({ dataDir: await aFolder(), identity: anIdentity });
    await writeChain(store, [aBlock({ number: 1 })]);
    const batch = vi.spyOn(DiskDatabase.prototype, "batch");
    batch.mockRejectedValueOnce(new Error("the disk is full"));
    await expect(writeChain(store, [aBlock({ number: 2 })])).rejects.toMatchObject({ code: "STORE_IO_FAILED" });
    await store.close();
    expect(batch).toHaveBeenCalledTimes(1);
  });
});

/** What opening a folder with one block tells after its log was changed, and what it tells the next time. */
async function noticesAfter(change: (log: Uint8Array) => Uint8Array): Promise<(readonly string[])[]> {
  const options = { dataDir: await aFolder(), identity: anIdentity };
  const store = await ChainStore.open(options);
  await writeChain(store, [aBlock({ number: 1 })]);
  await store.close();
  const chain = join(options.dataDir, "chain");
  const log = join(chain, readdirSync(chain).find((name) => name.endsWith(".log")) ?? "");
  writeFileSync(log, change(readFileSync(log)));
  const notices: (readonly string[])[] = [];
  for (let opened = 0; opened < 2; opened++) {
    const reopened = await ChainStore.open(options);
    notices.push(reopened.notices);
    await reopened.close();
  }
  return notices;
}

it("tells once that LevelDB left out writes of which a bit is another one", async () => {
  const notices = await noticesAfter((log) => log.with(-1, (log.at(-1) as number) ^ 1));
  expect(notices).toEqual([[expect.stringMatching(/last writes in .*chain are damaged: \d+ bytes .* left out/)], []]);
});

it("tells nothing of a last write that was not written completely, since it was not acknowledged", async () => {
  expect(await noticesAfter((log) => log.subarray(0, -5))).toEqual([[], []]);
});
