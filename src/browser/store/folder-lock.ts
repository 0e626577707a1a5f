/** Allows one node per data folder, by a file that only one worker can open. Counterpart of `store/backends/folder-lock.ts`. */
import type { FolderLock } from "../../store/backends/folder-lock.ts";

/**
 * Locks an existing folder. The browser lets it go when the worker ends.
 *
 * @throws {StoreError} `DATA_DIR_LOCKED` if another node holds it, in this tab or another
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const { openHandle } = await import("./private-files.ts");
  const handle = await openHandle(folder, "lock");
  return { release: async () => handle.close() };
}
