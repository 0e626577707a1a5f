/** Opens a store: locks the folder, checks its identity, opens its database, and compares the identity stored there. */
import { type Bytes, bigIntToBytes, bytesToBigInt, equalBytes } from "../../primitives/bytes/bytes.ts";
import { metaKey } from "../codecs/keys.ts";
import { decodeHash, decodeInteger } from "../codecs/values.ts";
import { type MetaSlot, SCHEMA_VERSION } from "../schema.ts";
import { corruptValue, missingValue } from "../store-errors.ts";
import type { Backend } from "./backend.ts";
import { type ChainIdentity, checkIdentity, isReadableVersion, wrongVersion } from "./chain-identity.ts";
import { chainFolder, claimDataFolder, makeDataFolder } from "./data-folder.ts";
import { requireDatabase } from "./folder-database.ts";
import { lockFolder } from "./folder-lock.ts";
import { LevelBackend } from "./level-backend.ts";
import type { BatchOperation } from "./level-database.ts";
import { unshared } from "./stream-mark.ts";

/** An open database of the requested chain. */
export interface OpenBackend {
  readonly backend: Backend;
  /** What the user should know of the folder that was opened. */
  readonly notices?: readonly string[];
  /** Syncs to disk, closes, and unlocks the folder. */
  close(): Promise<void>;
}

const VERSION_BYTES = Uint8Array.of(SCHEMA_VERSION);

/** Puts a backend between a store and its database, which sees or makes all writes. */
export type Through = (backend: Backend) => Promise<Backend>;

/**
 * Opens the store of a folder, or one in memory.
 *
 * @param through - for a chain that is shared, or that follows another one
 * @throws {StoreError} `DATA_DIR_LOCKED`, `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`: the folder is unchanged;
 * `DATA_DIR_UNUSABLE`, `STORE_CORRUPT`
 */
export async function openBackend(
  dataDir: string | undefined,
  identity: ChainIdentity,
  through?: Through,
): Promise<OpenBackend> {
  if (dataDir === undefined) {
    const backend = await LevelBackend.inMemory();
    return signed({ backend, close: () => backend.close(versionEntry()) }, { dataDir: "", identity, through });
  }
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
      await backend.close(versionEntry());
    } finally {
      await lock.release();
    }
  };
  return signed({ backend, close, notices: backend.notices }, { dataDir, identity, through });
}

interface Opening {
  readonly dataDir: string;
  readonly identity: ChainIdentity;
  readonly through: Through | undefined;
}

async function signed(
  { backend: database, close, notices = [] }: OpenBackend,
  { dataDir, identity, through }: Opening,
): Promise<OpenBackend> {
  try {
    const backend = through === undefined ? unshared(database) : await through(database);
    await sign(backend, dataDir, identity);
    return { backend, close, notices };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Writes the chain's identity to a new database; compares that of an existing one, in case files of two folders were
 * mixed.
 */
async function sign(backend: Backend, dataDir: string, identity: ChainIdentity): Promise<void> {
  const version = backend.get("meta", metaKey("version"));
  if (version === undefined) {
    await backend.write([
      versionEntry(),
      { type: "put", key: metaKey("genesisHash"), value: identity.genesisHash },
      { type: "put", key: metaKey("chainId"), value: bigIntToBytes(identity.chainId) },
    ]);
    return;
  }
  if (!isReadableVersion(Number(bytesToBigInt(version)))) throw wrongVersion(dataDir, Number(bytesToBigInt(version)));
  const found: ChainIdentity = {
    genesisHash: requireMeta(backend, "genesisHash", decodeHash),
    chainId: requireMeta(backend, "chainId", decodeInteger),
  };
  checkIdentity(dataDir, found, identity);
  if (!equalBytes(version, VERSION_BYTES)) await backend.write([versionEntry()]);
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

/** The entry that {@link LevelBackend.close} writes last; its value does not change. */
function versionEntry(): BatchOperation {
  return { type: "put", key: metaKey("version"), value: VERSION_BYTES };
}
