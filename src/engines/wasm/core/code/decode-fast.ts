// The fast manner: blocks of instructions, for which gas and stack are checked once.

import { instructionOf, Opcode } from "../facts.generated";
import { COUNTS_BLOCK } from "../machine/layout";
import { ABSENT, burn } from "../machine/machine";
import { Code } from "./code";
import { isCounting } from "./coverage";
import { deepest, isDeep } from "./deep-stack";
import { targetPlace } from "./destinations";
import { durationOf, endsBlock, endsRun, fixedPriceOf, isPriced, itemsAt } from "./instruction-facts";
import { BLOCK_LIMIT, writer } from "./record-writer";
import { BLOCK_RECORD, Block, Counter, NO_RECORD, Operation, Record, RUN_LIMIT } from "./records";

/** The block that is being written: its BLOCK record, its sums so far, and its stack heights relative to its beginning. */
@unmanaged
class OpenBlock {
  head: Block;
  gas: u32;
  length: u32;
  fuel: u32;
  height: i32;
  /** The deepest item read, as a depth, and the greatest height. */
  lowest: i32;
  highest: i32;
  /** Number of records whose `c` will be set to the gas of the rest of the block. */
  patchCount: u32;

  open(code: Code, pc: u32): void {
    writer.makeRoomForBlock();
    this.head = changetype<Block>(writer.at);
    this.head.operation = <u16>Operation.BLOCK;
    this.head.pc = pc;
    writer.skip(BLOCK_RECORD);
    if (isCounting) writer.emitCount(code, COUNTS_BLOCK, pc, pc);
    this.gas = 0;
    this.length = 0;
    this.fuel = 4;
    this.height = 0;
    this.lowest = 0;
    this.highest = 0;
    this.patchCount = 0;
  }

  /** @param end - offset after its last instruction */
  close(end: u32): void {
    const head = this.head;
    if (isCounting) changetype<Counter>(changetype<usize>(head) + BLOCK_RECORD).end = end;
    head.gas = this.gas;
    head.needed = (<u32>this.lowest) << 5;
    head.growth = (<u32>this.highest) << 5;
    head.fuel = this.fuel;
    for (let index: u32 = 0; index < this.patchCount; index++) {
      const record = patchAt(index).record;
      record.c = <u64>(this.gas - <u32>record.c);
    }
  }

  /** Adds an instruction that is not executed in this manner. */
  countUnknown(): void {
    this.length++;
  }

  /** Adds an instruction to the gas and the stack heights. */
  count(opcode: u32, takes: i32, adds: i32): void {
    if (takes - this.height > this.lowest) this.lowest = takes - this.height;
    this.height += adds - takes;
    if (this.height > this.highest) this.highest = this.height;
    this.gas += fixedPriceOf(opcode);
    this.fuel += durationOf(opcode);
    this.length++;
  }

  /** Writes an instruction whose record has the gas of the rest of the block, from a part of the block on. */
  emitWithRest(opcode: u32, pc: u32, before: u32): void {
    patchAt(this.patchCount++).record = writer.at;
    writer.emit(opcode, 0, pc, <u64>before);
  }
}

const block: OpenBlock = changetype<OpenBlock>(memory.data(offsetof<OpenBlock>(), 16));

/** A record to patch when its block ends. */
@unmanaged
class Patch {
  record: Record;
}

const patches = memory.data(1024, 16);

/** @inline */
function patchAt(index: u32): Patch {
  return changetype<Patch>(patches + ((<usize>index) << 2));
}

/**
 * Decodes from a place to an end, or to code that is already decoded.
 *
 * @returns the first block
 */
export function decodeFast(code: Code, first: u32): Record {
  writer.begin(code, false);
  const start = writer.at;
  const raw = code.raw;
  const length = <usize>code.length;
  let pc = <usize>first;
  let total: u32 = 0;
  block.open(code, first);
  while (true) {
    const opcode: u32 = pc < length ? <u32>load<u8>(raw + pc) : Opcode.STOP;
    if (total > RUN_LIMIT) {
      block.close(<u32>pc);
      writer.emit(Operation.GOTO, 0, 0, <u64>pc);
      break;
    }
    total++;
    if (opcode == Opcode.JUMPDEST) {
      if (pc != <usize>first && continueAt(code, pc)) break;
      if (block.length > 0) reopen(code, <u32>pc);
      noteTarget(code, pc);
      block.count(opcode, 0, 0);
      pc++;
      continue;
    }
    if (block.length >= BLOCK_LIMIT) reopen(code, <u32>pc);
    const isInvalid = isDeep(opcode) && itemsAt(opcode, pc, raw) == 0;
    emitFast(opcode, pc, raw);
    pc += 1 + <usize>instructionOf(opcode).immediate;
    if (!isInvalid && !endsBlock(opcode)) continue;
    block.close(<u32>pc);
    if (isInvalid || endsRun(opcode)) break;
    block.open(code, <u32>pc);
  }
  writer.end();
  burn((pc - <usize>first) << 6);
  return start;
}

