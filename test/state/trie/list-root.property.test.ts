import { createMPT } from "@ethereumjs/mpt";
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY_TRIE_ROOT } from "../../../src/primitives/hash/hash.ts";
import { listRoot } from "../../../src/state/trie/list-root.ts";
import { toNibbles } from "../../../src/state/trie/nibbles.ts";
import { Trie } from "../../../src/state/trie/trie.ts";
import { TrieNodes } from "../../../src/state/trie/trie-nodes.ts";
import { isSlow, runs, someOfEach } from "../../support/seed.ts";
import { MemorySource } from "../memory-source.ts";

describe("the root of a list", () => {
  it("is that of @ethereumjs/mpt for the same list", async () => {
    const items = fc.array(fc.uint8Array({ minLength: 1, maxLength: 80 }), { maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(items, async (list) => {
        const trie = await createMPT();
        for (const [index, item] of list.entries()) await trie.put(RLP.encode(index), item);
        expect(listRoot(list)).toEqual(trie.root());
      }),
      { numRuns: runs(8) },
    );
  });

  // With 128, 256 and 272 items keys get longer, and branches and extensions appear: each length on the way is looked at.
  // Nodes of short items stand in their parents.
  it.each(someOfEach([1, 3, 40], (bytes) => bytes < 32))(
    "is that of @ethereumjs/mpt at every length up to 300 (items of %d bytes)",
    async (bytes) => {
      const trie = await createMPT();
      const list: Uint8Array[] = [];
      for (let index = 0; index < 300; index++) {
        list.push(new Uint8Array(bytes).fill((index % 250) + 1));
        await trie.put(RLP.encode(index), list[index] as Uint8Array);
        expect(listRoot(list), `${list.length} items`).toEqual(trie.root());
      }
    },
  );

  // An item that fits where it is hashed, or just does not.
  it.each([63_855, 63_856, 63_857, 70_000])("is that of @ethereumjs/mpt with an item of %d bytes", async (bytes) => {
    for (const place of [0, 1]) {
      const trie = await createMPT();
      const list = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
      list[place] = new Uint8Array(bytes).fill(7);
      for (const items of [list, list.slice(0, place + 1)]) {
        for (const [index, item] of items.entries()) await trie.put(RLP.encode(index), item);
        if (items !== list)
          for (let index = items.length; index < list.length; index++) await trie.del(RLP.encode(index));
        expect(listRoot(items), `${items.length} items, place ${place}`).toEqual(trie.root());
      }
    }
  });

  if (isSlow) {
    it("is that of the trie of states where indexes begin to take three bytes", () => {
      const trie = new Trie(new TrieNodes([new MemorySource()], 1_000_000), EMPTY_TRIE_ROOT);
      const list: Uint8Array[] = [];
      for (let index = 0; index < 65_554; index++) {
        list.push(Uint8Array.of((index & 0x7f) + 1));
        trie.put(toNibbles(RLP.encode(index)), list[index] as Uint8Array);
        if ([4_096, 65_535, 65_536, 65_537, 65_538, 65_553].includes(index)) {
          expect(listRoot(list), `${list.length} items`).toEqual(trie.root());
        }
      }
    });
  }
});
