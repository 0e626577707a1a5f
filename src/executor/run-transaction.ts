/**
 * Runs one transaction on a state: checks, fees, access lists, authorizations, execution, refund
 * (yellow paper §6; EIP-1559, 2929, 2930, 3529, 3651, 4844, 7623, 7702).
 *
 * It has over 300 lines, because the steps of a transaction stand in their order in one place.
 */
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import type { GasDimensions } from "../chainspec/transaction/receipt.ts";
import { effectiveGasPrice } from "../chainspec/transaction/transaction.ts";
import type { TransactionFields } from "../chainspec/transaction/transaction-fields.ts";
import type { BlockContext, Engine, EngineSession, MessageResult, TransactionEffects } from "../evm/engine.ts";
import type { EventSink } from "../evm/event-sink.ts";
import type { FailureDetail, FrameError } from "../evm/frames.ts";
import type { EngineState, EvmAccount } from "../evm/state-port.ts";
import { createAddress } from "../primitives/address.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { maxBigInt, minBigInt } from "../primitives/bytes/limits.ts";
import { after, type MaybePromise } from "../primitives/maybe-promise.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import { type AuthorizationsOutcome, applyAuthorizations, type GasBudget, gasBudget } from "./authorizations.ts";
import type { Executor, SessionOptions } from "./executor.ts";
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
  movesFees,
  type UnavoidableGas,
} from "./transaction-checks.ts";

/** Receiver of a transaction's effects. */
export interface EffectsTarget {
  apply(effects: TransactionEffects): MaybePromise<void>;
}

/** A sink that may run in another thread, with an engine of its own that it listens to. */
export interface TransactionSink extends EventSink {
  /** Engine that runs the transaction; default: the executor's. */
  readonly engine?: Engine | undefined;
}

/** A transaction with everything that its execution may depend on. */
export interface TransactionRun {
  readonly spec: ChainSpec;
  readonly rules: Rules;
  /** Open on `state` and `block`. */
  readonly session: EngineSession;
  /** State before the transaction; must not change while it runs. */
  readonly state: EngineState;
  /** Receives the effects; usually the state itself. Without it they are dropped. */
  readonly target?: EffectsTarget | undefined;
  readonly block: BlockContext;
  readonly tx: TransactionFields;
  readonly checks: ChecksWanted;
  /** Receives the events of the transaction. */
  readonly sink?: TransactionSink | undefined;
  /** Throws if the outcome may not be in the block; nothing is written then. */
  readonly checkOutcome?: ((outcome: TransactionOutcome) => void) | undefined;
}

/** Outcome of a transaction. */
export interface TransactionOutcome {
  readonly error: FrameError | undefined;
  /** Detail for error texts, as {@link MessageResult.detail}. */
  readonly detail: FailureDetail | undefined;
  /** Return data, revert data or deployed code of the outermost frame. */
  readonly output: Bytes;
  /** Gas that the sender pays for: after refunds, at least the floor of EIP-7623. */
  readonly gasUsed: bigint;
  /** Gas that the transaction pays before anything of it runs. */
  readonly intrinsicGas: bigint;
  /** Gas that is given back, within its cap (EIP-3529). */
  readonly gasRefund: bigint;
  /** Gas used in frames, before refunds and without intrinsic gas. */
  readonly executionGasUsed: bigint;
  /** Highest gas use during the run, before refunds: what a gas limit must cover. */
  readonly gasUsedBeforeRefund: bigint;
  /** Gas for growing the state, part of `executionGasUsed`; 0 without EIP-8037. */
  readonly stateGasUsed: bigint;
  /** Gas for running that counts towards the block's limit; with EIP-7778 without refunds. */
  readonly blockGas: bigint;
  /** undefined without EIP-8037 */
  readonly dimensions: GasDimensions | undefined;
  readonly logs: readonly Log[];
  /** For a creation: the new address, even if the creation failed. */
  readonly contractAddress: Bytes | undefined;
  readonly effectiveGasPrice: bigint;
}

