/** The chain of a data folder is in a journal. Counterpart of `store/backends/folder-database.ts`. */
import type { LevelDatabase } from "../../store/backends/level-database.ts";

/** @throws {StoreError} `DATA_DIR_UNUSABLE` outside of workers */
export const requireDatabase = async (dataDir: string): Promise<void> =>
  (await import("./private-files.ts")).requireWorker(dataDir);

/** The journal in a folder, or a new one. Not open yet. */
export async function folderDatabase(folder: string): Promise<LevelDatabase> {
  const [{ JournalDatabase }, { privateJournal }] = await Promise.all([
    import("../../store/backends/journal-database.ts"),
    import("./private-files.ts"),
  ]);
  return new JournalDatabase(privateJournal(folder));
}
