/** Block and uncle rewards of the proof-of-work era, in wei (yellow paper §12.3, EIP-649, EIP-1234). */
import type { Rules } from "../hardforks/rules.ts";
import type { Header } from "./header.ts";

/** Reward of a block's miner, without fees: the base reward and 1/32 of it per uncle. Zero from the Merge on. */
export function blockReward(rules: Rules, uncleCount: number): bigint {
  return rules.blockReward + (rules.blockReward / 32n) * BigInt(uncleCount);
}

/** Reward of an uncle's miner: the base reward, less an eighth of it per generation of distance. */
export function uncleReward(rules: Rules, blockNumber: bigint, uncle: Header): bigint {
  return ((uncle.number + 8n - blockNumber) * rules.blockReward) / 8n;
}
