import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bytes, bytesKey } from "../../../../src/primitives/bytes/bytes.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import { PackedTable } from "../../../../src/store/backends/memory/packed-table.ts";
import { bytesOfBuffers } from "../../../support/bytes-of-buffers.ts";
import { isSlow } from "../../../support/seed.ts";

/** Few beginnings and endings, so that keys meet, are deleted and written again. */
const key = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 20 }))
  .map(([prefix, ending]) => new Uint8Array(32).fill(prefix, 0, 6).fill(ending, 31));
/** Of all sizes, up to those that have a buffer of their own. */
const length = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 600 }) },
  { weight: 2, arbitrary: fc.integer({ min: 10_000, max: 40_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 65_480, max: 70_000 }) },
);
const value = fc.tuple(length, fc.integer({ min: 0, max: 255 })).map(([size, fill]) => new Uint8Array(size).fill(fill));
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("set" as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), key }) },
);

/** Applies commands to a table and to a Map. */
function applied(commands: readonly { readonly kind: string; readonly key: Bytes; readonly value?: Bytes }[]) {
  const table = new PackedTable();
  const model = new Map<string, Bytes>();
  for (const { key: hash, value: bytes } of commands) {
    if (bytes === undefined) {
      table.delete(hash);
      model.delete(bytesKey(hash));
    } else {
      table.set(hash, bytes);
      model.set(bytesKey(hash), bytes);
    }
  }
  return { table, model };
}

describe("PackedTable", () => {
  it("holds what a Map holds, whatever is written, replaced and deleted", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), fc.array(key), (commands, asked) => {
        const { table, model } = applied(commands);
        for (const hash of asked) {
          expect(table.get(hash)).toEqual(model.get(bytesKey(hash)));
          expect(table.get(Uint8Array.of(1, ...hash, 2), 1)).toEqual(model.get(bytesKey(hash)));
        }
        const listed = [...table.entries()].map(([hash, bytes]) => [bytesKey(hash), bytes] as const);
        expect(listed).toHaveLength(model.size);
        expect(new Map(listed)).toEqual(model);
        expect(table.isEmpty).toBe(model.size === 0);
      }),
    );
  });

  it("lists every entry that stays, also while others are replaced and deleted", () => {
    const before = fc.array(command, { maxLength: 100 });
    fc.assert(
      fc.property(before, fc.array(command, { maxLength: 100 }), (commands, later) => {
        const { table, model } = applied(commands);
        const changed = new Set(later.map((entry) => bytesKey(entry.key)));
        const listed = new Map<string, Bytes>();
        const rest = later.values();
        for (const [hash, bytes] of table.entries()) {
          listed.set(bytesKey(hash), bytes);
          const next = rest.next();
          if (next.done === true) continue;
          if (next.value.kind === "set") table.set(next.value.key, next.value.value);
          else table.delete(next.value.key);
        }
        for (const [hash, bytes] of model) if (!changed.has(hash)) expect(listed.get(hash)).toEqual(bytes);
      }),
    );
  });

  it("holds what a Map holds while thousands of entries come and go, twice", () => {
    const hashOf = (index: number): Bytes => keccak256(Uint8Array.of(index, index >> 8));
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 6_000 }), fc.integer({ min: 2, max: 700 }), (count, stays) => {
        const table = new PackedTable();
        for (let round = 0; round < 2; round++) {
          for (let index = 0; index < count; index++) table.set(hashOf(index), hashOf(index).subarray(0, index % 30));
          for (let index = 0; index < count; index++) if (index % stays !== 0) table.delete(hashOf(index));
          for (let index = 0; index < count; index++) {
            const expected = index % stays === 0 ? hashOf(index).subarray(0, index % 30) : undefined;
            expect(table.get(hashOf(index))).toEqual(expected);
          }
        }
        expect([...table.entries()]).toHaveLength(Math.ceil(count / stays));
      }),
      { numRuns: 8 },
    );
  });

  it("keeps what was read as it was, after it was replaced and its place was given back", () => {
    const table = new PackedTable();
    const hashes = Array.from({ length: 2_000 }, (_, index) =>
      new Uint8Array(32).fill(index & 0xff, 0, 16).fill(index >> 8, 16),
    );
    for (const hash of hashes) table.set(hash, hash);
    const read = hashes.map((hash) => table.get(hash));
    for (const hash of hashes) table.set(hash, hash.slice().reverse());
    expect(read).toEqual(hashes);
  });

  // The collections that show it take a second where other files have left much.
  it.runIf(isSlow)("gives back the place of what was deleted", () => {
    const table = new PackedTable();
    const value = new Uint8Array(1_000);
    const before = bytesOfBuffers();
    for (let index = 0; index < 50_000; index++) {
      const hash = new Uint8Array(32).fill(index & 0xff).fill(index >> 8, 16);
      table.set(hash, value);
      if (index % 100 !== 0) table.delete(hash);
    }
    // 50 MB were written, and a hundredth is left.
    expect(bytesOfBuffers() - before).toBeLessThan(2_000_000);
    expect([...table.entries()]).toHaveLength(500);
  });

  it.runIf(isSlow)("gives back what it took for the hashes and places of deleted entries", () => {
    const table = new PackedTable();
    const hashes = Array.from({ length: 100_000 }, (_, index) =>
      keccak256(Uint8Array.of(index, index >> 8, index >> 16)),
    );
    const before = bytesOfBuffers();
    for (const hash of hashes) table.set(hash, hash.subarray(0, 1));
    expect(bytesOfBuffers() - before).toBeGreaterThan(8_000_000);
    for (const hash of hashes.slice(10)) table.delete(hash);
    expect(bytesOfBuffers() - before).toBeLessThan(400_000);
    expect([...table.entries()]).toHaveLength(10);
  });
});
