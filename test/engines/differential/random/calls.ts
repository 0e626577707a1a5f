/** Calls and creations in random programs. */
import { isAtLeast } from "../../../../src/chainspec/hardforks/hardforks.ts";
import { Op } from "../../../../src/evm/opcodes.ts";
import type { Bytes } from "../../../../src/primitives/bytes/bytes.ts";
import { CONTRACTS, knows, type Making, pushAddress, pushLength, pushOffset, pushValue } from "./making.ts";
import { PRECOMPILE_NUMBERS, type PrecompilePool } from "./precompile-pool.ts";
import { useResult } from "./statements.ts";

const KINDS: readonly number[] = [Op.CALL, Op.CALL, Op.CALLCODE, Op.DELEGATECALL, Op.STATICCALL];

/** A kind of call that the hardfork has; wild programs ask for others too, rarely. */
function anyKind(making: Making): number {
  const { random, isWild } = making;
  const kind = random.pick(KINDS);
  return knows(making, kind) || (isWild && random.chance(0.1)) ? kind : Op.CALL;
}

/** Pushes gas for a call. Before EIP-150 a call fails that asks for more than there is. */
function pushGas({ random, writer, hardfork, isWild }: Making): void {
  if (random.chance(isWild ? 0.15 : 0.04)) writer.push(random.below(3_000));
  else if (isAtLeast(hardfork, "tangerineWhistle") && random.chance(0.6)) writer.op(Op.GAS);
  else writer.push(random.between(20_000, 60_000));
}

/** Pushes all operands below the address, then the address, then gas. */
function callOperands(making: Making, kind: number, pushTo: () => void): void {
  pushLength(making);
  pushOffset(making);
  pushLength(making);
  pushOffset(making);
  if (kind === Op.CALL || kind === Op.CALLCODE) pushValue(making);
  pushTo();
  pushGas(making);
}

/** A call of a contract behind this one, or sometimes of anybody. */
export function callStatement(making: Making): void {
  const { random, writer, level, isWild } = making;
  const kind = anyKind(making);
  const behind = CONTRACTS.slice(level + 1);
  const isAnybody = behind.length === 0 || random.chance(isWild ? 0.3 : 0.2);
  callOperands(making, kind, () => (isAnybody ? pushAddress(making) : writer.pushBytes(random.pick(behind))));
  writer.op(kind);
  useResult(making);
}

/** A call of a precompile with input made for it. */
export function precompileStatement(making: Making, pool: PrecompilePool): void {
  const { random, writer } = making;
  const number = random.pick(PRECOMPILE_NUMBERS);
  const input = pool.pick(random, number);
  const kind = anyKind(making);
  writer.store(input, 0);
  pushLength(making);
  pushOffset(making);
  writer.push(random.chance(0.9) ? input.length : random.below(input.length + 40));
  writer.push(0);
  if (kind === Op.CALL || kind === Op.CALLCODE) writer.push(random.pick([0, 0, 0, 1]));
  writer.push(number);
  // A precompile's fault uses up all of its gas.
  if (random.chance(0.1)) writer.push(random.below(8_000));
  else writer.push(random.pick([60_000, 150_000, 250_000]));
  writer.op(kind);
  useResult(making);
}

/** A creation, and something with what it gives. */
export function createStatement(making: Making, initCode: Bytes): void {
  const { random, writer } = making;
  const isSalted = knows(making, Op.CREATE2) && random.chance(0.5);
  writer.store(initCode, 0);
  if (isSalted) writer.push(random.below(2));
  const isOdd = making.isWild && random.chance(0.08);
  writer.push(isOdd ? random.pick([49_152, 49_153, 2n ** 40n, 2n ** 255n]) : initCode.length);
  writer.push(0);
  writer.push(random.pick([0, 0, 0, 1, 2n ** 100n]));
  writer.op(isSalted ? Op.CREATE2 : Op.CREATE);
  random.weighted<() => void>([
    [2, () => useResult(making)],
    [1, () => writer.op(Op.DUP1, Op.BALANCE, Op.POP, Op.EXTCODESIZE, Op.POP)],
    [2, () => callCreated(making, random.below(3))],
  ])();
}

/** Calls the address on top of the stack a few times, and drops it. */
function callCreated(making: Making, times: number): void {
  const { random, writer } = making;
  for (let time = 0; time < times; time++) {
    for (let operand = 0; operand < 4; operand++) writer.push(0);
    writer.push(random.pick([0, 0, 1]));
    writer.op(Op.DUP1 + 5);
    writer.push(random.between(10_000, 50_000));
    writer.op(Op.CALL, Op.POP);
  }
  writer.op(Op.POP);
}
