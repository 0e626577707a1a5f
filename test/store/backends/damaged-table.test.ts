/** Table files of LevelDB with a damaged index: reading them fails or finds less, and does not end the process. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { StoreError } from "../../../src/errors/hindcast-error.ts";
import { LevelBackend } from "../../../src/store/backends/level-backend.ts";
import { scanTable } from "../../../src/store/scan-table.ts";
import { tables } from "../../../src/store/schema.ts";
import { aFolder } from "../../support/a-folder.ts";
import { slowIt } from "../../support/slow-suite.ts";

const ENTRIES = 400;
/** Bytes at the end of a table file that say where its index is. */
const FOOTER_BYTES = 48;

/** A folder whose entries are in one table file. */
async function aTable(): Promise<{ readonly whole: string; readonly table: string }> {
  const whole = join(await aFolder(), "whole");
  const backend = await LevelBackend.onDisk(whole);
  await backend.write(
    Array.from({ length: ENTRIES }, (_, index) => {
      const key = new Uint8Array(33).fill(index & 0xff);
      key.set([tables.preimages.prefix, index >> 8]);
      return { type: "put" as const, key, value: new Uint8Array(20).fill(index) };
    }),
  );
  await backend.close();
  // The second opening writes what is in the journal to a table file.
  await (await LevelBackend.onDisk(whole)).close();
  const table = readdirSync(whole).find((name) => name.endsWith(".ldb"));
  if (table === undefined) throw new Error("There is no table file.");
  return { whole, table };
}

async function entriesIn(folder: string): Promise<number> {
  const backend = await LevelBackend.onDisk(folder);
  try {
    let count = 0;
    for await (const { key } of scanTable(backend, "preimages")) count += key.length === 33 ? 1 : 0;
    return count;
  } finally {
    await backend.close();
  }
}

it("reads all entries of an undamaged one", async () => {
  expect(await entriesIn((await aTable()).whole)).toBe(ENTRIES);
});

// A seek beyond the last key of a damaged index ends the process by an assertion of LevelDB's.
slowIt("reports any other bit of the index, or reads what can be read", async () => {
  const { whole, table } = await aTable();
  const damaged = join(await aFolder(), "damaged");
  const { length } = readFileSync(join(whole, table));
  for (let back = 1; back <= 64; back++) {
    cpSync(whole, damaged, { recursive: true });
    const bytes = readFileSync(join(damaged, table));
    const at = length - FOOTER_BYTES - back;
    bytes[at] = (bytes[at] as number) ^ (1 << (back & 7));
    writeFileSync(join(damaged, table), bytes);
    const read = await entriesIn(damaged).catch((error: unknown) => error);
    if (typeof read === "number") expect(read).toBeLessThanOrEqual(ENTRIES);
    else expect(read).toBeInstanceOf(StoreError);
    rmSync(damaged, { recursive: true });
  }
});
