/**
 * Operations that only a development node offers: mining on demand, time, impersonation, edits of the state, reorgs.
 *
 * They take plain values, from RPC methods and from programs. Each part is a class of its own; this one holds them.
 */

import type { ChainBlocks, ChainRules, ChainStates } from "../../chain/readable-chain.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import type { MiningMode } from "../../miner/miner.ts";
import { dropOtherChains } from "../../miner/sync-pool.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { AccountControl, type AccountHabits } from "./accounts.ts";
import { requireValues } from "./check-values.ts";
import { Description } from "./description.ts";
import { type ChainBases, ForkControl, type ForkTarget } from "./fork.ts";
import { HistoryControl } from "./history.ts";
import { MiningControl, type MiningControlOptions, type MiningHabits } from "./mining.ts";
import { type SnapshotHabits, Snapshots } from "./snapshots.ts";
import type { StateFileLimits, StateFiles } from "./state-file/state-files.ts";
import { TimeControl, type TimeHabits } from "./time.ts";
import { type ContractProbe, TokenControl } from "./tokens.ts";

/** Behaviours in which development nodes differ. */
export type ControlHabits = SnapshotHabits & MiningHabits & TimeHabits & AccountHabits;

/** Everything that control changes, handed over once by `node/services.ts`. */
export interface ControlOptions extends MiningControlOptions {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly keyring: Keyring;
  /** True if the chain is stored in a folder. */
  readonly isOnDisk: boolean;
  /** True if other nodes follow this one. */
  readonly isShared: boolean;
  readonly probe: ContractProbe;
  readonly bases: ChainBases;
  /** `minedBlocks`: most blocks that one request may mine. */
  readonly limits: { readonly minedBlocks: number } & StateFileLimits;
  readonly habits: ControlHabits;
}

/**
 * One for each node; the RPC methods of Anvil, Hardhat and Ganache, and the members of the node, call the same parts.
 */
export class ControlService {
  readonly accounts: AccountControl;
  readonly tokens: TokenControl;
  readonly mining: MiningControl;
  readonly time: TimeControl;
  readonly snapshots: Snapshots;
  readonly history: HistoryControl;
  readonly forks: ForkControl;
  readonly description: Description;
  readonly #options: ControlOptions;
  #isLogging = true;
  #stateFiles: StateFiles | undefined;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.accounts = new AccountControl(options);
    this.tokens = new TokenControl(this.accounts, options.probe);
    this.mining = new MiningControl(options);
    this.time = new TimeControl(options);
    this.snapshots = new Snapshots(options);
    this.history = new HistoryControl({ ...options, snapshots: this.snapshots });
    this.forks = new ForkControl({ ...options, history: this.history });
    this.description = new Description({ ...options, snapshots: this.snapshots });
  }

  /** Starts the chain over; see {@link ForkControl.reset}. Clients notice it by the node's instance id. */
  async reset(target?: ForkTarget): Promise<void> {
    await this.forks.reset(target);
    this.description.renew();
  }

  /** Saves the chain to a file and loads it from one. The code for it is loaded when it is first called. */
  stateFiles(): MaybePromise<StateFiles> {
    return this.#stateFiles ?? this.#loadStateFiles();
  }

  async #loadStateFiles(): Promise<StateFiles> {
    const { StateFiles } = await import("./state-file/state-files.ts");
    this.#stateFiles ??= new StateFiles({ ...this.#options, snapshots: this.snapshots });
    return this.#stateFiles;
  }

  /** Recipient of the next block's fees and rewards. */
  get coinbase(): Bytes {
    return this.#options.miner.settings.coinbase;
  }

  get miningMode(): MiningMode {
    return this.#options.schedule.mode;
  }

  /** Whether requests are written to the node's log. */
  get isLogging(): boolean {
    return this.#isLogging;
  }

  /**
   * Lets a signature recover to an address in the blocks after the head and in calls after it: in `ecrecover`, as the
   * sender of a transaction and as the authority of an authorization. Blocks before execute as they did. A revert to
   * before undoes it.
   *
   * @param signature - r, s and v: 65 bytes; v is 27 or 28, also for typed transactions and authorizations
   */
  async impersonateSignature(signature: Bytes, signer: Bytes): Promise<void> {
    requireValues({ signature, address: signer });
    await this.#options.writer.editSpec((spec, head) => spec.withSigner(signature, signer, head));
  }

  /**
   * Gives the blocks after the head another chain id. Blocks before keep theirs; a revert to before the change undoes
   * it. Waiting transactions that are signed for another chain are dropped.
   */
  async setChainId(chainId: bigint): Promise<void> {
    const { chain, writer, pool } = this.#options;
    if (chainId === chain.spec.chainId) return;
    await writer.editSpec((spec, head) => {
      dropOtherChains(pool, chainId);
      return spec.withChainId(chainId, head);
    });
  }

  setLogging(enabled: boolean): void {
    this.#isLogging = enabled;
  }
}
