/**
 * Runs one transaction on a state: checks, fees, access lists, authorizations, execution, refund, clean-up
 * (yellow paper §6; EIP-1559, 2929, 2930, 3529, 3651, 4844, 6780, 7623, 7702).
 */

import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Rules } from "../chainspec/hardforks.ts";
import { effectiveGasPrice, type TransactionFields } from "../chainspec/transaction.ts";
import { createAddress } from "../primitives/address.ts";
import { type Bytes, equalBytes } from "../primitives/bytes.ts";
import { EMPTY_ACCOUNT } from "../state/empty-account.ts";
import type { AccountState, WorkingStateView } from "../state/view.ts";
import { applyAuthorizations } from "./authorizations.ts";
import type { Evm } from "./evm.ts";
import { refusedResult } from "./evm-result.ts";
import { withBalance } from "./evm-transfer.ts";
import {
  blobGasOf,
  type ChecksWanted,
  checkFees,
  checkFormat,
  checkIntrinsicGas,
  checkSender,
  hasFreeBlobs,
  isBailedOut,
  isFree,
  MAX_NONCE,
  type UnavoidableGas,
} from "./transaction-checks.ts";
import type { BlockContext, EvmResult, FailureDetail, FrameError, Log } from "./types.ts";

export interface TransactionRun {
  readonly spec: ChainSpec;
  readonly rules: Rules;
  /** Open on `state` and `block`. */
  readonly evm: Evm;
  readonly state: WorkingStateView;
  readonly block: BlockContext;
  readonly tx: TransactionFields;
  readonly checks: ChecksWanted;
}

/** What a transaction did. Gas numbers in gas, prices in wei. */
export interface TransactionOutcome {
  readonly error: FrameError | undefined;
  /** What error texts name, as {@link EvmResult.detail}. */
  readonly detail: FailureDetail | undefined;
  /** Return data, revert data or deployed code of the outermost frame. */
  readonly output: Bytes;
  /** What the sender pays for: after refunds, at least the floor. */
  readonly gasUsed: bigint;
  /** Gas used in frames, before refunds and without intrinsic gas. */
  readonly executionGasUsed: bigint;
  /** Highest gas use during the run, before refunds: what a gas limit must cover. */
  readonly gasUsedBeforeRefund: bigint;
  readonly logs: readonly Log[];
  /** For a creation: the address it made or would have made. */
  readonly contractAddress: Bytes | undefined;
  readonly effectiveGasPrice: bigint;
}

/**
 * Runs a transaction. On a rejection nothing has been written; afterwards the state holds all its effects.
 *
 * @throws {TransactionRejectedError} when a wanted check fails
 * @throws {LimitError} when a limit of the EVM's run was reached; the state is then unusable
 */
export async function runTransaction(run: TransactionRun): Promise<TransactionOutcome> {
  const { spec, rules, evm, state, block, tx, checks } = run;
  // geth's order, since of several things wrong the first one names the error.
  const sender = await state.getAccount(tx.sender);
  await checkSender(tx, sender, state, checks);
  checkFormat(tx, rules, checks);
  checkFees(tx, sender?.balance ?? 0n, block, checks);
  const unavoidable = checkIntrinsicGas(tx, rules);

  state.beginTransaction();
  const gasPrice = effectiveGasPrice(tx, block.baseFeePerGas);
  const before = sender ?? EMPTY_ACCOUNT;
  buyGas(run, before, gasPrice);
  warmUp(run);
  const authorizationRefund = await applyAuthorizations(tx.authorizations, spec.chainId, state, evm);

  const { intrinsic, floor } = unavoidable;
  const result = await execute(run, before.nonce, { gasLimit: tx.gasLimit - intrinsic, gasPrice });

  const gasUsedBeforeRefund = max(intrinsic + result.gasUsed, floor);
  const gasUsed = chargedGas(rules, unavoidable, result, authorizationRefund);
  const isUnfunded = isBailedOut(tx, before.balance, checks);
  if (isUnfunded && !movedValue(tx, result)) await takeBack(run);
  await settleFees(run, { gasUsed, gasPrice, isUnfunded });
  for (const address of result.destroyed) evm.deleteAccount(address);
  await evm.finishTransaction();
  return {
    error: result.error,
    detail: result.detail,
    output: result.output,
    gasUsed,
    executionGasUsed: result.gasUsed,
    gasUsedBeforeRefund,
    logs: result.logs,
    contractAddress: tx.to === undefined ? createAddress(tx.sender, before.nonce) : undefined,
    effectiveGasPrice: gasPrice,
  };
}

