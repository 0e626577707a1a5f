/** Many small changes with a root after each have the roots of a state in which each is made on its own. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { bigIntToFixedBytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../../src/primitives/hash/hash.ts";
import { StateDatabase } from "../../../src/state/state-database.ts";
import { ownStateId } from "../../../src/state/state-id.ts";
import type { StateCommit, StateWrite } from "../../../src/state/view.ts";
import { runs } from "../../support/seed.ts";
import { MemorySource } from "../memory-source.ts";

const CONTRACTS = [new Uint8Array(20).fill(7), new Uint8Array(20).fill(8)] as const;
const RICH = new Uint8Array(20).fill(9);

/** Few slots and values: many writes change nothing, or make a slot empty. */
const slotWrite: fc.Arbitrary<StateWrite> = fc
  .record({ contract: fc.constantFrom(...CONTRACTS), slot: fc.nat(30), value: fc.nat(3) })
  .map(({ contract, slot, value }) => ({
    address: contract,
    slot: bigIntToFixedBytes(BigInt(slot), 32),
    value: value === 0 ? EMPTY_BYTES : new Uint8Array(value * 10).fill(value),
  }));
const balanceWrite: fc.Arbitrary<StateWrite> = fc
  .record({ address: fc.constantFrom(RICH, ...CONTRACTS), balance: fc.constantFrom(1n, 2n, 1n << 70n) })
  .map((write) => write);
const write = fc.oneof({ weight: 4, arbitrary: slotWrite }, { weight: 1, arbitrary: balanceWrite });
const rounds = fc.array(fc.record({ writes: fc.array(write, { maxLength: 4 }), isWhole: fc.boolean() }), {
  maxLength: 40,
});

it("has the roots of single states, whatever is committed in between, and gives all of their nodes", () => {
  fc.assert(
    fc.property(rounds, (list) => {
      const source = new MemorySource();
      const states = new StateDatabase(source);
      const genesis = states.empty();
      for (const address of CONTRACTS) {
        genesis.putAccount(address, {
          nonce: 1n,
          balance: 0n,
          storageRoot: EMPTY_TRIE_ROOT,
          codeHash: EMPTY_CODE_HASH,
        });
      }
      let expected = settled(genesis.commitState(), source, states);
      const run = states.openRun(ownStateId(expected));
      for (const { writes, isWhole } of list) {
        expected = settled(single(states, expected, writes), source, states);
        const storedBefore = source.trieNodes.size;
        const commit = isWhole ? committed(run, writes) : run.commitDerived(writes);
        expect(commit.stateRoot).toEqual(expected);
        settled(commit, source, states);
        // Its result equals that of single states, byte for byte.
        expect(source.trieNodes.size).toBe(storedBefore);
      }
    }),
    { numRuns: runs(60) },
  );
});

function committed(run: ReturnType<StateDatabase["openRun"]>, writes: readonly StateWrite[]): StateCommit {
  run.apply(writes);
  return run.commitState();
}

function settled(commit: StateCommit, source: MemorySource, states: StateDatabase): Uint8Array {
  source.write(commit);
  states.settle(commit);
  return commit.stateRoot;
}

/** The writes on a state of their own. */
function single(states: StateDatabase, stateRoot: Uint8Array, writes: readonly StateWrite[]): StateCommit {
  const run = states.openRun(ownStateId(stateRoot));
  run.apply(writes);
  return run.commitState();
}
