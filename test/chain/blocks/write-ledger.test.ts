/** Writes of a chain in memory as they are recorded, for their deletion. */
import { expect, it } from "vitest";
import { WriteLedger } from "../../../src/chain/blocks/write-ledger.ts";
import { type Bytes, bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import type { OwnStateId } from "../../../src/state/state-id.ts";
import type { HashedBytes } from "../../../src/state/view.ts";
import { stepClock } from "../../support/stepping-clock.ts";

function hashOf(table: number, index: number): Bytes {
  const hash = new Uint8Array(32).fill(table);
  new DataView(hash.buffer).setUint32(0, index);
  return hash;
}

const records = (table: number, count: number): HashedBytes[] =>
  Array.from({ length: count }, (_, index) => ({ hash: hashOf(table, index), bytes: Uint8Array.of(1) }));
const hashesOf = (list: readonly HashedBytes[]): Bytes[] => list.map(({ hash }) => hash);

it("records a write of thousands of nodes while other work goes on, and returns each of them to be deleted", async () => {
  const ledger = new WriteLedger(() => false);
  const [trieNodes, preimages, codes] = [records(1, 10_001), records(2, 4_001), records(3, 1)];
  const startStateId = hashOf(9, 0) as OwnStateId;
  const commit = { stateRoot: hashOf(9, 1) as OwnStateId, trieNodes, preimages, codes };
  const note = await ledger.draft([{ startStateId, commit }]);
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  stepClock(5);
  setImmediate(others);
  await note();
  isOver = true;
  expect(turns).toBeGreaterThan(5);
  ledger.markSince(0, []);
  const parts = [...ledger.take(ledger.retire(), new Set()).parts].map(({ hashed }) => hashed);
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.flatMap((part) => part.trieNodes)).toEqual(hashesOf(trieNodes));
  expect(parts.flatMap((part) => part.preimages)).toEqual(hashesOf(preimages));
  expect(parts.flatMap((part) => part.codes)).toEqual(hashesOf(codes));
  expect(parts.flatMap((part) => part.derivedStates)).toEqual([]);
});

it("returns blocks in parts, each block once, and says of each until then that it leaves", async () => {
  const ledger = new WriteLedger(() => false);
  const stateId = hashOf(9, 0) as OwnStateId;
  const blocks = Array.from({ length: 1_001 }, (_, index) => ({
    hash: hashOf(8, index + 1),
    header: { number: BigInt(index + 1), parentHash: hashOf(8, index) },
  }));
  const commit = { stateRoot: stateId, trieNodes: [], codes: [] };
  await (await ledger.draft(blocks.map((block) => ({ block, startStateId: stateId, commit }))))();
  ledger.markSince(1, []);
  const [stays, ...leaving] = blocks.map(({ hash }) => hash);
  const needed = leaving.pop() as Bytes;
  const { parts, isLeaving } = ledger.take(ledger.retire(), new Set([bytesKey(needed)]));
  const taken: Bytes[] = [];
  let count = 0;
  for (const part of parts) {
    count++;
    taken.push(...part.blocks.map(({ hash }) => hash));
    expect(leaving.filter(isLeaving)).toEqual(leaving.slice(taken.length));
    expect([stays as Bytes, needed].some(isLeaving)).toBe(false);
  }
  expect(count).toBeGreaterThan(3);
  expect(taken).toEqual(leaving);
  expect([...ledger.take(ledger.retire(), new Set()).parts].flatMap((part) => part.blocks)).toEqual([
    { hash: needed, number: 1_001n },
  ]);
});
