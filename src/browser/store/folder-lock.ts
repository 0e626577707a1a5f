/** Locks nothing: see `data-folder.ts` beside it. Counterpart of `store/backends/folder-lock.ts`. */
import type { FolderLock } from "../../store/backends/folder-lock.ts";

/** A lock of a folder that nobody else can have. */
export const lockFolder = async (_folder: string): Promise<FolderLock> => ({ release: async () => undefined });
