/** Chains in a browser are in memory. Counterpart of `store/backends/data-folder.ts`. */
import { StoreError } from "../../errors/hindcast-error.ts";
import type { ChainIdentity } from "../../store/backends/chain-identity.ts";

function noFolders(dataDir: string): StoreError {
  return new StoreError({
    code: "DATA_DIR_UNUSABLE",
    what: "A chain in a browser is in memory: there is no data folder.",
    where: `Folder: ${dataDir}.`,
    fix: "Leave the option dataDir out, and keep the chain with node.dumpState().",
  });
}

/** The folder as it is. */
export const chainFolder = (dataDir: string): string => dataDir;

/** @throws {StoreError} `DATA_DIR_UNUSABLE` */
export async function makeDataFolder(dataDir: string): Promise<void> {
  throw noFolders(dataDir);
}

/** @throws {StoreError} `DATA_DIR_UNUSABLE` */
export async function readDataFolder(dataDir: string): Promise<ChainIdentity | undefined> {
  throw noFolders(dataDir);
}

/** @throws {StoreError} `DATA_DIR_UNUSABLE` */
export async function claimDataFolder(dataDir: string, _identity: ChainIdentity): Promise<void> {
  throw noFolders(dataDir);
}
