/** Accepts transactions: decodes or signs them, checks them, adds them to the pool, and mines if automine is on. */

import { WriteQueue } from "../../chain/write/write-queue.ts";
import { verifyProofs } from "../../chainspec/blob-sidecar.ts";
import type { Block } from "../../chainspec/header/block.ts";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { ExecutionError, HindcastError } from "../../errors/hindcast-error.ts";
import type { DevAccount } from "../../keyring/keyring.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { checkAdmission } from "../../txpool/admission.ts";
import type { PooledTransaction } from "../../txpool/sender-queue.ts";
import { checkNoGap, checkPrice, decodeSent, limitsOfNextBlock, rulesOfNextBlock } from "./admission.ts";
import { checkConditions, type SendConditions } from "./conditions.ts";
import { type FilledTransaction, OwnTransactions, type OwnTransactionsParts } from "./own-transactions.ts";
import { type ResendChanges, resentCall } from "./resend.ts";
import { type Waiting, type WaitingSend, waitUntilMined } from "./wait-until-mined.ts";

/** Parts that a transaction passes through, and what `eth_sendTransaction` may wait for. */
export interface SubmitOptions extends OwnTransactionsParts {
  /** The error of a mined transaction that failed, where senders learn of it; undefined for any other. */
  readonly failureOf?: ((txHash: Bytes) => Promise<HindcastError | undefined>) | undefined;
  /** Called with a sentence for the person who runs the node. */
  readonly onNotice: (notice: string) => void;
  /** `waitTimeoutMs`: longest time that a request may wait for its transaction. */
  readonly limits: { readonly waitTimeoutMs: number };
}

/** Default time that {@link SubmitService.sendRawAndWait} waits, in milliseconds (geth's). */
const DEFAULT_WAIT_MS = 20_000;

/**
 * Serves `eth_sendTransaction`, `eth_sendRawTransaction` and similar methods. Refused transactions throw {@link
 * TransactionRejectedError}.
 */
export class SubmitService {
  readonly #options: SubmitOptions;
  readonly #own: OwnTransactions;
  /** Requests are prepared one by one, so that no two get the same nonce. */
  readonly #sending = new WriteQueue();

  constructor(options: SubmitOptions) {
    this.#options = options;
    this.#own = new OwnTransactions(options);
  }

