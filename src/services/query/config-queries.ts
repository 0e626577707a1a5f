/** What the node's chain is set to do now and next: hardforks by time, as EIP-7910 shows them. */
import type { Chain } from "../../chain/chain.ts";
import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import { forkIdHash } from "../../chainspec/fork-id.ts";
import { type BlobSchedule, HARDFORKS, type Hardfork, isAtLeast } from "../../chainspec/hardforks/hardforks.ts";
import { type NamedAddress, precompilesAt } from "../../chainspec/hardforks/precompiles.ts";
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../../chainspec/system-contracts.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";

/** The rules of one hardfork. */
export interface ForkConfig {
  /** seconds; 0 for a hardfork that held from the first block on */
  readonly activationTime: bigint;
  /** undefined before Cancun */
  readonly blobSchedule: BlobSchedule | undefined;
  readonly chainId: bigint;
  /** 4 bytes (EIP-2124) */
  readonly forkId: Bytes;
  readonly precompiles: readonly NamedAddress[];
  readonly systemContracts: readonly NamedAddress[];
}

/** The hardfork of the head block, the one that comes after it and the last one that is known. */
export interface ChainConfig {
  /** undefined while the head is older than Shanghai, the first hardfork by time */
  readonly current: ForkConfig | undefined;
  readonly next: ForkConfig | undefined;
  /** undefined where there is no next one */
  readonly last: ForkConfig | undefined;
}

export class ConfigQueries {
  readonly #chain: Chain;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** The chain's hardforks and id. */
  get spec(): ChainSpec {
    return this.#chain.spec;
  }

  /** @see EIP-7910 */
  config(): ChainConfig {
    const { spec, head } = this.#chain;
    const times = [...new Set(Object.values(spec.schedule.times))].sort((left, right) => (left < right ? -1 : 1));
    const now = head.header.timestamp;
    const next = times.find((time) => time > now);
    return {
      current: this.#at(times.findLast((time) => time <= now)),
      next: this.#at(next),
      last: next === undefined ? undefined : this.#at(times.at(-1)),
    };
  }

  #at(time: bigint | undefined): ForkConfig | undefined {
    if (time === undefined) return undefined;
    const { spec, genesis } = this.#chain;
    const { timestamp } = genesis.header;
    const hardfork = HARDFORKS.findLast((name) => (spec.schedule.times[name] ?? time + 1n) <= time) as Hardfork;
    return {
      activationTime: timestamp >= time ? 0n : time,
      blobSchedule: isAtLeast(hardfork, "cancun") ? spec.blobSchedule(hardfork) : undefined,
      chainId: spec.chainId,
      forkId: forkIdHash(spec.schedule, { hash: genesis.hash, timestamp }, time),
      precompiles: precompilesAt(hardfork),
      systemContracts: this.#systemContracts(hardfork),
    };
  }

  #systemContracts(hardfork: Hardfork): NamedAddress[] {
    const { depositContract } = this.#chain.spec.schedule;
    const since = (first: Hardfork, contracts: readonly NamedAddress[]): readonly NamedAddress[] =>
      isAtLeast(hardfork, first) ? contracts : [];
    return [
      ...since("cancun", [{ name: "BEACON_ROOTS_ADDRESS", address: BEACON_ROOTS_ADDRESS }]),
      ...since("prague", [
        { name: "CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS", address: CONSOLIDATION_REQUESTS_ADDRESS },
        // Recorded: geth shows the zero address where the genesis names no deposit contract.
        { name: "DEPOSIT_CONTRACT_ADDRESS", address: depositContract ?? ZERO_ADDRESS },
        { name: "HISTORY_STORAGE_ADDRESS", address: BLOCK_HASH_HISTORY_ADDRESS },
        { name: "WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS", address: WITHDRAWAL_REQUESTS_ADDRESS },
      ]),
    ];
  }
}
