/** Runs transactions in sequence under the rules of one hardfork, on a state of their own. */
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import { TRANSACTION_GAS_CAP } from "../../../chainspec/transaction/intrinsic-gas.ts";
import type { TransactionFields } from "../../../chainspec/transaction/transaction-fields.ts";
import { TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { AccountWrite, BlockContext, TransactionEffects } from "../../../evm/engine.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { Executor } from "../../../executor/executor.ts";
import { type EffectsTarget, runAlone, type TransactionOutcome } from "../../../executor/run-transaction.ts";
import { SIMULATION_CHECKS } from "../../../executor/transaction-checks.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { maxBigInt, minBigInt } from "../../../primitives/bytes/limits.ts";
import { EMPTY_CODE_HASH } from "../../../primitives/hash/hash.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { blockUnder } from "../call/block-overrides.ts";
import { failureOf } from "../call/failure.ts";
import {
  type BoundWords,
  boundReached,
  capBound,
  type GasBound,
  isTooLittleGas,
  textAtBound,
} from "../call/gas-bound.ts";
import type { SimulationView } from "../call/overridden-view.ts";
import { boundCall, type CallOutcome, callGasCap, prepareCall, type SimulationLimits } from "../call/simulation.ts";

/** The gas of a transaction by its cause. `total` is the sum of the other members, minus the refund. */
export interface GasByCause {
  /** Gas that the sender pays for. */
  readonly total: bigint;
  /** Before anything runs: for the transaction itself, its calldata and its access list. */
  readonly intrinsic: bigint;
  /** For running code, and from Amsterdam on for touching the recipient and for authorizations. */
  readonly execution: bigint;
  /** For growing the state, from Amsterdam on (EIP-8037). Negative if more is given back than was used. */
  readonly state: bigint;
  /** Gas that the transaction pays because its calldata has a minimum price (EIP-7623, EIP-7976, EIP-7981). */
  readonly floor: bigint;
  readonly refund: bigint;
  /** `total` without the refund: no lower gas limit is enough. */
  readonly beforeRefund: bigint;
}

/** A transaction under one hardfork. */
export interface HardforkRun {
  /** `refused`: it cannot be in a block. `failed`: it runs into an exceptional halt. */
  readonly status: "succeeded" | "reverted" | "failed" | "refused";
  /** Reason of a failure or a refusal, in geth's words. */
  readonly reason: string | undefined;
  /** The bound that a call's gas was at, if it ran into it. It may differ between hardforks. */
  readonly bound: BoundWords | undefined;
  /** Return data, revert data or deployed code. */
  readonly output: Bytes;
  /** undefined if it is refused. */
  readonly gas: GasByCause | undefined;
  readonly logs: readonly Log[];
}

/** One side of a comparison. The side owns the state from then on. */
export interface SideRequest {
  readonly executor: Executor;
  readonly hardfork: Hardfork;
  /** Block of the transactions; its own hardfork does not count. */
  readonly view: Pick<SimulationView, "context" | "slotAt" | "precompiles">;
  /** State before the first transaction. It changes. */
  readonly state: WorkingState;
  readonly limits: ExecutionClock;
  readonly bounds: SimulationLimits;
}

/** Runs transactions one after another. Each sees the state that the one before left. */
export class HardforkSide {
  readonly #request: SideRequest;
  readonly #view: Pick<SimulationView, "rules" | "context" | "slotAt" | "precompiles">;
  /** wei that each account paid for gas. Negative for a coinbase that received more than it paid. */
  readonly #fees = new Map<string, bigint>();
  #writes: readonly AccountWrite[] = [];
  #blockGas = 0n;
  #stateGas = 0n;

  constructor(request: SideRequest) {
    const { executor, hardfork, view } = request;
    const rules = executor.spec.rules(hardfork);
    this.#request = request;
    const { slotAt, precompiles } = view;
    this.#view = { rules, context: blockUnder(rules, slotAt, view.context), slotAt, precompiles };
  }

  /** Changes of the last transaction; none if it was refused. */
  get writes(): readonly AccountWrite[] {
    return this.#writes;
  }

  /** Gas of all transactions that counts towards the gas limit of a block. */
  get blockGas(): bigint {
    return maxBigInt(this.#blockGas, this.#stateGas);
  }

  /**
   * Runs a call. If it states no gas, it gets the cap of a transaction (EIP-7825), and if it fails with that, the most
   * that the node allows for calls.
   *
   * It does not get the higher limit at once, because on Amsterdam all gas above the cap pays only for state. A
   * contract that passes a share of its gas on would then succeed, and fail in most real transactions.
   */
  async call(call: CallRequest): Promise<HardforkRun> {
    const { executor, state, bounds } = this.#request;
    const view = { ...this.#view, reader: state, state: () => state };
    const cap = callGasCap(view.rules, bounds);
    const least = minBigInt(cap, TRANSACTION_GAS_CAP);
    const { call: bounded, bound } = boundCall(call, view, bounds);
    const simulated = { executor, view, state, call: bounded };
    const { tx, block } = await prepareCall({ ...simulated, gasLimit: least });
    const isEnough = call.gasLimit !== undefined || (await this.#succeeds(tx, block));
    return isEnough
      ? this.#run(tx, block, bound)
      : this.#run({ ...tx, gasLimit: cap }, block, capBound(cap, view.rules));
  }

  /** True if a transaction succeeds. Its effects are dropped. */
  async #succeeds(tx: TransactionFields, block: BlockContext): Promise<boolean> {
    try {
      return (await this.#execute(tx, block)).error === undefined;
    } catch (error) {
      if (error instanceof TransactionRejectedError) return false;
      throw error;
    }
  }

  /** Runs a mined transaction with its own gas limit. */
  transaction(tx: TransactionFields): Promise<HardforkRun> {
    return this.#run(tx, this.#view.context);
  }

  async #run(tx: TransactionFields, block: BlockContext, bound?: GasBound): Promise<HardforkRun> {
    const { state } = this.#request;
    const target = {
      apply: (effects: TransactionEffects) => {
        this.#writes = effects.writes;
        return state.apply(effects);
      },
    };
    this.#writes = [];
    try {
      const outcome = await this.#execute(tx, block, target);
      this.#count(tx, block, outcome);
      return ranAs({ ...outcome, bound });
    } catch (error) {
      if (!(error instanceof TransactionRejectedError)) throw error;
      const reached = isTooLittleGas(error) ? bound?.() : undefined;
      return { status: "refused", reason: error.what, bound: reached, output: EMPTY_BYTES, gas: undefined, logs: [] };
    }
  }

  async #execute(tx: TransactionFields, block: BlockContext, target?: EffectsTarget): Promise<TransactionOutcome> {
    const { executor, state, limits } = this.#request;
    // Counting the gas of long calldata takes as long as a short run, also if the transaction is refused for it.
    const turn = limits.check();
    if (turn !== undefined) await turn;
    const { rules, precompiles } = this.#view;
    const checks = SIMULATION_CHECKS;
    return runAlone({ executor, rules, state, target, block, limits, precompiles, tx, checks });
  }

  #count(tx: TransactionFields, block: BlockContext, outcome: TransactionOutcome): void {
    this.#blockGas += outcome.blockGas;
    this.#stateGas += outcome.stateGasUsed;
    // A free transaction pays nothing, whatever the base fee.
    if (tx.maxFeePerGas === 0n) return;
    const { gasUsed, effectiveGasPrice } = outcome;
    this.#addFee(tx.sender, gasUsed * effectiveGasPrice);
    this.#addFee(block.coinbase, -gasUsed * (effectiveGasPrice - (block.baseFeePerGas ?? 0n)));
  }

  #addFee(address: Bytes, wei: bigint): void {
    const key = bytesKey(address);
    this.#fees.set(key, (this.#fees.get(key) ?? 0n) + wei);
  }

  /** Balance, nonce and code of an account after the last transaction; the balance as if gas were free. */
  async account(address: Bytes): Promise<{ readonly balance: bigint; readonly nonce: bigint; readonly code: Bytes }> {
    const { state } = this.#request;
    const account = await state.getAccount(address);
    return {
      balance: (account?.balance ?? 0n) + (this.#fees.get(bytesKey(address)) ?? 0n),
      nonce: account?.nonce ?? 0n,
      code: await state.getCode(account?.codeHash ?? EMPTY_CODE_HASH),
    };
  }

  /** Value of a slot after the last transaction, without leading zeros. */
  async slot(address: Bytes, slot: Bytes): Promise<Bytes> {
    return this.#request.state.getStorage(address, slot);
  }
}

/** The reason of a run that did not succeed, with the bound that it ran into. */
export function reasonText({ reason, bound }: HardforkRun): string | undefined {
  return reason && textAtBound(reason, bound);
}

function ranAs(outcome: CallOutcome): HardforkRun {
  const { error, output, logs } = outcome;
  const status = error === undefined ? "succeeded" : error === "reverted" ? "reverted" : "failed";
  const reason = error === undefined ? undefined : failureOf(error, outcome).what;
  return { status, reason, bound: boundReached(error, outcome), output, gas: gasByCause(outcome), logs };
}

function gasByCause(outcome: TransactionOutcome): GasByCause {
  const { gasUsed, intrinsicGas, executionGasUsed, stateGasUsed, gasRefund, gasUsedBeforeRefund } = outcome;
  return {
    total: gasUsed,
    intrinsic: intrinsicGas,
    execution: executionGasUsed - stateGasUsed,
    state: stateGasUsed,
    floor: gasUsed - (intrinsicGas + executionGasUsed - gasRefund),
    refund: gasRefund,
    beforeRefund: gasUsedBeforeRefund,
  };
}
