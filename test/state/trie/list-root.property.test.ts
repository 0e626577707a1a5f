import { createMPT } from "@ethereumjs/mpt";
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { expect, it } from "vitest";
import { listRoot } from "../../../src/state/trie/list-root.ts";
import { runs } from "../../support/seed.ts";

it("gives the root that @ethereumjs/mpt gives for the same list", async () => {
  const items = fc.array(fc.uint8Array({ minLength: 1, maxLength: 80 }), { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(items, async (list) => {
      const trie = await createMPT();
      for (const [index, item] of list.entries()) await trie.put(RLP.encode(index), item);
      expect(listRoot(list)).toEqual(trie.root());
    }),
    { numRuns: runs(40) },
  );
});
