/** Takes transactions in: decodes or signs them, checks them, puts them in the pool, mines when automine is on. */

import type { Chain } from "../../chain/chain.ts";
import type { Rules } from "../../chainspec/hardforks.ts";
import {
  impersonatedTransaction,
  signTransaction,
  type UnsignedTransaction,
} from "../../chainspec/sign-transaction.ts";
import {
  BLOB_TYPE,
  decodeNetworkTransaction,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  type Transaction,
} from "../../chainspec/transaction.ts";
import { InvalidParamsError, NotFoundError, TransactionRejectedError } from "../../errors/hindcast-error.ts";
import { type CallRequest, transactionOfCall, typeOfCall } from "../../executor/call-request.ts";
import { BLOCK_CHECKS, checkFormat, checkIntrinsicGas, maximumCost } from "../../executor/transaction-checks.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import type { Clock } from "../../miner/clock.ts";
import type { Miner } from "../../miner/miner.ts";
import type { MiningSchedule } from "../../miner/mining-mode.ts";
import { checksumAddress } from "../../primitives/address.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import { signHash } from "../../primitives/secp256k1.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";

/** Fills in what a sender left out: a gas limit by estimating, fees by suggestion. */
export interface SubmitDefaults {
  estimateGas(call: CallRequest): Promise<bigint>;
  gasPrice(): bigint;
  priorityFee(): bigint;
}

export interface SubmitOptions {
  readonly chain: Chain;
  readonly pool: TxPool;
  readonly keyring: Keyring;
  readonly miner: Miner;
  readonly schedule: MiningSchedule;
  readonly clock: Clock;
  readonly defaults: SubmitDefaults;
}

export class SubmitService {
  readonly #options: SubmitOptions;

  constructor(options: SubmitOptions) {
    this.#options = options;
  }

  /**
   * Takes a signed transaction in its network form.
   *
   * @returns its hash; with automine on, its block is mined when this resolves
   * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
   * @throws {TransactionRejectedError} in geth's words
   */
  async sendRaw(bytes: Bytes): Promise<Bytes> {
    const { spec } = this.#options.chain;
    let tx: Transaction;
    try {
      tx = decodeNetworkTransaction(bytes, spec.common(this.#rules().hardfork));
    } catch (error) {
      // geth answers -32000 for a raw transaction that it cannot read.
      if (error instanceof InvalidParamsError) {
        throw new InvalidParamsError({
          code: "UNDECODABLE_TRANSACTION",
          what: error.what,
          cause: error,
          rpcCode: -32000,
        });
      }
      throw error;
    }
    if (tx.type === BLOB_TYPE && tx.sidecar === undefined) {
      throw new TransactionRejectedError({
        code: "BLOB_TRANSACTION_INVALID",
        what: "missing sidecar in blob transaction",
      });
    }
    return this.add(tx);
  }

  /**
   * Signs and takes a transaction of one of the node's accounts, or of an impersonated one.
   *
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   */
  async send(call: CallRequest): Promise<Bytes> {
    const { keyring, chain } = this.#options;
    const from = call.from ?? keyring.accounts[0]?.address;
    const account = from === undefined ? undefined : keyring.getAccount(from);
    if (from === undefined || (account === undefined && !keyring.isImpersonated(from))) {
      const shown = from === undefined ? "" : ` ${checksumAddress(from)}`;
      throw new NotFoundError({ code: "UNKNOWN_ACCOUNT", what: `unknown account${shown}` });
    }
    const unsigned = await this.#complete({ ...call, from }, from);
    const common = chain.spec.common(this.#rules().hardfork);
    const tx =
      account === undefined
        ? impersonatedTransaction(unsigned, common, from)
        : signTransaction(unsigned, common, (hash) => signHash(hash, account.privateKey));
    return this.add(tx);
  }

  /** Checks a transaction against the head and puts it in the pool. */
  async add(tx: Transaction): Promise<Bytes> {
    const { chain, pool, schedule } = this.#options;
    const rules = this.#rules();
    checkFormat(tx, rules, BLOCK_CHECKS);
    checkIntrinsicGas(tx, rules);
    const gasLimit = this.#options.miner.settings.gasLimit ?? chain.head.header.gasLimit;
    if (tx.gasLimit > gasLimit) {
      throw new TransactionRejectedError({ code: "GAS_LIMIT_EXCEEDS_BLOCK", what: "exceeds block gas limit" });
    }
    if (schedule.isAutomine) this.#checkBaseFee(tx);
    const account = await chain.states.reader(chain.headStateRoot).getAccount(tx.sender);
    this.#checkFunds(tx, account?.balance ?? 0n);
    pool.add(tx, account?.nonce ?? 0n);
    await schedule.transactionArrived();
    return tx.hash;
  }

  /** With automine a transaction below the base fee would wait for a block that nobody mines: say so at once. */
  #checkBaseFee(tx: Transaction): void {
    const { chain, miner, clock } = this.#options;
    const baseFee = miner.nextBaseFee(chain.head, clock.timestampAfter(chain.head.header.timestamp));
    if (baseFee === undefined || tx.maxFeePerGas >= baseFee) return;
    throw new TransactionRejectedError({
      code: "FEE_CAP_BELOW_BASE_FEE",
      what:
        `max fee per gas less than block base fee: address ${checksumAddress(tx.sender)}, ` +
        `maxFeePerGas: ${tx.maxFeePerGas}, baseFee: ${baseFee}`,
    });
  }

  #checkFunds(tx: Transaction, balance: bigint): void {
    const cost = maximumCost(tx);
    if (balance >= cost) return;
    throw new TransactionRejectedError({
      code: "INSUFFICIENT_FUNDS",
      what: `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`,
    });
  }

  #rules(): Rules {
    const { chain, clock } = this.#options;
    return chain.rulesAfter(chain.head, clock.timestampAfter(chain.head.header.timestamp));
  }

