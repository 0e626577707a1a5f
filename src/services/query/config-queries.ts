/** The current, next and last hardfork of the chain (EIP-7910). */
import type { ChainBlocks, ChainRules } from "../../chain/readable-chain.ts";
import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import { forkIdHash } from "../../chainspec/fork-id.ts";
import { type Eip, hasEip } from "../../chainspec/hardforks/eips.ts";
import { type BlobSchedule, HARDFORKS, type Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { type NamedAddress, precompilesAt } from "../../chainspec/hardforks/precompiles.ts";
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  BUILDER_DEPOSITS_ADDRESS,
  BUILDER_EXITS_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../../chainspec/system-contracts.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";

/** The rules of one hardfork. */
export interface ForkConfig {
  /** seconds; 0 if the hardfork is active since the first block */
  readonly activationTime: bigint;
  /** undefined before Cancun */
  readonly blobSchedule: BlobSchedule | undefined;
  readonly chainId: bigint;
  /** 4 bytes (EIP-2124) */
  readonly forkId: Bytes;
  readonly precompiles: readonly NamedAddress[];
  readonly systemContracts: readonly NamedAddress[];
}

/** The hardfork of the head block, the next one and the last known one. */
export interface ChainConfig {
  /** undefined while the head is before Shanghai, the first hardfork that is activated by time */
  readonly current: ForkConfig | undefined;
  readonly next: ForkConfig | undefined;
  /** undefined if no further hardfork is scheduled */
  readonly last: ForkConfig | undefined;
}

/** Serves `eth_config`. */
export class ConfigQueries {
  readonly #chain: ChainBlocks & ChainRules;

  constructor(chain: ChainBlocks & ChainRules) {
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
      blobSchedule: hasEip(hardfork, 4844) ? spec.blobSchedule(hardfork) : undefined,
      chainId: spec.chainId,
      forkId: forkIdHash(spec.schedule, { hash: genesis.hash, timestamp }, time),
      precompiles: precompilesAt(hardfork),
      systemContracts: this.#systemContracts(hardfork),
    };
  }

  #systemContracts(hardfork: Hardfork): NamedAddress[] {
    const { depositContract } = this.#chain.spec.schedule;
    const contracts: readonly (readonly [eip: Eip, name: string, address: Bytes])[] = [
      [4788, "BEACON_ROOTS_ADDRESS", BEACON_ROOTS_ADDRESS],
      [8282, "BUILDER_DEPOSIT_CONTRACT_ADDRESS", BUILDER_DEPOSITS_ADDRESS],
      [8282, "BUILDER_EXIT_CONTRACT_ADDRESS", BUILDER_EXITS_ADDRESS],
      [7251, "CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS", CONSOLIDATION_REQUESTS_ADDRESS],
      // Recorded: geth shows the zero address if the genesis names no deposit contract.
      [6110, "DEPOSIT_CONTRACT_ADDRESS", depositContract ?? ZERO_ADDRESS],
      [2935, "HISTORY_STORAGE_ADDRESS", BLOCK_HASH_HISTORY_ADDRESS],
      [7002, "WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS", WITHDRAWAL_REQUESTS_ADDRESS],
    ];
    return contracts.filter(([eip]) => hasEip(hardfork, eip)).map(([, name, address]) => ({ name, address }));
  }
}
