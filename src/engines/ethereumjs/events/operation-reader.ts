/**
 * Reads EthereumJS' `step` events.
 *
 * An event comes before EthereumJS charges and checks anything, and for some operations after their gas handler refused
 * them: then it names no price, and the price follows from the operands here.
 */
import { Hardfork } from "@ethereumjs/common";
import type { InterpreterStep } from "@ethereumjs/evm";
import { StepOutcome } from "../../../evm/frames.ts";
import { Op, startsFrame } from "../../../evm/opcodes.ts";
import type { EvmAccount } from "../../../evm/state-port.ts";
import { type Bytes, bigIntToFixedBytes, equalBytes } from "../../../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../../../primitives/hash.ts";
import { MAX_UINT256 } from "../../../primitives/limits.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import { delegateOf, type SessionParts } from "../parts.ts";
import { type Course, doneAt, fitsStack, type Operation, operationOf, unpaid } from "./operation.ts";
import type { RunningFrame } from "./running-frame.ts";
import { growthPrice, operand, wordsOf } from "./touched-memory.ts";

const VALUE_TRANSFER = 9000n;
const NEW_ACCOUNT = 25_000n;
const ADDRESS_MASK = (1n << 160n) - 1n;

/** The address in a word, whose first twelve bytes do not count. */
export function addressOf(word: bigint): Bytes {
  return bigIntToFixedBytes(word & ADDRESS_MASK, 20);
}

/** What only some hardforks have. */
interface Rules {
  /** A caller keeps one 64th of its gas (EIP-150). */
  readonly keepsPart: boolean;
  /** Gas with which SSTORE is refused (EIP-2200). */
  readonly sstoreSentry: bigint;
  /** Bytes of init code (EIP-3860). */
  readonly maxInitCodeSize: bigint;
  /** Gas for a word of init code (EIP-3860). */
  readonly initCodeWord: bigint;
  /** Gas for accounts that are cold, and for those that are warm (EIP-2929). */
  readonly cold: bigint;
  readonly warm: bigint;
}

function rulesOf(common: SessionParts["evm"]["common"]): Rules {
  const isLimited = common.isActivatedEIP(3860);
  const hasAccessLists = common.isActivatedEIP(2929);
  return {
    keepsPart: common.gteHardfork(Hardfork.TangerineWhistle),
    sstoreSentry: common.gteHardfork(Hardfork.Istanbul) ? common.param("sstoreSentryEIP2200Gas") : -1n,
    maxInitCodeSize: isLimited ? common.param("maxInitCodeSize") : MAX_UINT256,
    initCodeWord: isLimited ? common.param("initCodeWordGas") : 0n,
    cold: hasAccessLists ? common.param("coldaccountaccessGas") : 0n,
    warm: hasAccessLists ? common.param("warmstoragereadGas") : 0n,
  };
}

