import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import { HashMap } from "../../../src/primitives/bytes/hash-map.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { bytesOfBuffers } from "../../support/bytes-of-buffers.ts";
import { isSlow } from "../../support/seed.ts";

/** Few prefixes and few endings, so that keys meet. */
const key = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 3 }))
  .map(([prefix, ending]) => new Uint8Array(32).fill(prefix, 0, 6).fill(ending, 31));
const command = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), key, value: fc.integer() }),
  fc.record({ kind: fc.constant("add" as const), key, value: fc.integer() }),
  fc.record({ kind: fc.constant("delete" as const), key }),
);

const hashOf = (index: number): Uint8Array => keccak256(Uint8Array.of(index, index >> 8, index >> 16));

describe("HashMap", () => {
  it("holds what a Map holds, also where hashes begin alike", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), fc.array(key), (commands, asked) => {
        const map = new HashMap<number>();
        const model = new Map<string, number>();
        for (const entry of commands) {
          if (entry.kind === "set") {
            map.set(entry.key, entry.value);
            model.set(bytesKey(entry.key), entry.value);
          } else if (entry.kind === "add") {
            const isNew = !model.has(bytesKey(entry.key));
            expect(map.add(entry.key, entry.value)).toBe(isNew);
            if (isNew) model.set(bytesKey(entry.key), entry.value);
          } else {
            map.delete(entry.key);
            model.delete(bytesKey(entry.key));
          }
        }
        for (const entry of asked) {
          expect(map.get(entry)).toBe(model.get(bytesKey(entry)));
          expect(map.get(Uint8Array.of(1, ...entry, 2), 1)).toBe(model.get(bytesKey(entry)));
        }
        expect(map.isEmpty).toBe(model.size === 0);
      }),
    );
  });

  it("holds what a Map holds when it has grown to thousands of hashes, and when few stay", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8_000 }), fc.integer({ min: 2, max: 1_000 }), (count, stays) => {
        const map = new HashMap<number>();
        const model = new Map<string, number>();
        for (let index = 0; index < count; index++) {
          map.set(hashOf(index), index);
          model.set(bytesKey(hashOf(index)), index);
        }
        for (let index = 0; index < count; index++) {
          if (index % stays === 0) continue;
          map.delete(hashOf(index));
          model.delete(bytesKey(hashOf(index)));
        }
        for (let index = 0; index < count; index++)
          expect(map.get(hashOf(index))).toBe(model.get(bytesKey(hashOf(index))));
        expect(new Set([...map.hashes()].map(bytesKey))).toEqual(new Set(model.keys()));
      }),
      { numRuns: 10 },
    );
  });

  // Other tests of a run leave what is collected meanwhile.
  it.runIf(isSlow)("gives back the memory of hashes that were taken out", () => {
    const map = new HashMap<true>();
    const before = bytesOfBuffers();
    for (let index = 0; index < 100_000; index++) map.set(hashOf(index), true);
    expect(bytesOfBuffers() - before).toBeGreaterThan(5_000_000);
    for (let index = 10; index < 100_000; index++) map.delete(hashOf(index));
    expect(bytesOfBuffers() - before).toBeLessThan(200_000);
    expect(map.get(hashOf(9))).toBe(true);
  });
});