/** Values derived from the sender and fees before execution. */
interface Terms {
  readonly unavoidable: UnavoidableGas;
  /** wei per gas */
  readonly gasPrice: bigint;
  /** The sender's nonce before the transaction. */
  readonly nonce: bigint;
  /** The sender's wei before the transaction. */
  readonly balance: bigint;
  /** True if the transaction runs although the sender cannot pay. */
  readonly isUnfunded: boolean;
}

/**
 * Runs a transaction. After a rejection nothing is written; otherwise the target has all its effects.
 *
 * It waits only for what is not available, as do the steps that it consists of: a transfer would wait some ten times
 * otherwise, which is a tenth of its time.
 *
 * @throws {TransactionRejectedError} if a wanted check fails
 * @throws {LimitError} if a limit of the run is reached; nothing is written
 */
export async function runTransaction(run: TransactionRun): Promise<TransactionOutcome> {
  const { session, target, sink, tx } = run;
  const settling = settleTerms(run);
  const terms = settling instanceof Promise ? await settling : settling;
  session.begin({
    origin: tx.sender,
    gasPrice: terms.gasPrice,
    blobVersionedHashes: tx.blobVersionedHashes,
    sink,
  });
  try {
    const buying = buyGas(run, terms);
    if (buying instanceof Promise) await buying;
    warmUp(run);
    const executing = executePrepared(run, terms);
    const { result, prepared } = executing instanceof Promise ? await executing : executing;
    const outcome = outcomeOf(run, terms, result, prepared);
    run.checkOutcome?.(outcome);
    const paying = settleFees(run, terms, result, outcome.gasUsed);
    if (paying instanceof Promise) await paying;
    const ending = target === undefined ? session.abandon() : after(session.end(), (effects) => target.apply(effects));
    if (ending instanceof Promise) await ending;
    return outcome;
  } catch (error) {
    session.abandon();
    throw error;
  }
}

/** A single transaction in a session of its own. */
export type LoneRun = Omit<TransactionRun, "spec" | "session"> &
  Pick<SessionOptions, "limits" | "precompiles" | "isCovered"> & { readonly executor: Executor };

/** Runs a single transaction. Without a target, the state must never change. */
export async function runAlone(run: LoneRun): Promise<TransactionOutcome> {
  const { executor, rules, state, target, block, limits, precompiles, tx, checks, sink, isCovered } = run;
  const isStateFixed = target === undefined;
  const engine = sink?.engine;
  const opening = executor.open({ rules, state, isStateFixed, block, limits, precompiles, engine, isCovered });
  const session = opening instanceof Promise ? await opening : opening;
  try {
    return await runTransaction({ spec: executor.spec, rules, session, state, target, block, tx, checks, sink });
  } finally {
    session.close();
  }
}

/** Makes the checks in geth's order, because the first failing one determines the error. */
function settleTerms(run: TransactionRun): MaybePromise<Terms> {
  const { state, tx, checks } = run;
  return after(state.getAccount(tx.sender), (sender) =>
    after(checkSender(tx, sender, state, checks), () => termsOf(run, sender)),
  );
}

function termsOf({ rules, block, tx, checks }: TransactionRun, sender: EvmAccount | undefined): Terms {
  const balance = (sender?.balance ?? 0n) + (tx.mint ?? 0n);
  checkFormat(tx, rules, checks);
  checkFees(tx, balance, block, checks);
  return {
    unavoidable: checkIntrinsicGas(tx, rules),
    gasPrice: effectiveGasPrice(tx, block.baseFeePerGas),
    nonce: sender?.nonce ?? 0n,
    balance,
    isUnfunded: isBailedOut(tx, balance, checks),
  };
}

