/** Prices of the precompiled contracts, by hardfork. */
import { hasEip } from "../../../chainspec/hardforks/eips.ts";
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { modexpPrice } from "./modexp-price.ts";

/** Price in gas of an input. */
export type Price = (input: Bytes) => bigint;

/** Bytes of a pair of points in the input of bn254's pairing (EIP-197). */
export const BN254_PAIR_BYTES = 192;
/** Bytes of a pair of points in the input of BLS12-381's pairing (EIP-2537). */
export const BLS_PAIR_BYTES = 384;
/** Bytes of a point and its scalar in the input of a multi-scalar multiplication (EIP-2537). */
export const G1_TERM_BYTES = 160;
/** Bytes of a point and its factor in the input of BLS12_G2MSM (EIP-2537). */
export const G2_TERM_BYTES = 288;

const fixed = (gas: bigint): Price => {
  return () => gas;
};

const byWord = (base: number, word: number): Price => {
  return (input) => BigInt(base + word * Math.ceil(input.length / 32));
};

const byPair = (base: number, pair: number, pairBytes: number): Price => {
  return (input) => BigInt(base + pair * Math.floor(input.length / pairBytes));
};

const blake2f: Price = (input) => BigInt(blake2fRounds(input));

/** One scalar multiplication per term, with a discount that grows with the number of terms (EIP-2537). */
const byTerm = (multiplication: number, termBytes: number, discounts: readonly number[]): Price => {
  return (input) => {
    const terms = Math.floor(input.length / termBytes);
    if (terms === 0) return 0n;
    const discount = discounts[Math.min(terms, discounts.length) - 1] as number;
    return (BigInt(terms * multiplication) * BigInt(discount)) / 1000n;
  };
};

/** EIP-2537: thousandths of the full price of a multiplication, for 1 to 128 terms. */
const G1_DISCOUNTS: readonly number[] = [
  1000, 949, 848, 797, 764, 750, 738, 728, 719, 712, 705, 698, 692, 687, 682, 677, 673, 669, 665, 661, 658, 654, 651,
  648, 645, 642, 640, 637, 635, 632, 630, 627, 625, 623, 621, 619, 617, 615, 613, 611, 609, 608, 606, 604, 603, 601,
  599, 598, 596, 595, 593, 592, 591, 589, 588, 586, 585, 584, 582, 581, 580, 579, 577, 576, 575, 574, 573, 572, 570,
  569, 568, 567, 566, 565, 564, 563, 562, 561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 551, 550, 549, 548, 547,
  547, 546, 545, 544, 543, 542, 541, 540, 540, 539, 538, 537, 536, 536, 535, 534, 533, 532, 532, 531, 530, 529, 528,
  528, 527, 526, 525, 525, 524, 523, 522, 522, 521, 520, 520, 519,
];
const G2_DISCOUNTS: readonly number[] = [
  1000, 1000, 923, 884, 855, 832, 812, 796, 782, 770, 759, 749, 740, 732, 724, 717, 711, 704, 699, 693, 688, 683, 679,
  674, 670, 666, 663, 659, 655, 652, 649, 646, 643, 640, 637, 634, 632, 629, 627, 624, 622, 620, 618, 615, 613, 611,
  609, 607, 606, 604, 602, 600, 598, 597, 595, 593, 592, 590, 589, 587, 586, 584, 583, 582, 580, 579, 578, 576, 575,
  574, 573, 571, 570, 569, 568, 567, 566, 565, 563, 562, 561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 552, 551,
  550, 549, 548, 547, 546, 545, 545, 544, 543, 542, 541, 541, 540, 539, 538, 537, 537, 536, 535, 535, 534, 533, 532,
  532, 531, 530, 530, 529, 528, 528, 527, 526, 526, 525, 524, 524,
];

/** The number of rounds in an input of blake2f. An input without 213 bytes fails and is free (EIP-152). */
export function blake2fRounds(input: Bytes): number {
  return input.length === 213 ? new DataView(input.buffer, input.byteOffset).getUint32(0) : 0;
}

/**
 * The price of the precompile with a standard address, in a hardfork that has it.
 *
 * @throws {TypeError} for an address without a precompile
 */
export function priceOf(standardAddress: number, hardfork: Hardfork): Price {
  const price = pricesAt(hardfork).get(standardAddress);
  if (price === undefined) throw new TypeError(`priceOf: no precompile has the standard address ${standardAddress}`);
  return price;
}

function pricesAt(hardfork: Hardfork): ReadonlyMap<number, Price> {
  const isCheaper = hasEip(hardfork, 1108);
  return new Map([
    // Yellow paper, appendix E.
    [0x01, fixed(3000n)],
    [0x02, byWord(60, 12)],
    [0x03, byWord(600, 120)],
    [0x04, byWord(15, 3)],
    [0x05, modexpPrice(hardfork)],
    // EIP-196 and EIP-197; the lower prices are those of EIP-1108.
    [0x06, fixed(isCheaper ? 150n : 500n)],
    [0x07, fixed(isCheaper ? 6000n : 40_000n)],
    [0x08, isCheaper ? byPair(45_000, 34_000, BN254_PAIR_BYTES) : byPair(100_000, 80_000, BN254_PAIR_BYTES)],
    [0x09, blake2f],
    // EIP-4844
    [0x0a, fixed(50_000n)],
    // EIP-2537
    [0x0b, fixed(375n)],
    [0x0c, byTerm(12_000, G1_TERM_BYTES, G1_DISCOUNTS)],
    [0x0d, fixed(600n)],
    [0x0e, byTerm(22_500, G2_TERM_BYTES, G2_DISCOUNTS)],
    [0x0f, byPair(37_700, 32_600, BLS_PAIR_BYTES)],
    [0x10, fixed(5500n)],
    [0x11, fixed(23_800n)],
    // EIP-7951
    [0x100, fixed(6900n)],
  ]);
}
