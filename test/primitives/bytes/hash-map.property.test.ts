import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import { HashMap } from "../../../src/primitives/bytes/hash-map.ts";

/** Few prefixes and few endings, so that keys meet. */
const key = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 3 }))
  .map(([prefix, ending]) => new Uint8Array(32).fill(prefix, 0, 6).fill(ending, 31));
const command = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), key, value: fc.integer() }),
  fc.record({ kind: fc.constant("add" as const), key, value: fc.integer() }),
  fc.record({ kind: fc.constant("delete" as const), key }),
);

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
});
