/**
 * CALL, CALLCODE, DELEGATECALL and STATICCALL where everything they need is at hand: what such a call costs and carries.
 *
 * Whatever is out of the ordinary is left to EthereumJS' handlers, nothing having been changed: hardforks before Berlin,
 * a state that must be waited for, a recorder that wants accesses, a change of state in a static frame, a price that
 * cannot be paid.
 */
import type { Common } from "@ethereumjs/common";
import type { PrecompileFunc } from "@ethereumjs/evm";
import { Op } from "../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash.ts";
import type { AccountState, MaybePromise, WorkingStateView } from "../state/view.ts";
import type { Frame, FrameSurroundings } from "./evm-frame.ts";
import { MAX_BALANCE } from "./evm-transfer.ts";
import { addressBytes, isEmptyAccount } from "./opcode-state.ts";
import { isDelegation } from "./transaction-checks.ts";

/** A call worked out and not begun. */
export interface CallPlan {
  /** Charged to the caller, in gas, without what the called frame is given. */
  readonly cost: number;
  /** What the called frame is given, without the stipend. */
  readonly gasLimit: bigint;
  /** wei that the called frame sees and, except for DELEGATECALL, that moves. */
  readonly value: bigint;
  readonly hasStipend: boolean;
  readonly codeAddress: Bytes;
  /** Whose code it is, of a delegated account (EIP-7702). */
  readonly delegate: Bytes | undefined;
  readonly code: Bytes;
  readonly precompile: PrecompileFunc | undefined;
  /** Active memory of the caller from now on. */
  readonly memoryBytes: number;
  readonly inOffset: number;
  readonly inLength: number;
  readonly outOffset: number;
  readonly outLength: number;
}

/** One of the call opcodes at the prices of one hardfork. */
export interface CallOpcode {
  readonly pops: number;
  readonly isDelegate: boolean;
  readonly isStatic: boolean;
  /** The called account is the caller itself: CALLCODE, DELEGATECALL. */
  readonly runsForeignCode: boolean;
  /** The call, or undefined where EthereumJS has to run it. */
  plan(frame: Frame): CallPlan | undefined;
}

interface Prices {
  readonly fee: number;
  readonly cold: number;
  readonly warm: number;
  readonly valueTransfer: number;
  readonly newAccount: number;
  /** EIP-7702 holds. */
  readonly hasDelegations: boolean;
}

/** The call opcodes of a hardfork; none before Berlin. */
export function callOpcodes(common: Common, fees: (opcode: number) => number): ReadonlyMap<number, CallOpcode> {
  if (!common.isActivatedEIP(2929)) return new Map();
  const price = (name: string): number => Number(common.param(name));
  const prices = {
    cold: price("coldaccountaccessGas"),
    warm: price("warmstoragereadGas"),
    valueTransfer: price("callValueTransferGas"),
    newAccount: price("callNewAccountGas"),
    hasDelegations: common.isActivatedEIP(7702),
  };
  const withPrices = (opcode: number, shape: Pick<CallOpcode, "isDelegate" | "isStatic" | "runsForeignCode">) => {
    const hasValue = opcode === Op.CALL || opcode === Op.CALLCODE;
    const plan = planner(opcode, hasValue ? 3 : 2, { ...prices, fee: fees(opcode) });
    return [opcode, { ...shape, pops: hasValue ? 7 : 6, plan }] as const;
  };
  return new Map<number, CallOpcode>([
    withPrices(Op.CALL, { isDelegate: false, isStatic: false, runsForeignCode: false }),
    withPrices(Op.CALLCODE, { isDelegate: false, isStatic: false, runsForeignCode: true }),
    withPrices(Op.DELEGATECALL, { isDelegate: true, isStatic: false, runsForeignCode: true }),
    withPrices(Op.STATICCALL, { isDelegate: false, isStatic: true, runsForeignCode: false }),
  ]);
}

/**
 * Makes the plan of an opcode.
 *
 * @param first - where on the stack the regions of memory begin: offset and length of the input, then of the output
 */
