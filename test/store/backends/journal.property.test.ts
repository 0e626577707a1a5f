/** Random batches in a journal: what is read again, after any end and any damage. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { JournalDatabase } from "../../../src/store/backends/journal-database.ts";
import type { BatchOperation } from "../../../src/store/backends/level-database.ts";
import { tables } from "../../../src/store/schema.ts";
import { lacksSector, sectorsOf } from "../a-journal.ts";
import { type Contents, MemoryFolder } from "./memory-folder.ts";

/** Bytes from which on journals of these tests are rewritten; those of others are not. */
const SMALL = 600;
const NEVER = Number.POSITIVE_INFINITY;

/** Few keys, so that later batches replace and delete what earlier ones put: of each kind of table. */
const hashes = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const places = fc.oneof(
  fc.constantFrom(...hashes).map((key) => ({ table: tables.trieNodes.prefix, key })),
  fc.constantFrom(...hashes).map((hash) => ({ key: Uint8Array.of(tables.headers.prefix, ...hash) })),
  fc.nat(3).map((number) => ({ key: Uint8Array.of(tables.canonicalHashes.prefix, 0, 0, 0, 0, 0, 0, 0, number) })),
  fc.nat(3).map((number) => ({ key: Uint8Array.of(tables.logs.prefix, number) })),
  fc.string({ maxLength: 3 }).map((name) => ({ key: Uint8Array.of(tables.settings.prefix, ...Buffer.from(name)) })),
);
const value = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom(127, 128, 129, 300).map((length) => new Uint8Array(length)),
);
const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(places, value).map(([place, bytes]) => ({ type: "put" as const, ...place, value: bytes })),
  },
  { weight: 1, arbitrary: places.map((place) => ({ type: "del" as const, ...place })) },
);
const batches = fc.array(fc.array(operation, { maxLength: 8 }), { maxLength: 20 });
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** A database that shows all that is in it. */
class ShownDatabase extends JournalDatabase {
  get text(): string {
    const entries = [...this.content()].map((entry) => {
      const prefix = entry.table === undefined ? [] : [entry.table];
      const bytes = entry.type === "put" ? entry.value : [];
      return `${Buffer.from([...prefix, ...entry.key]).toString("hex")} ${Buffer.from(bytes).toString("hex")}`;
    });
    return entries.sort().join("\n");
  }
}

/** Writes batches; the content after each of them, and the length that the journal had then. */
async function written(folder: MemoryFolder, all: readonly BatchOperation[][], smallest: number) {
  const database = new ShownDatabase(folder, smallest);
  await database.open();
  const states = [{ text: database.text, length: lengthOf(folder.files), changes: folder.states?.length ?? 0 }];
  for (const batch of all) {
    await database.batch(batch);
    states.push({ text: database.text, length: lengthOf(folder.files), changes: folder.states?.length ?? 0 });
  }
  await database.close();
  return states;
}

const lengthOf = (files: Contents): number => [...files.values()].reduce((sum, { length }) => sum + length, 0);

async function readAgain(files: Contents): Promise<{ readonly text: string; readonly notices: readonly string[] }> {
  const database = new ShownDatabase(new MemoryFolder(files));
  await database.open();
  const { text, notices } = database;
  await database.close();
  return { text, notices };
}

it("what was written is read again, whether or not the journal was rewritten", async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.boolean(), async (all, isRewritten) => {
      const folder = new MemoryFolder();
      const states = await written(folder, all, isRewritten ? SMALL : NEVER);
      expect(await readAgain(folder.files)).toEqual({ text: states.at(-1)?.text, notices: [] });
    }),
  );
});

it("a program that ends at any moment leaves all acknowledged batches, and at most the next one", async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const moments: Contents[] = [];
      const states = await written(new MemoryFolder(new Map(), moments), all, SMALL);
      for (const [moment, files] of moments.entries()) {
        const acknowledged = states.findLastIndex(({ changes }) => changes <= moment + 1);
        const { text } = await readAgain(files);
        const possible = [states[acknowledged], states[acknowledged + 1]].map((state) => state?.text ?? "");
        expect(possible).toContain(text);
      }
    }),
  );
});

