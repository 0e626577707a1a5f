/**
 * The number that the instruction NUMBER gives on chains of Arbitrum: that of a block of the chain below, about the one that
 * was the newest there.
 */
import { bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import type { Header } from "./header.ts";

/** A block of such a chain, and the number that NUMBER gives in it. */
export interface L1BlockNumber {
  readonly number: bigint;
  readonly l1BlockNumber: bigint;
}

/**
 * The number that NUMBER gives in a block.
 *
 * @param pin - the block at which the chain was forked: numbers of later blocks grow by one each
 * @see https://docs.arbitrum.io/build-decentralized-apps/arbitrum-vs-ethereum/block-numbers-and-time
 */
export function l1BlockNumberAt({ number, mixHash }: Pick<Header, "number" | "mixHash">, pin: L1BlockNumber): bigint {
  if (number >= pin.number) return pin.l1BlockNumber + number - pin.number;
  // Bytes 8 to 15, between the number of messages to the chain below and the version of ArbOS.
  return bytesToBigInt(mixHash.subarray(8, 16));
}
