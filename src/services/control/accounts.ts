/** Edits accounts between two blocks, and lets addresses send without a key. */

import type { ChainWriter } from "../../chain/chain-writer.ts";
import type { ChainStates } from "../../chain/readable-chain.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import { type Bytes, stripLeadingZeros } from "../../primitives/bytes/bytes.ts";
import { MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import { type AccountState, EMPTY_ACCOUNT } from "../../state/view.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";
import { requireValues } from "./check-values.ts";

/** Parts that edits reach: the state, the pool's view of a sender, and the senders without a key. */
export interface AccountControlOptions {
  readonly chain: ChainStates;
  readonly writer: ChainWriter;
  readonly pool: TxPool;
  readonly keyring: Keyring;
  readonly habits: AccountHabits;
}

/** Behaviours in which development nodes differ. */
export interface AccountHabits {
  /** A nonce that is less than the present one, or that is set while transactions wait. */
  readonly nonceEdits: "set" | "refused";
}

/** Edits change the state after the head without a block of their own; calls and the next block see them at once. */
export class AccountControl {
  readonly #options: AccountControlOptions;

  constructor(options: AccountControlOptions) {
    this.#options = options;
  }

  /**
   * Sets an account's balance in wei, between two blocks.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a value out of range, as for all edits
   */
  async setBalance(address: Bytes, balance: bigint): Promise<void> {
    requireValues({ balance });
    return this.#edit(address, (account) => ({ ...account, balance }));
  }

  /** Adds wei to an account's balance; the sum must be below 2^256. */
  async addBalance(address: Bytes, amount: bigint): Promise<void> {
    requireValues({ balance: amount });
    return this.#edit(address, (account) => {
      const balance = account.balance + amount;
      return { ...account, balance: balance > MAX_UINT256 ? MAX_UINT256 : balance };
    });
  }

  async setNonce(address: Bytes, nonce: bigint): Promise<void> {
    requireValues({ nonce });
    const { habits, pool } = this.#options;
    const isStrict = habits.nonceEdits === "refused";
    if (isStrict && pool.size > 0) throw transactionsWait();
    return this.#edit(address, (account) => {
      if (isStrict && nonce < account.nonce) throw nonceBelow(nonce, account.nonce);
      return { ...account, nonce };
    });
  }

  async setCode(address: Bytes, code: Bytes): Promise<void> {
    requireValues({ address, code });
    return this.#options.writer.editState(async (state) => {
      await state.putCode(address, code);
    });
  }

  /** Sets a 32-byte slot. */
  async setStorageAt(address: Bytes, slot: Bytes, value: Bytes): Promise<void> {
    requireValues({ address, slot, value });
    return this.#options.writer.editState(async (state) => {
      if ((await state.getAccount(address)) === undefined) state.putAccount(address, EMPTY_ACCOUNT);
      state.putStorage(address, slot, stripLeadingZeros(value));
    });
  }

  async #edit(address: Bytes, edit: (account: AccountState) => AccountState): Promise<void> {
    requireValues({ address });
    const { chain, writer, pool } = this.#options;
    await writer.editState(async (state) => {
      const account = edit((await state.getAccount(address)) ?? EMPTY_ACCOUNT);
      state.putAccount(address, account);
    });
    pool.updateSender(address, (await chain.states.reader(chain.headStateId).getAccount(address)) ?? EMPTY_ACCOUNT);
  }

  /** Lets an address send transactions without a key. Returns false if it already may. */
  impersonate(address: Bytes): boolean {
    requireValues({ address });
    return this.#options.keyring.impersonate(address);
  }

  /** Ends {@link impersonate}. Returns false if it was not impersonated. */
  stopImpersonating(address: Bytes): boolean {
    requireValues({ address });
    return this.#options.keyring.stopImpersonating(address);
  }

  /** Lets every address send transactions without a key, or ends that. */
  setAutoImpersonate(enabled: boolean): void {
    this.#options.keyring.setAutoImpersonate(enabled);
  }
}

function transactionsWait(): InvalidParamsError {
  return new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: "Cannot set account nonce when the transaction pool is not empty",
    fix: "Mine the waiting transactions first, or drop them.",
    values: { isPoolFilled: true },
  });
}

function nonceBelow(nonce: bigint, now: bigint): InvalidParamsError {
  return new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `New nonce (${nonce}) must not be smaller than the existing nonce (${now})`,
    values: { nonce, now },
  });
}