/** Ends the open block before a pc, and opens another one there. */
function reopen(code: Code, pc: u32): void {
  block.close(pc);
  block.open(code, pc);
}

/** Ends the open block with a GOTO if the destination behind it has been decoded. Returns false if it has not. */
function continueAt(code: Code, pc: usize): bool {
  const place = targetPlace(code, <u64>pc, false);
  if (place == null || !place.isDecoded) return false;
  block.close(<u32>pc);
  writer.emit(Operation.GOTO, 0, <u32>changetype<usize>(place.block), 0);
  return true;
}

/** Makes the open block the target of jumps to its first instruction. */
function noteTarget(code: Code, pc: usize): void {
  const place = targetPlace(code, <u64>pc, false);
  if (place != null) place.block = changetype<Record>(block.head);
}

function emitFast(opcode: u32, pc: usize, raw: usize): void {
  if (fixedPriceOf(opcode) == ABSENT) return emitUnknown(pc);
  if (isDeep(opcode)) return emitFastDeep(opcode, pc, raw);
  const before = block.gas;
  const instruction = instructionOf(opcode);
  block.count(opcode, instruction.pops, instruction.pushes);
  if (opcode == Opcode.GAS) block.emitWithRest(opcode, <u32>pc, block.gas);
  else if (isPriced(opcode)) block.emitWithRest(opcode, <u32>pc, before);
  else if (!join(opcode)) writer.emitPlain(opcode, pc, raw);
}

function emitUnknown(pc: usize): void {
  writer.emit(Operation.UNKNOWN, 0, <u32>pc, 0);
  block.countUnknown();
}

function emitFastDeep(opcode: u32, pc: usize, raw: usize): void {
  const takes = <i32>deepest(itemsAt(opcode, pc, raw));
  if (takes == 0) return emitUnknown(pc);
  block.count(opcode, takes, opcode == Opcode.DUPN ? takes + 1 : takes);
  writer.emitDeep(opcode, pc, raw);
}

/** Operation of the record so many before the next one; none that exists if that must not be joined. @inline */
function operationBack(records: usize): u32 {
  const record = writer.back(records);
  return record == NO_RECORD ? 0xffff : <u32>record.operation;
}

/** Joins a jump with the constant destination that is pushed before it. */
function join(opcode: u32): bool {
  if (operationBack(1) != Operation.PUSH) return false;
  const target = writer.back(1).c;
  if (opcode == Opcode.JUMP) return replace(1, Operation.JUMP_TO, target);
  return opcode == Opcode.JUMPI && joinBranch(target);
}

/** Joins a conditional jump to a constant with the comparison before it. */
function joinBranch(target: u64): bool {
  const decides = operationBack(2);
  if (decides == Opcode.ISZERO) {
    const compares = operationBack(3);
    if (compares == Opcode.LT) return replace(3, Operation.JUMP_UNLESS_LT, target);
    if (compares == Opcode.GT) return replace(3, Operation.JUMP_UNLESS_GT, target);
    if (compares == Opcode.EQ) return replace(3, Operation.JUMP_UNLESS_EQ, target);
    return replace(2, Operation.JUMP_IF_ZERO, target);
  }
  if (decides == Opcode.LT) return replace(2, Operation.JUMP_IF_LT, target);
  if (decides == Opcode.GT) return replace(2, Operation.JUMP_IF_GT, target);
  if (decides == Opcode.EQ) return replace(2, Operation.JUMP_IF_EQ, target);
  return replace(1, Operation.JUMPI_TO, target);
}

/** Replaces the last records by a single one. */
function replace(records: usize, operation: u32, c: u64): bool {
  writer.replace(writer.back(records), operation, c);
  return true;
}
