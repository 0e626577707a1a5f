/**
 * Hardforks in order, and the rules that each changed.
 *
 * Names are EthereumJS' (`chainstart` is Frontier); {@link parseHardfork} also accepts the names of genesis.json and
 * other clients.
 */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { nearestName } from "../../primitives/shapes/nearest-name.ts";

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

/** Protocol rules at one hardfork, other than those of opcodes. Rewards in wei. */
export interface Rules {
  readonly hardfork: Hardfork;
  /** EIP-2: creation costs 53,000, low `s` only. */
  readonly isHomestead: boolean;
  /** EIP-155, EIP-161. */
  readonly isSpuriousDragon: boolean;
  /** Receipts carry `status` instead of a state root (EIP-658). */
  readonly isByzantium: boolean;
  /** EIP-2929, EIP-2930. */
  readonly isBerlin: boolean;
  /** EIP-1559, EIP-3529. */
  readonly isLondon: boolean;
  /** No proof of work, no uncles, no block reward (EIP-3675). */
  readonly isMerged: boolean;
  /** EIP-3651, EIP-3860, EIP-4895. */
  readonly isShanghai: boolean;
  /** EIP-4788, EIP-4844, EIP-6780. */
  readonly isCancun: boolean;
  /** EIP-2935, EIP-7002, EIP-7251, EIP-7623, EIP-7685, EIP-7702. */
  readonly isPrague: boolean;
  /** EIP-7825, EIP-7918, EIP-7934. */
  readonly isOsaka: boolean;
  /** EIP-2780, EIP-7778, EIP-7843, EIP-7928, EIP-7976, EIP-7981, EIP-8037, EIP-8038, EIP-8246, EIP-8282. */
  readonly isAmsterdam: boolean;
  readonly blockReward: bigint;
  /** Blocks by which the difficulty bomb is delayed. */
  readonly difficultyBombDelay: bigint;
  readonly calldataNonZeroGas: bigint;
  readonly maxRefundQuotient: bigint;
  /** Most bytes of a contract's code, from Spurious Dragon on (EIP-170). */
  readonly maxCodeSize: number;
  /** Most bytes of a creation's init code, from Shanghai on (EIP-3860). */
  readonly maxInitCodeSize: number;
}

const ETHER = 10n ** 18n;
/** Bytes (EIP-170). The limit of init code is twice that (EIP-3860). */
const MAX_CODE_SIZE = 24_576;
/** Bytes (EIP-7954). */
const MAX_CODE_SIZE_AMSTERDAM = 65_536;

/** The rules of one hardfork. */
export function rulesOf(hardfork: Hardfork): Rules {
  const at = (other: Hardfork): boolean => isAtLeast(hardfork, other);
  const maxCodeSize = at("amsterdam") ? MAX_CODE_SIZE_AMSTERDAM : MAX_CODE_SIZE;
  return {
    hardfork,
    isHomestead: at("homestead"),
    isSpuriousDragon: at("spuriousDragon"),
    isByzantium: at("byzantium"),
    isBerlin: at("berlin"),
    isLondon: at("london"),
    isMerged: at("paris"),
    isShanghai: at("shanghai"),
    isCancun: at("cancun"),
    isPrague: at("prague"),
    isOsaka: at("osaka"),
    isAmsterdam: at("amsterdam"),
    blockReward: at("paris") ? 0n : at("constantinople") ? 2n * ETHER : at("byzantium") ? 3n * ETHER : 5n * ETHER,
    difficultyBombDelay: bombDelay(at),
    calldataNonZeroGas: at("istanbul") ? 16n : 68n,
    maxRefundQuotient: at("london") ? 5n : 2n,
    maxCodeSize,
    maxInitCodeSize: 2 * maxCodeSize,
  };
}

/** EIP-649, EIP-1234, EIP-2384, EIP-3554, EIP-4345, EIP-5133. */
function bombDelay(at: (other: Hardfork) => boolean): bigint {
  if (at("grayGlacier")) return 11_400_000n;
  if (at("arrowGlacier")) return 10_700_000n;
  if (at("london")) return 9_700_000n;
  if (at("muirGlacier")) return 9_000_000n;
  if (at("constantinople")) return 5_000_000n;
  return at("byzantium") ? 3_000_000n : 0n;
}

/** Mainnet's blob schedule; a genesis' own `blobSchedule` takes precedence for each hardfork. */
export const DEFAULT_BLOB_SCHEDULES: Readonly<Partial<Record<Hardfork, BlobSchedule>>> = {
  cancun: { target: 3n, max: 6n, baseFeeUpdateFraction: 3_338_477n },
  prague: { target: 6n, max: 9n, baseFeeUpdateFraction: 5_007_716n },
  bpo1: { target: 10n, max: 15n, baseFeeUpdateFraction: 8_346_193n },
  bpo2: { target: 14n, max: 21n, baseFeeUpdateFraction: 11_684_671n },
};
