/**
 * Hardforks in order, their names, and their blob schedules. The EIPs of each are in `eips.ts`.
 *
 * Names are EthereumJS' (`chainstart` is Frontier); {@link parseHardfork} also accepts the names of genesis.json and
 * other clients.
 */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { nearestName } from "../../primitives/validation/nearest-name.ts";

/** All hardforks, oldest first. The DAO fork is not listed: it changed one block's state, but no rule. */
export const HARDFORKS = [
  "chainstart",
  "homestead",
  "tangerineWhistle",
  "spuriousDragon",
  "byzantium",
  "constantinople",
  "petersburg",
  "istanbul",
  "muirGlacier",
  "berlin",
  "london",
  "arrowGlacier",
  "grayGlacier",
  "paris",
  "shanghai",
  "cancun",
  "prague",
  "osaka",
  "bpo1",
  "bpo2",
  "bpo3",
  "bpo4",
  "bpo5",
  "amsterdam",
] as const;

/** The name of a hardfork in lower camel case. */
export type Hardfork = (typeof HARDFORKS)[number];

/** Hardforks newer than this one are offered but experimental. */
export const NEWEST_STABLE_HARDFORK: Hardfork = "osaka";

const ALIASES: Readonly<Record<string, Hardfork>> = {
  frontier: "chainstart",
  eip150: "tangerineWhistle",
  tangerine: "tangerineWhistle",
  eip158: "spuriousDragon",
  spurious: "spuriousDragon",
  constantinoplefix: "petersburg",
  merge: "paris",
  latest: NEWEST_STABLE_HARDFORK,
};

const BY_LOWER_CASE: ReadonlyMap<string, Hardfork> = new Map([
  ...HARDFORKS.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(ALIASES),
]);

const RANK: ReadonlyMap<string, number> = new Map(HARDFORKS.map((name, rank) => [name, rank]));

/**
 * Parses a user's name of a hardfork, ignoring case and dashes.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for an unknown name
 */
export function parseHardfork(name: string): Hardfork {
  const hardfork = findHardfork(name);
  if (hardfork !== undefined) return hardfork;
  const names = HARDFORKS.map(hardforkName);
  const near = nearestName(name, names);
  throw new InvalidParamsError({
    code: "INVALID_OPTION",
    what: `Unknown hardfork ${JSON.stringify(name)}.`,
    fix: `${near === undefined ? "" : `Did you mean ${near}? `}Use one of: ${names.join(", ")}.`,
  });
}

/** As {@link parseHardfork}, but undefined for an unknown name. */
export function findHardfork(name: string): Hardfork | undefined {
  return BY_LOWER_CASE.get(name.toLowerCase().replaceAll(/[-_\s]/g, ""));
}

/** The common name of a hardfork, which {@link parseHardfork} accepts. */
export function hardforkName(hardfork: Hardfork): string {
  return hardfork === "chainstart" ? "frontier" : hardfork;
}

/** True if `hardfork` is `other` or newer. */
export function isAtLeast(hardfork: Hardfork, other: Hardfork): boolean {
  return (RANK.get(hardfork) as number) >= (RANK.get(other) as number);
}

/** True for hardforks that change the limits of blobs and no other rule (EIP-7892). */
export function isBlobParameterOnly(hardfork: Hardfork): boolean {
  return hardfork.startsWith("bpo");
}

/** True for a hardfork whose rules may still change, because no network has it. */
export function isExperimental(hardfork: Hardfork): boolean {
  return !isAtLeast(NEWEST_STABLE_HARDFORK, hardfork) && !isBlobParameterOnly(hardfork);
}

/** Blob limits of a hardfork, in blobs, and how fast the blob fee moves (EIP-4844, EIP-7840). */
export interface BlobSchedule {
  readonly target: bigint;
  readonly max: bigint;
  readonly baseFeeUpdateFraction: bigint;
}

/** Mainnet's blob schedule; a genesis' own `blobSchedule` takes precedence for each hardfork. */
export const DEFAULT_BLOB_SCHEDULES: Readonly<Partial<Record<Hardfork, BlobSchedule>>> = {
  cancun: { target: 3n, max: 6n, baseFeeUpdateFraction: 3_338_477n },
  prague: { target: 6n, max: 9n, baseFeeUpdateFraction: 5_007_716n },
  bpo1: { target: 10n, max: 15n, baseFeeUpdateFraction: 8_346_193n },
  bpo2: { target: 14n, max: 21n, baseFeeUpdateFraction: 11_684_671n },
};
