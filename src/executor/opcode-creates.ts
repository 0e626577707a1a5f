/**
 * CREATE and CREATE2 where everything they need is at hand: what such a creation costs and carries.
 *
 * Whatever is out of the ordinary is left to EthereumJS' handlers, nothing having been changed: hardforks before Berlin, a
 * state that must be waited for, a recorder that wants accesses, a static frame, too much init code, a price that cannot
 * be paid, and creations that start no frame, or collide.
 */
import type { Common } from "@ethereumjs/common";
import { Op } from "../evm/opcodes.ts";
import { createAddress, createSaltedAddress } from "../primitives/address.ts";
import { type Bytes, bigIntToFixedBytes, equalBytes } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../primitives/hash.ts";
import { MAX_UINT64 } from "../primitives/limits.ts";
import type { AccountState, WorkingStateView } from "../state/view.ts";
import type { Frame } from "./evm-frame.ts";
import { CALL_DEPTH_LIMIT } from "./evm-observer.ts";
import { MAX_BALANCE } from "./evm-transfer.ts";
import { forwarded } from "./opcode-calls.ts";

/** A creation worked out and not begun. */
export interface CreatePlan {
  /** Charged to the creator, in gas, without what the init code is given. */
  readonly cost: number;
  /** What the init code is given. */
  readonly gasLimit: bigint;
  /** wei that the new account begins with. */
  readonly value: bigint;
  readonly initCode: Bytes;
  /** Of the new account. */
  readonly address: Bytes;
  /** Active memory of the creator from now on. */
  readonly memoryBytes: number;
}

/** CREATE or CREATE2 at the prices of one hardfork. */
export interface CreateOpcode {
  readonly pops: number;
  /** The creation, or undefined where EthereumJS has to run it. */
  plan(frame: Frame): CreatePlan | undefined;
}

interface Prices {
  readonly fee: number;
  /** Of init code (EIP-3860, and hashing for CREATE2). */
  readonly perWord: number;
  readonly maxInitCodeSize: number;
}

/** CREATE and CREATE2 of a hardfork; none before Berlin. */
export function createOpcodes(common: Common, fees: (opcode: number) => number): ReadonlyMap<number, CreateOpcode> {
  if (!common.isActivatedEIP(2929)) return new Map();
  const isLimited = common.isActivatedEIP(3860);
  const maxInitCodeSize = isLimited ? Number(common.param("maxInitCodeSize")) : Number.POSITIVE_INFINITY;
  const perWord = isLimited ? Number(common.param("initCodeWordGas")) : 0;
  const hashing = Number(common.param("keccak256WordGas"));
  return new Map<number, CreateOpcode>([
    [Op.CREATE, { pops: 3, plan: planner(false, { fee: fees(Op.CREATE), perWord, maxInitCodeSize }) }],
    [
      Op.CREATE2,
      { pops: 4, plan: planner(true, { fee: fees(Op.CREATE2), perWord: perWord + hashing, maxInitCodeSize }) },
    ],
  ]);
}

function planner(hasSalt: boolean, prices: Prices): CreateOpcode["plan"] {
  return (frame) => {
    const { surroundings, stack, stackHeight, env } = frame;
    const { view } = surroundings;
    const creator = view.getAccount(frame.address);
    if (env.isStatic || surroundings.recordsAccesses || creator === undefined || creator instanceof Promise) return;
    const top = stackHeight - 1;
    const value = stack[top] as bigint;
    const offset = stack[top - 1] as bigint;
    const length = stack[top - 2] as bigint;
    if (length > prices.maxInitCodeSize) return;
    const memoryBytes = frame.memoryFor(offset, length);
    const cost = prices.fee + frame.priceOfMemory(memoryBytes) + prices.perWord * Math.ceil(Number(length) / 32);
    // A price beyond reckoning is not a number, and is refused here too.
    if (!(cost <= frame.gas)) return;
    if (env.depth >= CALL_DEPTH_LIMIT || creator.balance < value || creator.nonce >= MAX_UINT64) return;
    const initCode = copyMemory(frame, offset, Number(length));
    const address = hasSalt
      ? createSaltedAddress(frame.address, bigIntToFixedBytes(stack[top - 3] as bigint, 32), initCode)
      : createAddress(frame.address, creator.nonce);
    if (!canBecomeContract(address, value, view)) return;
    const left = frame.gasLeft - BigInt(cost);
    return { cost, gasLimit: forwarded(left, left), value, initCode, address, memoryBytes };
  };
}

/** A copy of memory that need not be allocated yet. */
function copyMemory({ memory }: Frame, offset: bigint, length: number): Bytes {
  const copy = new Uint8Array(length);
  if (length > 0) copy.set(memory.subarray(Number(offset), Number(offset) + length));
  return copy;
}

/** An account is at hand, is no contract and has no storage (EIP-684, EIP-7610), and can hold the value on top. */
export function canBecomeContract(address: Bytes, value: bigint, view: WorkingStateView): boolean {
  const account = view.getAccount(address);
  return (
    !(account instanceof Promise) &&
    (account === undefined || (isUnused(account) && account.balance + value <= MAX_BALANCE))
  );
}

function isUnused({ nonce, codeHash, storageRoot }: AccountState): boolean {
  return nonce === 0n && equalBytes(codeHash, EMPTY_CODE_HASH) && equalBytes(storageRoot, EMPTY_TRIE_ROOT);
}
