/** Runs signed transactions in sequence in a block that is not mined: Flashbots' `eth_callBundle`. */

import type { BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { ChainRules } from "../../../chain/readable-chain.ts";
import { nextBaseFeePerGas } from "../../../chainspec/header/fees.ts";
import { decodeNetworkTransaction } from "../../../chainspec/transaction/decode-transaction.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import { BLOCK_CHECKS } from "../../../executor/transaction-checks.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import { type Bytes, concatList } from "../../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../../primitives/hash/hash.ts";
import { mapInTurns } from "../../../primitives/platform/turns.ts";
import type { BlockOverrides } from "../call/block-overrides.ts";
import { CallSequence } from "../call/call-sequence.ts";
import type { SimulationLimits } from "../call/simulation.ts";

/** The parameters of `eth_callBundle`. */
export interface BundleRequest {
  /** Signed, in their network encoding. */
  readonly transactions: readonly Bytes[];
  /** The block whose state the bundle starts from. */
  readonly stateBlock: BlockId;
  /** Number, timestamp and other members of the block that they run in. */
  readonly block: BlockOverrides & { readonly number: bigint };
  /** Milliseconds; limited by the node's limit for calls. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortState | undefined;
}

/** The result of one transaction. Amounts in wei. */
export interface BundledTransaction {
  readonly tx: Transaction;
  readonly outcome: TransactionOutcome;
  /** Increase of the coinbase's balance. */
  readonly coinbaseDiff: bigint;
  /** The part of `coinbaseDiff` that is not fees. */
  readonly ethSentToCoinbase: bigint;
  readonly gasFees: bigint;
  /** wei per gas that the coinbase receives. */
  readonly gasPrice: bigint;
}

/** The answer of `eth_callBundle`, in Flashbots' members. */
export interface BundleResult {
  /** Keccak-256 of the concatenated transaction hashes. */
  readonly hash: Bytes;
  readonly stateBlockNumber: bigint;
  readonly transactions: readonly BundledTransaction[];
}

/** Seconds from the timestamp of the state's block to that of the bundle, unless the request gives one (mev-geth). */
const BLOCK_SECONDS = 12n;

/** Sources of blocks and states, and the time limit. */
export interface BundleParts {
  readonly chain: ChainRules;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
}

/** Serves `eth_callBundle`. */
export class BundleService {
  readonly #parts: BundleParts;

  constructor(parts: BundleParts) {
    this.#parts = parts;
  }

  /**
   * Runs a bundle. Each transaction must be valid in the block.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` without transactions, `UNDECODABLE_TRANSACTION`
   * @throws {TransactionRejectedError} if a transaction is not valid in the block
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async call(request: BundleRequest): Promise<BundleResult> {
    const { chain, views, limits: bounds } = this.#parts;
    const view = await views.require(request.stateBlock);
    const { header } = view.block;
    const timeoutMs = Math.min(request.timeoutMs ?? Number.POSITIVE_INFINITY, bounds.callTimeoutMs);
    const block = {
      ...request.block,
      timestamp: request.block.timestamp ?? header.timestamp + BLOCK_SECONDS,
      baseFeePerGas: request.block.baseFeePerGas ?? nextBaseFeeOf(header),
    };
    const limits = chain.executor.clock({ timeoutMs, signal: request.signal }, "--call-timeout");
    const calls = await CallSequence.open({ executor: chain.executor, view, overrides: { block }, bounds, limits });
    const signatureRules = chain.spec.signatureRules(calls.rules.hardfork);
    const transactions = await mapInTurns(request.transactions, (bytes) =>
      decodeNetworkTransaction(bytes, signatureRules),
    );
    requireSome(transactions);
    const ran: BundledTransaction[] = [];
    for (const tx of transactions) ran.push(await this.#run(tx, calls));
    return {
      hash: keccak256(concatList(transactions.map(({ hash }) => hash))),
      stateBlockNumber: header.number,
      transactions: ran,
    };
  }

  async #run(tx: Transaction, calls: CallSequence): Promise<BundledTransaction> {
    const { state } = calls;
    const { context: block } = calls.view;
    const balance = async (): Promise<bigint> => (await state.getAccount(block.coinbase))?.balance ?? 0n;
    const before = await balance();
    const checks = { ...BLOCK_CHECKS, gasCap: this.#parts.chain.spec.capsSentGas };
    const outcome = await calls.runTransaction({ tx, block, checks });
    const coinbaseDiff = (await balance()) - before;
    const gasPrice = outcome.effectiveGasPrice - (block.baseFeePerGas ?? 0n);
    const gasFees = outcome.gasUsed * gasPrice;
    return { tx, outcome, coinbaseDiff, ethSentToCoinbase: coinbaseDiff - gasFees, gasFees, gasPrice };
  }
}

/** Base fee of the block after the given one, in wei per gas; undefined before London. */
function nextBaseFeeOf(header: Parameters<typeof nextBaseFeePerGas>[0]): bigint | undefined {
  return header.baseFeePerGas === undefined ? undefined : nextBaseFeePerGas(header);
}

function requireSome(transactions: readonly Transaction[]): void {
  if (transactions.length > 0) return;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: "bundle missing txs: params[0].txs is empty.",
    fix: "Give a list of signed transactions.",
  });
}