/** Takes gas and blobs from the sender at their price, and spends its nonce. */
function buyGas({ evm, tx, block, checks }: TransactionRun, sender: AccountState, gasPrice: bigint): void {
  const blobFee = hasFreeBlobs(tx, checks) ? 0n : blobGasOf(tx) * (block.blobBaseFee ?? 0n);
  let cost = checks.fees === "waived" ? 0n : tx.gasLimit * gasPrice + blobFee;
  // Lent, so that the value can move.
  if (isBailedOut(tx, sender.balance, checks)) cost = -tx.value;
  evm.putAccount(tx.sender, {
    // Only where nonces are not checked can there be none left; then they start over, as geth's 64 bits do.
    nonce: isLastCreation(tx, sender.nonce) ? sender.nonce : (sender.nonce + 1n) & MAX_NONCE,
    balance: sender.balance - cost,
    storageRoot: sender.storageRoot,
    codeHash: sender.codeHash,
  });
}

function isLastCreation(tx: TransactionFields, nonce: bigint): boolean {
  return tx.to === undefined && nonce === MAX_NONCE;
}

/** Runs the outermost frame. A creation by a sender without a nonce left fails before it begins, and keeps its gas. */
async function execute(
  { evm, tx }: TransactionRun,
  senderNonce: bigint,
  { gasLimit, gasPrice }: { gasLimit: bigint; gasPrice: bigint },
): Promise<EvmResult> {
  if (isLastCreation(tx, senderNonce)) return refusedResult("nonceOverflow", 0n);
  return evm.run({
    from: tx.sender,
    to: tx.to,
    value: tx.value,
    data: tx.data,
    gasLimit,
    gasPrice,
    blobVersionedHashes: tx.blobVersionedHashes,
  });
}

/** Fills the warm sets (EIP-2929, EIP-2930, EIP-3651). The created address of a creation is the EVM's own business. */
function warmUp({ rules, evm, block, tx }: TransactionRun): void {
  if (!rules.isBerlin) return;
  evm.warmPrecompiles();
  evm.warmAddress(tx.sender);
  if (tx.to !== undefined) evm.warmAddress(tx.to);
  if (rules.isShanghai) evm.warmAddress(block.coinbase);
  for (const { address, storageKeys } of tx.accessList) {
    evm.warmAddress(address);
    for (const slot of storageKeys) evm.warmSlot(address, slot);
  }
}

/** Gas after refunds, capped (EIP-3529), and not below the calldata floor (EIP-7623). */
function chargedGas(
  rules: Rules,
  { intrinsic, floor }: UnavoidableGas,
  result: EvmResult,
  authorizationRefund: bigint,
): bigint {
  const used = intrinsic + result.gasUsed;
  const refund = result.gasRefund + authorizationRefund;
  const cap = used / rules.maxRefundQuotient;
  return max(used - (refund < cap ? refund : cap), floor);
}

interface Settlement {
  readonly gasUsed: bigint;
  /** wei */
  readonly gasPrice: bigint;
  /** The sender paid nothing, so there is nothing to give back. */
  readonly isUnfunded: boolean;
}

/**
 * Gives back what was not used and pays the coinbase; the base fee has no recipient (EIP-1559). A free transaction leaves
 * both alone: its tip would be negative.
 */
async function settleFees(run: TransactionRun, { gasUsed, gasPrice, isUnfunded }: Settlement): Promise<void> {
  const { evm, state, tx, block, checks } = run;
  if (isFree(tx, checks) || checks.fees === "waived") return;
  if (!isUnfunded) await addBalance(evm, state, tx.sender, (tx.gasLimit - gasUsed) * gasPrice);
  await addBalance(evm, state, block.coinbase, gasUsed * (gasPrice - (block.baseFeePerGas ?? 0n)));
}

/** True when the value left the sender. */
function movedValue({ to, sender }: TransactionFields, { error }: EvmResult): boolean {
  return error === undefined && (to === undefined || !equalBytes(to, sender));
}

/** Takes the value back that a sender without funds was lent and did not spend. */
async function takeBack({ evm, state, tx }: TransactionRun): Promise<void> {
  const sender = (await state.getAccount(tx.sender)) ?? EMPTY_ACCOUNT;
  evm.putAccount(tx.sender, withBalance(sender, sender.balance - tx.value));
}

/** Adds wei to an account, creating it, and touches it even when the amount is zero (EIP-161). */
export async function addBalance(evm: Evm, state: WorkingStateView, address: Bytes, amount: bigint): Promise<void> {
  const account: AccountState = (await state.getAccount(address)) ?? EMPTY_ACCOUNT;
  evm.putAccount(address, withBalance(account, account.balance + amount));
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
