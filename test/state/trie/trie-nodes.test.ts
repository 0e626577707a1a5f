import { RLP } from "@ethereumjs/rlp";
import { expect, it } from "vitest";
import { type Bytes, bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import { makeReference } from "../../../src/state/trie/node.ts";
import { TrieNodes } from "../../../src/state/trie/trie-nodes.ts";

const leaf = (value: number): Bytes => RLP.encode([Uint8Array.of(0x20), Uint8Array.of(value)]);

/** A store that holds nodes under made-up hashes. */
function storeOf(entries: readonly (readonly [Bytes, Bytes])[]) {
  const nodes = new Map(entries.map(([hash, bytes]) => [bytesKey(hash), bytes]));
  let reads = 0;
  return {
    getTrieNode(hash: Bytes): Bytes | undefined {
      reads++;
      return nodes.get(bytesKey(hash));
    },
    reads: () => reads,
  };
}

it("tells apart hashes that begin alike", () => {
  const one = new Uint8Array(32).fill(7);
  const two = one.slice();
  two[31] = 8;
  const entries = [
    [one, leaf(1)],
    [two, leaf(2)],
  ] as const;
  const nodes = new TrieNodes([storeOf(entries)], 100_000);
  for (let round = 0; round < 2; round++) {
    expect(nodes.require(makeReference(one), one)).toMatchObject({ value: Uint8Array.of(1) });
    expect(nodes.require(makeReference(two), one)).toMatchObject({ value: Uint8Array.of(2) });
    // A hash inside its parent's bytes, as branches point to it.
    const parent = new Uint8Array(50);
    parent.set(two, 11);
    expect(nodes.require(makeReference(parent, 11), one)).toMatchObject({ value: Uint8Array.of(2) });
  }
});

it("asks the store once for a node it has room for", () => {
  const hash = new Uint8Array(32).fill(7);
  const store = storeOf([[hash, leaf(1)]]);
  const nodes = new TrieNodes([store], 100_000);
  for (let round = 0; round < 5; round++) nodes.require(makeReference(hash), hash);
  expect(store.reads()).toBe(1);
});

it("asks the next source for a node that the ones before do not have", () => {
  const hash = new Uint8Array(32).fill(7);
  const sources = [storeOf([]), storeOf([[hash, leaf(1)]]), storeOf([[hash, leaf(2)]])];
  const nodes = new TrieNodes(sources, 100_000);
  expect(nodes.require(makeReference(hash), hash)).toMatchObject({ value: Uint8Array.of(1) });
  expect(sources.map((source) => source.reads())).toEqual([1, 1, 0]);
});
