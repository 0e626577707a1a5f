/** Data folders in the origin's private file system. Counterpart of `store/backends/data-folder.ts`. */
import type { ChainIdentity } from "../../store/backends/chain-identity.ts";

/** Loaded with the first data folder: a chain in memory does without. */
const load = () => import("./private-folder.ts");

/** Folder of the journal in a data folder. */
export const chainFolder = (dataDir: string): string => `${dataDir}/chain`;

/**
 * Creates the folder if it does not exist.
 *
 * @throws {StoreError} `DATA_DIR_UNUSABLE`, also outside of workers
 */
export const makeDataFolder = async (dataDir: string): Promise<void> => (await load()).makeFolder(dataDir);

/**
 * The identity of a folder's chain; undefined if it is missing or not a data folder.
 *
 * @throws {StoreError} `DATA_DIR_VERSION`, `STORE_CORRUPT`, `DATA_DIR_UNUSABLE`
 */
export const readDataFolder = async (dataDir: string): Promise<ChainIdentity | undefined> =>
  (await load()).readIdentity(dataDir);

/**
 * Checks that the folder holds this chain; prepares an empty folder for it. A refused folder is not changed.
 *
 * @throws {StoreError} `DATA_DIR_MISMATCH`, `DATA_DIR_VERSION`, `STORE_CORRUPT`, `DATA_DIR_UNUSABLE`
 */
export const claimDataFolder = async (dataDir: string, identity: ChainIdentity): Promise<void> =>
  (await load()).claimFolder(dataDir, identity);
