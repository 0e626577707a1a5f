/**
 * Explains step by step why a transaction costs something else in EDR 0.22.
 *
 * EDR's Amsterdam has the prices of Osaka, and gas for state by an older text of EIP-8037: what comes back is gas for state
 * only, a creation is charged for its account even if it cannot begin, and authorizations cost otherwise.
 */
import { GAS_PER_STATE_BYTE } from "../../../../src/chainspec/hardforks/state-gas.ts";
import type { TransactionFields } from "../../../../src/chainspec/transaction/transaction-fields.ts";
import { bytesToBigInt, equalBytes } from "../../../../src/primitives/bytes/bytes.ts";
import type { StructLog } from "../../../../src/tracer/formats/struct-log.ts";
import { COINBASE } from "../../../support/evm.ts";
import { type EdrStep, SIGNER } from "./edr-chain.ts";

/** How the steps of a transaction compare. */
export interface Way {
  /** The first price, or the first turn, that has no explanation. */
  readonly unexplained?: string;
  /** True if the program saw its gas, or ran out of it: what it does may then differ. */
  readonly isOther: boolean;
}

/** EIP-8038: an account that is looked at for the first time, 3,000 instead of 2,600. */
const COLD = 400;
/** EIP-8038: EXTCODESIZE and EXTCODECOPY read the code too. */
const CODE = 100;
/** EIP-8038: value of a call, 11,300 instead of 9,000. */
const VALUE = 2_300;
/** EIP-8038: a creation, 12,000 instead of 9,000. */
const CREATION = 3_000;
/** EIP-8037: charged in EDR for a creation that cannot begin too, whose gas then pays for state only. */
const ACCOUNT = 183_600;
/**
 * EIP-8037: comes back here to the frame that paid for a slot. In EDR it then pays for state only, so that a later slot or
 * account costs less of the other gas.
 */
const SLOT = 97_920;

const CALLING = /CALL$|CALLCODE|CREATE/;
/** Operations after which gas for state may have come back. */
const GROWING = /CALL$|CALLCODE|CREATE|SSTORE/;
const LOOKS = [0, COLD];
const CODE_LOOKS = [CODE, CODE + COLD];
const CALLS = [0, COLD, 2 * COLD];
const VALUE_CALLS = [...CALLS, ...CALLS.map((gas) => gas + VALUE)];
const CREATIONS = [CREATION, CREATION - ACCOUNT];
/**
 * EIP-8038: a first change costs 10,000 beside the access, there 2,900 beside it, of a cold slot less 100. The same value
 * in a cold slot costs 2,100 here and 2,200 there.
 */
const STORES = [0, -100, 7_100, 7_200, -SLOT];

/** Amounts, EDR's price being lower by them, that an operation's price may differ by. */
const EXPLAINED: Readonly<Record<string, readonly number[]>> = {
  ...{ BALANCE: LOOKS, EXTCODEHASH: LOOKS, EXTCODESIZE: CODE_LOOKS, EXTCODECOPY: CODE_LOOKS },
  ...{ CALL: VALUE_CALLS, CALLCODE: VALUE_CALLS, DELEGATECALL: CALLS, STATICCALL: CALLS },
  ...{ CREATE: CREATIONS, CREATE2: CREATIONS, SSTORE: STORES },
};

/**
 * Compares steps until the program goes another way. The price of a call with steps of its own, or of one that failed and
 * so took what it was given, is not compared as a whole.
 *
 * @param prices - counts the explained prices
 */
export function explainSteps(
  tx: TransactionFields,
  ours: readonly StructLog[],
  theirs: readonly EdrStep[],
  prices: Record<string, number>,
): Way {
  const [mine, other] = [withoutStops(ours), withoutStops(theirs)];
  const entry = priceOfEntry(tx, mine[0], other[0], prices);
  if (entry !== undefined) return { isOther: true, unexplained: entry };
  let sawGas = tx.authorizations.length > 0;
  let cameBack = sawGas;
  for (let index = 0; index < Math.max(mine.length, other.length); index++) {
    const [step, its] = [mine[index], other[index]];
    if (step === undefined || its === undefined || step.pc !== its.pc || step.depth !== its.depth) {
      const isExplained = sawGas || hasRunOut(mine, index) || hasRunOut(other, index);
      return isExplained ? { isOther: true } : { isOther: true, unexplained: turnText(step, its, index) };
    }
    sawGas ||= showsGas(mine[index - 1], other[index - 1]);
    if (!sawGas && !isSameStack(step, its))
      return { isOther: true, unexplained: `stack after ${mine[index - 1]?.op} differs` };
    cameBack ||= GROWING.test(mine[index - 1]?.op ?? "") || (mine[index - 1]?.depth ?? 0) > step.depth;
    const unexplained = priceOf(step, [its, mine[index + 1], other[index + 1]], { prices, cameBack });
    if (unexplained !== undefined && sawGas) return { isOther: true };
    if (unexplained !== undefined) return { isOther: false, unexplained: `step ${index}: ${unexplained}` };
  }
  return { isOther: sawGas || isShort(mine.at(-1), other.at(-1)) };
}

