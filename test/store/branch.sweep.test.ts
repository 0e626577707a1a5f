import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChainStore } from "../../src/store/chain-store.ts";
import { aFolder } from "../support/a-folder.ts";
import { aBlock, aLog, anAddress, anIdentity, hashOf } from "./a-block.ts";
import { describeChainStore, positionsOf, writeChain } from "./store-suite.ts";

/** Closes the base with the branch: the suite knows of one store only. */
async function aBranch(base: ChainStore): Promise<ChainStore> {
  const branch = await base.branch();
  const close = branch.close.bind(branch);
  branch.close = async () => {
    await close();
    await base.close();
  };
  return branch;
}

const inMemory = (): Promise<ChainStore> => ChainStore.open({ identity: anIdentity });

describeChainStore("as a branch of one in memory", async () => aBranch(await inMemory()));
describeChainStore("as a branch of one on disk", async () =>
  aBranch(await ChainStore.open({ identity: anIdentity, dataDir: await aFolder() })),
);
describeChainStore("as a branch of a branch", async () => aBranch(await aBranch(await inMemory())));

describe("a branch", () => {
  it.each([
    ["in memory", inMemory],
    ["on disk", async () => ChainStore.open({ identity: anIdentity, dataDir: await aFolder() })],
  ])("begins with what its base holds and sees nothing that is written to it later, %s", async (_where, open) => {
    await using base = await open();
    const shared = [1, 2].map((number) => aBlock({ number, logs: [[aLog(1, [number])]] }));
    await writeChain(base, shared);
    await using branch = await base.branch();
    const later = aBlock({ number: 3, logs: [[aLog(1, [3])]] });
    await writeChain(base, [later]);
    expect(branch.getHead()).toEqual(shared[1]?.hash);
    expect(branch.getHeader(shared[0]?.hash ?? hashOf(0))).toEqual(shared[0]?.header);
    expect(branch.getHeader(later.hash)).toBeUndefined();
    expect(branch.getCanonicalHash(3n)).toBeUndefined();
    expect(branch.findTransaction(later.txHashes[0] ?? hashOf(0))).toBeUndefined();
    expect(await branch.blocksAt(3n)).toEqual([]);
    expect(await positionsOf(branch, { addresses: [anAddress(1)] })).toHaveLength(2);
  });

  it("keeps what it deletes and writes to itself", async () => {
    await using base = await inMemory();
    const [first, second] = [1, 2].map((number) => aBlock({ number, logs: [[aLog(1, [number])]] }));
    if (first === undefined || second === undefined) throw new Error("no blocks");
    await writeChain(base, [first, second]);
    await using branch = await base.branch();
    const batch = branch.batch();
    batch.unsetCanonical(second);
    batch.setHead(first.hash);
    batch.putSetting("here", hashOf(1));
    await batch.write();
    expect(branch.getCanonicalHash(2n)).toBeUndefined();
    expect(await positionsOf(branch)).toHaveLength(1);
    expect(base.getCanonicalHash(2n)).toEqual(second.hash);
    expect(base.getSetting("here")).toBeUndefined();
    expect(await positionsOf(base)).toHaveLength(2);
    await writeChain(branch, [second]);
    expect(await positionsOf(branch)).toHaveLength(2);
  });

  it("shares the data of its base until it is closed", async () => {
    await using base = await inMemory();
    expect(base.isShared).toBe(false);
    const branches = [await base.branch(), await base.branch()];
    expect(base.isShared).toBe(true);
    await branches[0]?.close();
    expect(base.isShared).toBe(true);
    await branches[1]?.close();
    expect(base.isShared).toBe(false);
  });

  it("finds the logs of its own history, however much of its base's it has left", async () => {
    const logs = fc.array(
      fc.array(
        fc.integer({ min: 0, max: 2 }).map((term) => aLog(term, [term])),
        { maxLength: 5 },
      ),
      {
        minLength: 1,
        maxLength: 2,
      },
    );
    const history = fc.array(logs, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(history, history, fc.nat(12), async (own, others, kept) => {
        await using base = await inMemory();
        const chain = others.map((entry, index) => aBlock({ number: index + 1, logs: entry }));
        await writeChain(base, chain);
        const before = await positionsOf(base);
        await using branch = await base.branch();
        const batch = branch.batch();
        for (const block of chain.slice(kept)) batch.unsetCanonical(block);
        await batch.write();
        const added = own.map((entry, index) =>
          aBlock({ number: Math.min(kept, chain.length) + index + 1, logs: entry }),
        );
        await writeChain(branch, added);
        await using reference = await inMemory();
        await writeChain(reference, [...chain.slice(0, kept), ...added]);
        for (const addresses of [[], [anAddress(0)], [anAddress(1), anAddress(2)]]) {
          expect(await positionsOf(branch, { addresses })).toEqual(await positionsOf(reference, { addresses }));
        }
        expect(await positionsOf(base)).toEqual(before);
      }),
      { numRuns: 20 },
    );
  });
});
