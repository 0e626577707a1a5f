/**
 * Checks before a transaction enters the pool, in the order and with the texts of geth's pool, which clients match.
 *
 * A transaction that fails in a block is refused with other texts: `executor/transaction-checks.ts`.
 */
import { checkSidecar, checkSidecarVersion } from "../chainspec/blob-sidecar.ts";
import { type Eip, hardforkOf } from "../chainspec/hardforks/eips.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import { MAXIMUM_BLOCK_SIZE } from "../chainspec/header/block.ts";
import {
  exceedsGasCap,
  floorGas,
  gasCapText,
  intrinsicGas,
  TRANSACTION_GAS_CAP,
} from "../chainspec/transaction/intrinsic-gas.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  type TransactionFields,
} from "../chainspec/transaction/transaction-fields.ts";
import { TransactionRejectedError } from "../errors/hindcast-error.ts";
import { MAX_BLOBS_PER_TRANSACTION, MAX_NONCE } from "../executor/transaction-checks.ts";
import { poolRejection } from "./pool-rules.ts";

/** Limits of the next block. */
export interface AdmissionContext {
  readonly rules: Rules;
  /** Gas limit of the next block. */
  readonly gasLimit: bigint;
  /** True if EIP-7825's cap on a transaction's gas applies. */
  readonly capsGas: boolean;
  /** Most blobs of a block. */
  readonly maxBlobs: bigint;
}

/** The EIP of each type of transaction after the first. */
const TYPE_EIPS: ReadonlyMap<number, Eip> = new Map([
  [ACCESS_LIST_TYPE, 2930],
  [FEE_MARKET_TYPE, 1559],
  [BLOB_TYPE, 4844],
  [SET_CODE_TYPE, 7702],
]);

/**
 * Checks that transactions of this type are accepted.
 *
 * @throws {TransactionRejectedError} `TRANSACTION_TYPE_NOT_SUPPORTED`
 */
export function checkType(type: number, rules: Rules): void {
  if (type === LEGACY_TYPE) return;
  const eip = TYPE_EIPS.get(type);
  if (eip === undefined) {
    throw poolRejection("TRANSACTION_TYPE_NOT_SUPPORTED", "transaction type not supported", { unknownType: type });
  }
  if (rules.has(eip)) return;
  const name = hardforkOf(eip);
  const capitalized = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const what = `transaction type not supported: type ${type} rejected, pool not yet in ${capitalized}`;
  throw poolRejection("TRANSACTION_TYPE_NOT_SUPPORTED", what);
}

/** Members of a transaction that the limits apply to; it need not be signed. */
export type LimitedFields = Pick<
  TransactionFields,
  "type" | "to" | "data" | "gasLimit" | "maxFeePerGas" | "maxPriorityFeePerGas"
>;

/**
 * Checks sizes and fees against each other and against the rules. Works on members, before the transaction is built.
 *
 * @throws {TransactionRejectedError}
 */
export function checkLimits(tx: LimitedFields, { rules, gasLimit, capsGas }: Omit<AdmissionContext, "maxBlobs">): void {
  checkType(tx.type, rules);
  if (rules.has(3860) && tx.to === undefined && tx.data.length > rules.maxInitCodeSize) {
    const what = `max initcode size exceeded: code size ${tx.data.length}, limit ${rules.maxInitCodeSize}`;
    throw poolRejection("INIT_CODE_TOO_LARGE", what, { size: tx.data.length, most: rules.maxInitCodeSize });
  }
  if (capsGas && exceedsGasCap(tx.gasLimit, rules)) {
    throw poolRejection("GAS_LIMIT_EXCEEDS_CAP", gasCapText(tx.gasLimit), {
      gas: tx.gasLimit,
      cap: TRANSACTION_GAS_CAP,
    });
  }
  if (tx.gasLimit > gasLimit) {
    throw new TransactionRejectedError({
      code: "GAS_LIMIT_EXCEEDS_BLOCK",
      what: "exceeds block gas limit",
      where: `The transaction has ${tx.gasLimit} gas, the next block ${gasLimit}.`,
      fix: "Lower gas, or raise the limit of blocks with evm_setBlockGasLimit.",
      values: { gas: tx.gasLimit, most: gasLimit },
    });
  }
  if (tx.maxPriorityFeePerGas > tx.maxFeePerGas) {
    const values = { tip: tx.maxPriorityFeePerGas, cap: tx.maxFeePerGas };
    throw poolRejection("TIP_ABOVE_FEE_CAP", "max priority fee per gas higher than max fee per gas", values);
  }
}

/**
 * Checks everything that needs no account.
 *
 * @throws {TransactionRejectedError}
 */
export function checkAdmission(tx: Transaction, context: AdmissionContext): void {
  const { rules, maxBlobs } = context;
  const blobs = tx.blobVersionedHashes.length;
  if (blobs > maxBlobs) {
    const what = `transaction blob limit exceeded: blob count ${blobs}, limit ${maxBlobs}`;
    throw poolRejection("BLOB_TRANSACTION_INVALID", what);
  }
  checkLimits(tx, context);
  const { length } = tx.encode();
  if (rules.has(7934) && length > MAXIMUM_BLOCK_SIZE) {
    const what = `oversized data: transaction size ${length}, limit ${MAXIMUM_BLOCK_SIZE}`;
    throw poolRejection("TRANSACTION_TOO_LARGE", what);
  }
  // The getter recovers the signer and throws for an invalid signature.
  tx.sender;
  if (tx.nonce >= MAX_NONCE) throw poolRejection("NONCE_MAX", "nonce has max value");
  checkGas(tx, rules);
  if (tx.type === BLOB_TYPE) checkBlobs(tx, rules);
  if (tx.type === SET_CODE_TYPE && tx.authorizations.length === 0) {
    const what = "set code tx must have at least one authorization tuple";
    throw poolRejection("AUTHORIZATION_LIST_INVALID", what, { isEmpty: true });
  }
}

function checkGas(tx: Transaction, rules: Rules): void {
  const intrinsic = intrinsicGas(tx, rules);
  if (tx.gasLimit < intrinsic) {
    const what = `intrinsic gas too low: gas ${tx.gasLimit}, minimum needed ${intrinsic}`;
    throw poolRejection("INTRINSIC_GAS_TOO_LOW", what, { gas: tx.gasLimit, needed: intrinsic });
  }
  const floor = floorGas(tx, rules);
  if (tx.gasLimit < floor) {
    const what = `insufficient gas for floor data gas cost: gas ${tx.gasLimit}, minimum needed ${floor}`;
    throw poolRejection("FLOOR_GAS_TOO_LOW", what, { gas: tx.gasLimit, needed: floor });
  }
}

/**
 * From Osaka on both versions of proofs are accepted, as in geth, which computes missing cell proofs at once. Here that
 * takes seconds per blob, so only payloads compute them ({@link withCellProofs}).
 */
function checkBlobs(tx: Transaction, rules: Rules): void {
  const { sidecar, blobVersionedHashes: hashes } = tx;
  const reject = (what: string) => poolRejection("BLOB_TRANSACTION_INVALID", what);
  if (sidecar === undefined) throw reject("missing sidecar in blob transaction");
  if (!rules.has(7594)) checkSidecarVersion(sidecar, rules);
  if (hashes.length === 0) throw reject("blobless blob transaction");
  if (hashes.length > MAX_BLOBS_PER_TRANSACTION) {
    throw reject(`too many blobs in transaction: have ${hashes.length}, permitted ${MAX_BLOBS_PER_TRANSACTION}`);
  }
  checkSidecar(sidecar, hashes);
}
