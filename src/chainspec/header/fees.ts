/**
 * Fee rules between a block and its child (base fee, excess blob gas, blob base fee), and the rewards of the proof-of-work
 * era, in wei (yellow paper §12.3, EIP-649, EIP-1234). Pure functions of headers.
 */
import { MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import type { BlobSchedule } from "../hardforks/hardforks.ts";
import type { Rules } from "../hardforks/rules.ts";
import type { Header } from "./header.ts";

/** wei per gas of the first London block (EIP-1559). */
export const INITIAL_BASE_FEE = 1_000_000_000n;
/** Gas of one blob (EIP-4844). */
export const BLOB_GAS_PER_BLOB = 131_072n;
/** wei per blob gas (EIP-4844). */
const MIN_BLOB_BASE_FEE = 1n;
/** EIP-7918: the price of a blob must at least equal that of this much execution gas. */
const BLOB_BASE_COST = 8_192n;
const BASE_FEE_CHANGE_DENOMINATOR = 8n;
/** EIP-1559: a block may use twice its gas target. */
export const ELASTICITY = 2n;

/**
 * Required base fee of a child block, in wei per gas.
 *
 * Rises by at most 1/8 if the parent used more than its gas target, falls by at most 1/8 if less; the first London
 * block has 1 gwei.
 *
 * @see EIP-1559
 */
export function nextBaseFeePerGas(parent: Header): bigint {
  if (parent.baseFeePerGas === undefined) return INITIAL_BASE_FEE;
  const target = parent.gasLimit / ELASTICITY;
  if (parent.gasUsed === target || target === 0n) return parent.baseFeePerGas;
  if (parent.gasUsed > target) {
    const delta = (parent.baseFeePerGas * (parent.gasUsed - target)) / target / BASE_FEE_CHANGE_DENOMINATOR;
    return parent.baseFeePerGas + (delta > 1n ? delta : 1n);
  }
  return (
    parent.baseFeePerGas - (parent.baseFeePerGas * (target - parent.gasUsed)) / target / BASE_FEE_CHANGE_DENOMINATOR
  );
}

/**
 * Required excess blob gas of a child block, in blob gas.
 *
 * @param rules - of the child
 * @see EIP-4844, EIP-7918 (a reserve price keeps the excess from falling)
 */
export function nextExcessBlobGas(parent: Header, rules: Rules, schedule: BlobSchedule): bigint {
  const excess = parent.excessBlobGas ?? 0n;
  const used = parent.blobGasUsed ?? 0n;
  const target = schedule.target * BLOB_GAS_PER_BLOB;
  if (excess + used < target) return 0n;
  const reserveHolds =
    rules.has(7918) &&
    BLOB_BASE_COST * (parent.baseFeePerGas ?? 0n) > BLOB_GAS_PER_BLOB * blobBaseFee(excess, schedule);
  // Without blobs nothing is added, and a schedule may allow none.
  if (reserveHolds && used === 0n) return excess;
  if (reserveHolds) return excess + (used * (schedule.max - schedule.target)) / schedule.max;
  return excess + used - target;
}

/**
 * Price of blob gas, wei per blob gas, at an excess (EIP-4844 `fake_exponential`). The series ends at 2^256 - 1, the
 * largest value that BLOBBASEFEE can give and a sender can pay, because it has more terms the larger the excess is.
 */
export function blobBaseFee(excessBlobGas: bigint, schedule: BlobSchedule): bigint {
  const denominator = schedule.baseFeeUpdateFraction;
  let index = 1n;
  let output = 0n;
  let accumulator = MIN_BLOB_BASE_FEE * denominator;
  while (accumulator > 0n) {
    output += accumulator;
    if (output >= MAX_UINT256 * denominator) return MAX_UINT256;
    accumulator = (accumulator * excessBlobGas) / (denominator * index);
    index += 1n;
  }
  return output / denominator;
}

/**
 * False for a header whose blobs cost more than any account can hold: no chain gets there, since somebody would have had
 * to pay for the blobs before.
 */
export function isReachable({ excessBlobGas = 0n }: Pick<Header, "excessBlobGas">, schedule: BlobSchedule): boolean {
  return blobBaseFee(excessBlobGas, schedule) < MAX_UINT256;
}

/** Reward of a block's miner, without fees: the base reward and 1/32 of it per uncle. Zero from the Merge on. */
export function blockReward(rules: Rules, uncleCount: number): bigint {
  return rules.blockReward + (rules.blockReward / 32n) * BigInt(uncleCount);
}

/** Reward of an uncle's miner: the base reward, less an eighth of it per generation of distance. */
export function uncleReward(rules: Rules, blockNumber: bigint, uncle: Header): bigint {
  return ((uncle.number + 8n - blockNumber) * rules.blockReward) / 8n;
}
