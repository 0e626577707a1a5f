/** Parameters of random programs: accounts to call, opcodes of the hardfork, and words to push. */
import { type Hardfork, isAtLeast } from "../../../../src/chainspec/hardforks/hardforks.ts";
import { staticGas } from "../../../../src/evm/instructions.ts";
import { type Bytes, bigIntToBytes, bytesToBigInt } from "../../../../src/primitives/bytes/bytes.ts";
import { addressOf } from "../../../support/evm.ts";
import { CodeWriter } from "./code-writer.ts";
import { AUTHORITIES } from "./keys.ts";
import { PRECOMPILE_NUMBERS } from "./precompile-pool.ts";
import type { Random } from "./random.ts";

/** The contracts of a scenario, in the order in which they usually call each other. */
export const CONTRACTS: readonly Bytes[] = [0xbb, 0x11, 0x22, 0x33].map(addressOf);
/** An address that nobody has, and one of an account that exists and is empty. */
export const NOBODY = addressOf(0x99);
export const EMPTY_ACCOUNT = addressOf(0x9a);

const CALLED: readonly Bytes[] = [
  ...CONTRACTS,
  ...CONTRACTS,
  NOBODY,
  EMPTY_ACCOUNT,
  ...AUTHORITIES.map(({ address }) => address),
  addressOf(0xaa),
  addressOf(0xc0),
];

/** A program that is being made. */
export interface Making {
  readonly random: Random;
  readonly hardfork: Hardfork;
  readonly writer: CodeWriter;
  /** Index of the contract that it is for: it calls those behind it, and others only rarely. */
  readonly level: number;
  /** It may fail in any way; else it is meant to come to its end. */
  readonly isWild: boolean;
  /** Number of creations around it. */
  readonly nesting: number;
  /** Items that are on the stack for certain, and may be used. */
  height: number;
}

export interface MakingOptions {
  readonly level?: number;
  readonly isWild?: boolean;
  readonly nesting?: number;
}

export function newMaking(
  random: Random,
  hardfork: Hardfork,
  { level = 0, isWild = false, nesting = 0 }: MakingOptions = {},
): Making {
  const writer = new CodeWriter(isAtLeast(hardfork, "shanghai") && random.chance(0.7));
  return { random, hardfork, writer, level, isWild, nesting, height: 0 };
}

/** The hardfork has the opcode. */
export function knows({ hardfork }: Making, opcode: number): boolean {
  return staticGas(opcode, hardfork) !== undefined;
}

const EXTREMES: readonly bigint[] = [
  ...[2n ** 256n - 1n, 2n ** 255n, 2n ** 255n - 1n, 2n ** 128n, 2n ** 64n, 2n ** 64n - 1n, 2n ** 63n],
  ...[2n ** 32n, 2n ** 32n - 1n, 2n ** 31n, 2n ** 160n, 2n ** 256n - 32n],
];

/** A number of any size, small ones often. */
export function anyWord({ random }: Making): bigint {
  return random.weighted<() => bigint>([
    [6, () => BigInt(random.below(256))],
    [1, () => 0n],
    [2, () => BigInt(random.below(70_000))],
    [2, () => bytesToBigInt(random.bytes(random.between(1, 32)))],
    [2, () => random.pick(EXTREMES)],
    [1, () => 1n << BigInt(random.below(256))],
  ])();
}

/** Pushes {@link anyWord}, sometimes with zeros in front. */
export function pushAny(making: Making): void {
  const { random, writer } = making;
  const value = anyWord(making);
  if (!random.chance(0.15)) {
    writer.push(value);
    return;
  }
  const bytes = bigIntToBytes(value);
  const padded = new Uint8Array(random.between(Math.max(1, bytes.length), 32));
  padded.set(bytes, padded.length - bytes.length);
  writer.pushBytes(padded);
}

/** Pushes where a region of memory begins. */
export function pushOffset({ random, writer, isWild }: Making): void {
  if (random.chance(isWild ? 0.02 : 0.0005)) writer.push(random.pick(EXTREMES));
  else writer.push(random.chance(0.03) ? random.below(9_000) : random.below(300));
}

/** Pushes where data is read from, beyond whose end there are zeros. */
export function pushSource(making: Making): void {
  if (making.random.chance(0.1)) pushAny(making);
  else making.writer.push(making.random.below(120));
}

/** Pushes how long a region is. */
export function pushLength({ random, writer, isWild }: Making): void {
  if (random.chance(isWild ? 0.02 : 0.0005)) writer.push(random.pick(EXTREMES));
  else if (random.chance(0.15)) writer.push(0);
  else writer.push(random.chance(0.03) ? random.below(3_000) : random.below(100));
}

/** Pushes an account's address, which may be a precompile's; sometimes with bytes in front that do not count. */
export function pushAddress({ random, writer }: Making): void {
  if (random.chance(0.15)) {
    writer.push(random.pick(PRECOMPILE_NUMBERS));
    return;
  }
  const address = random.pick(CALLED);
  if (!random.chance(0.05)) {
    writer.pushBytes(address);
    return;
  }
  const dirty = random.bytes(32);
  dirty.set(address, 12);
  writer.pushBytes(dirty);
}

/** Pushes a slot, one of few. */
export function pushSlot({ random, writer }: Making): void {
  if (random.chance(0.03)) writer.pushBytes(random.bytes(32));
  else writer.push(random.pick([0, 0, 1, 1, 2, 3]));
}

/** Pushes what goes into a slot: often what may be there. */
export function pushStored(making: Making): void {
  if (making.random.chance(0.2)) pushAny(making);
  else making.writer.push(making.random.pick([0, 0, 1, 2, 5]));
}

/** Pushes wei. */
export function pushValue({ random, writer }: Making): void {
  writer.push(
    random.weighted<number | bigint>([
      [14, 0],
      [5, 1],
      [1, 2n ** 200n],
      [1, 5_000],
    ]),
  );
}