export class OperationReader {
  readonly #parts: SessionParts;
  readonly #rules: Rules;
  /** Accounts that were warm at some time of the transaction, before the operation that is read. */
  #warmCount = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#rules = rulesOf(parts.evm.common);
  }

  /** Has to be told that operations ran that it did not read. */
  skip(): void {
    this.#warmCount = this.#parts.evm.journal.accessList?.size ?? 0;
  }

  read(step: InterpreterStep, frame: RunningFrame): Operation {
    // The event names 0xfe for every undefined byte.
    const opcode = frame.code[step.pc] ?? Op.STOP;
    const course = this.#courseOf(step, opcode, frame.message.isStatic);
    this.skip();
    return operationOf(step, opcode, course);
  }

  #courseOf(step: InterpreterStep, opcode: number, isStatic: boolean): Course {
    const { stack, gasLeft } = step;
    const { fee } = step.opcode;
    const { keepsPart, sstoreSentry, maxInitCodeSize } = this.#rules;
    const undispatched = { ...doneAt(fee), outcome: StepOutcome.undefinedOpcode };
    if (step.opcode.name === "INVALID") return undispatched;
    if (!fitsStack(opcode, stack.length)) return { ...undispatched, outcome: StepOutcome.stackError };
    const isRefused = isStatic && changesState(opcode, stack);
    if (opcode === Op.SSTORE && !isRefused && gasLeft <= sstoreSentry) {
      return { ...undispatched, outcome: StepOutcome.uncomputable, cause: "reentrancySentry" };
    }
    const price = this.#priceOf(step, opcode, isRefused);
    const requested = isCall(opcode) ? operand(stack, 0) : 0n;
    const left = gasLeft - price;
    if (left < 0n || (!keepsPart && requested > left)) {
      const course = unpaid(price, requested, fee);
      return isRefused && course.cause === undefined ? { ...course, cause: "staticFrame" } : course;
    }
    const cost = Number(price);
    if (isRefused) return { ...doneAt(cost), outcome: StepOutcome.failed };
    if (!startsFrame(opcode)) return doneAt(cost);
    const most = keepsPart ? left - left / 64n : left;
    const course = doneAt(cost, Number(isCall(opcode) && requested < most ? requested : most));
    const hasTooMuchCode = isCreation(opcode) && operand(stack, 2) > maxInitCodeSize;
    return hasTooMuchCode ? { ...course, outcome: StepOutcome.failed } : course;
  }

  /** The price in gas, without what a child frame is given. */
  #priceOf(step: InterpreterStep, opcode: number, isRefused: boolean): bigint {
    const { stack } = step;
    const fee = BigInt(step.opcode.fee);
    const told = step.opcode.dynamicFee ?? fee;
    // Gas handlers that refuse leave the static fee in the event.
    if (told !== fee) return told;
    const price = fee + growthPrice(opcode, stack, step.memoryWordCount * 32n);
    if (isCall(opcode)) return this.#callPrice(step, opcode, price, isRefused);
    if (opcode === Op.RETURNDATACOPY) return price + 3n * wordsOf(operand(stack, 2));
    if (!isRefused) return told;
    if (opcode === Op.SELFDESTRUCT) return price + this.#selfDestructPrice(step);
    if (isLog(opcode)) return price + 375n * BigInt(opcode - Op.LOG0) + 8n * operand(stack, 1);
    if (!isCreation(opcode)) return told;
    const perWord = this.#rules.initCodeWord + (opcode === Op.CREATE2 ? 6n : 0n);
    return price + perWord * wordsOf(operand(stack, 2));
  }

  /**
   * Price of a call that EthereumJS refused, or that costs no more than its static fee.
   *
   * EthereumJS warms the called account before it refuses a call that cannot be paid: an account that was never warm before
   * counts as cold. One that was warm in a frame that was reverted is cold too; it counts as warm unless the call could then
   * be paid. An account that has to be waited for counts as one that exists and is not delegated.
   *
   * @param base - static fee and price of memory
   */
  #callPrice({ stack, gasLeft }: InterpreterStep, opcode: number, base: bigint, isRefused: boolean): bigint {
    const { evm, state } = this.#parts;
    const { cold, warm } = this.#rules;
    const hasValue = (opcode === Op.CALL || opcode === Op.CALLCODE) && operand(stack, 2) !== 0n;
    const called = addressOf(operand(stack, 1));
    const account = state.getAccount(called);
    const clearsEmpty = evm.common.gteHardfork(Hardfork.SpuriousDragon);
    let price = hasValue ? base + VALUE_TRANSFER : base;
    if (opcode === Op.CALL && (hasValue || !clearsEmpty) && isNew(account, clearsEmpty)) price += NEW_ACCOUNT;
    if (cold === 0n) return price;
    const code = account instanceof Promise ? undefined : state.getCode(account?.codeHash ?? EMPTY_CODE_HASH);
    const delegate = evm.common.isActivatedEIP(7702) && !(code instanceof Promise) ? delegateOf(code) : undefined;
    const accessed = delegate === undefined ? [called] : [called, delegate];
    const coldCount = isRefused
      ? accessed.filter((address) => !evm.journal.isWarmedAddress(address)).length
      : (evm.journal.accessList?.size ?? 0) - this.#warmCount;
    price += BigInt(coldCount) * cold + BigInt(accessed.length - coldCount) * warm;
    return isRefused || price > gasLeft ? price : price + cold - warm;
  }

  #selfDestructPrice({ stack, account }: InterpreterStep): bigint {
    const { evm, state } = this.#parts;
    const beneficiary = addressOf(operand(stack, 0));
    const isPaid = account.balance > 0n && isNew(state.getAccount(beneficiary), true);
    const price = isPaid ? NEW_ACCOUNT : 0n;
    return evm.journal.isWarmedAddress(beneficiary) ? price : price + this.#rules.cold;
  }
}

function isCreation(opcode: number): boolean {
  return opcode === Op.CREATE || opcode === Op.CREATE2;
}

function isCall(opcode: number): boolean {
  return startsFrame(opcode) && !isCreation(opcode);
}

function isLog(opcode: number): boolean {
  return opcode >= Op.LOG0 && opcode <= Op.LOG4;
}

/** EthereumJS refuses these in a static frame before it charges them; TSTORE only afterwards. */
function changesState(opcode: number, stack: readonly bigint[]): boolean {
  if (opcode === Op.CALL) return operand(stack, 2) !== 0n;
  return isLog(opcode) || opcode === Op.SSTORE || opcode === Op.SELFDESTRUCT || isCreation(opcode);
}

/** The account is absent or, since EIP-161, empty. */
function isNew(account: MaybePromise<EvmAccount | undefined>, emptyToo: boolean): boolean {
  if (account === undefined) return true;
  if (account instanceof Promise || !emptyToo) return false;
  return account.nonce === 0n && account.balance === 0n && equalBytes(account.codeHash, EMPTY_CODE_HASH);
}
