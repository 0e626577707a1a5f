import { createMPT, verifyMerkleProof } from "@ethereumjs/mpt";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteArena } from "../../../src/primitives/bytes/byte-arena.ts";
import { type Bytes, bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../../src/primitives/hash/hash.ts";
import { EMPTY_STATE } from "../../../src/state/state-id.ts";
import { toNibbles } from "../../../src/state/trie/nibbles.ts";
import { Trie } from "../../../src/state/trie/trie.ts";
import { TrieNodes } from "../../../src/state/trie/trie-nodes.ts";
import type { HashedBytes } from "../../../src/state/view.ts";
import { runs } from "../../support/seed.ts";
import { MemorySource } from "../memory-source.ts";

/** Keys of 32 bytes that often share long prefixes, so that extensions, splits and embedded nodes come up. */
const key = fc
  .tuple(
    fc.constantFrom(0, 1, 8, 30, 31),
    fc.constantFrom(0x00, 0x11, 0x1f),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
  )
  .map(([shared, filler, random]) => {
    const bytes = random.slice();
    bytes.fill(filler, 0, shared);
    if (shared === 31) bytes[31] = (random[31] as number) & 0x13;
    return bytes;
  });
const value = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 2 }),
  fc.uint8Array({ minLength: 30, maxLength: 120 }),
  fc.uint8Array({ minLength: 300, maxLength: 300 }),
);

interface Step {
  readonly key: Bytes;
  /** undefined deletes */
  readonly value: Bytes | undefined;
  readonly root: boolean;
  readonly commit: boolean;
}

const steps: fc.Arbitrary<Step[]> = fc
  .array(fc.uniqueArray(key, { minLength: 1, maxLength: 30, selector: bytesKey }), {
    minLength: 1,
    maxLength: 1,
  })
  .chain(([keys]) =>
    fc.array(
      fc.record({
        key: fc.constantFrom(...(keys as Bytes[])),
        value: fc.option(value, { nil: undefined, freq: 2 }),
        root: fc.boolean(),
        commit: fc.boolean(),
      }),
      { minLength: 1, maxLength: 80 },
    ),
  );

function nodesOver(source: MemorySource, cacheBytes = 1_000_000): TrieNodes {
  return new TrieNodes([source], cacheBytes);
}

function store(source: MemorySource, added: readonly HashedBytes[]): void {
  source.write({ stateRoot: EMPTY_STATE, trieNodes: added, codes: [] });
}

it("has the root of @ethereumjs/mpt after every put and delete, also across commits", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (list, staysOpen) => {
      const reference = await createMPT();
      const source = new MemorySource();
      const trie = new Trie(nodesOver(source, 3000), EMPTY_TRIE_ROOT, { run: staysOpen ? new ByteArena() : undefined });
      for (const step of list) {
        if (step.value === undefined) {
          trie.delete(toNibbles(step.key));
          await reference.del(step.key);
        } else {
          trie.put(toNibbles(step.key), step.value);
          await reference.put(step.key, step.value);
        }
        if (step.root) expect(trie.root()).toEqual(reference.root());
        expect(trie.get(toNibbles(step.key))).toEqual(step.value);
        if (step.commit) {
          const added: HashedBytes[] = [];
          trie.commit(added);
          store(source, added);
        }
      }
      expect(trie.root()).toEqual(reference.root());
    }),
    { numRuns: runs(20) },
  );
});

it("gives out with each commit all that is needed to read the trie back, at old roots too", () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (list, staysOpen) => {
      const source = new MemorySource();
      const trie = new Trie(nodesOver(source), EMPTY_TRIE_ROOT, { run: staysOpen ? new ByteArena() : undefined });
      const model = new Map<string, Bytes>();
      const history: { root: Bytes; model: ReadonlyMap<string, Bytes> }[] = [];
      for (const step of list) {
        if (step.value === undefined) {
          trie.delete(toNibbles(step.key));
          model.delete(bytesKey(step.key));
        } else {
          trie.put(toNibbles(step.key), step.value);
          model.set(bytesKey(step.key), step.value);
        }
        if (!step.commit) continue;
        const added: HashedBytes[] = [];
        trie.commit(added);
        store(source, added);
        history.push({ root: trie.root(), model: new Map(model) });
      }
      const fresh = nodesOver(source);
      for (const { root, model: expected } of history) {
        for (const { key } of list) {
          expect(fresh.lookUp(root, toNibbles(key))).toEqual(expected.get(bytesKey(key)));
        }
      }
    }),
    { numRuns: runs(10) },
  );
});

it("gives out no node that the final root does not need, and none twice", () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (list, staysOpen) => {
      const source = new MemorySource();
      const trie = new Trie(nodesOver(source), EMPTY_TRIE_ROOT, { run: staysOpen ? new ByteArena() : undefined });
      for (const step of list) {
        if (step.value === undefined) trie.delete(toNibbles(step.key));
        else trie.put(toNibbles(step.key), step.value);
        if (step.root) trie.root();
      }
      const added: HashedBytes[] = [];
      trie.commit(added);
      store(source, added);
      const nodes = nodesOver(source, 1);
      source.reads = 0;
      const seen = new Set<string>();
      for (const { key } of list) for (const node of nodes.prove(trie.root(), toNibbles(key))) seen.add(bytesKey(node));
      // Every node lies on the path of some key that is or was there; what lies on none of them is not needed.
      expect(new Set(added.map(({ bytes }) => bytesKey(bytes)))).toEqual(seen);
      const again: HashedBytes[] = [];
      trie.commit(again);
      expect(again).toEqual([]);
    }),
    { numRuns: runs(25) },
  );
});

it("proves presence and absence to @ethereumjs/mpt's verifier", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(key, { maxLength: 5 }), async (list, strangers) => {
      const source = new MemorySource();
      const trie = new Trie(nodesOver(source), EMPTY_TRIE_ROOT);
      const model = new Map<string, Bytes>();
      for (const step of list) {
        if (step.value === undefined) {
          trie.delete(toNibbles(step.key));
          model.delete(bytesKey(step.key));
        } else {
          trie.put(toNibbles(step.key), step.value);
          model.set(bytesKey(step.key), step.value);
        }
      }
      const added: HashedBytes[] = [];
      trie.commit(added);
      store(source, added);
      const root = trie.root();
      if (model.size === 0) {
        expect(nodesOver(source).prove(root, toNibbles(new Uint8Array(32)))).toEqual([]);
        return;
      }
      for (const asked of [...list.map((step) => step.key), ...strangers]) {
        const proof = nodesOver(source).prove(root, toNibbles(asked));
        const proven = await verifyMerkleProof(asked, [...proof], { root });
        expect(proven ?? undefined).toEqual(model.get(bytesKey(asked)));
      }
    }),
    { numRuns: runs(8) },
  );
});
