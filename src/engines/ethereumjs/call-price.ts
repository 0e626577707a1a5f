/** What calls and SELFDESTRUCT cost beside memory, where EthereumJS' gas handler refused them without naming a price. */
import type { InterpreterStep } from "@ethereumjs/evm";
import { Op } from "../../evm/opcodes.ts";
import type { EvmAccount } from "../../evm/state-port.ts";
import { type Bytes, bigIntToFixedBytes, equalBytes } from "../../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { operand } from "./memory-price.ts";
import type { FrameFacts, Surroundings } from "./surroundings.ts";

const COLD_ACCOUNT = 2600n;
const WARM_ACCOUNT = 100n;
const VALUE_TRANSFER = 9000n;
const NEW_ACCOUNT = 25_000n;
const ADDRESS_MASK = (1n << 160n) - 1n;

/** The address in a word, whose first twelve bytes do not count. */
export function addressOf(word: bigint): Bytes {
  return bigIntToFixedBytes(word & ADDRESS_MASK, 20);
}

/** The delegate that code names; undefined for other code (EIP-7702). */
export function delegateOf(code: Bytes | undefined): Bytes | undefined {
  return code?.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0 ? code.slice(3) : undefined;
}

/** A call that was refused, or costs no more than its static fee. */
export interface UnpricedCall {
  readonly step: Pick<InterpreterStep, "stack" | "gasLeft">;
  readonly frame: FrameFacts;
  readonly surroundings: Surroundings;
}

/**
 * Price of a call in gas, without what the child is given.
 *
 * EthereumJS warms the called account before it refuses a call that cannot be paid: an account that was never warm before
 * counts as cold. One that was warm in a frame that was reverted is cold too; it counts as warm unless the call could then
 * be paid. An account that has to be waited for counts as one that exists and is not delegated.
 *
 * @param base - static fee and price of memory
 */
export function callPrice(opcode: number, base: bigint, { step, frame, surroundings }: UnpricedCall): bigint {
  const { rules, state, isWarm } = surroundings;
  const hasValue = (opcode === Op.CALL || opcode === Op.CALLCODE) && operand(step.stack, 2) !== 0n;
  const called = addressOf(operand(step.stack, 1));
  const account = state.getAccount(called);
  const makesAccount = opcode === Op.CALL && (hasValue || !rules.clearsEmptyAccounts);
  let price = hasValue ? base + VALUE_TRANSFER : base;
  if (makesAccount && isNew(account, rules.clearsEmptyAccounts)) price += NEW_ACCOUNT;
  if (!rules.hasAccessLists) return price;
  const code = account instanceof Promise ? undefined : state.getCode(account?.codeHash ?? EMPTY_CODE_HASH);
  const delegate = rules.hasDelegations && !(code instanceof Promise) ? delegateOf(code) : undefined;
  const accessed = delegate === undefined ? [called] : [called, delegate];
  // EthereumJS asks whether the frame is static before it warms anything.
  const isUntouched = frame.isStatic && opcode === Op.CALL && hasValue;
  const cold = isUntouched ? accessed.filter((address) => !isWarm(address)).length : frame.newlyWarm;
  price += BigInt(cold) * COLD_ACCOUNT + BigInt(accessed.length - cold) * WARM_ACCOUNT;
  return isUntouched || price > step.gasLeft ? price : price + COLD_ACCOUNT - WARM_ACCOUNT;
}

/** Price in gas of a SELFDESTRUCT in a static frame, beside its static fee. */
export function selfDestructPrice(
  stack: readonly bigint[],
  balance: bigint,
  { rules, state, isWarm }: Surroundings,
): bigint {
  const beneficiary = addressOf(operand(stack, 0));
  const price = balance > 0n && isNew(state.getAccount(beneficiary), true) ? NEW_ACCOUNT : 0n;
  return rules.hasAccessLists && !isWarm(beneficiary) ? price + COLD_ACCOUNT : price;
}

/** The account is absent or, since EIP-161, empty. */
function isNew(account: MaybePromise<EvmAccount | undefined>, emptyToo: boolean): boolean {
  if (account === undefined) return true;
  if (account instanceof Promise || !emptyToo) return false;
  return account.nonce === 0n && account.balance === 0n && equalBytes(account.codeHash, EMPTY_CODE_HASH);
}