/** Charges the sender for gas and blobs, and increments its nonce. */
function buyGas({ session, tx, block, checks }: TransactionRun, terms: Terms): MaybePromise<void> {
  // The nonce can only overflow if nonces are not checked; it then wraps around, as geth's 64 bits do.
  const nonce = (terms.nonce + 1n) & MAX_NONCE;
  const raising = isLastCreation(tx, terms.nonce) ? undefined : session.setNonce(tx.sender, nonce);
  const blobFee = hasFreeBlobs(tx, checks) ? 0n : blobGasOf(tx) * (block.blobBaseFee ?? 0n);
  let cost = movesFees(checks) ? tx.gasLimit * terms.gasPrice + blobFee : 0n;
  // Credits the value to a sender without funds, so that the transfer can be made.
  if (terms.isUnfunded) cost = -tx.value;
  if (checks.fees === "lent") cost = minBigInt(cost, terms.balance - tx.value);
  cost -= tx.mint ?? 0n;
  return after(raising, () => (cost === 0n ? undefined : session.addBalance(tx.sender, -cost)));
}

function isLastCreation(tx: TransactionFields, nonce: bigint): boolean {
  return tx.to === undefined && nonce === MAX_NONCE;
}

/** Fills the warm sets (EIP-2929, EIP-2930, EIP-3651). The engine adds precompiles and created contracts. */
function warmUp({ rules, session, block, tx }: TransactionRun): void {
  if (!rules.has(2929)) return;
  session.warmAddress(tx.sender);
  if (tx.to !== undefined) session.warmAddress(tx.to);
  if (rules.has(3651)) session.warmAddress(block.coinbase);
  for (const { address, storageKeys } of tx.accessList) {
    session.warmAddress(address);
    for (const slot of storageKeys) session.warmSlot(address, slot);
  }
}

/** Costs of authorizations, and the result of the outermost frame. */
interface Executed {
  readonly prepared: AuthorizationsOutcome;
  readonly result: MessageResult;
}

/**
 * Applies authorizations and runs the outermost frame. With EIP-2780 or EIP-8037 both are charged separately; if the gas
 * does not suffice before the frame begins, the authorizations are reverted too.
 */
function executePrepared(run: TransactionRun, terms: Terms): MaybePromise<Executed> {
  const { rules, tx } = run;
  const budget = gasBudget(tx.gasLimit, terms.unavoidable.intrinsic, rules);
  if (tx.authorizations.length > 0) return executeAuthorized(run, terms, budget);
  return after(execute(run, terms, budget), (result) =>
    result.isUnprepared ? allLost(result, budget) : { prepared: { budget, stateGasUsed: 0n, refund: 0n }, result },
  );
}

async function executeAuthorized(run: TransactionRun, terms: Terms, budget: GasBudget): Promise<Executed> {
  const { session, spec, rules, tx, block } = run;
  const chainId = block.chainId ?? spec.chainIdAt(block.number);
  const signers = block.signers ?? spec.signersAt(block.number);
  const mayLackGas = rules.has(2780) || rules.has(8037);
  if (mayLackGas) await session.checkpoint();
  const applied = await applyAuthorizations({ session, tx, chainId, signers, rules, budget });
  const result = await execute(run, terms, applied.budget ?? { ...budget, isUnpaid: true });
  if (applied.budget !== undefined && !result.isUnprepared) return { prepared: applied, result };
  if (mayLackGas) await session.revert();
  return allLost(result, budget);
}

/** All gas is used up except the state gas. */
function allLost(result: MessageResult, budget: GasBudget): Executed {
  const lost = { ...result, gasUsed: budget.gas, stateGasLeft: budget.stateGas };
  return { prepared: { budget, stateGasUsed: 0n, refund: 0n }, result: lost };
}

/**
 * Runs the outermost frame. A creation by a sender with the largest nonce fails before it begins, and keeps its gas.
 */
