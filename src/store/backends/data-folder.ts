/**
 * A data folder: `hindcast.json`, which identifies its chain, and `chain/`, the LevelDB.
 *
 * The folder is checked before LevelDB opens it, because opening alone renames and rewrites files.
 */
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData, isData } from "../../primitives/bytes/hex.ts";
import { OLDEST_READABLE_VERSION, SCHEMA_VERSION } from "../schema.ts";
import { folderUnusable, levelCode } from "../store-errors.ts";

/** Identity of a chain. */
export interface ChainIdentity {
  /** 32 bytes */
  readonly genesisHash: Bytes;
  readonly chainId: bigint;
  /** Seconds. Stored so that a development chain, whose genesis depends on its options and time, can be built again. */
  readonly genesisTimestamp?: bigint;
  /** Settings that determined a development chain's genesis, by option. An error names the ones that differ. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

const IDENTITY_FILE = "hindcast.json";
const UNFINISHED_FILE = "hindcast.json.tmp";
const CHAIN_FOLDER = "chain";

/** Folder of the LevelDB in a data folder. */
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
  const { genesisHash, chainId, genesisTimestamp, settings } = identity;
  const text = JSON.stringify(
    {
      about: "A Hindcast chain store. Do not edit.",
      version: SCHEMA_VERSION,
      genesisHash: encodeData(genesisHash),
      chainId: chainId.toString(),
      ...(genesisTimestamp === undefined ? {} : { genesisTimestamp: genesisTimestamp.toString() }),
      ...(settings === undefined ? {} : { settings }),
    },
    undefined,
    2,
  );
  // Not by a file handle: those that Yarn's Plug'n'Play puts in place of Node's have no sync().
  await writeFile(join(dataDir, UNFINISHED_FILE), `${text}\n`, { flush: true });
  await rename(join(dataDir, UNFINISHED_FILE), join(dataDir, IDENTITY_FILE));
}

function parseIdentity(dataDir: string, text: string): ChainIdentity {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw unreadable(dataDir, cause);
  }
  const { version, genesisHash, chainId, genesisTimestamp, settings } = (parsed ?? {}) as Record<string, unknown>;
  if (typeof version !== "number") throw unreadable(dataDir, undefined);
  // Checked first, because other versions may write the rest differently.
  if (!isReadableVersion(version)) throw wrongVersion(dataDir, version);
  if (typeof genesisHash !== "string" || !isData(genesisHash)) throw unreadable(dataDir, undefined);
  if (typeof chainId !== "string" || !/^\d+$/.test(chainId)) throw unreadable(dataDir, undefined);
  const identity = {
    genesisHash: decodeData(genesisHash),
    chainId: BigInt(chainId),
    ...(isTexts(settings) ? { settings } : {}),
  };
  if (genesisTimestamp === undefined) return identity;
  if (typeof genesisTimestamp !== "string" || !/^\d+$/.test(genesisTimestamp)) throw unreadable(dataDir, undefined);
  return { ...identity, genesisTimestamp: BigInt(genesisTimestamp) };
}

/**
 * Compares the identity of a folder's chain with that of the requested one.
 *
 * @throws {StoreError} `DATA_DIR_MISMATCH`
 */
export function checkIdentity(dataDir: string, found: ChainIdentity, expected: ChainIdentity): void {
  const isSame = found.chainId === expected.chainId && equalBytes(found.genesisHash, expected.genesisHash);
  if (isSame) return;
  throw new StoreError({
    code: "DATA_DIR_MISMATCH",
    what: `The data folder holds ${describe(found)}, not ${describe(expected)}.`,
    where: `Folder: ${dataDir}.${differenceOf(found, expected)}`,
    fix: "Start with the genesis, chain id or fork that the folder was made with, or name another folder.",
  });
}

/** Compares the beginnings of later hardforks, which the genesis block does not show. */
function checkLaterHardforks(dataDir: string, found: ChainIdentity, expected: ChainIdentity): void {
  if (found.settings?.hardforkAt === expected.settings?.hardforkAt) return;
  throw new StoreError({
    code: "DATA_DIR_MISMATCH",
    what: "The chain in the data folder has other later hardforks.",
    where: `Folder: ${dataDir}.${differenceOf(found, expected)}`,
    fix: "Start with the same hardforkAt, or name another folder.",
  });
}

/** The options by which two development chains differ, in a sentence; empty where they are not known. */
function differenceOf({ settings: found }: ChainIdentity, { settings: wanted }: ChainIdentity): string {
  if (found === undefined || wanted === undefined) return "";
  const names = Object.keys({ ...found, ...wanted }).filter((name) => found[name] !== wanted[name]);
  const differences = names.map((name) => `${name} ${found[name] ?? "(none)"}, now ${wanted[name] ?? "(none)"}`);
  return differences.length === 0 ? "" : ` It was made with ${differences.join("; ")}.`;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null && Object.values(value).every((each) => typeof each === "string");
}

/** True for a schema version whose folders this program opens. */
export function isReadableVersion(version: number): boolean {
  return version >= OLDEST_READABLE_VERSION && version <= SCHEMA_VERSION;
}

function versionOf(text: string): unknown {
  return (JSON.parse(text) as { readonly version: unknown }).version;
}

/** The error for a folder of an unknown schema version. */
export function wrongVersion(dataDir: string, found: number): StoreError {
  return new StoreError({
    code: "DATA_DIR_VERSION",
    what: `The data folder has schema version ${found}; this program reads versions ${OLDEST_READABLE_VERSION} to ${SCHEMA_VERSION}.`,
    where: `Folder: ${dataDir}.`,
    fix: "Open it with the program version that wrote it, export the chain there and import it into a new folder here.",
  });
}

function describe({ genesisHash, chainId }: ChainIdentity): string {
  return `the chain with id ${chainId} and genesis ${encodeData(genesisHash)}`;
}

function unreadable(dataDir: string, cause: unknown): StoreError {
  return new StoreError({
    code: "STORE_CORRUPT",
    what: `The data folder's ${IDENTITY_FILE} cannot be understood.`,
    where: `Folder: ${dataDir}.`,
    fix: "Restore the file from a copy, or name another folder.",
    cause,
  });
}
