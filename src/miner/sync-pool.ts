/** Keeps the pool in step with the chain. */
import type { ChainBlocks, ChainRules, ChainStates } from "../chain/readable-chain.ts";
import type { HeadChange } from "../chain/write/head-change.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { TransactionRejectedError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesKey } from "../primitives/bytes/bytes.ts";
import type { SavedPool, SenderAccount, TxPool } from "../txpool/tx-pool.ts";

const NO_SENDER_ACCOUNT: SenderAccount = { nonce: 0n, balance: 0n };

/** After a head change, drops mined transactions and adds those of removed blocks again, unless it was a revert. */
export async function syncPool(
  chain: ChainBlocks & ChainRules & ChainStates,
  pool: TxPool,
  change: HeadChange,
): Promise<void> {
  const state = chain.stateAfter(chain.head);
  const accountOf = async (sender: Bytes): Promise<SenderAccount> =>
    (await state.getAccount(sender)) ?? NO_SENDER_ACCOUNT;
  const mined = new Set(change.added.flatMap((block) => block.transactions.map((tx) => bytesKey(tx.hash))));
  for (const block of change.forgetsTransactions === true ? [] : change.removed) {
    for (const tx of block.transactions) {
      if (mined.has(bytesKey(tx.hash)) || pool.get(tx.hash) !== undefined) continue;
      const account = await accountOf(tx.sender);
      if (tx.nonce >= account.nonce) readd(pool, tx, account);
    }
  }
  // A removed block may have been the first with another chain id.
  if (change.removed.length > 0) dropOtherChains(pool, chain.spec.chainId);
  const isOnlyEmptyBlocks =
    change.removed.length === 0 &&
    change.added.length > 0 &&
    change.added.every((block) => block.transactions.length === 0);
  if (!isOnlyEmptyBlocks) {
    for (const sender of pool.senders()) pool.updateSender(sender, await accountOf(sender));
  }
}

/** Drops waiting transactions that are signed for another chain. */
export function dropOtherChains(pool: TxPool, chainId: bigint): void {
  for (const { pending, queued } of pool.content()) {
    for (const tx of [...pending, ...queued]) {
      if (tx.chainId !== undefined && tx.chainId !== chainId) pool.remove(tx.hash);
    }
  }
}

/** Makes the pool wait for what it waited for when it was saved, on the state of the present head. */
export async function restorePool(chain: ChainBlocks & ChainStates, pool: TxPool, saved: SavedPool): Promise<void> {
  const state = chain.stateAfter(chain.head);
  const accounts = new Map<string, SenderAccount>();
  for (const { tx } of saved.entries) {
    accounts.set(bytesKey(tx.sender), (await state.getAccount(tx.sender)) ?? NO_SENDER_ACCOUNT);
  }
  pool.restore(saved, (sender) => accounts.get(bytesKey(sender)) ?? NO_SENDER_ACCOUNT);
}

function readd(pool: TxPool, tx: Transaction, account: SenderAccount): void {
  try {
    pool.add(tx, account);
  } catch (error) {
    if (!(error instanceof TransactionRejectedError)) throw error;
    // The transaction is dropped, as on other nodes, if a better-paid one took its nonce or the pool is full.
  }
}
