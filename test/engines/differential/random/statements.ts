/** Statements of random programs: an operation with operands that make sense, or pieces of control flow. */
import { INSTRUCTIONS, instructionOf } from "../../../../src/evm/instructions.ts";
import { isDup, isPush, isSwap, Op, startsFrame } from "../../../../src/evm/opcodes.ts";
import {
  knows,
  type Making,
  pushAddress,
  pushAny,
  pushLength,
  pushOffset,
  pushSlot,
  pushSource,
  pushStored,
} from "./making.ts";

type Pusher = (making: Making) => void;

const pushSmall: Pusher = ({ random, writer }) => writer.push(random.below(40));
const pushBlock: Pusher = ({ random, writer }) => writer.push(random.between(0, 110));
const pushExponent: Pusher = (making) => {
  if (making.random.chance(0.2)) pushAny(making);
  else making.writer.push(making.random.below(300));
};

const LOG: readonly Pusher[] = [pushOffset, pushLength, pushAny, pushAny, pushAny, pushAny];

/** Operands, the top of the stack first; any number where nothing is said. */
const OPERANDS: ReadonlyMap<number, readonly Pusher[]> = new Map<number, readonly Pusher[]>([
  [Op.EXP, [pushAny, pushExponent]],
  [Op.SIGNEXTEND, [pushSmall, pushAny]],
  [Op.BYTE, [pushSmall, pushAny]],
  ...[Op.SHL, Op.SHR, Op.SAR].map((opcode) => [opcode, [pushExponent, pushAny]] as const),
  [Op.KECCAK256, [pushOffset, pushLength]],
  ...[Op.BALANCE, Op.EXTCODESIZE, Op.EXTCODEHASH].map((opcode) => [opcode, [pushAddress]] as const),
  [Op.CALLDATALOAD, [pushSource]],
  [Op.CALLDATACOPY, [pushOffset, pushSource, pushLength]],
  [Op.CODECOPY, [pushOffset, pushSource, pushLength]],
  [Op.EXTCODECOPY, [pushAddress, pushOffset, pushSource, pushLength]],
  [Op.BLOCKHASH, [pushBlock]],
  [Op.BLOBHASH, [pushSmall]],
  [Op.MLOAD, [pushOffset]],
  [Op.MSTORE, [pushOffset, pushAny]],
  [Op.MSTORE8, [pushOffset, pushAny]],
  [Op.SLOAD, [pushSlot]],
  [Op.SSTORE, [pushSlot, pushStored]],
  [Op.TLOAD, [pushSlot]],
  [Op.TSTORE, [pushSlot, pushStored]],
  [Op.MCOPY, [pushOffset, pushOffset, pushLength]],
  ...[0, 1, 2, 3, 4].map((topics) => [Op.LOG0 + topics, LOG.slice(0, 2 + topics)] as const),
]);

/** Opcodes that statements of their own are made of, or that end a program. */
const SPECIAL: ReadonlySet<number> = new Set([
  ...[Op.STOP, Op.RETURN, Op.REVERT, Op.INVALID, Op.SELFDESTRUCT, Op.JUMP, Op.JUMPI, Op.RETURNDATACOPY],
]);

const isPlain = (opcode: number): boolean =>
  !SPECIAL.has(opcode) && !startsFrame(opcode) && !isPush(opcode) && !isDup(opcode) && !isSwap(opcode);

/** Opcodes of the table that {@link plainStatement} picks from. */
const PLAIN: readonly number[] = INSTRUCTIONS.map(({ opcode }) => opcode).filter(isPlain);

/** Statements that are typical of contracts are listed more than once. */
const STATEFUL: readonly number[] = [Op.SSTORE, Op.SLOAD, Op.SSTORE, Op.TSTORE, Op.TLOAD, Op.MSTORE, Op.LOG0 + 1];

