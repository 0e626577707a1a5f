/**
 * Which database the chain of a data folder is in. A folder keeps the one that it has. A new folder gets LevelDB, or a
 * journal where Node loads no native addons: with `--no-addons`, or where Node itself runs in a browser.
 */
import { readdir } from "node:fs/promises";
import { StoreError } from "../../errors/hindcast-error.ts";
import { levelNotLoaded } from "../folder-errors.ts";
import { levelCode } from "../store-errors.ts";
import { chainFolder } from "./data-folder.ts";
import { DiskDatabase, loadLevel } from "./disk-database.ts";
import { JOURNAL_FILES } from "./journal-file.ts";
import type { LevelDatabase } from "./level-database.ts";

/**
 * Checks that the chain of a data folder can be opened, before anything is written.
 *
 * @throws {StoreError} `DATA_DIR_UNUSABLE` for a LevelDB where it cannot be loaded
 */
export async function requireDatabase(dataDir: string): Promise<void> {
  await kindOf(chainFolder(dataDir));
}

/**
 * The database in a folder, or a new one. Not open yet.
 *
 * @throws {StoreError} `DATA_DIR_UNUSABLE`, `STORE_CORRUPT`
 */
export async function folderDatabase(folder: string): Promise<LevelDatabase> {
  if ((await kindOf(folder)) === "LevelDB") return DiskDatabase.in(folder);
  const [{ JournalDatabase }, { journalFolder }] = await Promise.all([
    import("./journal-database.ts"),
    import("./journal-folder.ts"),
  ]);
  return new JournalDatabase(journalFolder(folder));
}

async function kindOf(folder: string): Promise<"LevelDB" | "journal"> {
  const names = await namesIn(folder);
  const hasJournal = JOURNAL_FILES.some((name) => names.includes(name));
  const hasLevel = names.includes("CURRENT");
  if (hasJournal && hasLevel) {
    throw new StoreError({
      code: "STORE_CORRUPT",
      what: "The data folder has two chains: a LevelDB and a journal.",
      where: `Folder: ${folder}.`,
      fix: "Take out the files of one of them, of which the journal's are journal-a and journal-b.",
    });
  }
  if (hasJournal) return "journal";
  try {
    await loadLevel();
    return "LevelDB";
  } catch (cause) {
    if (hasLevel) throw levelNotLoaded(folder, cause);
    return "journal";
  }
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    // Opening the folder reports whatever else is wrong with it.
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(levelCode(error) ?? "")) return [];
    throw error;
  }
}