/** True if the last step is a SELFDESTRUCT that one of both may not be able to pay for. */
function isShort(step: StructLog | undefined, other: EdrStep | undefined): boolean {
  return step?.op === "SELFDESTRUCT" && Math.min(step.gas, other?.gas ?? 0) < 5_000 + 3_000 + 9_000 + ACCOUNT;
}

type Step = StructLog | EdrStep;

const [PAYER, PAYEE] = [SIGNER, COINBASE].map(bytesToBigInt);

/**
 * True for what may show how much gas there is: GAS; a call that gives all of it (EIP-150); code that may be too long for
 * what is left; and the balance of an account that pays for gas or is paid for it.
 */
function showsGas(step: StructLog | undefined, other: EdrStep | undefined): boolean {
  if (step === undefined || other === undefined) return false;
  const left = BigInt(Math.min(step.gas, other.gas));
  const [top = 0n, second = 0n] = [step.stack?.at(-1), step.stack?.at(-2)];
  if (step.op === "RETURN") return second * BigInt(GAS_PER_STATE_BYTE) > left;
  if (/CALL$|CALLCODE/.test(step.op)) return top * 64n > left * 63n;
  if (step.op !== "BALANCE") return step.op === "GAS";
  const address = BigInt.asUintN(160, top);
  return address === PAYER || address === PAYEE;
}

/** Without the STOP that EDR shows for a call of an account without code. */
function withoutStops<Any extends Step>(steps: readonly Any[]): readonly Any[] {
  return steps.filter((step, index) => {
    const isAlone = steps[index - 1]?.depth === step.depth - 1 && (steps[index + 1]?.depth ?? 0) < step.depth;
    return !(step.op === "STOP" && step.pc === 0 && isAlone);
  });
}

/** Explains the gas that a transaction begins with (EIP-2780, EIP-8038). Authorizations are left out. */
function priceOfEntry(
  { sender, to, value, accessList, authorizations }: TransactionFields,
  ours: StructLog | undefined,
  theirs: EdrStep | undefined,
  prices: Record<string, number>,
): string | undefined {
  if (ours === undefined || theirs === undefined || authorizations.length > 0) return undefined;
  const isOwn = to !== undefined && equalBytes(to, sender);
  // 12,000 instead of 21,000, and then 12,000 instead of 9,000 for a creation, 3,000 for a recipient, 6,000 for a value.
  const parties = isOwn ? 9_000 : to === undefined || value === 0n ? 6_000 : 0;
  const slots = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  const expected = parties - 500 * accessList.length - 100 * slots;
  const rest = ours.gas - theirs.gas - expected;
  // The delegate of the recipient, cold or warm, and a recipient that is not there, are paid for here alone.
  if (![0, -3_000, -100, -ACCOUNT].includes(rest)) return `begins with ${ours.gas}, in EDR with ${theirs.gas}`;
  count(prices, "transactions before their first step");
  return undefined;
}

function priceOf(
  step: StructLog,
  [other, next, nextOther]: readonly [EdrStep, StructLog | undefined, EdrStep | undefined],
  { prices, cameBack }: { readonly prices: Record<string, number>; readonly cameBack: boolean },
): string | undefined {
  if (next?.depth !== step.depth || nextOther?.depth !== step.depth) return undefined;
  const more = step.gas - next.gas - (other.gas - nextOther.gas);
  const amounts = EXPLAINED[step.op] ?? [0];
  const state = step.op === "SSTORE" ? SLOT : ACCOUNT;
  if (amounts.includes(more)) {
    if (more !== 0) count(prices, `${step.op} ${more > 0 ? "+" : ""}${more}`);
    return undefined;
  }
  const hasFailed = next.stack?.at(-1) === 0n || BigInt(nextOther.stack.at(-1) ?? 0) === 0n;
  if (CALLING.test(step.op) && hasFailed) return undefined;
  if (!cameBack || !amounts.some((amount) => more > amount && more <= amount + state)) {
    return `${step.op} costs ${more} more than in EDR`;
  }
  count(prices, `${step.op} with gas for state that had come back`);
  return undefined;
}

function count(prices: Record<string, number>, name: string): void {
  prices[name] = (prices[name] ?? 0) + 1;
}

function isSameStack({ stack = [] }: StructLog, other: EdrStep): boolean {
  return stack.length === other.stack.length && stack.every((word, place) => word === BigInt(other.stack[place] ?? 0));
}

/** True if a frame ended right before a step, or the operation before it could not be paid. */
function hasRunOut(steps: readonly Step[], index: number): boolean {
  const last = steps[index - 1];
  return last === undefined || last.error !== undefined || (steps[index]?.depth ?? 0) < last.depth;
}

function turnText(step: Step | undefined, other: Step | undefined, index: number): string {
  const text = (at: Step | undefined): string =>
    at === undefined ? "the end" : `${at.op} at ${at.pc}, depth ${at.depth}`;
  return `step ${index}: ${text(step)}, in EDR ${text(other)}`;
}
