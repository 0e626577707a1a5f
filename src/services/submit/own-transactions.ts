/** Makes transactions of the node's own accounts and of impersonated ones: completes, checks and signs them. */
import type { ChainBlocks, ChainChanges, ChainRules, ChainStates } from "../../chain/readable-chain.ts";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import { readBack } from "../../chainspec/transaction/read-back.ts";
import {
  impersonatedTransaction,
  signTransaction,
  type UnsignedTransaction,
} from "../../chainspec/transaction/sign-transaction.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { unsignedBytes } from "../../chainspec/transaction/transaction-bytes.ts";
import { BLOB_TYPE } from "../../chainspec/transaction/transaction-fields.ts";
import { ExecutionError, UnsupportedError } from "../../errors/hindcast-error.ts";
import type { DevAccount, Keyring } from "../../keyring/keyring.ts";
import type { Clock } from "../../miner/clock.ts";
import type { Miner } from "../../miner/miner.ts";
import type { MiningSchedule } from "../../miner/mining-mode.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { signHash } from "../../primitives/curves/secp256k1.ts";
import { nextTurn } from "../../primitives/platform/event-loop.ts";
import { checkLimits } from "../../txpool/admission.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";
import { requireAccount, unknownAccount } from "./accounts.ts";
import { limitsOfNextBlock, rulesOfNextBlock } from "./admission.ts";
import { completeTransaction, type TransactionDefaults } from "./complete-transaction.ts";

/** Parts that a transaction's missing members, its checks and its key come from. */
export interface OwnTransactionsParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates & ChainChanges;
  readonly pool: TxPool;
  readonly keyring: Keyring;
  readonly miner: Miner;
  readonly clock: Clock;
  readonly defaults: TransactionDefaults;
  readonly schedule: MiningSchedule;
  readonly habits: SubmitHabits;
}

/** Behaviours in which development nodes differ. */
export interface SubmitHabits {
  /** A transaction that is too cheap for the next block, with automine off. */
  readonly cheapTransactions: "wait" | "refused";
  /** A transaction behind a missing nonce, with automine on. */
  readonly nonceGaps: "wait" | "refused";
  /** A creation without code. */
  readonly emptyCreations: "taken" | "refused";
  /** A transaction without gas for which no estimate succeeds; one that is sent has the gas of a block. */
  readonly failingEstimates: "refused" | "sent";
}

/** A complete transaction and the bytes to sign (EIP-2718 without signature). */
export interface FilledTransaction {
  readonly unsigned: UnsignedTransaction;
  readonly from: Bytes;
  readonly chainId: bigint;
  readonly raw: Bytes;
}

/** Where a transaction is to stand. */
export interface TransactionPlace {
  /** Transactions that it follows in its block; default: those of the pool. */
  readonly after?: readonly Transaction[];
  /** Number of its block, which decides on the chain id; default: the next one. */
  readonly number?: bigint;
}

/** Holds nothing. Its caller asks for one transaction after another, so that no two get the same nonce. */
export class OwnTransactions {
  readonly #parts: OwnTransactionsParts;

  constructor(parts: OwnTransactionsParts) {
    this.#parts = parts;
  }

  /**
   * Completes and signs a transaction; an impersonated sender needs no signature.
   *
   * @param place - what it follows, and its block
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   */
  async prepare(call: CallRequest, place: TransactionPlace = {}): Promise<Transaction> {
    const { keyring } = this.#parts;
    const from = this.senderOf(call);
    if (keyring.getAccount(from) === undefined && keyring.isImpersonated(from)) return this.impersonate(call, place);
    const signer = requireAccount(keyring, from, IMPERSONATE);
    return this.#sign(await this.#completeToSend(call, from, place.after), signer, place.number);
  }

