/**
 * Checks before a transaction executes, in geth's order and with its texts, which client libraries match.
 */

import { hardforkName } from "../chainspec/hardforks/hardforks.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import { BLOB_GAS_PER_BLOB } from "../chainspec/header/fees.ts";
import {
  exceedsGasCap,
  floorGas,
  gasCapText,
  intrinsicGas,
  TRANSACTION_GAS_CAP,
} from "../chainspec/transaction/intrinsic-gas.ts";
import {
  ACCESS_LIST_TYPE,
  BLOB_TYPE,
  DEPOSIT_TYPE,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  type TransactionFields,
} from "../chainspec/transaction/transaction-fields.ts";
import type { ErrorCodeOf } from "../errors/catalogue.ts";
import { type ErrorValues, TransactionRejectedError } from "../errors/hindcast-error.ts";
import type { BlockContext } from "../evm/engine.ts";
import type { EvmAccount, StateReader } from "../evm/state-port.ts";
import { equalBytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { MAX_UINT64, maxBigInt } from "../primitives/bytes/limits.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash/hash.ts";
import { after, type MaybePromise } from "../primitives/maybe-promise.ts";

/** Checks that a run can leave out. Format and intrinsic gas are always checked. */
export interface ChecksWanted {
  /** The nonce equals the sender's. */
  readonly nonce: boolean;
  /** The sender must have no code (EIP-3607). */
  readonly senderIsEoa: boolean;
  /**
   * The gas limit must be within EIP-7825's cap, which with EIP-8037 applies only to the intrinsic gas.
   */
  readonly gasCap: boolean;
  /**
   * The fee caps must reach the block's base fees even if they are zero; otherwise zero caps make a transaction free.
   */
  readonly zeroFeeCaps: boolean;
  /** Treatment of fees in simulations, by client; default: the protocol's. */
  readonly fees?: FeePolicy;
}

/**
 * `charged`: by the protocol. `waived`: the sender must have the funds, but no fees move (reth's simulations).
 * `bailOut`: a sender without the funds may execute and keeps its balance, while the coinbase is paid (Erigon's).
 * `floorless`: as by the protocol, but the fee cap may be below the base fee (Anvil's).
 * `lent`: the same, and the sender is lent what it lacks for its fees and the value (Hardhat's).
 * `free`: no fees move, and the sender needs no funds for them, but for the value (Ganache's).
 */
export type FeePolicy = "charged" | "waived" | "bailOut" | "floorless" | "lent" | "free";

/** Policies by which the fee cap has to reach the base fee. */
const FLOORED: ReadonlySet<FeePolicy> = new Set(["charged", "bailOut"]);

/** For transactions of blocks: everything that makes a block invalid. */
export const BLOCK_CHECKS: ChecksWanted = { nonce: true, senderIsEoa: true, gasCap: true, zeroFeeCaps: true };
/** For `eth_call` and similar methods: any sender, any nonce, any gas. */
export const SIMULATION_CHECKS: ChecksWanted = { nonce: false, senderIsEoa: false, gasCap: false, zeroFeeCaps: false };

/** A node's own blocks may have transactions above the gas cap of EIP-7825, which imported ones may not. */
const REPLAY_CHECKS: ChecksWanted = { ...BLOCK_CHECKS, gasCap: false };
/** An impersonated sender may have code. */
const IMPERSONATION_CHECKS: ChecksWanted = { ...REPLAY_CHECKS, senderIsEoa: false };

/** Checks of a transaction in a block that is executed again, which this node may have mined itself. */
export function replayChecks(tx: { readonly isImpersonated: boolean; readonly type: number }): ChecksWanted {
  if (tx.type === DEPOSIT_TYPE) return SIMULATION_CHECKS;
  return tx.isImpersonated ? IMPERSONATION_CHECKS : REPLAY_CHECKS;
}

/** Most blobs of a transaction, (EIP-7594). */
export const MAX_BLOBS_PER_TRANSACTION = 6;

/** The largest nonce (EIP-2681). */
export const MAX_NONCE = MAX_UINT64;

/**
 * Checks that need neither state nor block.
 *
 * @throws {TransactionRejectedError}
 */
export function checkFormat(tx: TransactionFields, rules: Rules, wanted: ChecksWanted): void {
  const isSupported =
    tx.type === LEGACY_TYPE ||
    tx.type === DEPOSIT_TYPE ||
    (tx.type === ACCESS_LIST_TYPE && rules.has(2930)) ||
    (tx.type === FEE_MARKET_TYPE && rules.has(1559)) ||
    (tx.type === BLOB_TYPE && rules.has(4844)) ||
    (tx.type === SET_CODE_TYPE && rules.has(7702));
  if (!isSupported) {
    throw rejected(
      "TRANSACTION_TYPE_NOT_SUPPORTED",
      `transaction type not supported: type ${tx.type} in ${hardforkName(rules.hardfork)}`,
    );
  }
  checkTypeRules(tx, rules, wanted);
  if (wanted.gasCap && exceedsGasCap(tx.gasLimit, rules)) {
    throw rejected("GAS_LIMIT_EXCEEDS_CAP", gasCapText(tx.gasLimit));
  }
}

/** Gas that a transaction pays in any case. */
export interface UnavoidableGas {
  /** Before its first instruction. */
  readonly intrinsic: bigint;
  /** Minimum of the gas used. */
  readonly floor: bigint;
}

/**
 * Checks that the gas limit covers the intrinsic gas, and that the init code is not too long.
 *
 * @throws {TransactionRejectedError}
 */
export function checkIntrinsicGas(tx: TransactionFields, rules: Rules): UnavoidableGas {
  const intrinsic = intrinsicGas(tx, rules);
  if (tx.gasLimit < intrinsic) {
    throw rejected("INTRINSIC_GAS_TOO_LOW", `intrinsic gas too low: have ${tx.gasLimit}, want ${intrinsic}`, {
      gas: tx.gasLimit,
      needed: intrinsic,
    });
  }
  const floor = floorGas(tx, rules);
  if (tx.gasLimit < floor) {
    throw rejected(
      "FLOOR_GAS_TOO_LOW",
      `insufficient gas for floor data gas cost: have ${tx.gasLimit}, want ${floor}`,
      {
        gas: tx.gasLimit,
        needed: floor,
      },
    );
  }
  if (rules.has(8037) && maxBigInt(intrinsic, floor) > TRANSACTION_GAS_CAP) {
    const text = `insufficient gas for floor data gas cost: intrinsic cost ${intrinsic}, floor: ${floor}`;
    throw rejected("GAS_LIMIT_EXCEEDS_CAP", text);
  }
  if (rules.has(3860) && tx.to === undefined && tx.data.length > rules.maxInitCodeSize) {
    const text = `max initcode size exceeded: code size ${tx.data.length} limit ${rules.maxInitCodeSize}`;
    throw rejected("INIT_CODE_TOO_LARGE", text);
  }
  return { intrinsic, floor };
}

function checkTypeRules(tx: TransactionFields, rules: Rules, { fees }: ChecksWanted): void {
  // A call that states a tip alone has no cap, where its fees are not taken from it.
  const hasNoCap = tx.maxFeePerGas === 0n && (fees === "lent" || fees === "free");
  if (tx.maxPriorityFeePerGas > tx.maxFeePerGas && !hasNoCap) {
    const text =
      `max priority fee per gas higher than max fee per gas: address ${encodeData(tx.sender)}, ` +
      `maxPriorityFeePerGas: ${tx.maxPriorityFeePerGas}, maxFeePerGas: ${tx.maxFeePerGas}`;
    throw rejected("TIP_ABOVE_FEE_CAP", text, { tip: tx.maxPriorityFeePerGas, cap: tx.maxFeePerGas });
  }
  if (tx.type === BLOB_TYPE) {
    if (tx.to === undefined) throw rejected("BLOB_TRANSACTION_INVALID", "blob transaction of type create");
    if (tx.blobVersionedHashes.length === 0) {
      throw rejected("BLOB_TRANSACTION_INVALID", "blob transaction missing blob hashes");
    }
    const blobs = tx.blobVersionedHashes.length;
    if (rules.has(7594) && blobs > MAX_BLOBS_PER_TRANSACTION) {
      const text = `too many blobs in transaction: have ${blobs}, permitted ${MAX_BLOBS_PER_TRANSACTION}`;
      throw rejected("BLOB_TRANSACTION_INVALID", text);
    }
    for (const [index, hash] of tx.blobVersionedHashes.entries()) {
      if (hash[0] !== 1) throw rejected("BLOB_TRANSACTION_INVALID", `blob ${index} has invalid hash version`);
    }
  }
  if (tx.type === SET_CODE_TYPE) {
    if (tx.to === undefined) {
      const text = `EIP-7702 transaction cannot be used to create contract (sender ${encodeData(tx.sender)})`;
      throw rejected("AUTHORIZATION_LIST_INVALID", text);
    }
    if (tx.authorizations.length === 0) {
      const text = `EIP-7702 transaction with empty auth list (sender ${encodeData(tx.sender)})`;
      throw rejected("AUTHORIZATION_LIST_INVALID", text, { isEmpty: true });
    }
  }
}

/**
 * Checks of the sender's account: nonce, code.
 *
 * @throws {TransactionRejectedError}
 */
export function checkSender(
  tx: TransactionFields,
  account: EvmAccount | undefined,
  state: StateReader,
  wanted: ChecksWanted,
): MaybePromise<void> {
  const nonce = account?.nonce ?? 0n;
  if (wanted.nonce && (tx.nonce !== nonce || nonce >= MAX_NONCE)) throw wrongNonce(tx, nonce);
  if (!wanted.senderIsEoa || account === undefined || equalBytes(account.codeHash, EMPTY_CODE_HASH)) return undefined;
  return after(state.getCode(account.codeHash) as MaybePromise<Uint8Array>, (code) => {
    if (isDelegation(code)) return;
    const text = `sender not an eoa: address ${encodeData(tx.sender)}, len(code): ${code.length}`;
    throw rejected("SENDER_NOT_EOA", text);
  });
}

function wrongNonce(tx: TransactionFields, nonce: bigint): TransactionRejectedError {
  const sender = encodeData(tx.sender);
  if (tx.nonce === nonce) return rejected("NONCE_MAX", `nonce has max value: address ${sender}, nonce: ${nonce}`);
  const isLow = tx.nonce < nonce;
  const text = `nonce too ${isLow ? "low" : "high"}: address ${sender}, tx: ${tx.nonce} state: ${nonce}`;
  return rejected(isLow ? "NONCE_TOO_LOW" : "NONCE_TOO_HIGH", text);
}

/**
 * Checks of fee caps against the block and of the sender's funds.
 *
 * @throws {TransactionRejectedError}
 */
export function checkFees(tx: TransactionFields, balance: bigint, block: BlockContext, wanted: ChecksWanted): void {
  const isFloored = FLOORED.has(wanted.fees ?? "charged") && !isFree(tx, wanted);
  if (isFloored && tx.maxFeePerGas < (block.baseFeePerGas ?? 0n)) {
    const text =
      `max fee per gas less than block base fee: address ${encodeData(tx.sender)}, ` +
      `maxFeePerGas: ${tx.maxFeePerGas}, baseFee: ${block.baseFeePerGas}`;
    throw rejected("FEE_CAP_BELOW_BASE_FEE", text);
  }
  const blobBaseFee = block.blobBaseFee ?? 0n;
  if (!hasFreeBlobs(tx, wanted) && tx.maxFeePerBlobGas < blobBaseFee) {
    const text =
      `max fee per blob gas less than block blob gas fee: address ${encodeData(tx.sender)} ` +
      `blobGasFeeCap: ${tx.maxFeePerBlobGas}, blobBaseFee: ${blobBaseFee}`;
    throw rejected("BLOB_FEE_CAP_BELOW_BASE_FEE", text);
  }
  const want = wanted.fees === "free" ? tx.value : maximumCost(tx);
  if (balance < want && wanted.fees !== "bailOut" && wanted.fees !== "lent") {
    const text = `insufficient funds for gas * price + value: address ${encodeData(tx.sender)} have ${balance} want ${want}`;
    throw rejected("INSUFFICIENT_FUNDS", text);
  }
}

/** True if fees are taken from the sender. */
export function movesFees({ fees }: ChecksWanted): boolean {
  return fees !== "waived" && fees !== "free";
}

/** True if a sender executes although it cannot pay. */
export function isBailedOut(tx: TransactionFields, balance: bigint, wanted: ChecksWanted): boolean {
  return wanted.fees === "bailOut" && balance < maximumCost(tx);
}

/** True for a transaction that pays nothing for its gas, whatever the base fee. */
export function isFree(tx: TransactionFields, wanted: ChecksWanted): boolean {
  return !wanted.zeroFeeCaps && tx.maxFeePerGas === 0n && tx.maxPriorityFeePerGas === 0n;
}

/** True for a transaction that pays nothing for its blobs, or has none. */
export function hasFreeBlobs(tx: TransactionFields, wanted: ChecksWanted): boolean {
  return tx.blobVersionedHashes.length === 0 || (!wanted.zeroFeeCaps && tx.maxFeePerBlobGas === 0n);
}

/** Most wei that a transaction can take from its sender. */
export function maximumCost(tx: TransactionFields): bigint {
  return tx.value + tx.gasLimit * tx.maxFeePerGas + blobGasOf(tx) * tx.maxFeePerBlobGas;
}

/** Blob gas of a transaction. */
export function blobGasOf(tx: Pick<TransactionFields, "blobVersionedHashes">): bigint {
  return BLOB_GAS_PER_BLOB * BigInt(tx.blobVersionedHashes.length);
}

/** True for an EIP-7702 delegation designator: `0xef0100` and an address. */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00;
}

function rejected(
  code: ErrorCodeOf<"TransactionRejected">,
  what: string,
  values: ErrorValues = {},
): TransactionRejectedError {
  return new TransactionRejectedError({ code, what, values });
}
