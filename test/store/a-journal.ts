/** Data folders with a journal, where LevelDB could be loaded, too. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChainIdentity } from "../../src/store/backends/chain-identity.ts";
import { claimDataFolder } from "../../src/store/backends/data-folder.ts";
import { anIdentity } from "./a-block.ts";

/** Makes an empty folder one with the identity of a chain, and a journal that was never written. */
export async function aJournalFolder(dataDir: string, identity: ChainIdentity = anIdentity): Promise<string> {
  await claimDataFolder(dataDir, identity);
  await useJournal(dataDir);
  return dataDir;
}

/** Gives a data folder an empty journal in place of its chain. */
export async function useJournal(dataDir: string): Promise<void> {
  await rm(join(dataDir, "chain"), { recursive: true, force: true });
  await mkdir(join(dataDir, "chain"));
  await writeFile(join(dataDir, "chain/journal-a"), "");
}

/** The bytes of a journal from a position on, in the parts that a disk writes together. They are parts of the array. */
export function sectorsOf(bytes: Uint8Array, start: number): Uint8Array[] {
  const sectors: Uint8Array[] = [];
  for (let at = start; at < bytes.length; ) {
    const end = Math.min((Math.floor(at / 512) + 1) * 512, bytes.length);
    sectors.push(bytes.subarray(at, end));
    at = end;
  }
  return sectors;
}

/** Whether a sector of the last record may not have been written: then a changed record counts as an incomplete one. */
export const lacksSector = (bytes: Uint8Array, start: number): boolean =>
  sectorsOf(bytes, start).some((sector) => sector.every((byte) => byte === 0));