it("a file that is cut anywhere has the batches before that, and the cut is told", async () => {
  await fc.assert(
    fc.asyncProperty(batches, share, async (all, place) => {
      const folder = new MemoryFolder();
      const states = await written(folder, all, NEVER);
      const [[name, bytes]] = [...folder.files] as [[string, Uint8Array]];
      const length = Math.floor(place * bytes.length);
      const last = states.findLast((state) => state.length <= length);
      const { text, notices } = await readAgain(new Map([[name, bytes.slice(0, length)]]));
      expect(text).toBe(last?.text ?? "");
      const isWhole = length === (last?.length ?? 0);
      expect(notices).toEqual(
        isWhole ? [] : [expect.stringContaining(`incomplete record of ${length - (last?.length ?? 0)} bytes`)],
      );
    }),
  );
});

it("a changed byte is told; in the last record it is cut off if parts of it may not have been written", async () => {
  await fc.assert(
    fc.asyncProperty(batches, share, fc.integer({ min: 1, max: 255 }), async (all, place, change) => {
      const folder = new MemoryFolder();
      const states = await written(folder, all, NEVER);
      const [[name, bytes]] = [...folder.files] as [[string, Uint8Array]];
      const at = Math.floor(place * bytes.length);
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ change;
      const opened = readAgain(new Map([[name, damaged]]));
      const before = states.at(-2);
      const isLast = before !== undefined && at >= before.length;
      const isInHeader = isLast && at < before.length + 8;
      if (isLast && !isInHeader && lacksSector(damaged, before.length))
        expect(await opened).toEqual({ text: before.text, notices: [expect.stringContaining("incomplete")] });
      else await expect(opened).rejects.toMatchObject({ code: "LEVEL_CORRUPTION" });
    }),
  );
});

it("a last record that lacks sectors, as after a power failure, is cut off", async () => {
  await fc.assert(
    fc.asyncProperty(
      batches,
      fc.uint8Array({ minLength: 10, maxLength: 2_000 }),
      fc.infiniteStream(fc.boolean()),
      async (all, value, lacks) => {
        const folder = new MemoryFolder();
        const last: BatchOperation = {
          type: "put",
          key: Uint8Array.of(tables.settings.prefix, 0),
          value: value.fill(7),
        };
        const states = await written(folder, [...all, [last]], NEVER);
        const [[name, bytes]] = [...folder.files] as [[string, Uint8Array]];
        const before = states.at(-2);
        const start = before?.length ?? 0;
        const torn = bytes.slice();
        const sectors = sectorsOf(torn, start);
        const lacking = sectors.filter(() => lacks.next().value);
        for (const sector of lacking.length === 0 ? sectors : lacking) sector.fill(0);
        const opened = await readAgain(new Map([[name, torn]]));
        // A sector may have had nothing but zeros.
        if (Buffer.compare(torn, bytes) === 0) expect(opened.text).toBe(states.at(-1)?.text);
        else expect(opened).toEqual({ text: before?.text, notices: [expect.stringContaining("incomplete")] });
      },
    ),
  );
});

