/** Block and uncle rewards of the proof-of-work era, in wei (yellow paper §12.3, EIP-649, EIP-1234). */
import type { Rules } from "../hardforks/hardforks.ts";
import type { Header } from "./header.ts";

/** What the miner of a block gets beside fees: the base reward and 1/32 of it per uncle. Zero from the Merge on. */
export function blockReward(rules: Rules, uncleCount: number): bigint {
  return rules.blockReward + (rules.blockReward / 32n) * BigInt(uncleCount);
}

/** What the miner of an uncle gets: an eighth of the base reward less per generation of distance. */
export function uncleReward(rules: Rules, blockNumber: bigint, uncle: Header): bigint {
  return ((uncle.number + 8n - blockNumber) * rules.blockReward) / 8n;
}
