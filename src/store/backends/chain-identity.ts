/** The identity of the chain in a data folder: its text, and whether it is that of the requested chain. */
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData, isData } from "../../primitives/bytes/hex.ts";
import { OLDEST_READABLE_VERSION, SCHEMA_VERSION } from "../schema.ts";

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

/** File of a data folder that has it. */
export const IDENTITY_FILE = "hindcast.json";

/** The text of a chain's identity. */
export function identityText(identity: ChainIdentity): string {
  const { genesisHash, chainId, genesisTimestamp, settings } = identity;
  return `${JSON.stringify(
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
  )}\n`;
}

/**
 * Reads the text of an identity.
 *
 * @throws {StoreError} `DATA_DIR_VERSION`, `STORE_CORRUPT`
 */
export function parseIdentity(dataDir: string, text: string): ChainIdentity {
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
export function checkLaterHardforks(dataDir: string, found: ChainIdentity, expected: ChainIdentity): void {
  if (found.settings?.hardforkAt === expected.settings?.hardforkAt) return;
  throw new StoreError({
    code: "DATA_DIR_MISMATCH",
    what: "The chain in the data folder has other later hardforks.",
    where: `Folder: ${dataDir}.${differenceOf(found, expected)}`,
    fix: "Start with the same hardforkAt, or name another folder.",
  });
}

/** The options by which two development chains differ, in a sentence; empty where they are not known. */
export function differenceOf({ settings: found }: ChainIdentity, { settings: wanted }: ChainIdentity): string {
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

/** The schema version of a text that {@link parseIdentity} reads. */
export function versionOf(text: string): unknown {
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
