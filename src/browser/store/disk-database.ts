/** There is no LevelDB in a browser. Counterpart of `store/backends/disk-database.ts`. */
import type { LevelDatabase } from "../../store/backends/level-database.ts";
import { makeDataFolder } from "./data-folder.ts";

/** @throws {StoreError} `DATA_DIR_UNUSABLE` */
export const loadLevel = (folder: string): Promise<void> => makeDataFolder(folder);

/** Cannot be opened. */
export const DiskDatabase = {
  /** @throws {StoreError} `DATA_DIR_UNUSABLE` */
  async in(folder: string): Promise<LevelDatabase> {
    await makeDataFolder(folder);
    throw new TypeError(`There is no database in ${folder}.`);
  },
};
