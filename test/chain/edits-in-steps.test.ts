/** Large states are written and hashed in steps. */
import { expect, it, onTestFinished } from "vitest";
import { writeAlloc } from "../../src/chain/read/genesis-block.ts";
import { StepwiseCommit } from "../../src/chain/write/stepwise-commit.ts";
import type { GenesisAccount } from "../../src/chainspec/genesis/genesis.ts";
import { openBackend } from "../../src/node/backend.ts";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { StateDatabase } from "../../src/state/state-database.ts";
import { EMPTY_ACCOUNT, type WorkingStateView } from "../../src/state/view.ts";
import { MemorySource } from "../state/memory-source.ts";

function numbered(length: number, number: number): Bytes {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(length - 4, number);
  return bytes;
}

const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

const CODE = Uint8Array.of(0x60, 0, 0x60, 0, 0xf3);

const account = (number: number, slots: number): GenesisAccount => ({
  address: numbered(20, number + 1),
  nonce: 1n,
  balance: 1n,
  code: EMPTY_BYTES,
  storage: many(slots, (slot) => ({ slot: numbered(32, slot), value: Uint8Array.of(1) })),
});

it.each([
  ["accounts", many(3_000, (number) => account(number, 0))],
  ["slots of an account", [account(0, 3_000)]],
  ["accounts with slots and codes", many(300, (number) => ({ ...account(number, number % 40), code: CODE }))],
])("stores few trie nodes of %s that a later step replaces", async (_what, alloc) => {
  const database = new StateDatabase(new MemorySource());
  const atOnce = database.empty();
  await writeAlloc(alloc, atOnce);
  const once = atOnce.commitState();
  const inSteps = database.empty();
  const commits = new StepwiseCommit(database, inSteps);
  await writeAlloc(alloc, inSteps, commits);
  const stepped = await commits.finish();
  expect(stepped.stateRoot).toEqual(once.stateRoot);
  expect(stepped.trieNodes.length).toBeLessThan(1.1 * once.trieNodes.length);
});

it("an edit that fails after its first steps leaves the state as it was, and nothing of theirs in the store", async () => {
  const { chain, store, writer, close } = await openBackend({});
  onTestFinished(close);
  const { headStateId } = chain;
  const roots: Bytes[] = [];
  const edit = writer.editState(async (begun, steps) => {
    let state: WorkingStateView = begun;
    for (const balance of [1n, 2n]) {
      state.putAccount(numbered(20, 7), { ...EMPTY_ACCOUNT, balance });
      roots.push(state.computeStateRoot());
      state = await steps.step();
    }
    expect(roots.map((root) => store.getTrieNode(root) !== undefined)).toEqual([true, true]);
    throw new RangeError("no more");
  });
  await expect(edit).rejects.toThrow("no more");
  expect(roots.map((root) => store.getTrieNode(root))).toEqual([undefined, undefined]);
  expect(chain.headStateId).toEqual(headStateId);
});
