/** What only a development node may do: mining by hand, time, impersonation, edits of the state, reorgs. */

import type { Chain, HeadChange } from "../../chain/chain.ts";
import type { Block } from "../../chainspec/block.ts";
import type { Transaction } from "../../chainspec/transaction.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { EMPTY_ACCOUNT } from "../../executor/authorizations.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import type { Clock } from "../../miner/clock.ts";
import type { MineOptions, Miner, MiningMode } from "../../miner/miner.ts";
import type { MiningSchedule } from "../../miner/mining-mode.ts";
import { type Bytes, stripLeadingZeros } from "../../primitives/bytes.ts";
import type { AccountState } from "../../state/view.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";

export interface ControlOptions {
  readonly chain: Chain;
  readonly pool: TxPool;
  readonly keyring: Keyring;
  readonly miner: Miner;
  readonly schedule: MiningSchedule;
  readonly clock: Clock;
}

/** A reorg: how many blocks go, and how many new ones take their place. */
export interface ReorgOptions {
  /** Blocks to take off the head; at most its number. */
  readonly depth: number;
  /** New blocks; default `depth`. Entry i holds the transactions of the i-th. */
  readonly blocks?: number | readonly (readonly Transaction[])[];
}

export class ControlService {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /** Mines; see {@link Miner.mine}. */
  mine(options: MineOptions = {}): Promise<readonly Block[]> {
    return this.#options.miner.mine(options);
  }

  /** Recipient of the next block's fees and rewards. */
  get coinbase(): Bytes {
    return this.#options.miner.settings.coinbase;
  }

  get miningMode(): MiningMode {
    return this.#options.schedule.mode;
  }

  setMiningMode(mode: MiningMode): void {
    this.#options.schedule.set(mode);
  }

  /** Sets an account's balance in wei. The state changes between two blocks. */
  setBalance(address: Bytes, balance: bigint): Promise<void> {
    return this.#editAccount(address, (account) => ({ ...account, balance }));
  }

  setNonce(address: Bytes, nonce: bigint): Promise<void> {
    return this.#editAccount(address, (account) => ({ ...account, nonce }));
  }

  setCode(address: Bytes, code: Bytes): Promise<void> {
    return this.#options.chain.editState(async (state) => {
      await state.putCode(address, code);
    });
  }

  /** Sets a 32-byte slot. */
  setStorageAt(address: Bytes, slot: Bytes, value: Bytes): Promise<void> {
    return this.#options.chain.editState(async (state) => {
      if ((await state.getAccount(address)) === undefined) state.putAccount(address, EMPTY_ACCOUNT);
      state.putStorage(address, slot, stripLeadingZeros(value));
    });
  }

  async #editAccount(address: Bytes, edit: (account: AccountState) => AccountState): Promise<void> {
    const { chain, pool } = this.#options;
    await chain.editState(async (state) => {
      state.putAccount(address, edit((await state.getAccount(address)) ?? EMPTY_ACCOUNT));
    });
    const account = await chain.states.reader(chain.headStateRoot).getAccount(address);
    pool.setStateNonce(address, account?.nonce ?? 0n);
  }

  impersonate(address: Bytes): void {
    this.#options.keyring.impersonate(address);
  }

  stopImpersonating(address: Bytes): void {
    this.#options.keyring.stopImpersonating(address);
  }

  /**
   * Replaces the last `depth` blocks. The losing branch is kept as side blocks, its transactions go back to the pool,
   * and its logs are announced as removed.
   *
   * @returns the new blocks
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a depth beyond genesis
   */
  async reorg(options: ReorgOptions): Promise<readonly Block[]> {
    const { chain, miner } = this.#options;
    const contents = Array.isArray(options.blocks) ? options.blocks : undefined;
    const count = contents?.length ?? (options.blocks as number | undefined) ?? options.depth;
    return chain.exclusively(async () => {
      const { removed } = await this.#rewind(options.depth);
      const replaced = removed[0]?.header.timestamp;
      const blocks: Block[] = [];
      for (let index = 0; index < count; index++) {
        // A second later than the block it replaces, so that it never comes out as that very block.
        const timestamp = index === 0 && replaced !== undefined ? { timestamp: replaced + 1n } : {};
        blocks.push(...(await miner.mineNow({ transactions: contents?.[index] ?? [], ...timestamp })));
      }
      return blocks;
    });
  }

  /** Takes the last `depth` blocks off the head. */
  rollback(depth: number): Promise<HeadChange> {
    return this.#options.chain.exclusively(() => this.#rewind(depth));
  }

  async #rewind(depth: number): Promise<HeadChange> {
    const { chain } = this.#options;
    const { number } = chain.head.header;
    const target = depth >= 0 && BigInt(depth) <= number ? chain.getBlockByNumber(number - BigInt(depth)) : undefined;
    if (target === undefined) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `Cannot go back ${depth} blocks: the head is block ${number}.`,
        fix: `Give a depth from 0 to ${number}.`,
      });
    }
    return chain.setHeadNow(target);
  }
}
