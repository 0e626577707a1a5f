/** A table with views against copies of a Map. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Bytes, bytesKey } from "../../../../src/primitives/bytes/bytes.ts";
import { type TableView, VersionedTable } from "../../../../src/store/backends/memory/versioned-table.ts";
import { runs } from "../../../support/seed.ts";

/** Few, so that they are deleted and written again. */
const aHash = fc.nat({ max: 15 }).map((number) => new Uint8Array(32).fill(number % 4, 0, 6).fill(number, 31));
const aCommand = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("set" as const), hash: aHash, value: fc.nat({ max: 255 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), hash: aHash }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("view" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), which: fc.nat({ max: 5 }) }) },
);

type Model = ReadonlyMap<string, Bytes>;

function expectContent(table: Pick<TableView, "get" | "hashes">, model: Model, asked: readonly Bytes[]): void {
  for (const hash of asked) {
    expect(table.get(hash)).toEqual(model.get(bytesKey(hash)));
    expect(table.get(Uint8Array.of(7, ...hash), 1)).toEqual(model.get(bytesKey(hash)));
  }
  expect([...table.hashes()].map(bytesKey).sort()).toEqual([...model.keys()].sort());
}

it("has what was written, and each open view what it had when it was made", () => {
  fc.assert(
    fc.property(fc.array(aCommand, { maxLength: 60 }), fc.array(aHash), (commands, asked) => {
      const table = new VersionedTable();
      const model = new Map<string, Bytes>();
      let views: { readonly view: TableView; readonly content: Model }[] = [];
      for (const command of commands) {
        if (command.kind === "set") {
          table.set(command.hash, Uint8Array.of(command.value));
          model.set(bytesKey(command.hash), Uint8Array.of(command.value));
        } else if (command.kind === "delete") {
          table.delete(command.hash);
          model.delete(bytesKey(command.hash));
        } else if (command.kind === "view") views.push({ view: table.view(), content: new Map(model) });
        else {
          views[command.which]?.view.close();
          views = views.filter((_, index) => index !== command.which);
        }
      }
      expectContent(table, model, asked);
      for (const { view, content } of views) expectContent(view, content, asked);
    }),
    { numRuns: runs(2_000) },
  );
});

it("lists each hash of a view once, whatever is written meanwhile", () => {
  const table = new VersionedTable();
  const hashes = Array.from({ length: 100 }, (_, index) => new Uint8Array(32).fill(index));
  for (const hash of hashes.slice(0, 50)) table.set(hash, hash);
  const view = table.view();
  const listed: string[] = [];
  let next = 50;
  for (const hash of view.hashes()) {
    listed.push(bytesKey(hash));
    // Another hash gets the place of one that was deleted.
    table.delete(hashes[listed.length % 50] as Bytes);
    table.set(hashes[next++] as Bytes, hash);
  }
  expect(listed.sort()).toEqual(hashes.slice(0, 50).map(bytesKey).sort());
});
