/** The errors of opening a data folder. A chain in memory does without them. */
import { StoreError } from "../errors/hindcast-error.ts";
import { levelCode, RESTORE, textOf } from "./store-errors.ts";

const SEPARATE = "Close the other node, or give this one a folder of its own.";

/** The error of LevelDB's open, as a StoreError. */
export function openingFailed(folder: string, error: unknown): StoreError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = levelCode(cause);
  if (code === "LEVEL_LOCKED") return folderLocked(folder, undefined);
  if (code !== "LEVEL_CORRUPTION") return folderUnusable(folder, cause);
  return new StoreError({
    code: "STORE_CORRUPT",
    what: "The files of the data folder are damaged.",
    where: `Folder: ${folder} (${textOf(cause)}).`,
    fix: RESTORE,
    cause,
  });
}

/** @param holder - process id of who holds the folder, or that it is a node of this process; undefined where it is not said */
export function folderLocked(folder: string, holder: number | "own" | undefined): StoreError {
  const who = holder === "own" ? "another node of this process" : `process ${holder}`;
  return new StoreError({
    code: "DATA_DIR_LOCKED",
    what: `The data folder is in use by ${holder === undefined ? "another process" : who}.`,
    where: `Folder: ${folder}.`,
    fix: SEPARATE,
  });
}

/** For a folder that cannot be made, read or written. */
export function folderUnusable(folder: string, cause: unknown): StoreError {
  return new StoreError({
    code: "DATA_DIR_UNUSABLE",
    what: "The data folder cannot be opened.",
    where: `Folder: ${folder} (${textOf(cause)}).`,
    fix: "Name a folder, on a disk with free space, that this user may read and write.",
    cause,
  });
}

/** For a process in which LevelDB, which is a native addon of Node, cannot be loaded. */
export function levelNotLoaded(folder: string, cause: unknown): StoreError {
  return new StoreError({
    code: "DATA_DIR_UNUSABLE",
    what: "The data folder cannot be opened, because LevelDB, a native addon of Node, cannot be loaded.",
    where: `Folder: ${folder} (${textOf(cause).split("\n", 1)[0]}).`,
    fix:
      "Start Node without --no-addons (with --permission: with --allow-addons) and install the packages level and " +
      "classic-level for this system, or name a new folder: its chain will be in a journal, which needs no addon.",
    cause,
  });
}
