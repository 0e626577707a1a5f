/** Accounts with proofs (EIP-1186), and many slots at once. */

import type { BlockViews } from "../../chain/block-views.ts";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import { InvalidParamsError, LimitError } from "../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import type { StateProof } from "../../state/prove.ts";
import type { StateDatabase } from "../../state/state-database.ts";
import { type AccountInfo, type AccountState, readAccountInfo } from "../../state/view.ts";

/** Slots of one account; 32 bytes each. */
export interface AccountSlots {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/** Values of one account's slots, 32 bytes each, in the order of the request. */
export interface AccountSlotValues {
  readonly address: Bytes;
  readonly values: readonly Bytes[];
}

/** Most slots in one request, as in geth. */
export const MAX_PROVEN_SLOTS = 1024;

/** Serves `eth_getProof`, `eth_getAccount` and similar methods. */
export class ProofQueries {
  readonly #states: StateDatabase;
  readonly #views: BlockViews;

  constructor(states: StateDatabase, views: BlockViews) {
    this.#states = states;
    this.#views = views;
  }

  /** An account and slots of it with their proofs; absence is proven too. */
  async proof(address: Bytes, slots: readonly Bytes[], id: BlockId): Promise<StateProof> {
    return this.#states.prove((await this.#views.require(id)).state(), { address, slots });
  }

  /** The account; undefined if the state does not have it. */
  async account(address: Bytes, id: BlockId): Promise<AccountState | undefined> {
    return (await this.proof(address, [], id)).account;
  }

  /** Balance, nonce and code; zero and empty for an absent account. */
  async accountInfo(address: Bytes, id: BlockId): Promise<AccountInfo> {
    const found = await readAccountInfo((await this.#views.require(id)).state(), address);
    return found ?? { balance: 0n, nonce: 0n, code: EMPTY_BYTES };
  }

  /**
   * Values of slots of several accounts.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` if no slot is given
   * @throws {LimitError} `TOO_MANY_SLOTS` for more than 1024
   */
  async storageValues(requests: readonly AccountSlots[], id: BlockId): Promise<AccountSlotValues[]> {
    const count = requests.reduce((sum, { slots }) => sum + slots.length, 0);
    if (count === 0) throw new InvalidParamsError({ code: "INVALID_PARAMS", what: "empty request" });
    if (count > MAX_PROVEN_SLOTS) {
      const data = { limit: MAX_PROVEN_SLOTS, given: count, flag: null };
      throw new LimitError({ code: "TOO_MANY_SLOTS", what: `too many slots (max ${MAX_PROVEN_SLOTS})`, data });
    }
    const state = (await this.#views.require(id)).state();
    // All at once, so that reads from an upstream node share one request.
    const reads = requests.map(({ address, slots }) => slots.map((slot) => state.getStorage(address, slot)));
    const answers: AccountSlotValues[] = [];
    for (const [index, { address }] of requests.entries()) {
      const values = await Promise.all(reads[index] ?? []);
      answers.push({ address, values: values.map((value) => padBytesLeft(value, 32)) });
    }
    return answers;
  }
}
