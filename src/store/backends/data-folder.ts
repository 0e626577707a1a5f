/**
 * A data folder: `hindcast.json`, which identifies its chain, and `chain/`, the LevelDB or the journal.
 *
 * The folder is checked before LevelDB opens it, because opening alone renames and rewrites files.
 */
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StoreError } from "../../errors/hindcast-error.ts";
import { folderUnusable } from "../folder-errors.ts";
import { SCHEMA_VERSION } from "../schema.ts";
import { levelCode } from "../store-errors.ts";
import {
  type ChainIdentity,
  checkIdentity,
  checkLaterHardforks,
  IDENTITY_FILE,
  identityText,
  parseIdentity,
  versionOf,
} from "./chain-identity.ts";

const UNFINISHED_FILE = "hindcast.json.tmp";
const CHAIN_FOLDER = "chain";

/** Folder of the LevelDB or the journal in a data folder. */
export function chainFolder(dataDir: string): string {
  return join(dataDir, CHAIN_FOLDER);
}

/**
 * Creates the folder if it does not exist.
 *
 * @throws {StoreError} `DATA_DIR_UNUSABLE`
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolders(resolve(dataDir));
  } catch (cause) {
    throw folderUnusable(dataDir, cause);
  }
}

/** Creates each folder by itself, because Node's recursive mkdir never returns in a folder such as /proc. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (levelCode(error) === "EEXIST" && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (levelCode(error) !== "ENOENT" || (await isFolder(parent))) throw error;
    await makeFolders(parent);
    await makeFolders(path);
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/**
 * The identity of a folder's chain, without opening its database; undefined if it is missing or not a data folder.
 *
 * @throws {StoreError} `DATA_DIR_VERSION`, `STORE_CORRUPT`, `DATA_DIR_UNUSABLE`
 */
export async function readDataFolder(dataDir: string): Promise<ChainIdentity | undefined> {
  try {
    const text = await readIdentityFile(dataDir);
    return text === undefined ? undefined : parseIdentity(dataDir, text);
  } catch (error) {
    throw error instanceof StoreError ? error : folderUnusable(dataDir, error);
  }
}

/**
 * Checks that the folder holds this chain; prepares an empty folder for it. A refused folder is not changed.
 *
 * @throws {StoreError} `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`, `STORE_CORRUPT`, `DATA_DIR_UNUSABLE`
 */
export async function claimDataFolder(dataDir: string, identity: ChainIdentity): Promise<void> {
  try {
    const text = await readIdentityFile(dataDir);
    if (text === undefined) {
      await expectEmpty(dataDir);
      await writeIdentityFile(dataDir, identity);
    } else {
      const found = parseIdentity(dataDir, text);
      checkIdentity(dataDir, found, identity);
      checkLaterHardforks(dataDir, found, identity);
      await expectNoRemains(dataDir);
      // Written first, so that older versions of this program refuse the folder from now on.
      if (versionOf(text) !== SCHEMA_VERSION) await writeIdentityFile(dataDir, { ...identity, ...found });
    }
  } catch (error) {
    throw error instanceof StoreError ? error : folderUnusable(dataDir, error);
  }
}

async function readIdentityFile(dataDir: string): Promise<string | undefined> {
  try {
    return await readFile(join(dataDir, IDENTITY_FILE), "utf8");
  } catch (error) {
    if (levelCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function expectEmpty(dataDir: string): Promise<void> {
  const strangers = (await readdir(dataDir)).filter((name) => name !== UNFINISHED_FILE);
  if (strangers.length === 0) return;
  throw new StoreError({
    code: "DATA_DIR_MISMATCH",
    what: "The folder is not a data folder, and not empty.",
    where: `Folder: ${dataDir}, which has "${strangers[0]}" but no ${IDENTITY_FILE}.`,
    fix: "Name an empty or a new folder.",
  });
}

/** Refuses a folder in which CURRENT is missing, because LevelDB would delete the other files and start anew. */
async function expectNoRemains(dataDir: string): Promise<void> {
  const names = await readdir(chainFolder(dataDir)).catch((error: unknown): string[] => {
    if (levelCode(error) === "ENOENT") return [];
    throw error;
  });
  const remains = names.find((name) => /^\d+\.(?:ldb|sst|log)$/.test(name));
  if (remains === undefined || names.includes("CURRENT")) return;
  throw new StoreError({
    code: "STORE_CORRUPT",
    what: "The chain in the data folder is incomplete.",
    where: `Folder: ${chainFolder(dataDir)}, which has ${remains} but no CURRENT.`,
    fix: "Restore the folder from a copy, or name another folder.",
  });
}

/** Writes a temporary file and renames it, so that the file is complete or absent. */
async function writeIdentityFile(dataDir: string, identity: ChainIdentity): Promise<void> {
  // Not by a file handle: those that Yarn's Plug'n'Play puts in place of Node's have no sync().
  await writeFile(join(dataDir, UNFINISHED_FILE), identityText(identity), { flush: true });
  await rename(join(dataDir, UNFINISHED_FILE), join(dataDir, IDENTITY_FILE));
}
