/**
 * The hardforks in an answer of `eth_config` (EIP-7910). It has the current hardfork of a chain, the next and the last one,
 * by their precompiles, system contracts and blob limits; it does not name them.
 */
import {
  type BlobSchedule,
  DEFAULT_BLOB_SCHEDULES,
  HARDFORKS,
  type Hardfork,
  isAtLeast,
  isBlobParameterOnly,
} from "../../chainspec/hardforks/hardforks.ts";
import {
  BUILDER_DEPOSITS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../../chainspec/system-contracts.ts";
import { type Bytes, bigIntToFixedBytes, bytesKey, equalBytes } from "../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";
import { readFixedData, readObject, readQuantity } from "../../remote/wire.ts";

/** A hardfork of a chain, as its node describes it. */
export interface StatedHardfork {
  readonly hardfork: Hardfork;
  /** seconds */
  readonly activationTime: bigint;
  readonly blobSchedule: BlobSchedule | undefined;
  /** 20 bytes */
  readonly depositContract: Bytes | undefined;
}

type StatedRules = Omit<StatedHardfork, "hardfork"> & { readonly hardfork: Hardfork | undefined };

const precompile = (number: bigint): Bytes => bigIntToFixedBytes(number, 20);

/**
 * Contracts that tell a hardfork from earlier ones, newest first. Chains other than Ethereum leave contracts out, or have
 * P256VERIFY before the precompiles of Prague.
 */
const SIGNS: readonly (readonly [Hardfork, readonly Bytes[]])[] = [
  ["amsterdam", [BUILDER_DEPOSITS_ADDRESS]],
  ["osaka", [precompile(0x100n), precompile(0x0bn)]],
  ["prague", [precompile(0x0bn)]],
  ["prague", [WITHDRAWAL_REQUESTS_ADDRESS, CONSOLIDATION_REQUESTS_ADDRESS]],
  ["cancun", [precompile(0x0an)]],
];

/** 2^53 seconds; a larger JSON number is not exact. */
const LATEST_TIME = BigInt(Number.MAX_SAFE_INTEGER);
/** Most blobs of a block that are believed. */
const MOST_BLOBS = 4_096n;
/** The gas of one blob (EIP-4844). With a smaller fraction, computing the fee of a block's blobs could take hours. */
const SMALLEST_FRACTION = 131_072n;

/**
 * The hardforks from Cancun on that an answer has, in ascending order. Later hardforks than those that are known here are
 * left out.
 *
 * @throws {TypeError} if the answer is not what EIP-7910 says, is of another chain, or has hardforks in another order
 */
export function readEthConfig(answer: unknown, chainId: bigint): readonly StatedHardfork[] {
  const { current, next, last } = readObject(answer);
  const entries = [current, next, last].filter((entry) => entry !== null && entry !== undefined);
  const read = entries.map((entry) => readRules(readObject(entry), chainId));
  const stated: StatedHardfork[] = [];
  for (const rules of read.sort((left, right) => Number(left.activationTime - right.activationTime))) {
    const before = stated.at(-1);
    // The last hardfork may be the next one.
    if (rules.activationTime === before?.activationTime) continue;
    const hardfork = before === undefined ? rules.hardfork : hardforkAfter(before, rules);
    if (hardfork !== undefined) stated.push({ ...rules, hardfork });
  }
  return stated;
}

function readRules(entry: Readonly<Record<string, unknown>>, chainId: bigint): StatedRules {
  if (readQuantity(entry.chainId) !== chainId) throw new TypeError(`expected chain id ${chainId}`);
  const contracts = readObject(entry.systemContracts ?? {});
  const addresses = [...Object.values(readObject(entry.precompiles ?? {})), ...Object.values(contracts)];
  const has = new Set(addresses.map((address) => bytesKey(readFixedData(address, 20))));
  const hardfork = SIGNS.find(([, signs]) => signs.every((sign) => has.has(bytesKey(sign))))?.[0];
  const blobSchedule = readBlobSchedule(entry.blobSchedule);
  return {
    hardfork: hardfork === "osaka" ? withBlobLimits(blobSchedule) : hardfork,
    activationTime: readInteger(entry.activationTime, LATEST_TIME),
    blobSchedule,
    depositContract: readDepositContract(contracts.DEPOSIT_CONTRACT_ADDRESS),
  };
}

/** Osaka, or the hardfork after it that has these blob limits on mainnet. */
function withBlobLimits(limits: BlobSchedule | undefined): Hardfork {
  const isLike = (name: Hardfork): boolean =>
    isBlobParameterOnly(name) && isEqual(DEFAULT_BLOB_SCHEDULES[name], limits);
  return (limits && HARDFORKS.find(isLike)) ?? "osaka";
}

/** The hardfork of rules that follow others; undefined if it is not known here. */
function hardforkAfter(before: StatedHardfork, { hardfork, blobSchedule }: StatedRules): Hardfork | undefined {
  if (hardfork === undefined || !isAtLeast(signOf(hardfork), signOf(before.hardfork))) {
    throw new TypeError("expected hardforks in ascending order");
  }
  if (!isAtLeast(before.hardfork, hardfork)) return hardfork;
  const following = HARDFORKS[HARDFORKS.indexOf(before.hardfork) + 1];
  if (following === undefined || !isBlobParameterOnly(following)) return undefined;
  return isEqual(blobSchedule, before.blobSchedule) ? undefined : following;
}

/** The hardfork whose contracts it has. */
const signOf = (hardfork: Hardfork): Hardfork => (isBlobParameterOnly(hardfork) ? "osaka" : hardfork);

function isEqual(left: BlobSchedule | undefined, right: BlobSchedule | undefined): boolean {
  return (
    left?.target === right?.target &&
    left?.max === right?.max &&
    left?.baseFeeUpdateFraction === right?.baseFeeUpdateFraction
  );
}

function readBlobSchedule(value: unknown): BlobSchedule | undefined {
  if (value === null || value === undefined) return undefined;
  const members = readObject(value);
  const limits: BlobSchedule = {
    target: readInteger(members.target, MOST_BLOBS),
    max: readInteger(members.max, MOST_BLOBS),
    baseFeeUpdateFraction: readInteger(members.baseFeeUpdateFraction, LATEST_TIME),
  };
  if (!isPlausible(limits)) throw new TypeError("expected blob limits that a chain can have");
  return limits;
}

/** False for blob limits that no chain has, by which a fee could not be computed. */
export function isPlausible({ target, max, baseFeeUpdateFraction }: BlobSchedule): boolean {
  return target <= max && max <= MOST_BLOBS && baseFeeUpdateFraction >= SMALLEST_FRACTION;
}

/** Some nodes have the zero address where there is no such contract. */
function readDepositContract(value: unknown): Bytes | undefined {
  const address = value === undefined ? ZERO_ADDRESS : readFixedData(value, 20);
  return equalBytes(address, ZERO_ADDRESS) ? undefined : address;
}

/** A JSON number, as EIP-7910 has it, or a QUANTITY. */
function readInteger(value: unknown, most: bigint): bigint {
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  const integer = isNumber ? BigInt(value) : readQuantity(value);
  if (integer > most) throw new TypeError(`expected at most ${most}`);
  return integer;
}
