/** Forks of other chains: describes the current one and switches to another. */
import type { ChainBase, ChainWriter } from "../../chain/chain-writer.ts";
import type { RemoteHistory } from "../../chain/read/remote-history.ts";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { HistoryControl } from "./history.ts";

/** The fork that is wanted; missing members keep their present value. */
export interface ForkTarget {
  readonly url?: string | undefined;
  /** HTTP headers of each request to the URL. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly blockNumber?: bigint | undefined;
}

/**
 * The source of a forked chain's hardfork schedule: the user's genesis, our tables of known chains, the upstream
 * node's answer to a method, or the members of the pinned header, which may show one hardfork, or allow several.
 */
export type ScheduleSource = "genesis" | "table" | "debug_chainConfig" | "eth_config" | "header" | "assumption";

/** The forked chain, and how much was read of it. */
export interface ForkDescription {
  /** Host of the upstream node, without secrets. */
  readonly label: string;
  readonly chainId: bigint;
  /** Network id of its node; undefined if it does not tell. */
  readonly networkId: bigint | undefined;
  readonly blockNumber: bigint;
  /** 32 bytes */
  readonly blockHash: Bytes;
  readonly scheduleSource: ScheduleSource;
  /** A warning about the hardfork schedule in whole sentences; undefined unless it had to be guessed. */
  readonly warning: string | undefined;
  /** Requests sent to the upstream node so far. */
  readonly requests: number;
  /** Accounts, slots, codes and answers that were found in the cache. */
  readonly cacheHits: number;
}

/** The base of a new chain, and the offset of its time from the clock, in seconds. */
export interface OpenedBase {
  readonly chainBase: ChainBase;
  readonly clockOffset: bigint;
}

/** Opens bases for new chains. The node implements this port. */
export interface ChainBases {
  readonly fork: ForkDescription | undefined;
  /** @throws {RemoteError} if the upstream node cannot be read */
  openFork(target: ForkTarget): Promise<OpenedBase>;
  /** The base of a chain without a fork. */
  openLocal(): Promise<OpenedBase>;
  /**
   * The history below the fork, read from another node.
   *
   * @throws {RemoteError} if that node does not have the pinned block
   */
  openHistory(url: string): Promise<RemoteHistory>;
}

/** Parts that a new fork replaces. A chain in a folder is bound to its first block and cannot be forked anew. */
export interface ForkControlOptions {
  readonly writer: ChainWriter;
  readonly history: HistoryControl;
  readonly bases: ChainBases;
  readonly isOnDisk: boolean;
  /** True if other nodes follow this one, which cannot follow it to a fork. */
  readonly isShared: boolean;
}

/** Serves `hardhat_reset` and `anvil_setRpcUrl`. */
export class ForkControl {
  readonly #options: ForkControlOptions;

  constructor(options: ForkControlOptions) {
    this.#options = options;
  }

  /** Undefined if the chain is not a fork. */
  get current(): ForkDescription | undefined {
    return this.#options.bases.fork;
  }

  /**
   * Starts a new chain, as a fork or not. If the fork cannot be opened, the chain stays as it is.
   *
   * @param target - the fork; undefined for a chain without one
   * @throws {RemoteError} if the upstream node cannot be read
   * @throws {UnsupportedError} `FORK_NOT_SUPPORTED` for a chain in a folder, whose base is fixed, and for a shared one
   */
  async reset(target: ForkTarget | undefined): Promise<void> {
    const { bases, history } = this.#options;
    // viem's clients send `forking` without a URL or block if the reset names nothing.
    const isFork = this.current !== undefined || target?.url !== undefined || target?.blockNumber !== undefined;
    if (!isFork) return history.reset();
    this.#requireFree();
    const { chainBase, clockOffset } = await (target === undefined ? bases.openLocal() : bases.openFork(target));
    await history.startOver(chainBase, clockOffset);
  }

  /**
   * Reads the forked chain from another node from now on.
   *
   * @throws {UnsupportedError} `FORK_NOT_SUPPORTED` if the chain is not a fork
   * @throws {RemoteError} if that node does not have the pinned block
   */
  async setUrl(url: string): Promise<void> {
    const { writer, bases } = this.#options;
    if (this.current === undefined) {
      throw new UnsupportedError({
        code: "FORK_NOT_SUPPORTED",
        what: "This chain is not a fork, so it does not read from another node.",
        fix: "Begin a fork with `anvil_reset` and `forking.jsonRpcUrl`, or start the node with --fork-url.",
      });
    }
    const history = await bases.openHistory(url);
    await writer.exclusively(async () => writer.followHistory(history));
  }

  #requireFree(): void {
    const { isOnDisk, isShared } = this.#options;
    if (isShared) {
      throw new UnsupportedError({
        code: "FORK_NOT_SUPPORTED",
        what: "A chain that is shared cannot become a fork, which the nodes that follow it could not read.",
        fix: "Start a node without --share.",
      });
    }
    if (!isOnDisk) return;
    throw new UnsupportedError({
      code: "FORK_NOT_SUPPORTED",
      what: "A chain in a folder goes on from the block that it began with.",
      fix: "Start a node without --data-dir, or with another folder.",
    });
  }
}
