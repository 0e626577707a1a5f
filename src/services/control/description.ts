/** Describes the node to those who control it. */
import type { ChainBlocks, ChainRules } from "../../chain/readable-chain.ts";
import type { Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import type { Block } from "../../chainspec/header/block.ts";
import type { Clock } from "../../miner/clock.ts";
import type { Miner } from "../../miner/miner.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { once } from "../../primitives/once.ts";
import { randomBytes } from "../../primitives/platform/crypto.ts";
import type { Snapshot, Snapshots } from "./snapshots.ts";

/** Parts that the answers are read from at each call. */
export interface DescriptionOptions {
  readonly chain: ChainBlocks & ChainRules;
  readonly miner: Miner;
  readonly clock: Clock;
  readonly snapshots: Snapshots;
}

/** The node's head, and the rules and fees of its next block. */
export interface NodeInfo {
  readonly chainId: bigint;
  readonly head: Block;
  /** Hardfork of the next block. */
  readonly hardfork: Hardfork;
  readonly gasLimit: bigint;
  /** wei per gas; undefined before London */
  readonly baseFeePerGas: bigint | undefined;
}

/** The identity of the node, and its snapshots. */
export interface Metadata {
  readonly chainId: bigint;
  readonly head: Block;
  /** 32 random bytes, different for each node. */
  readonly instanceId: Bytes;
  readonly snapshots: readonly (readonly [number: bigint, snapshot: Snapshot])[];
}

/** One for each node. Its instance id is new at each start and reset, so that clients notice them. */
export class Description {
  readonly #options: DescriptionOptions;
  #instanceId = once(() => randomBytes(32));

  constructor(options: DescriptionOptions) {
    this.#options = options;
  }

  /** Gives the node another instance id, since its chain has begun anew. */
  renew(): void {
    this.#instanceId = once(() => randomBytes(32));
  }

  info(): NodeInfo {
    const { chain, miner, clock } = this.#options;
    const { head } = chain;
    const timestamp = clock.timestampAfter(head.header.timestamp);
    return {
      chainId: chain.spec.chainId,
      head,
      hardfork: chain.rulesAfter(head, timestamp).hardfork,
      gasLimit: miner.settings.gasLimit ?? head.header.gasLimit,
      baseFeePerGas: miner.nextBaseFee(head, timestamp),
    };
  }

  /** Timestamp of the chain's first block in seconds. */
  get genesisTime(): bigint {
    return this.#options.chain.genesis.header.timestamp;
  }

  metadata(): Metadata {
    const { chain, snapshots } = this.#options;
    return {
      chainId: chain.spec.chainId,
      head: chain.head,
      instanceId: this.#instanceId(),
      snapshots: snapshots.numbered(),
    };
  }
}
