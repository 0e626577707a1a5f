/** Random programs: statements one after the other, and an end. */
import type { Hardfork } from "../../../../src/chainspec/hardforks/hardforks.ts";
import { Op } from "../../../../src/evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES } from "../../../../src/primitives/bytes/bytes.ts";
import { callStatement, createStatement, precompileStatement } from "./calls.ts";
import { knows, type Making, type MakingOptions, newMaking, pushAddress, pushLength, pushOffset } from "./making.ts";
import type { PrecompilePool } from "./precompile-pool.ts";
import type { Random } from "./random.ts";
import {
  branchStatement,
  loopStatement,
  plainStatement,
  returnDataStatement,
  skippedStatement,
  stackStatement,
  wildStatement,
} from "./statements.ts";

/** Parameters shared by all programs of a scenario. */
export interface Workshop {
  readonly random: Random;
  readonly hardfork: Hardfork;
  readonly pool: PrecompilePool;
}

/** A program, for a contract or as what init code returns. */
export function makeProgram({ random, hardfork, pool }: Workshop, options: MakingOptions = {}): Bytes {
  const making = newMaking(random, hardfork, options);
  statements(making, pool, random.between(1, making.nesting > 0 ? 5 : 22));
  ending(making);
  return making.writer.code();
}

/** Init code that does something and then, mostly, returns a program. */
export function makeInitCode(workshop: Workshop, options: MakingOptions = {}): Bytes {
  const { random, hardfork, pool } = workshop;
  if (random.chance(0.05)) return EMPTY_BYTES;
  const nesting = (options.nesting ?? 0) + 1;
  if (random.chance(0.2)) return makeProgram(workshop, { ...options, nesting });
  const making = newMaking(random, hardfork, { ...options, nesting });
  statements(making, pool, random.below(4));
  const runtime = random.chance(0.02) ? new Uint8Array(24_577) : makeProgram(workshop, { ...options, nesting });
  making.writer.store(runtime, 0);
  making.writer.push(runtime.length);
  making.writer.push(0);
  making.writer.op(Op.RETURN);
  return making.writer.code();
}

/** Code that calls itself as deep as its gas or the depth limit lets it. */
export function makeDeepProgram({ random, hardfork }: Workshop, address: Bytes): Bytes {
  const { writer, ...making } = newMaking(random, hardfork);
  const kind = random.pick([Op.CALL, Op.CALL, Op.DELEGATECALL]);
  const known = knows({ writer, ...making }, kind) ? kind : Op.CALL;
  for (let operand = 0; operand < (known === Op.CALL ? 5 : 4); operand++) writer.push(0);
  writer.pushBytes(address);
  // Before EIP-150 a call must not ask for more than there is.
  writer.push(1_200);
  writer.op(Op.GAS, Op.SUB, known);
  if (random.chance(0.3)) {
    writer.push(random.below(3));
    writer.op(Op.SSTORE);
  }
  return writer.code();
}

function statements(making: Making, pool: PrecompilePool, count: number): void {
  for (let index = 0; index < count; index++) statement(making, pool);
}

function statement(making: Making, pool: PrecompilePool): void {
  const { random, isWild, nesting } = making;
  const part = (): void => statements(making, pool, random.between(1, 2));
  random.weighted<() => void>([
    [20, () => plainStatement(making)],
    [6, () => stackStatement(making)],
    [2, () => returnDataStatement(making)],
    [4, () => callStatement(making)],
    [2, () => precompileStatement(making, pool)],
    [nesting < 2 ? 2 : 0, () => createStatement(making, initCodeIn(making, pool))],
    [2, () => branchStatement(making, part)],
    [1, () => skippedStatement(making)],
    [1, () => loopStatement(making, () => plainStatement(making))],
    [isWild ? 2 : 0, () => wildStatement(making)],
  ])();
}

function initCodeIn(making: Making, pool: PrecompilePool): Bytes {
  const { random, hardfork, nesting, level } = making;
  return makeInitCode({ random, hardfork, pool }, { nesting, level, isWild: random.chance(0.15) });
}

function ending(making: Making): void {
  const { random, writer, isWild, nesting, level } = making;
  const inner = nesting > 0 || level > 0;
  random.weighted<() => void>([
    [8, () => writer.op(Op.STOP)],
    [
      8,
      () => {
        pushLength(making);
        pushOffset(making);
        writer.op(Op.RETURN);
      },
    ],
    [
      inner ? 3 : isWild ? 2 : 0,
      () => {
        pushLength(making);
        pushOffset(making);
        if (random.chance(0.2)) {
          writer.push(random.below(40));
          writer.op(Op.ADD);
        }
        writer.op(Op.REVERT);
      },
    ],
    [
      inner ? 3 : 1,
      () => {
        if (random.chance(0.2)) writer.op(Op.ADDRESS);
        else pushAddress(making);
        writer.op(Op.SELFDESTRUCT);
      },
    ],
    [inner || isWild ? 1 : 0, () => writer.op(Op.INVALID)],
    [isWild ? 1 : 0, () => writer.op(Op.PUSH1, random.below(40), Op.JUMP)],
    // The end of the code, or its data.
    [isWild ? 2 : 0, () => {}],
  ])();
}
