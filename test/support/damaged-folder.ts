/** Data folders with entries that LevelDB gives back without complaint, and that are wrong all the same. */
import { join } from "node:path";
import { Level } from "level";
import { type TableName, tables } from "../../src/store/schema.ts";

export interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Changes the entries of a folder that no node has open. */
export async function editFolder(
  dataDir: string,
  edit: (level: Level<Uint8Array, Uint8Array>) => Promise<void>,
): Promise<void> {
  const level = new Level<Uint8Array, Uint8Array>(join(dataDir, "chain"), {
    keyEncoding: "view",
    valueEncoding: "view",
  });
  await level.open();
  try {
    await edit(level);
  } finally {
    await level.close();
  }
}

/** All entries of a table. */
export async function entriesOf(level: Level<Uint8Array, Uint8Array>, table: TableName): Promise<Entry[]> {
  const { prefix } = tables[table];
  const range = { gte: Uint8Array.of(prefix), lt: Uint8Array.of(prefix + 1) };
  return (await level.iterator(range).all()).map(([key, value]) => ({ key: key.slice(), value: value.slice() }));
}

/** The bytes with one of them changed, from the end: RLP stays RLP where that is within a string. */
export function flipped(bytes: Uint8Array, fromEnd = 1): Uint8Array {
  const changed = bytes.slice();
  const at = changed.length - fromEnd;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
