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
