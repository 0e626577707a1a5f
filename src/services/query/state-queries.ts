/** Reads accounts, storage and code at a block. */

import type { BlockViews } from "../../chain/block-views.ts";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import { type Bytes, EMPTY_BYTES, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";

/** Serves `eth_getBalance` and similar methods. Balances are in wei. */
export class StateQueries {
  readonly #views: BlockViews;
  readonly #pool: TxPool;

  constructor(views: BlockViews, pool: TxPool) {
    this.#views = views;
    this.#pool = pool;
  }

  /** wei; 0 for an absent account. */
  async balance(address: Bytes, id: BlockId): Promise<bigint> {
    const account = await (await this.#state(id)).getAccount(address);
    return account?.balance ?? 0n;
  }

  /** Nonce of an account. With "pending", executable transactions of the pool count too. */
  async transactionCount(address: Bytes, id: BlockId): Promise<bigint> {
    if ("tag" in id && id.tag === "pending") {
      const account = await (await this.#state({ tag: "latest" })).getAccount(address);
      return this.#pool.nextNonce(address, account?.nonce ?? 0n);
    }
    const account = await (await this.#state(id)).getAccount(address);
    return account?.nonce ?? 0n;
  }

  /** Code of an account; empty if it has none. */
  async code(address: Bytes, id: BlockId): Promise<Bytes> {
    const state = await this.#state(id);
    const account = await state.getAccount(address);
    return account === undefined ? EMPTY_BYTES : state.getCode(account.codeHash);
  }

  /** Value of a slot, 32 bytes. */
  async storageAt(address: Bytes, slot: Bytes, id: BlockId): Promise<Bytes> {
    return padBytesLeft(await (await this.#state(id)).getStorage(address, slot), 32);
  }

  async #state(id: BlockId) {
    return (await this.#views.require(id)).state();
  }
}
