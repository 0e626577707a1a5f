import { expect, it } from "vitest";
import { BlockArchive } from "../../../src/chain/blocks/block-archive.ts";
import type { WriteLedger } from "../../../src/chain/blocks/write-ledger.ts";
import { buildGenesis } from "../../../src/chain/read/genesis-block.ts";
import { ChainSpec } from "../../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../../src/chainspec/genesis/genesis.ts";
import { StateDatabase } from "../../../src/state/state-database.ts";
import { ownStateId } from "../../../src/state/state-id.ts";
import { ChainStore } from "../../../src/store/chain-store.ts";
import { anIdentity, hashOf } from "../../store/a-block.ts";

const rules = { spec: new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} })) };
const aStore = () => ChainStore.open({ identity: anIdentity });

it("a block keeps its hash when the caller changes the array by which it was asked for", async () => {
  const store = await aStore();
  const { block, commit } = await buildGenesis(rules.spec, new StateDatabase(store).empty());
  await new BlockArchive(store, rules).writeGenesis(block, commit);
  const archive = new BlockArchive(store, rules);
  const asked = block.hash.slice();
  const found = archive.getBlock(asked);
  asked.fill(0);
  expect(found?.hash).toEqual(block.hash);
});

it("values that a chain in memory had before are not deleted with the writes that added them again", async () => {
  const archive = new BlockArchive(await aStore(), rules);
  const entry = (number: number) => ({ hash: hashOf(number), bytes: Uint8Array.of(0xc1, number) });
  const commitOf = (first: number) => ({
    stateRoot: ownStateId(hashOf(9)),
    trieNodes: [entry(first)],
    codes: [entry(first + 1)],
    preimages: [entry(first + 2)],
    derivedStates: [entry(first + 3)],
  });
  const [old, fresh] = [commitOf(10), commitOf(20)];
  await archive.writeState(old);
  const ledger = archive.ledger() as WriteLedger;
  for (const commit of [old, fresh]) await (await ledger.draft([{ startStateId: ownStateId(hashOf(8)), commit }]))();
  ledger.markSince(0, []);
  expect([...ledger.take(ledger.retire(), new Set()).parts].map(({ hashed }) => hashed)).toEqual([
    {
      trieNodes: [hashOf(20)],
      codes: [hashOf(21)],
      preimages: [hashOf(22)],
      derivedStates: [hashOf(23)],
    },
  ]);
});