function planner(opcode: number, first: number, prices: Prices): (frame: Frame) => CallPlan | undefined {
  const hasValueOperand = first === 3;
  return (frame) => {
    const { surroundings, stack, stackHeight, env } = frame;
    const top = stackHeight - 1;
    const moved = hasValueOperand ? (stack[top - 2] as bigint) : 0n;
    if (surroundings.recordsAccesses || (opcode === Op.CALL && moved !== 0n && env.isStatic)) return undefined;
    const codeAddress = addressBytes(stack[top - 1] as bigint);
    const called = findCalled(codeAddress, surroundings, prices.hasDelegations);
    if (called === undefined || surroundings.view.getAccount(frame.address) instanceof Promise) return undefined;
    const inOffset = stack[top - first] as bigint;
    const inLength = stack[top - first - 1] as bigint;
    const outOffset = stack[top - first - 2] as bigint;
    const outLength = stack[top - first - 3] as bigint;
    const memoryBytes = Math.max(frame.memoryFor(inOffset, inLength), frame.memoryFor(outOffset, outLength));
    let cost = prices.fee + frame.priceOfMemory(memoryBytes);
    const { accesses } = surroundings;
    const { delegate } = called;
    cost += accesses.isWarmedAddress(codeAddress) ? prices.warm : prices.cold;
    if (delegate !== undefined) cost += accesses.isWarmedAddress(delegate) ? prices.warm : prices.cold;
    if (moved !== 0n) {
      cost += prices.valueTransfer;
      if (opcode === Op.CALL && isEmptyAccount(called.account)) cost += prices.newAccount;
      if ((called.account?.balance ?? 0n) + moved > MAX_BALANCE) return undefined;
    }
    // A price beyond reckoning is not a number, and is refused here too.
    if (!(cost <= frame.gas)) return undefined;
    return {
      cost,
      gasLimit: forwarded(stack[top] as bigint, frame.gasLeft - BigInt(cost)),
      value: opcode === Op.DELEGATECALL ? env.callValue : moved,
      hasStipend: moved !== 0n,
      codeAddress,
      delegate,
      code: called.code,
      precompile: called.precompile,
      memoryBytes,
      inOffset: inLength === 0n ? 0 : Number(inOffset),
      inLength: Number(inLength),
      outOffset: Number(outOffset),
      outLength: Number(outLength),
    };
  };
}

/** All but one 64th of what is left (EIP-150), or less where less is asked for. */
export function forwarded(requested: bigint, left: bigint): bigint {
  const most = left - left / 64n;
  return requested < most ? requested : most;
}

/** An account that is to be called. */
export interface Called {
  readonly account: AccountState | undefined;
  readonly delegate: Bytes | undefined;
  /** Runs unless a precompile does. */
  readonly code: Bytes;
  readonly precompile: PrecompileFunc | undefined;
}

/** An account and what runs there, where both are at hand and nothing but running that makes a call of it. */
export function findCalled(
  address: Bytes,
  surroundings: FrameSurroundings,
  hasDelegations: boolean,
): Called | undefined {
  const { view } = surroundings;
  const account = view.getAccount(address);
  if (account instanceof Promise) return undefined;
  const found = codeOf(account, view);
  const delegate = hasDelegations && found !== undefined && isDelegation(found) ? found.slice(3) : undefined;
  const code = delegate === undefined ? found : codeOf(view.getAccount(delegate), view);
  // Code that looks like the EVM Object Format, or like a delegation where it is none: delegates are not followed further.
  if (code === undefined || code[0] === 0xef) return undefined;
  const precompile = surroundings.precompileAt(address);
  if (precompile === undefined) return { account, delegate, code, precompile };
  return delegate === undefined ? { account, delegate, code: EMPTY_BYTES, precompile } : undefined;
}

/** An account's code, if it is at hand. */
function codeOf(account: MaybePromise<AccountState | undefined>, view: WorkingStateView): Bytes | undefined {
  if (account instanceof Promise) return undefined;
  const code = view.getCode(account?.codeHash ?? EMPTY_CODE_HASH);
  return code instanceof Promise ? undefined : code;
}
