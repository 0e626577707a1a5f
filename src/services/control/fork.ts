/** Forks of other chains: which one the node is, and going over to another. */
import type { Chain, ChainGround } from "../../chain/chain.ts";
import type { RemoteHistory } from "../../chain/read/remote-history.ts";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { HistoryControl } from "./history.ts";

/** Which fork is asked for; what is missing stays as it is. */
export interface ForkTarget {
  readonly url?: string | undefined;
  readonly blockNumber?: bigint | undefined;
}

/** Of which chain the node is a fork, and what has been read of it. */
export interface ForkDescription {
  /** Where the other chain is, without secrets. */
  readonly label: string;
  readonly chainId: bigint;
  readonly blockNumber: bigint;
  /** 32 bytes */
  readonly blockHash: Bytes;
  /** Requests sent so far. */
  readonly requests: number;
  /** Accounts, slots, codes and answers that came from the cache. */
  readonly cacheHits: number;
}

/** A ground, and how far the time of its first block is from the clock, in seconds. */
export interface OpenedGround {
  readonly ground: ChainGround;
  readonly clockOffset: bigint;
}

/** Opens what a chain can be built on: a port that the node implements. */
export interface ChainGrounds {
  readonly fork: ForkDescription | undefined;
  /** @throws {RemoteError} what keeps the other chain from being read */
  openFork(target: ForkTarget): Promise<OpenedGround>;
  /** A chain of the node's own, without a fork. */
  openLocal(): Promise<OpenedGround>;
  /**
   * The history below the fork as another node has it.
   *
   * @throws {RemoteError} where that node does not have the pinned block
   */
  openHistory(url: string): Promise<RemoteHistory>;
}

export interface ForkControlOptions {
  readonly chain: Chain;
  readonly history: HistoryControl;
  readonly grounds: ChainGrounds;
  readonly isOnDisk: boolean;
}

export class ForkControl {
  readonly #options: ForkControlOptions;

  constructor(options: ForkControlOptions) {
    this.#options = options;
  }

  /** Undefined on a chain without a fork. */
  get current(): ForkDescription | undefined {
    return this.#options.grounds.fork;
  }

  /**
   * Begins anew: on a fork, or without one. If the fork cannot be opened, the chain stays as it is.
   *
   * @param target - the fork; undefined for a chain of the node's own
   * @throws {RemoteError} what keeps the other chain from being read
   * @throws {UnsupportedError} `FORK_NOT_SUPPORTED` for a chain in a folder, which stays on its ground
   */
  async reset(target: ForkTarget | undefined): Promise<void> {
    const { grounds, history } = this.#options;
    // viem's clients say of a reset that names nothing that it is of a fork.
    const isFork = this.current !== undefined || target?.url !== undefined || target?.blockNumber !== undefined;
    if (!isFork) return history.reset();
    this.#requireInMemory();
    const { ground, clockOffset } = await (target === undefined ? grounds.openLocal() : grounds.openFork(target));
    await history.startOver(ground, clockOffset);
  }

  /**
   * Reads the other chain from another node from now on.
   *
   * @throws {UnsupportedError} `FORK_NOT_SUPPORTED` where the chain is no fork
   * @throws {RemoteError} where that node does not have the pinned block
   */
  async setUrl(url: string): Promise<void> {
    const { chain, grounds } = this.#options;
    if (this.current === undefined) {
      throw new UnsupportedError({
        code: "FORK_NOT_SUPPORTED",
        what: "This chain is no fork, so it reads from no other node.",
        fix: "Begin a fork with `anvil_reset` and `forking.jsonRpcUrl`, or start the node with --fork-url.",
      });
    }
    const history = await grounds.openHistory(url);
    await chain.exclusively(async () => chain.followHistory(history));
  }

  #requireInMemory(): void {
    if (!this.#options.isOnDisk) return;
    throw new UnsupportedError({
      code: "FORK_NOT_SUPPORTED",
      what: "A chain in a folder goes on from the block that it began with.",
      fix: "Start a node without --data-dir, or with another folder.",
    });
  }
}
