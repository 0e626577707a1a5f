/** Fills in missing members of a transaction and refuses contradictory ones, by geth's rules and in its words. */
import type { ChainBlocks, ChainRules, ChainStates } from "../../chain/readable-chain.ts";
import type { Rules } from "../../chainspec/hardforks/rules.ts";
import {
  type CallRequest,
  checkCreation,
  transactionOfCall,
  typeOfCall,
} from "../../chainspec/transaction/call-request.ts";
import type { UnsignedTransaction } from "../../chainspec/transaction/sign-transaction.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { BLOB_TYPE, FEE_MARKET_TYPE, LEGACY_TYPE } from "../../chainspec/transaction/transaction-fields.ts";
import { type ErrorValues, InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";

/** Sources of default values. Fees are in wei per gas. */
export interface TransactionDefaults {
  /** @param after - transactions that the call follows; default: those of the pool */
  estimateGas(call: CallRequest, after?: readonly Transaction[]): Promise<bigint>;
  gasPrice(): bigint;
  priorityFee(): bigint;
  /** Base fee of the next block; undefined before London. */
  nextBaseFee(): bigint | undefined;
  /** Blob base fee of the head block; undefined before Cancun. */
  blobBaseFee(): bigint | undefined;
}

/** Sources of missing members: the next block's rules, the pool's nonces and the node's defaults. */
export interface CompletionContext {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly pool: TxPool;
  readonly defaults: TransactionDefaults;
  /** Rules of the next block. */
  readonly rules: Rules;
  /** Take a fee cap of zero where there is a base fee. */
  readonly mayPayNothing: boolean;
  /** Take a creation without code. */
  readonly takesEmptyCreation: boolean;
  /** Transactions that it follows in its block; default: those of the pool. */
  readonly after?: readonly Transaction[] | undefined;
}

/**
 * A complete transaction. The nonce follows waiting transactions, the fee cap is twice the base fee plus the tip, the
 * gas limit is estimated.
 *
 * @throws {InvalidParamsError} `TRANSACTION_INCONSISTENT` with geth's text
 */
export async function completeTransaction(
  call: CallRequest,
  from: Bytes,
  context: CompletionContext,
): Promise<UnsignedTransaction> {
  const { chain, pool, defaults, rules, after } = context;
  if (call.chainId !== undefined && call.chainId !== chain.spec.chainId) {
    throw inconsistent(
      `chainId does not match node's (have=${call.chainId}, want=${chain.spec.chainId})`,
      "Leave chainId out, or send to a node of that chain.",
      { chainId: call.chainId, own: chain.spec.chainId },
    );
  }
  const byDefault = rules.has(1559) && call.gasPrice === undefined ? FEE_MARKET_TYPE : LEGACY_TYPE;
  checkBlobs(call);
  const type = typeOfCall(call, byDefault);
  const fees = feesOf(call, type, context);
  checkContent(call, type, context);
  const account = await chain.states.reader(chain.headStateId).getAccount(from);
  const nonce = pool.nextNonce(from, account?.nonce ?? 0n);
  const priced: CallRequest = Object.assign({}, call, { gasPrice: undefined }, fees, { from, type: BigInt(type) });
  const gasLimit = call.gasLimit ?? (await defaults.estimateGas({ ...priced, nonce: undefined }, after));
  return transactionOfCall(priced, gasLimit, nonce);
}

type Fees = Pick<CallRequest, "gasPrice" | "maxFeePerGas" | "maxPriorityFeePerGas" | "maxFeePerBlobGas">;

function feesOf(call: CallRequest, type: number, { defaults, rules, mayPayNothing }: CompletionContext): Fees {
  const { gasPrice, maxFeePerGas: cap, maxPriorityFeePerGas: tip } = call;
  // The base fee of a development chain can be set to zero, and then a fee of zero is valid.
  const mustPay = rules.has(1559) && !mayPayNothing && defaults.nextBaseFee() !== 0n;
  if (gasPrice === 0n && mustPay) throw inconsistent("gasPrice must be non-zero after london fork", FREE_GAS);
  if (!rules.has(1559) && (cap !== undefined || tip !== undefined)) {
    throw inconsistent(
      "maxFeePerGas and maxPriorityFeePerGas are not valid before London is active",
      "Use gasPrice, or start the node with a later --hardfork.",
    );
  }
  if (type < FEE_MARKET_TYPE) return { gasPrice: gasPrice ?? cap ?? defaults.gasPrice() };
  if (cap === 0n && mustPay) throw inconsistent("maxFeePerGas must be non-zero", FREE_GAS);
  // A gas price sets both caps if the type has no gas price.
  const suggested = gasPrice ?? defaults.priorityFee();
  const chosenTip = tip ?? (cap !== undefined && cap < suggested ? cap : suggested);
  const chosenCap = cap ?? gasPrice ?? 2n * (defaults.nextBaseFee() ?? 0n) + chosenTip;
  if (chosenCap < chosenTip) {
    throw inconsistent(
      `maxFeePerGas (${chosenCap}) < maxPriorityFeePerGas (${chosenTip})`,
      "The tip is part of the fee: raise maxFeePerGas, or lower maxPriorityFeePerGas.",
      { cap: chosenCap, tip: chosenTip },
    );
  }
  const fees = { maxFeePerGas: chosenCap, maxPriorityFeePerGas: chosenTip };
  if (type !== BLOB_TYPE) return fees;
  return { ...fees, maxFeePerBlobGas: call.maxFeePerBlobGas ?? 2n * (defaults.blobBaseFee() ?? 1n) };
}

/** Blobs come with a signed transaction in its network form, or stay outside, as their hashes. */
function checkBlobs({ blobMember, blobVersionedHashes, maxFeePerBlobGas, type }: CallRequest): void {
  if (blobMember !== undefined) {
    throw inconsistent(
      `${blobMember}: this node makes no transactions of blobs`,
      "Sign the transaction elsewhere and send it with its blobs by eth_sendRawTransaction, or give blobVersionedHashes.",
      { isBlobs: true },
    );
  }
  if (maxFeePerBlobGas === 0n) throw inconsistent("maxFeePerBlobGas, if specified, must be non-zero", "Leave it out.");
  if (maxFeePerBlobGas === undefined || blobVersionedHashes !== undefined || type === BigInt(BLOB_TYPE)) return;
  throw inconsistent(
    "maxFeePerBlobGas is specified for a transaction without blobs",
    "Leave it out, or give blobVersionedHashes.",
  );
}

function checkContent(call: CallRequest, type: number, { takesEmptyCreation }: CompletionContext): void {
  if (type === BLOB_TYPE && (call.blobVersionedHashes ?? []).length === 0) {
    const fix = "Give blobVersionedHashes, or another type.";
    throw inconsistent("need at least 1 blob for a blob transaction", fix, { isBlobs: true });
  }
  if (call.to !== undefined) return;
  if (type === BLOB_TYPE)
    throw inconsistent("blob transactions cannot have the form of a create transaction", "Give to.");
  if (!takesEmptyCreation) checkCreation(call);
}

const FREE_GAS = "Leave the fees out, or start the node with --base-fee 0 to send for nothing.";

function inconsistent(what: string, fix: string, values: ErrorValues = {}): InvalidParamsError {
  return new InvalidParamsError({ code: "TRANSACTION_INCONSISTENT", what, fix, values });
}
