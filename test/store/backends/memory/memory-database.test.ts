import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { bigIntToFixedBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import type { BatchOperation } from "../../../../src/store/backends/level-database.ts";
import { MemoryDatabase } from "../../../../src/store/backends/memory/memory-database.ts";
import { ChainStore } from "../../../../src/store/chain-store.ts";
import { canonicalKey } from "../../../../src/store/codecs/keys.ts";
import { logEntryKeys } from "../../../../src/store/log-entries.ts";
import { stepClock } from "../../../support/stepping-clock.ts";
import { aLog, anIdentity, hashOf } from "../../a-block.ts";

it("a long batch that deletes what stands under a hash is seen whole or not at all", async () => {
  const store = await ChainStore.open({ identity: anIdentity });
  const [old, head] = [hashOf(1), hashOf(2)];
  const first = store.batch();
  first.putTrieNodes([{ hash: old, bytes: Uint8Array.of(0xc0) }]);
  await first.write();
  const batch = store.batch();
  batch.deleteHashed("trieNodes", [old]);
  // Long enough for several turns of the event loop, if they were given.
  const bytes = Uint8Array.of(0xc0);
  batch.putTrieNodes(
    Array.from({ length: 60_000 }, (_, index) => ({ hash: keccak256(bigIntToFixedBytes(BigInt(index), 4)), bytes })),
  );
  batch.setHead(head);
  const seen: [boolean, boolean][] = [];
  let isDone = false;
  const written = batch.write().then(() => {
    isDone = true;
  });
  while (!isDone) {
    seen.push([store.getTrieNode(old) !== undefined, store.getHead() === undefined]);
    await nextTurn();
  }
  await written;
  seen.push([store.getTrieNode(old) !== undefined, store.getHead() === undefined]);
  for (const [hasOld, hasNoHead] of seen) expect(hasOld).toBe(hasNoHead);
  expect(seen.at(-1)).toEqual([false, false]);
  await store.close();
});

it("of a long batch nothing is seen that others lead to, before all of it is", async () => {
  const store = await ChainStore.open({ identity: anIdentity });
  const batch = store.batch();
  batch.putSetting("first", Uint8Array.of(1));
  const bytes = Uint8Array.of(0xc0);
  const nodes = Array.from({ length: 60_000 }, (_, index) => ({ hash: hashOf(index), bytes }));
  batch.putTrieNodes(nodes);
  batch.setHead(hashOf(0));
  const seen: boolean[][] = [];
  let isDone = false;
  const written = batch.write().then(() => {
    isDone = true;
  });
  const look = (): void => {
    const isNode = store.getTrieNode(hashOf(nodes.length - 1)) !== undefined;
    seen.push([store.getSetting("first") !== undefined, store.getHead() !== undefined, isNode]);
  };
  while (!isDone) {
    look();
    await nextTurn();
  }
  await written;
  look();
  // A setting is seen with the head, and neither without the nodes.
  for (const [hasSetting, hasHead, hasNode] of seen) {
    expect(hasSetting).toBe(hasHead);
    if (hasHead) expect(hasNode).toBe(true);
  }
  expect(seen.at(-1)).toEqual([true, true, true]);
  expect(seen.length).toBeGreaterThan(2);
  await store.close();
});

it("entries of logs come before the block that has them, unless it takes the place of another", async () => {
  const database = new MemoryDatabase();
  await database.open();
  const keys = [...logEntryKeys(7n, [{ logs: Array.from({ length: 6_000 }, () => aLog(1, [])) }])];
  const entries: BatchOperation[] = keys.map((key) => ({ type: "put", key, value: new Uint8Array(0) }));
  const canonical = canonicalKey(7n);
  const block: BatchOperation = { type: "put", key: canonical, value: hashOf(7) };
  const has = (key: Uint8Array | undefined): boolean => database.getSync(key as Uint8Array) !== undefined;
  stepClock(6);
  const written = database.batch([block, ...entries]);
  expect([has(keys[0]), has(keys.at(-1)), has(canonical)]).toEqual([true, false, false]);
  await written;
  expect([has(keys[0]), has(keys.at(-1)), has(canonical)]).toEqual([true, true, true]);
  const removals: BatchOperation[] = keys.map((key) => ({ type: "del", key }));
  await database.batch([{ type: "del", key: canonical }, ...removals]);
  const replaced = database.batch([{ type: "del", key: canonical }, block, ...entries]);
  expect([has(keys[0]), has(canonical)]).toEqual([false, false]);
  await replaced;
  expect([has(keys[0]), has(canonical)]).toEqual([true, true]);
});
