/** Walks over stored tries against plain maps. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { type Bytes, bytesKey, compareBytes, equalBytes } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../../src/primitives/hash/hash.ts";
import { ownStateId } from "../../../src/state/state-id.ts";
import { fromNibbles, toNibbles } from "../../../src/state/trie/nibbles.ts";
import { Trie } from "../../../src/state/trie/trie.ts";
import { TrieNodes } from "../../../src/state/trie/trie-nodes.ts";
import { changedLeaves, leavesFrom, type TrieLeaf } from "../../../src/state/trie/trie-walk.ts";
import type { HashedBytes } from "../../../src/state/view.ts";
import { MemorySource } from "../memory-source.ts";

/** Few different bytes, so that keys share beginnings of every length. */
const key = fc.uint8Array({ minLength: 3, maxLength: 3, max: 3 });
const value = fc.uint8Array({ minLength: 1, maxLength: 40 });
const entries = fc.uniqueArray(fc.tuple(key, value), { maxLength: 40, selector: ([bytes]) => bytesKey(bytes) });

type Entry = readonly [Bytes, Bytes];

class Tries {
  readonly #source = new MemorySource();
  readonly nodes = new TrieNodes([this.#source], 1_000_000);

  rootOf(list: readonly Entry[]): Bytes {
    const trie = new Trie(this.nodes, EMPTY_TRIE_ROOT);
    for (const [name, content] of list) trie.put(toNibbles(name), content);
    const root = trie.root();
    const trieNodes: HashedBytes[] = [];
    trie.commit(trieNodes);
    this.#source.write({ stateRoot: ownStateId(root), trieNodes, codes: [] });
    return root;
  }
}

const plain = (leaves: Iterable<TrieLeaf>): Entry[] =>
  Array.from(leaves, (leaf) => [fromNibbles(leaf.key), leaf.value]);
const sorted = (list: readonly Entry[]): Entry[] => [...list].sort(([left], [right]) => compareBytes(left, right));

it("leaves come in the order of their keys, from any key on", () => {
  fc.assert(
    fc.property(entries, key, (list, start) => {
      const tries = new Tries();
      const expected = sorted(list).filter(([name]) => compareBytes(name, start) >= 0);
      expect(plain(leavesFrom(tries.nodes, tries.rootOf(list), toNibbles(start)))).toEqual(expected);
    }),
  );
});

it("changed leaves are those that the other trie has not, or has with another value", () => {
  fc.assert(
    fc.property(entries, entries, fc.integer({ min: 0, max: 40 }), (list, more, kept) => {
      const tries = new Tries();
      const after = sorted([...list.slice(0, kept), ...more].filter(isLastOfItsKey));
      const changed = after.filter(
        ([name, content]) => !list.some((other) => equalBytes(other[0], name) && equalBytes(other[1], content)),
      );
      expect(plain(changedLeaves(tries.nodes, tries.rootOf(list), tries.rootOf(after)))).toEqual(changed);
    }),
  );
});

function isLastOfItsKey([name]: Entry, index: number, list: readonly Entry[]): boolean {
  return list.findLastIndex(([other]) => equalBytes(other, name)) === index;
}
