/** Opens a store, in memory or in a folder, and signs it with the identity of its chain. */
import { bigIntToBytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { metaKey } from "../codecs/keys.ts";
import { SCHEMA_VERSION } from "../schema.ts";
import type { Backend, OpenBackend } from "./backend.ts";
import type { ChainIdentity } from "./chain-identity.ts";
import { LevelBackend } from "./level-backend.ts";
import type { BatchOperation } from "./level-database.ts";
import { unshared } from "./stream-mark.ts";

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
  const { openFolder } = await import("./open-folder.ts");
  return signed(await openFolder(dataDir, identity, versionEntry()), { dataDir, identity, through });
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
  const { checkStoredIdentity } = await import("./open-folder.ts");
  checkStoredIdentity(backend, version, dataDir, identity);
  if (!equalBytes(version, VERSION_BYTES)) await backend.write([versionEntry()]);
}

/** The entry that {@link LevelBackend.close} writes last; its value does not change. */
function versionEntry(): BatchOperation {
  return { type: "put", key: metaKey("version"), value: VERSION_BYTES };
}
