import { describe, expect, it } from "vitest";
import { bigIntToFixedBytes } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../../src/primitives/hash/hash.ts";
import { decodeDerivedState, encodeDerivedState } from "../../../src/state/derived/derived-state.ts";
import { StateDatabase } from "../../../src/state/state-database.ts";
import { type OwnStateId, ownStateId } from "../../../src/state/state-id.ts";
import type { StateCommit, StateWrite } from "../../../src/state/view.ts";
import { MemorySource } from "../memory-source.ts";

const ADDRESS = new Uint8Array(20).fill(7);
const RICH = new Uint8Array(20).fill(9);
const slot = (number: number): Uint8Array => bigIntToFixedBytes(BigInt(number), 32);
const writesOf = (number: number): StateWrite[] => [
  { address: ADDRESS, slot: slot(number % 50), value: Uint8Array.of(1 + (number % 200)) },
  { address: RICH, balance: BigInt(number) },
];

/** A stored state and derived ones after it, each by one write more. */
async function aRun(length: number) {
  const source = new DerivedSource();
  const states = new StateDatabase(source);
  const genesis = states.empty();
  genesis.putAccount(ADDRESS, { nonce: 1n, balance: 0n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH });
  const base = genesis.commitState();
  source.write(base);
  states.settle(base);
  const run = states.openRun(base.stateRoot);
  const commits: StateCommit[] = [];
  for (let number = 0; number < length; number++) commits.push(run.commitDerived(writesOf(number)));
  for (const commit of commits) source.write(commit);
  return { source, states, base, commits };
}

class DerivedSource extends MemorySource {
  readonly derived = new Map<string, Uint8Array>();

  getDerivedState(stateRoot: Uint8Array): Uint8Array | undefined {
    return this.derived.get(stateRoot.join());
  }

  override write(commit: StateCommit): void {
    super.write(commit);
    for (const { hash, bytes } of commit.derivedStates ?? []) this.derived.set(hash.join(), bytes);
  }
}

const rootOf = (commit: StateCommit | undefined): OwnStateId => commit?.stateRoot ?? ownStateId(new Uint8Array(32));

describe("a derived state", () => {
  it("comes back from its bytes", () => {
    const state = { baseRoot: slot(5), writes: [...writesOf(0), ...writesOf(41)] };
    expect(decodeDerivedState(encodeDerivedState(state))).toEqual(state);
  });

  it("is read like any other, from either end of its row", async () => {
    const { states, commits } = await aRun(150);
    for (const number of [149, 0, 63, 64, 65, 148]) {
      const reader = states.reader(rootOf(commits[number]));
      expect(reader.getStorage(ADDRESS, slot(number % 50))).toEqual(Uint8Array.of(1 + (number % 200)));
      expect(reader.getStorage(ADDRESS, slot(49))).toHaveLength(number >= 49 ? 1 : 0);
      expect((await reader.getAccount(RICH))?.balance).toBe(BigInt(number));
    }
  });

  it("is read again after what was made for it was let go of, by old readers and new ones", async () => {
    const { states, commits } = await aRun(100);
    const root = rootOf(commits[70]);
    const reader = states.reader(root);
    expect((await reader.getAccount(RICH))?.balance).toBe(70n);
    expect(states.derivedBytes).toBeGreaterThan(0);
    states.trimDerived(0, [root]);
    expect(reader.getStorage(ADDRESS, slot(3))).toEqual(Uint8Array.of(54));
    states.trimDerived(0, []);
    expect(states.derivedBytes).toBe(0);
    expect(states.reader(root).getStorage(ADDRESS, slot(3))).toEqual(Uint8Array.of(54));
  });

  it("gives the nodes with which it stays readable without what it derives from", async () => {
    const { source, states, commits } = await aRun(30);
    const root = rootOf(commits[20]);
    source.write({ stateRoot: root, trieNodes: states.nodesOfDerived(root), codes: [] });
    source.derived.clear();
    const reader = new StateDatabase(source).reader(root);
    expect(reader.getStorage(ADDRESS, slot(20))).toEqual(Uint8Array.of(21));
    expect((await reader.getAccount(RICH))?.balance).toBe(20n);
    expect(states.nodesOfDerived(rootOf(commits[29]))).toEqual([]);
  });

  it("is refused as damage when its writes lead elsewhere, or cannot be read", async () => {
    const { source, states, base, commits } = await aRun(3);
    const root = rootOf(commits[2]);
    source.derived.set(root.join(), encodeDerivedState({ baseRoot: base.stateRoot, writes: writesOf(8) }));
    expect(() => states.reader(root)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
    source.derived.set(root.join(), Uint8Array.of(0xc1, 0x80));
    expect(() => states.reader(root)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
  });
});
