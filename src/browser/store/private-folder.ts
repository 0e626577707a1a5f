/** Data folders in the origin's private file system: a file with the chain's identity, the lock's, and the journal's. */
import { StoreError } from "../../errors/hindcast-error.ts";
import { fromUtf8 } from "../../primitives/platform/encodings.ts";
import {
  type ChainIdentity,
  checkIdentity,
  checkLaterHardforks,
  IDENTITY_FILE,
  identityText,
  parseIdentity,
  versionOf,
} from "../../store/backends/chain-identity.ts";
import { folderUnusable } from "../../store/folder-errors.ts";
import { SCHEMA_VERSION } from "../../store/schema.ts";
import { openFolder, openHandle } from "./private-files.ts";

/** The file of the lock. A folder has it before its identity is written. */
const LOCK_FILE = "lock";

/** @throws {StoreError} `DATA_DIR_UNUSABLE` */
export async function makeFolder(dataDir: string): Promise<void> {
  await orUnusable(dataDir, () => openFolder(dataDir, true));
}

/** @throws {StoreError} `DATA_DIR_VERSION`, `STORE_CORRUPT`, `DATA_DIR_UNUSABLE` */
export async function readIdentity(dataDir: string): Promise<ChainIdentity | undefined> {
  const text = await orUnusable(dataDir, () => identityTextIn(dataDir));
  return text === undefined ? undefined : parseIdentity(dataDir, text);
}

/** @throws {StoreError} `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`, `STORE_CORRUPT`, `DATA_DIR_UNUSABLE` */
export async function claimFolder(dataDir: string, identity: ChainIdentity): Promise<void> {
  const text = await orUnusable(dataDir, () => identityTextIn(dataDir));
  if (text === undefined) {
    await orUnusable(dataDir, () => expectEmpty(dataDir));
    return orUnusable(dataDir, () => writeIdentity(dataDir, identity));
  }
  const found = parseIdentity(dataDir, text);
  checkIdentity(dataDir, found, identity);
  checkLaterHardforks(dataDir, found, identity);
  if (versionOf(text) === SCHEMA_VERSION) return;
  await orUnusable(dataDir, () => writeIdentity(dataDir, { ...identity, ...found }));
}

/** Undefined if there is no identity, or an empty one: its writing is one call, before which the file is empty. */
async function identityTextIn(dataDir: string): Promise<string | undefined> {
  try {
    const file = await (await openFolder(dataDir, false)).getFileHandle(IDENTITY_FILE);
    const text = await (await file.getFile()).text();
    return text === "" ? undefined : text;
  } catch (error) {
    if ((error as { name?: string }).name === "NotFoundError") return undefined;
    throw error;
  }
}

async function expectEmpty(dataDir: string): Promise<void> {
  for await (const name of (await openFolder(dataDir, false)).keys()) {
    if (name === LOCK_FILE || name === IDENTITY_FILE) continue;
    throw new StoreError({
      code: "DATA_DIR_MISMATCH",
      what: "The folder is not a data folder, and not empty.",
      where: `Folder: ${dataDir}, which has "${name}" but no ${IDENTITY_FILE}.`,
      fix: "Name an empty or a new folder.",
    });
  }
}

async function writeIdentity(dataDir: string, identity: ChainIdentity): Promise<void> {
  const handle = await openHandle(dataDir, IDENTITY_FILE);
  try {
    const bytes = fromUtf8(identityText(identity));
    const written = handle.write(bytes, { at: 0 });
    if (written !== bytes.length) throw new Error(`the browser did not write all ${bytes.length} bytes`);
    handle.truncate(bytes.length);
    handle.flush();
  } finally {
    handle.close();
  }
}

async function orUnusable<Result>(dataDir: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof StoreError ? error : folderUnusable(dataDir, error);
  }
}
