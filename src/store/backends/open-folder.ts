/** Opens the store of a folder: locks it, checks its identity, and opens its database. Loaded with the first folder. */
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { metaKey } from "../codecs/keys.ts";
import { decodeHash, decodeInteger } from "../codecs/values.ts";
import type { MetaSlot } from "../schema.ts";
import { corruptValue, missingValue } from "../store-errors.ts";
import type { Backend, OpenBackend } from "./backend.ts";
import { type ChainIdentity, checkIdentity, isReadableVersion, wrongVersion } from "./chain-identity.ts";
import { chainFolder, claimDataFolder, makeDataFolder } from "./data-folder.ts";
import { requireDatabase } from "./folder-database.ts";
import { lockFolder } from "./folder-lock.ts";
import { LevelBackend } from "./level-backend.ts";
import type { BatchOperation } from "./level-database.ts";

/**
 * Opens the database of a folder.
 *
 * @param last - as {@link LevelBackend.close} takes it
 * @throws {StoreError} `DATA_DIR_LOCKED`, `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`: the folder is unchanged;
 * `DATA_DIR_UNUSABLE`, `STORE_CORRUPT`
 */
export async function openFolder(dataDir: string, identity: ChainIdentity, last: BatchOperation): Promise<OpenBackend> {
  // Before anything is written.
  await requireDatabase(dataDir);
  await makeDataFolder(dataDir);
  const lock = await lockFolder(dataDir);
  let backend: LevelBackend;
  try {
    await claimDataFolder(dataDir, identity);
    backend = await LevelBackend.onDisk(chainFolder(dataDir));
  } catch (error) {
    await lock.release();
    throw error;
  }
  const close = async (): Promise<void> => {
    try {
      await backend.close(last);
    } finally {
      await lock.release();
    }
  };
  return { backend, close, notices: backend.notices };
}

/**
 * Compares the identity in a database with that of the requested chain, in case files of two folders were mixed.
 *
 * @param version - as the database has it
 * @throws {StoreError} `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`, `STORE_CORRUPT`
 */
export function checkStoredIdentity(backend: Backend, version: Bytes, dataDir: string, identity: ChainIdentity): void {
  if (!isReadableVersion(Number(bytesToBigInt(version)))) throw wrongVersion(dataDir, Number(bytesToBigInt(version)));
  const found: ChainIdentity = {
    genesisHash: requireMeta(backend, "genesisHash", decodeHash),
    chainId: requireMeta(backend, "chainId", decodeInteger),
  };
  checkIdentity(dataDir, found, identity);
}

function requireMeta<T>(backend: Backend, slot: MetaSlot, decode: (value: Bytes) => T): T {
  const key = metaKey(slot);
  const value = backend.get("meta", key);
  if (value === undefined) throw missingValue("meta", key);
  try {
    return decode(value);
  } catch (cause) {
    throw corruptValue("meta", key, cause);
  }
}
