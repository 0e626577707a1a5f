/** Reads the transaction pool. */
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { SenderContent, TxPool } from "../../txpool/tx-pool.ts";

/** Numbers of waiting transactions. */
export interface PoolStatus {
  /** Executable transactions: no nonce before them is missing. */
  readonly pending: number;
  /** Transactions behind a nonce gap. */
  readonly queued: number;
}

/** Serves `txpool_*` and `eth_pendingTransactions`. */
export class PoolQueries {
  readonly #pool: TxPool;
  readonly #keyring: Keyring;

  constructor(pool: TxPool, keyring: Keyring) {
    this.#pool = pool;
    this.#keyring = keyring;
  }

  status(): PoolStatus {
    const content = this.#pool.content();
    const count = (list: "pending" | "queued"): number => content.reduce((sum, entry) => sum + entry[list].length, 0);
    return { pending: count("pending"), queued: count("queued") };
  }

  content(): readonly SenderContent[] {
    return this.#pool.content();
  }

  contentFrom(sender: Bytes): SenderContent {
    return this.#pool.contentFrom(sender);
  }

  /** Waiting transactions of the accounts that may send through this node, impersonated ones and those behind a gap too. */
  ownPending(): readonly Transaction[] {
    const keyring = this.#keyring;
    const isOwn = (sender: Bytes): boolean => keyring.has(sender) || keyring.isImpersonated(sender);
    const own = this.#pool.content().filter(({ sender }) => isOwn(sender));
    return own.flatMap(({ pending, queued }) => [...pending, ...queued]);
  }
}
