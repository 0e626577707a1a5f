import { describe, expect, it } from "vitest";
import { ChainStore } from "../../src/store/chain-store.ts";
import { aFolder } from "../support/a-folder.ts";
import { aBlock, aLog, anAddress, anIdentity, hashOf } from "./a-block.ts";
import { aJournalFolder } from "./a-journal.ts";
import { describeChainStore, positionsOf, writeChain } from "./store-suite.ts";

describeChainStore("in memory", () => ChainStore.open({ identity: anIdentity }));
describeChainStore("on disk", async () => ChainStore.open({ identity: anIdentity, dataDir: await aFolder() }));
describeChainStore("in a journal", async () =>
  ChainStore.open({ identity: anIdentity, dataDir: await aJournalFolder(await aFolder()) }),
);

describe("a store in memory", () => {
  it("shares nothing with another one", async () => {
    const [one, other] = await Promise.all([1, 2].map(() => ChainStore.open({ identity: anIdentity })));
    await writeChain(one as ChainStore, [aBlock({ number: 1 })]);
    expect((other as ChainStore).getHead()).toBeUndefined();
  });
});

describe("a store on disk", () => {
  it("holds after a reopen what it held before", async () => {
    const dataDir = await aFolder();
    const block = aBlock({ number: 1, logs: [[aLog(1, [1])]] });
    const first = await ChainStore.open({ identity: anIdentity, dataDir });
    await writeChain(first, [block]);
    const edit = first.batch();
    edit.setEditedStateRoot(hashOf(5));
    edit.setTimeOffset(86_400n);
    await edit.write();
    await first.close();

    const second = await ChainStore.open({ identity: anIdentity, dataDir });
    expect(second.getHead()).toEqual(block.hash);
    expect(second.getReceipts(block.hash)).toMatchObject(block.receipts);
    expect(second.getEditedStateRoot()).toEqual(hashOf(5));
    expect(second.getTimeOffset()).toBe(86_400n);
    expect(await positionsOf(second, { addresses: [anAddress(1)] })).toHaveLength(1);
    await second.close();
  });

  it("lets its folder go when it is closed, by await using too", async () => {
    const dataDir = await aFolder();
    const open = async (): Promise<void> => {
      await using store = await ChainStore.open({ identity: anIdentity, dataDir });
      expect(store.getHead()).toBeUndefined();
    };
    await open();
    await open();
  });
});