it("a last record that lacks the sector with its length and number is cut off, although its checksum is right", async () => {
  for (const inSector of [1, 3, 7, 8, 9, 12]) {
    const filler = 2 * 512 - inSector - 32;
    const folder = new MemoryFolder();
    const put = (place: number, length: number): BatchOperation[] => [
      { type: "put", key: Uint8Array.of(tables.settings.prefix, place), value: new Uint8Array(length).fill(7) },
    ];
    // The first record ends so many bytes before the end of a sector.
    const [, probe] = await written(new MemoryFolder(), [put(0, filler)], NEVER);
    const surplus = (probe?.length ?? 0) - (2 * 512 - inSector);
    const states = await written(folder, [put(0, filler - surplus), put(1, 600)], NEVER);
    const [, before] = states;
    expect(before?.length).toBe(2 * 512 - inSector);
    const [[name, bytes]] = [...folder.files] as [[string, Uint8Array]];
    bytes.fill(0, 2 * 512 - inSector, 2 * 512);
    // High bytes of a length and a number are zeros anyway.
    if (inSector < 3) expect((await readAgain(folder.files)).text).toBe(states.at(-1)?.text);
    else {
      const cut = { text: before?.text, notices: [expect.stringContaining("incomplete")] };
      expect(await readAgain(new Map([[name, bytes]]))).toEqual(cut);
    }
  }
});

it("a rewritten journal must be whole up to where it was rewritten", async () => {
  await fc.assert(
    fc.asyncProperty(share, async (place) => {
      const folder = new MemoryFolder();
      const code = (byte: number): BatchOperation[] => [
        { type: "put", table: tables.codes.prefix, key: new Uint8Array(32).fill(byte % 2), value: new Uint8Array(900) },
        { type: "put", key: Uint8Array.of(tables.meta.prefix, 1), value: new Uint8Array(900).fill(byte) },
      ];
      await written(folder, [1, 2, 3].map(code), 4_000);
      const [name, bytes] = [...folder.files].find(([, { length }]) => length > 0) ?? ["", new Uint8Array(0)];
      expect(name).toBe("journal-b");
      const length = 33 + Math.floor(place * (bytes.length - 33));
      const opened = readAgain(new Map([[name, bytes.slice(0, length)]]));
      if (length < bytes.length) await expect(opened).rejects.toMatchObject({ code: "LEVEL_CORRUPTION" });
    }),
  );
});

it("a full disk fails a batch and loses none before it, and writing goes on when there is room", async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.integer({ min: 32, max: 2_000 }), async (all, capacity) => {
      const folder = new MemoryFolder();
      folder.capacity = capacity;
      const database = new ShownDatabase(folder, SMALL);
      await database.open();
      for (const batch of all) {
        const before = database.text;
        const failed = await database.batch(batch).catch((error: unknown) => error);
        if (failed !== undefined) expect(database.text).toBe(before);
        expect(await readAgain(folder.files)).toEqual({ text: database.text, notices: [] });
      }
      folder.capacity = Number.POSITIVE_INFINITY;
      for (const batch of all) await database.batch(batch);
      expect(await readAgain(folder.files)).toEqual({ text: database.text, notices: [] });
    }),
  );
});

it("nothing is written behind a record that could neither be completed nor be cut off", async () => {
  const folder = new MemoryFolder();
  const database = new ShownDatabase(folder);
  const put = (length: number): Promise<void> =>
    database.batch([{ type: "put", key: Uint8Array.of(tables.meta.prefix, 1), value: new Uint8Array(length) }]);
  await database.open();
  await put(10);
  const before = database.text;
  folder.capacity = lengthOf(folder.files) + 50;
  folder.isStuck = true;
  await expect(put(100)).rejects.toThrow("the disk took");
  folder.capacity = Number.POSITIVE_INFINITY;
  await expect(put(1)).rejects.toThrow("the disk took");
  expect(database.text).toBe(before);
  expect((await readAgain(folder.files)).text).toBe(before);
});

it("what another program adds to the file is not written over", async () => {
  const folder = new MemoryFolder();
  const [one, other] = [new ShownDatabase(folder), new ShownDatabase(folder)];
  await one.open();
  await other.open();
  const put = (database: JournalDatabase, byte: number): Promise<void> =>
    database.batch([{ type: "put", key: Uint8Array.of(tables.meta.prefix, byte), value: Uint8Array.of(byte) }]);
  await put(one, 1);
  await expect(put(other, 2)).rejects.toThrow("changed by another program");
  await put(one, 3);
  expect((await readAgain(folder.files)).text).toBe(one.text);
});
