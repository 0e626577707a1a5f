/** Names the bound that a call's gas was at, in the errors of calls for which it was too little. */
import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import { TRANSACTION_GAS_CAP } from "../../../chainspec/transaction/intrinsic-gas.ts";
import { TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { FrameError } from "../../../evm/frames.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";

/** A bound in the sentences of an error. */
export interface BoundWords {
  /** Names the bound. */
  readonly where: string;
  /** Says how to raise it. */
  readonly fix: string;
}

/** A bound of a call's gas. Its words are made when an error needs them, because most calls stay within the bound. */
export type GasBound = () => BoundWords;

/** The most gas that the node gives to a call. From Amsterdam on, a part of it may be for state alone. */
export function capBound(cap: bigint, rules: Pick<Rules, "has">): GasBound {
  return () => {
    if (!rules.has(8037) || cap <= TRANSACTION_GAS_CAP) {
      const where = `The call was at the cap of calls, ${withCommas(cap)} gas.`;
      return { where, fix: "Raise it with --call-gas-limit or limits.callGasLimit." };
    }
    const forExecution = `at most ${withCommas(TRANSACTION_GAS_CAP)} of it for execution (EIP-7825)`;
    return {
      where: `The call was at the cap of calls, ${withCommas(cap)} gas, ${forExecution}.`,
      fix: "If it lacks gas for state, raise the cap with --call-gas-limit or limits.callGasLimit.",
    };
  };
}

/** The gas of a block, which a call gets that states none. */
export function blockBound(gasLimit: bigint, cap: bigint): GasBound {
  return () => ({
    where: `The call states no gas and had the gas of a block, ${withCommas(gasLimit)}.`,
    fix: `Let it state more, at most ${withCommas(cap)}: --call-gas-limit or limits.callGasLimit raises that.`,
  });
}

/** The most gas that is left for a simulation of several blocks, whose calls share the cap of one call. */
export function simulationBound(cap: bigint): GasBound {
  return () => ({
    where: `All calls of a simulation share the cap of calls, ${withCommas(cap)} gas.`,
    fix: "Simulate fewer calls at once, or raise it with --call-gas-limit or limits.callGasLimit.",
  });
}

/** True for a failure that more gas can avoid. */
export function lacksGas(error: FrameError, { detail }: Pick<TransactionOutcome, "detail">): boolean {
  if (error === "codeStoreOutOfGas") return true;
  if (error !== "outOfGas") return false;
  if (detail === undefined || !("cause" in detail)) return true;
  // The other causes: a price beyond any gas limit, and an instruction that a static frame forbids anyway.
  return detail.cause === undefined || detail.cause === "reentrancySentry";
}

/** The bound that a failed call ran into; undefined if it failed for another reason. */
export function boundReached(
  error: FrameError | undefined,
  outcome: Pick<TransactionOutcome, "detail"> & { readonly bound?: GasBound | undefined },
): BoundWords | undefined {
  return error !== undefined && lacksGas(error, outcome) ? outcome.bound?.() : undefined;
}

/** geth's text of a failure, followed by the bound, if there is one. */
export function textAtBound(text: string, bound: BoundWords | undefined): string {
  return bound === undefined ? text : `${text}. ${bound.where} ${bound.fix}`;
}

/** An error of a transaction whose gas does not cover what it pays before its first instruction. */
type TooLittleGas = TransactionRejectedError & { readonly code: "INTRINSIC_GAS_TOO_LOW" | "FLOOR_GAS_TOO_LOW" };

/** True for the error of a call that cannot begin, because it has too little gas. */
export function isTooLittleGas(error: unknown): error is TooLittleGas {
  if (!(error instanceof TransactionRejectedError)) return false;
  return error.code === "INTRINSIC_GAS_TOO_LOW" || error.code === "FLOOR_GAS_TOO_LOW";
}

/** The error that a call has too little gas to begin, with the bound; any other error as it is. */
export function atBound(error: unknown, bound: GasBound): unknown {
  if (!isTooLittleGas(error)) return error;
  const { code, what, rpcCode } = error;
  return new TransactionRejectedError({ code, what, rpcCode, cause: error, ...bound() });
}

function withCommas(gas: bigint): string {
  return gas.toLocaleString("en");
}
