/** Rules of the pool beside a transaction's own validity: replacement and funds, with geth's texts. */
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { BLOB_TYPE } from "../chainspec/transaction/transaction-fields.ts";
import type { ErrorCodeOf } from "../errors/catalogue.ts";
import { type ErrorValues, TransactionRejectedError } from "../errors/hindcast-error.ts";
import { maximumCost } from "../executor/transaction-checks.ts";
import { checksumAddress } from "../primitives/address.ts";

/** Percent by which a replacement must exceed the old fees (geth's defaults of its two pools). */
const PRICE_BUMP = 10n;
const BLOB_PRICE_BUMP = 100n;

/**
 * Checks that a replacement offers at least a tenth more on fee cap and tip; with blobs twice as much, also on the blob
 * fee cap.
 *
 * @throws {TransactionRejectedError} `REPLACEMENT_UNDERPRICED`
 */
export function checkReplacement(old: Transaction, candidate: Transaction): void {
  const hasBlobs = old.type === BLOB_TYPE || candidate.type === BLOB_TYPE;
  const bump = 100n + (hasBlobs ? BLOB_PRICE_BUMP : PRICE_BUMP);
  const isEnough = (offer: bigint, before: bigint): boolean => offer > before && offer >= (before * bump) / 100n;
  const paysEnough =
    isEnough(candidate.maxFeePerGas, old.maxFeePerGas) &&
    isEnough(candidate.maxPriorityFeePerGas, old.maxPriorityFeePerGas) &&
    (old.type !== BLOB_TYPE || isEnough(candidate.maxFeePerBlobGas, old.maxFeePerBlobGas));
  if (paysEnough) return;
  // The cap is named first, as other nodes do.
  const isTip = isEnough(candidate.maxFeePerGas, old.maxFeePerGas);
  const before = isTip ? old.maxPriorityFeePerGas : old.maxFeePerGas;
  const values = { needed: (before * bump + 99n) / 100n, nonce: old.nonce, isTip };
  throw poolRejection("REPLACEMENT_UNDERPRICED", "replacement transaction underpriced", values);
}

/**
 * Checks that a sender can pay a transaction, together with its other waiting ones.
 *
 * @param spent - wei that the sender's executable transactions can cost
 * @param replaced - the executable one whose place it takes
 * @throws {TransactionRejectedError} `INSUFFICIENT_FUNDS`
 */
export function checkFunds(tx: Transaction, balance: bigint, spent: bigint, replaced: Transaction | undefined): void {
  const cost = maximumCost(tx);
  // A modified signature recovers to another account, which has no funds.
  const whose = balance > 0n ? "" : `; the sender is ${checksumAddress(tx.sender)}`;
  const reject = (details: string, need: bigint): TransactionRejectedError =>
    poolRejection(
      "INSUFFICIENT_FUNDS",
      `insufficient funds for gas * price + value: balance ${balance}, ${details}, overshot ${need - balance}${whose}`,
      { cost, balance },
    );
  if (balance < cost) throw reject(`tx cost ${cost}`, cost);
  const bump = replaced === undefined ? cost : cost - maximumCost(replaced);
  if (balance >= spent + bump) return;
  const what = replaced === undefined ? `tx cost ${cost}` : `tx bumped ${bump}`;
  throw reject(`queued cost ${spent}, ${what}`, spent + bump);
}

/** A rejection with geth's text. */
export function poolRejection(
  code: ErrorCodeOf<"TransactionRejected">,
  what: string,
  values: ErrorValues = {},
): TransactionRejectedError {
  return new TransactionRejectedError({ code, what, values });
}