/** An operation on operands of its own, or on what is on the stack. */
export function plainStatement(making: Making): void {
  const { random, writer, height } = making;
  const opcode = random.pick(random.chance(0.25) ? STATEFUL : PLAIN);
  // A hardfork that does not know it fails, which wild programs may.
  if (!knows(making, opcode) && !(making.isWild && random.chance(0.1))) return;
  const { pops, pushes } = instructionOf(opcode);
  const usesStack = OPERANDS.get(opcode) === undefined && pops > 0 && height >= pops && random.chance(0.4);
  if (usesStack) making.height -= pops;
  else pushOperands(making, opcode, pops);
  writer.op(opcode);
  if (pushes > 0) useResult(making);
}

function pushOperands(making: Making, opcode: number, count: number): void {
  const pushers = OPERANDS.get(opcode) ?? [];
  for (let index = count - 1; index >= 0; index--) (pushers[index] ?? pushAny)(making);
}

/** Does something with the item on top: keeps it, drops it, or puts it where it is seen afterwards. */
export function useResult(making: Making): void {
  const { random, writer } = making;
  random.weighted<() => void>([
    [4, () => void making.height++],
    [3, () => writer.op(Op.POP)],
    [
      2,
      () => {
        pushOffset(making);
        writer.op(Op.MSTORE);
      },
    ],
    [
      2,
      () => {
        pushSlot(making);
        writer.op(Op.SSTORE);
      },
    ],
  ])();
}

/** A push of 1 to 32 bytes, a DUP or a SWAP. */
export function stackStatement(making: Making): void {
  const { random, writer } = making;
  const kind = random.below(4);
  const pushOne = (): void => {
    writer.pushBytes(random.bytes(random.between(1, 32)));
    making.height++;
  };
  if (kind > 1) {
    pushOne();
    return;
  }
  // Deep ones need items that are rarely there.
  const reach = random.chance(0.3) ? random.between(1, 16) : Math.max(1, Math.min(making.height - kind, 16));
  while (making.height < reach + kind) pushOne();
  writer.op((kind === 0 ? Op.DUP1 : Op.SWAP1) + reach - 1);
  if (kind === 0) making.height++;
}

/** Return data, all of it or a part; beyond its end only wild programs look. */
export function returnDataStatement(making: Making): void {
  const { random, writer } = making;
  if (!knows(making, Op.RETURNDATACOPY)) return;
  if (making.isWild && random.chance(0.15)) {
    writer.push(random.below(70));
    writer.push(random.below(40));
  } else {
    writer.op(Op.RETURNDATASIZE);
    writer.push(0);
  }
  pushOffset(making);
  writer.op(Op.RETURNDATACOPY);
}

/** Runs a part of a program that leaves the stack as it finds it. */
function enclosed(making: Making, part: () => void): void {
  const before = making.height;
  making.height = 0;
  part();
  while (making.height > 0) {
    making.writer.op(Op.POP);
    making.height--;
  }
  making.height = before;
}

/** A part that runs or not, by a condition that is known only then. */
export function branchStatement(making: Making, part: () => void): void {
  const { random, writer } = making;
  const end = { place: undefined };
  const condition = random.pick<() => void>([
    () => writer.op(Op.CALLVALUE),
    () => writer.push(random.below(2)),
    () => writer.op(Op.CALLDATASIZE),
    () => {
      writer.push(random.below(3));
      writer.op(Op.SLOAD);
    },
  ]);
  condition();
  writer.pushLabel(end);
  writer.op(Op.JUMPI);
  enclosed(making, part);
  writer.place(end);
}

/** A part that is jumped over. */
export function skippedStatement({ random, writer }: Making): void {
  const end = { place: undefined };
  writer.pushLabel(end);
  writer.op(Op.JUMP);
  writer.raw(random.bytes(random.below(8)).map((byte) => byte & 0x5f));
  writer.place(end);
}

/** A part that runs a few times. */
export function loopStatement(making: Making, part: () => void): void {
  const { random, writer } = making;
  const again = { place: undefined };
  writer.push(random.between(2, 12));
  writer.place(again);
  enclosed(making, part);
  writer.push(1);
  writer.op(Op.SWAP1, Op.SUB, Op.DUP1);
  writer.pushLabel(again);
  writer.op(Op.JUMPI, Op.POP);
}

/** Bytes that may be any operation, on a stack of any height. */
export function wildStatement({ random, writer }: Making): void {
  writer.raw(random.bytes(random.between(1, 6)));
}
