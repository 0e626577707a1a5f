import { expect, it } from "vitest";
import { type Bytes, bigIntToFixedBytes, bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../../src/primitives/hash/hash.ts";
import { MissingParts } from "../../../src/state/derived/find-missing.ts";
import { StateDatabase } from "../../../src/state/state-database.ts";
import { ownStateId } from "../../../src/state/state-id.ts";
import { slowIt } from "../../support/slow-suite.ts";
import { MemorySource } from "../memory-source.ts";

const ACCOUNT = { nonce: 0n, balance: 1n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH };

/**
 * A stored state of many accounts, so that its trie has all kinds of nodes, extensions among them; some have code, some
 * storage, and two the same of both.
 */
function aState(): { readonly source: MemorySource; readonly stateRoot: Bytes; readonly codes: readonly Bytes[] } {
  const source = new MemorySource();
  const state = new StateDatabase(source).empty();
  const codes = [Uint8Array.of(1), Uint8Array.of(2)];
  for (let index = 0; index < 150; index++) {
    const address = bigIntToFixedBytes(BigInt(index), 20);
    state.putAccount(address, ACCOUNT);
    if (index % 50 === 0) state.putCode(address, codes[index % 100 === 0 ? 0 : 1] as Bytes);
    if (index % 100 !== 0) continue;
    for (let slot = 0; slot < 20; slot++) {
      state.putStorage(address, bigIntToFixedBytes(BigInt(slot), 32), Uint8Array.of(index === 200 ? 9 : 7));
    }
  }
  const commit = state.commitState();
  source.write(commit);
  return { source, stateRoot: commit.stateRoot, codes };
}

it("nothing is missing of a state that is stored completely, all of whose nodes are looked at once", () => {
  const { source, stateRoot } = aState();
  const parts = new MissingParts(source);
  expect(parts.of(stateRoot)).toEqual([]);
  expect(parts.nodeCount).toBe(source.trieNodes.size);
  expect(parts.of(stateRoot)).toEqual([]);
  expect(parts.nodeCount).toBe(source.trieNodes.size);
});

slowIt("each node that is not there, or has other bytes, is found wherever it is", () => {
  const { source, stateRoot } = aState();
  for (const [key, bytes] of [...source.trieNodes]) {
    const missing = [{ table: "trieNodes", hash: keccak256(bytes) }];
    source.trieNodes.delete(key);
    expect(new MissingParts(source).of(stateRoot)).toEqual(missing);
    source.trieNodes.set(key, Uint8Array.of(0x99));
    expect(new MissingParts(source).of(stateRoot)).toEqual(missing);
    source.trieNodes.set(key, bytes);
  }
});

it("a code that is not there is found once, however many accounts have it, and not again in a later state", () => {
  const { source, stateRoot, codes } = aState();
  const [first, second] = codes.map((code) => keccak256(code)) as [Bytes, Bytes];
  source.codes.delete(bytesKey(first));
  const parts = new MissingParts(source);
  expect(parts.of(stateRoot)).toEqual([{ table: "codes", hash: first }]);
  const state = new StateDatabase(source).working(ownStateId(stateRoot));
  state.putAccount(new Uint8Array(20).fill(0xee), ACCOUNT);
  const commit = state.commitState();
  source.write(commit);
  source.codes.delete(bytesKey(second));
  expect(parts.of(commit.stateRoot)).toEqual([]);
});
