/** Writes of a chain in memory as they are recorded, for their deletion. */
import { expect, it } from "vitest";
import { WriteLedger } from "../../../src/chain/blocks/write-ledger.ts";
import type { Bytes } from "../../../src/primitives/bytes/bytes.ts";
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
  const parts = [...ledger.take(() => false).parts].map(({ hashed }) => hashed);
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.flatMap((part) => part.trieNodes)).toEqual(hashesOf(trieNodes));
  expect(parts.flatMap((part) => part.preimages)).toEqual(hashesOf(preimages));
  expect(parts.flatMap((part) => part.codes)).toEqual(hashesOf(codes));
  expect(parts.flatMap((part) => part.derivedStates)).toEqual([]);
});