  /**
   * Accepts a signed transaction in its network encoding.
   *
   * @returns its hash; with automine on, its block is mined when this resolves
   * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
   * @throws {TransactionRejectedError} in geth's words
   */
  sendRaw(bytes: Bytes): Promise<Bytes> {
    return this.add(decodeSent(this.#options, bytes));
  }

  /**
   * As {@link sendRaw}, if the chain meets conditions. They are checked once, when the transaction arrives.
   *
   * @throws {TransactionRejectedError} `CONDITION_NOT_MET`
   */
  async sendRawIf(bytes: Bytes, conditions: SendConditions): Promise<Bytes> {
    const tx = decodeSent(this.#options, bytes);
    await checkConditions(this.#options, conditions);
    return this.add(tx);
  }

  /**
   * As {@link sendRaw}, but resolves when the transaction is mined.
   *
   * @throws {LimitError} `TRANSACTION_NOT_MINED` with its hash as data (EIP-7966), `EXECUTION_ABORTED`
   */
  async sendRawAndWait(bytes: Bytes, wait: WaitingSend): Promise<Bytes> {
    const tx = decodeSent(this.#options, bytes);
    const waiting = await this.#addAndWait(tx, wait);
    try {
      await waiting.mined;
      return tx.hash;
    } finally {
      waiting.stop();
    }
  }

  /**
   * Signs and sends a transaction of one of the node's accounts, or sends one of an impersonated account.
   *
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   */
  send(call: CallRequest): Promise<Bytes> {
    return this.#sending.run(async () => this.add(await this.#own.prepare(call)));
  }

  /**
   * Sends a waiting transaction of one of the node's accounts again, with other fees or gas, in its place.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a call without a nonce
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`, `UNKNOWN_ACCOUNT`
   */
  resend(call: CallRequest, changes: ResendChanges): Promise<Bytes> {
    return this.#sending.run(async () => {
      const described = { sender: this.#own.senderOf(call), call };
      return this.add(await this.#own.prepare(resentCall(this.#options.pool, described, changes)));
    });
  }

  /**
   * The sender that a call names, or the first account.
   *
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT` without either
   */
  senderOf(call: CallRequest): Bytes {
    return this.#own.senderOf(call);
  }

  /**
   * Mines calls as one block of their own: all of them, in order, or none.
   *
   * @returns hashes of the transactions
   * @throws {ExecutionError} if one of them fails
   * @throws {TransactionRejectedError} if one of them is not valid
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   */
  sendTogether(calls: readonly CallRequest[]): Promise<readonly Bytes[]> {
    return this.#sending.run(async () => {
      const txs: Transaction[] = [];
      for (const call of calls) {
        const before = txs.at(-1);
        const nonce = before === undefined ? undefined : before.nonce + 1n;
        txs.push(await this.#own.prepare({ ...call, nonce }, { after: [...txs] }));
      }
      if ((await this.#options.miner.mineTogether(txs)) !== undefined) return txs.map(({ hash }) => hash);
      // Each succeeded when its gas was estimated, so the state has changed since.
      throw new ExecutionError({
        code: "EXECUTION_FAILED",
        what: "A call of the batch failed in its block; nothing of the batch was mined.",
        fix: "Send it again.",
      });
    });
  }

  /** As {@link send}, signed by an account that may be locked. */
  sendAs(account: DevAccount, call: CallRequest): Promise<Bytes> {
    const own = { ...call, from: account.address };
    return this.#sending.run(async () => this.add(await this.#own.sign(own, account)));
  }

  /** As {@link send}, for any sender, without a signature. */
  sendUnsigned(call: CallRequest): Promise<Bytes> {
    return this.#sending.run(async () => this.add(await this.#own.impersonate(call)));
  }

  /**
   * As {@link send}, but resolves when the transaction is mined.
   *
   * @throws {LimitError} `TRANSACTION_NOT_MINED` with its hash as data, `EXECUTION_ABORTED`
   */
  async sendAndWait(call: CallRequest, wait: WaitingSend): Promise<Bytes> {
    const { hash, waiting } = await this.#sending.run(async () => {
      const tx = await this.#own.prepare(call);
      return { hash: tx.hash, waiting: await this.#addAndWait(tx, wait) };
    });
    try {
      await waiting.mined;
      return hash;
    } finally {
      waiting.stop();
    }
  }

  async #addAndWait(tx: Transaction, { timeoutMs, signal, onAdded }: WaitingSend): Promise<Waiting> {
    const wanted = timeoutMs === undefined || timeoutMs === 0 ? DEFAULT_WAIT_MS : timeoutMs;
    const options = { timeoutMs: Math.min(wanted, this.#options.limits.waitTimeoutMs), signal };
    const waiting = waitUntilMined(this.#options.chain, tx.hash, options);
    try {
      const entry = await this.#admit(tx);
      if (entry.refusal !== undefined) throw entry.refusal.error;
      entry.isAwaited = true;
      entry.onRefused = waiting.refuse;
      const stop = (): void => {
        entry.isAwaited = false;
        waiting.stop();
      };
      onAdded?.();
      return { ...waiting, stop };
    } catch (error) {
      waiting.stop();
      throw error;
    }
  }

  /**
   * Transactions for a new branch after a block. Signed ones stay as they are; the others are completed and signed,
   * with nonces that continue from the state after that block, and with the chain id of their block.
   *
   * @param items - each with the index of its block in the branch
   * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   */
  async prepareAfter(
    parent: Block,
    items: readonly (readonly [item: Bytes | CallRequest, blockIndex: number])[],
  ): Promise<readonly Transaction[]> {
    const { chain } = this.#options;
    const state = chain.stateAfter(parent);
    const next = new Map<string, bigint>();
    const prepared: Transaction[] = [];
    const breaks = new Breaks();
    for (const [item, blockIndex] of items) {
      const turn = breaks.check();
      if (turn !== undefined) await turn;
      const number = parent.header.number + 1n + BigInt(blockIndex);
      const isSigned = item instanceof Uint8Array;
      const sender = isSigned ? undefined : this.#own.senderOf(item);
      const nonce = sender && (next.get(bytesKey(sender)) ?? (await state.getAccount(sender))?.nonce ?? 0n);
      const tx = isSigned
        ? decodeSent(this.#options, item)
        : await this.#own.prepare({ ...item, nonce: item.nonce ?? nonce }, { number });
      next.set(bytesKey(tx.sender), tx.nonce + 1n);
      prepared.push(tx);
    }
    return prepared;
  }

  /**
   * Signs a transaction of one of the node's accounts without sending it.
   *
   * @param account - default: the sender's, if it is not locked
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   * @throws {UnsupportedError} `ACCOUNT_LOCKED`
   */
  signTransaction(call: CallRequest, account?: DevAccount): Promise<Transaction> {
    return this.#own.sign(account === undefined ? call : { ...call, from: account.address }, account);
  }

  /** Completes a transaction that is signed elsewhere. */
  fill(call: CallRequest): Promise<FilledTransaction> {
    return this.#own.fill(call);
  }

  /**
   * Checks a transaction against the head and adds it to the pool.
   *
   * @throws {TransactionRejectedError} in geth's words; with automine on also if no block can include it
   */
  async add(tx: Transaction): Promise<Bytes> {
    await this.#admit(tx);
    return tx.hash;
  }

  async #admit(tx: Transaction): Promise<PooledTransaction> {
    let entry: PooledTransaction;
    try {
      entry = await this.#add(tx);
    } catch (error) {
      if (error instanceof HindcastError) error.concerning({ transaction: encodeData(tx.hash) });
      throw error;
    }
    const failure = await this.#options.failureOf?.(tx.hash);
    if (failure !== undefined) throw failure;
    return entry;
  }

  async #add(tx: Transaction): Promise<PooledTransaction> {
    const { chain, pool, schedule, habits } = this.#options;
    const rules = rulesOfNextBlock(this.#options);
    const maxBlobs = chain.spec.blobSchedule(rules.hardfork).max;
    checkAdmission(tx, { maxBlobs, ...limitsOfNextBlock(this.#options) });
    if (tx.sidecar !== undefined) await verifyProofs(tx.sidecar, chain.spec.proofs);
    if (schedule.isAutomine || habits.cheapTransactions === "refused") checkPrice(tx, rules, this.#options);
    const account = await chain.states.reader(chain.headStateId).getAccount(tx.sender);
    const nonce = account?.nonce ?? 0n;
    if (schedule.isAutomine && habits.nonceGaps === "refused") checkNoGap(tx, pool.nextNonce(tx.sender, nonce));
    const entry = pool.add(tx, { nonce, balance: account?.balance ?? 0n });
    entry.isAwaited = true;
    try {
      await schedule.transactionArrived();
    } catch (error) {
      // A sender that gets an error for a transaction may send it again.
      pool.remove(tx.hash);
      throw error;
    } finally {
      entry.isAwaited = false;
    }
    // Another request may have mined the transaction before this one, so the entry says what became of it.
    if (entry.refusal !== undefined) throw entry.refusal.error;
    if (schedule.isAutomine) this.#noteGap(tx, nonce);
    return entry;
  }

  /** Says that a transaction waits which its sender expects to be mined. */
  #noteGap({ hash, sender, nonce }: Transaction, stateNonce: bigint): void {
    const { pool, onNotice } = this.#options;
    const next = pool.nextNonce(sender, stateNonce);
    if (nonce <= next || pool.get(hash) === undefined) return;
    onNotice(`${encodeData(hash)} is queued: its nonce is ${nonce}, and its sender's next one is ${next}`);
  }
}