function execute(
  { session, tx }: TransactionRun,
  { nonce }: Terms,
  { gas, stateGas, isUnpaid = false }: GasBudget & { readonly isUnpaid?: boolean },
): MaybePromise<MessageResult> {
  if (isLastCreation(tx, nonce)) return { ...NO_NONCE_LEFT, stateGasLeft: stateGas };
  return session.run({
    from: tx.sender,
    to: tx.to,
    createdAddress: tx.to === undefined ? createAddress(tx.sender, nonce) : undefined,
    value: tx.value,
    data: tx.data,
    gasLimit: gas,
    stateGas,
    isUnpaid,
  });
}

const NO_NONCE_LEFT: MessageResult = {
  error: "nonceOverflow",
  detail: undefined,
  output: EMPTY_BYTES,
  gasUsed: 0n,
  stateGasUsed: 0n,
  stateGasLeft: 0n,
  isUnprepared: false,
  gasRefund: 0n,
  logs: [],
};

function outcomeOf(
  { rules, tx }: TransactionRun,
  { unavoidable, gasPrice, nonce }: Terms,
  result: MessageResult,
  prepared: AuthorizationsOutcome,
): TransactionOutcome {
  const left = (prepared.budget?.gas ?? 0n) - result.gasUsed + result.stateGasLeft;
  const used = tx.gasLimit - left;
  const refund = minBigInt(result.gasRefund + prepared.refund, used / rules.maxRefundQuotient);
  // The refund is capped (EIP-3529), and the result is at least the calldata floor (EIP-7623).
  const gasUsed = maxBigInt(used - refund, unavoidable.floor);
  const stateGasUsed = prepared.stateGasUsed + result.stateGasUsed;
  const counted = rules.has(7778) ? used : used - refund;
  const blockGas = maxBigInt(counted - stateGasUsed, unavoidable.floor);
  return {
    error: result.error,
    detail: result.detail,
    output: result.output,
    gasUsed,
    intrinsicGas: unavoidable.intrinsic,
    gasRefund: refund,
    executionGasUsed: used - unavoidable.intrinsic,
    stateGasUsed,
    blockGas,
    dimensions: rules.has(8037) ? { executionGasUsed: blockGas, stateGasUsed, gasRefund: refund } : undefined,
    gasUsedBeforeRefund: maxBigInt(used, unavoidable.floor),
    logs: result.logs,
    contractAddress: tx.to === undefined ? createAddress(tx.sender, nonce) : undefined,
    effectiveGasPrice: gasPrice,
  };
}

/**
 * Refunds unused gas and pays the coinbase; the base fee is burnt (EIP-1559). A free transaction, whose tip would be
 * negative, only touches the coinbase, and that only where access lists of blocks show it (EIP-7928).
 */
function settleFees(
  { session, tx, block, checks, rules }: TransactionRun,
  { gasPrice, isUnfunded }: Terms,
  result: MessageResult,
  gasUsed: bigint,
): MaybePromise<void> {
  const isPaid = !isFree(tx, checks) && movesFees(checks);
  // A simulation may pay less than the base fee, and then has no tip.
  const tip = gasUsed * maxBigInt(gasPrice - (block.baseFeePerGas ?? 0n), 0n);
  let credit = isPaid ? (tx.gasLimit - gasUsed) * gasPrice : undefined;
  // Takes back the value that was credited to a sender without funds, if it was not transferred.
  if (isUnfunded) credit = movedValue(tx, result) ? undefined : -tx.value;
  const crediting = credit === undefined ? undefined : session.addBalance(tx.sender, credit);
  const isTouched = isPaid || (rules.has(7928) && movesFees(checks));
  return after(crediting, () => (isTouched ? session.addBalance(block.coinbase, isPaid ? tip : 0n) : undefined));
}

/** True if the value left the sender. */
function movedValue({ to, sender }: TransactionFields, { error }: MessageResult): boolean {
  return error === undefined && (to === undefined || !equalBytes(to, sender));
}