  async #complete(call: CallRequest, from: Bytes): Promise<UnsignedTransaction> {
    const { chain, pool, defaults } = this.#options;
    const account = await chain.states.reader(chain.headStateRoot).getAccount(from);
    const nonce = pool.nextNonce(from, account?.nonce ?? 0n);
    const type = typeOfCall(
      call,
      this.#rules().isLondon && call.gasPrice === undefined ? FEE_MARKET_TYPE : LEGACY_TYPE,
    );
    const fees =
      type >= FEE_MARKET_TYPE ? this.#feeMarketFees(call) : { gasPrice: call.gasPrice ?? defaults.gasPrice() };
    const { gasPrice: _unused, ...withoutPrice } = call;
    const priced: CallRequest = { ...(type >= FEE_MARKET_TYPE ? withoutPrice : call), ...fees, type: BigInt(type) };
    const gasLimit = call.gasLimit ?? (await defaults.estimateGas({ ...priced, nonce: undefined }));
    return transactionOfCall(priced, gasLimit, nonce);
  }

  /** Twice the base fee and the tip, as geth and ethers suggest, so that a few full blocks do not price it out. */
  #feeMarketFees(call: CallRequest): Pick<CallRequest, "maxFeePerGas" | "maxPriorityFeePerGas"> {
    const { defaults, chain, miner, clock } = this.#options;
    const baseFee = miner.nextBaseFee(chain.head, clock.timestampAfter(chain.head.header.timestamp)) ?? 0n;
    const suggested = defaults.priorityFee();
    const tip =
      call.maxPriorityFeePerGas ??
      (call.maxFeePerGas !== undefined && call.maxFeePerGas < suggested ? call.maxFeePerGas : suggested);
    return { maxPriorityFeePerGas: tip, maxFeePerGas: call.maxFeePerGas ?? 2n * baseFee + tip };
  }
}