  /** Completes a transaction of any sender, without a signature. */
  async impersonate(call: CallRequest, { after, number }: TransactionPlace = {}): Promise<Transaction> {
    const from = this.senderOf(call);
    const unsigned = await this.#completeToSend(call, from, after);
    return impersonatedTransaction(unsigned, this.#signatureRulesAt(number), from);
  }

  /**
   * Completes and signs a transaction of one of the node's accounts.
   *
   * @param account - default: the sender's, if it is not locked
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`, also for an impersonated one, which has no key
   * @throws {UnsupportedError} `ACCOUNT_LOCKED`
   */
  async sign(call: CallRequest, account?: DevAccount): Promise<Transaction> {
    const from = this.senderOf(call);
    const signer = account ?? requireAccount(this.#parts.keyring, from);
    return this.#sign(await this.#complete(call, from), signer);
  }

  /** Completes a transaction that is signed elsewhere. */
  async fill(call: CallRequest): Promise<FilledTransaction> {
    const from = this.senderOf(call);
    const unsigned = await completeTransaction(call, from, this.#completion);
    const raw = unsignedBytes(unsigned, this.#parts.chain.spec.chainId);
    readBack(unsigned, raw);
    return { unsigned, from, chainId: this.#parts.chain.spec.chainId, raw };
  }

  /**
   * The sender of a call; default: the first account.
   *
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT` without either
   */
  senderOf(call: CallRequest): Bytes {
    const from = call.from ?? this.#parts.keyring.accounts[0]?.address;
    if (from === undefined) throw unknownAccount(undefined, NO_ACCOUNTS);
    return from;
  }

  async #completeToSend(call: CallRequest, from: Bytes, after?: readonly Transaction[]): Promise<UnsignedTransaction> {
    try {
      return await this.#complete(call, from, after);
    } catch (error) {
      const isSent = this.#parts.habits.failingEstimates === "sent" && call.gasLimit === undefined;
      if (!isSent || !(error instanceof ExecutionError)) throw error;
      return this.#complete({ ...call, gasLimit: limitsOfNextBlock(this.#parts).gasLimit }, from, after);
    }
  }

  /** As in geth, blob transactions must be sent signed. */
  async #complete(call: CallRequest, from: Bytes, after?: readonly Transaction[]): Promise<UnsignedTransaction> {
    const unsigned = await completeTransaction(call, from, { after, ...this.#completion });
    checkLimits(unsigned, limitsOfNextBlock(this.#parts));
    if (unsigned.type !== BLOB_TYPE) return unsigned;
    throw new UnsupportedError({ code: "SIGNING_BLOBS", what: "signing blob transactions not supported" });
  }

  get #completion() {
    const { chain, pool, defaults, schedule, habits } = this.#parts;
    const mayPayNothing = !schedule.isAutomine && habits.cheapTransactions === "wait";
    const takesEmptyCreation = habits.emptyCreations === "taken";
    return { chain, pool, defaults, rules: rulesOfNextBlock(this.#parts), mayPayNothing, takesEmptyCreation };
  }

  #signatureRulesAt(number: bigint | undefined) {
    return this.#parts.chain.spec.signatureRules(rulesOfNextBlock(this.#parts).hardfork, number);
  }

  async #sign(unsigned: UnsignedTransaction, account: DevAccount, number?: bigint): Promise<Transaction> {
    // Megabytes of data are encoded, hashed and decoded here, after they were checked.
    if (unsigned.data.length > SHORT_DATA) await nextTurn();
    return signTransaction(
      unsigned,
      this.#signatureRulesAt(number),
      (hash) => signHash(hash, account.privateKey),
      account.address,
    );
  }
}

/** Bytes of data that are signed in a fraction of a millisecond. */
const SHORT_DATA = 64 * 1024;

const IMPERSONATE =
  "The node has no key for it (personal_listAccounts lists those it has). To send from it anyway, " +
  "call anvil_impersonateAccount with the address first; hardhat_impersonateAccount does the same.";
const NO_ACCOUNTS = "The node was started without accounts: name the sender as from and impersonate it.";
