// Decodes bytes of code to the records of records.ts.

import {
  arenaOf,
  endOf,
  entryPlace,
  freeOf,
  lengthOf,
  makeRoom,
  prepareTargets,
  rawOf,
  setFree,
  targetPlace,
} from "./code";
import { COUNT_CODE, COUNT_END, COUNT_KIND, COUNT_START, COUNT_TIMES } from "../machine/layout";
import { countOnce, isCounting, LEFT_BEFORE, ONE_INSTRUCTION, WHOLE_BLOCK } from "./coverage";
import { deepest, isDeep } from "./deep-stack";
import { instructionOf, Opcode } from "../facts.generated";
import { durationOf, endsBlock, endsRun, fixedPriceOf, isPriced, itemsAt } from "./instruction-facts";
import {
  BLOCK,
  BLOCK_FUEL,
  BLOCK_GAS,
  BLOCK_GROWTH,
  BLOCK_NEEDED,
  BLOCK_PC,
  BLOCK_RECORD,
  COUNT,
  COUNT_RECORD,
  GOTO,
  JUMPI_TO,
  JUMP_IF_EQ,
  JUMP_IF_GT,
  JUMP_IF_LT,
  JUMP_IF_ZERO,
  JUMP_TO,
  JUMP_UNLESS_EQ,
  JUMP_UNLESS_GT,
  JUMP_UNLESS_LT,
  PAID,
  PUSH,
  PUSH_WIDE,
  RECORD,
  STEP,
  UNKNOWN,
  WIDE_RECORD,
} from "./records";
import { ABSENT, burn } from "../machine/machine";
import { setZero } from "../machine/words";

/** Most instructions of a block, so that it fits in a chunk; a longer one continues in another block. */
const BLOCK_LIMIT: u32 = 128;
/** Most instructions that are decoded at a time. */
const RUN_LIMIT: u32 = 2048;
/** Most bytes of a block: all records have the longest form, each has a STEP, and a few records follow at the end. */
const BLOCK_ROOM: usize = 32 + 32 + 128 * (16 + 48) + 64;

// ---- Writing records.

let arena: usize = 0;
/** Address at which the next record is written. */
let at: usize = 0;
/** Records before this address must not be joined with later ones. */
let floor: usize = 0;

/** @inline */
function emit(what: u32, a: u32, b: u32, c: u64): void {
  store<u16>(at, <u16>what);
  store<u16>(at, <u16>a, 2);
  store<u32>(at, b, 4);
  store<u64>(at, c, 8);
  at += RECORD;
}

/** Writes a counter and its COUNT record. */
function emitCount(code: usize, kind: u32, start: u32, end: u32): usize {
  const counter = at;
  store<u16>(counter, <u16>COUNT);
  store<u16>(counter, <u16>kind, COUNT_KIND);
  store<u32>(counter, start, COUNT_START);
  store<u32>(counter, 0, COUNT_TIMES);
  store<u32>(counter, end, COUNT_END);
  store<u32>(counter, <u32>code, COUNT_CODE);
  at += COUNT_RECORD;
  floor = at;
  return counter;
}

/** Writes the records that push a constant of `size` bytes. If it goes beyond the end of the code, its end is zeros. */
function emitPush(data: usize, size: usize): void {
  let zeros: usize = 0;
  while (zeros < size && load<u8>(data + zeros) == 0) zeros++;
  if (size - zeros <= 8) {
    let value: u64 = 0;
    for (let index = zeros; index < size; index++) value = (value << 8) | <u64>load<u8>(data + index);
    emit(PUSH, 0, 0, value);
    return;
  }
  emit(PUSH_WIDE, 0, 0, 0);
  setZero(at);
  for (let index: usize = 0; index < size; index++) store<u8>(at + size - 1 - index, load<u8>(data + index));
  at += 32;
  floor = at;
}

/** Writes an instruction that has the same record in both manners: any without a dynamic price. */
function emitPlain(opcode: u32, pc: usize, raw: usize): void {
  const deepestItem = <u32>instructionOf(opcode).pops << 5;
  if (opcode >= Opcode.PUSH0 && opcode <= Opcode.PUSH32) emitPush(raw + pc + 1, instructionOf(opcode).immediate);
  else if (opcode >= Opcode.DUP1 && opcode <= Opcode.DUP16) emit(Opcode.DUP1, deepestItem, <u32>pc, 0);
  else if (opcode >= Opcode.SWAP1 && opcode <= Opcode.SWAP16) emit(Opcode.SWAP1, deepestItem, <u32>pc, 0);
  else if (isDeep(opcode)) emitDeep(opcode, pc, raw);
  else emit(opcode, 0, <u32>pc, 0);
}

/** Writes DUPN and SWAPN as DUP1 and SWAP1 with a deeper item. */
function emitDeep(opcode: u32, pc: usize, raw: usize): void {
  const items = itemsAt(opcode, pc, raw);
  const depth = deepest(items) << 5;
  if (opcode == Opcode.EXCHANGE) emit(opcode, (items & 0xffff) << 5, <u32>pc, <u64>depth);
  else emit(opcode == Opcode.DUPN ? Opcode.DUP1 : Opcode.SWAP1, depth, <u32>pc, 0);
}

// ---- The fast manner.

/** Records of the block whose `c` will be set to the gas of the rest of the block. */
const patches = memory.data(1024, 16);
let patchCount: usize = 0;

let block: usize = 0;
let blockGas: u32 = 0;
let blockLength: u32 = 0;
let blockFuel: u32 = 0;
/** Stack heights relative to the beginning of the block: current height, deepest item read, greatest height. */
let height: i32 = 0;
let lowest: i32 = 0;
let highest: i32 = 0;

function openBlock(code: usize, pc: u32): void {
  if (at + BLOCK_ROOM > chunkEnd) leaveChunk();
  block = at;
  store<u16>(block, <u16>BLOCK);
  store<u32>(block + BLOCK_PC, pc);
  at += BLOCK_RECORD;
  floor = at;
  if (isCounting) emitCount(code, WHOLE_BLOCK, pc, pc);
  blockGas = 0;
  blockLength = 0;
  blockFuel = 4;
  height = 0;
  lowest = 0;
  highest = 0;
  patchCount = 0;
}

/** @param end - offset after its last instruction */
function closeBlock(end: u32): void {
  if (isCounting) store<u32>(block + BLOCK_RECORD, end, COUNT_END);
  store<u32>(block + BLOCK_GAS, blockGas);
  store<u32>(block + BLOCK_NEEDED, <u32>lowest << 5);
  store<u32>(block + BLOCK_GROWTH, <u32>highest << 5);
  store<u32>(block + BLOCK_FUEL, blockFuel);
  for (let index: usize = 0; index < patchCount; index++) {
    const place = <usize>load<u32>(patches + (index << 2));
    store<u32>(place, blockGas - load<u32>(place));
  }
}

let chunkEnd: usize = 0;

/** Makes space for a block in the arena of a code. */
function enterArena(code: usize, isPrecise: bool): void {
  // Uses the same arena, so it must be complete before records are written.
  prepareTargets(code, isPrecise);
  arena = arenaOf(code);
  makeRoom(arena, BLOCK_ROOM);
  at = freeOf(arena);
  chunkEnd = endOf(arena);
}

/** Continues in another chunk. Each chunk keeps space for the record that leads there. */
function leaveChunk(): void {
  const link = at;
  at += RECORD;
  setFree(arena, at);
  makeRoom(arena, BLOCK_ROOM);
  const next = freeOf(arena);
  at = link;
  emit(GOTO, 0, <u32>next, 0);
  at = next;
  chunkEnd = endOf(arena);
}

/** Adds an instruction to the gas and stack heights of its block. */
function count(opcode: u32): void {
  const instruction = instructionOf(opcode);
  countWith(opcode, instruction.pops, instruction.pushes);
}

function countWith(opcode: u32, takes: i32, adds: i32): void {
  if (takes - height > lowest) lowest = takes - height;
  height += adds - takes;
  if (height > highest) highest = height;
  blockGas += fixedPriceOf(opcode);
  blockFuel += durationOf(opcode);
  blockLength++;
}

/** @inline */
function patch(place: usize): void {
  store<u32>(patches + (patchCount << 2), <u32>place);
  patchCount++;
}

/**
 * Decodes from a place to an end, or to code that is already decoded.
 *
 * @returns the first block
 */
function decodeFast(code: usize, first: u32): usize {
  enterArena(code, false);
  const start = at;
  const raw = rawOf(code);
  const length = <usize>lengthOf(code);
  let pc = <usize>first;
  let total: u32 = 0;
  openBlock(code, first);
  while (true) {
    const opcode: u32 = pc < length ? <u32>load<u8>(raw + pc) : 0;
    if (opcode == Opcode.JUMPDEST && pc < length) {
      const place = targetPlace(code, <u64>pc, false);
      if (pc != <usize>first && load<u32>(place) != 0) {
        closeBlock(<u32>pc);
        emit(GOTO, 0, load<u32>(place), 0);
        break;
      }
      if (blockLength > 0) {
        closeBlock(<u32>pc);
        openBlock(code, <u32>pc);
      }
      store<u32>(place, <u32>block);
      count(opcode);
      pc++;
      continue;
    }
    if (total > RUN_LIMIT || blockLength >= BLOCK_LIMIT) {
      closeBlock(<u32>pc);
      if (total > RUN_LIMIT) {
        emit(GOTO, 0, 0, <u64>pc);
        break;
      }
      openBlock(code, <u32>pc);
    }
    total++;
    const isInvalid = isDeep(opcode) && itemsAt(opcode, pc, raw) == 0;
    emitFast(opcode, pc, raw);
    pc += 1 + <usize>instructionOf(opcode).immediate;
    if (!isInvalid && !endsBlock(opcode)) continue;
    closeBlock(<u32>pc);
    if (isInvalid || endsRun(opcode)) break;
    openBlock(code, <u32>pc);
  }
  setFree(arena, at);
  burn((pc - <usize>first) << 6);
  return start;
}

function emitFast(opcode: u32, pc: usize, raw: usize): void {
  if (fixedPriceOf(opcode) == ABSENT) {
    emit(UNKNOWN, 0, <u32>pc, 0);
    blockLength++;
    return;
  }
  if (isDeep(opcode)) return emitFastDeep(opcode, pc, raw);
  const before = blockGas;
  count(opcode);
  if (opcode == Opcode.GAS) {
    emit(opcode, 0, <u32>pc, <u64>blockGas);
    patch(at - 8);
  } else if (isPriced(opcode)) {
    emit(opcode, 0, <u32>pc, <u64>before);
    patch(at - 8);
  } else if (!join(opcode)) emitPlain(opcode, pc, raw);
}

function emitFastDeep(opcode: u32, pc: usize, raw: usize): void {
  const takes = <i32>deepest(itemsAt(opcode, pc, raw));
  if (takes == 0) {
    emit(UNKNOWN, 0, <u32>pc, 0);
    blockLength++;
    return;
  }
  countWith(opcode, takes, opcode == Opcode.DUPN ? takes + 1 : takes);
  emitDeep(opcode, pc, raw);
}

/** @inline */
function recordBack(records: usize): u32 {
  const record = at - records * RECORD;
  return record >= floor && at >= records * RECORD ? <u32>load<u16>(record) : 0xffff;
}

/** Joins a jump with the constant destination that is pushed before it. */
function join(opcode: u32): bool {
  if (recordBack(1) != PUSH) return false;
  const target = load<u64>(at - RECORD, 8);
  if (opcode == Opcode.JUMP) return replace(1, JUMP_TO, target);
  return opcode == Opcode.JUMPI && joinBranch(target);
}

/** Joins a conditional jump to a constant with the comparison before it. */
function joinBranch(target: u64): bool {
  const decides = recordBack(2);
  if (decides == Opcode.ISZERO) {
    const compares = recordBack(3);
    if (compares == Opcode.LT) return replace(3, JUMP_UNLESS_LT, target);
    if (compares == Opcode.GT) return replace(3, JUMP_UNLESS_GT, target);
    if (compares == Opcode.EQ) return replace(3, JUMP_UNLESS_EQ, target);
    return replace(2, JUMP_IF_ZERO, target);
  }
  if (decides == Opcode.LT) return replace(2, JUMP_IF_LT, target);
  if (decides == Opcode.GT) return replace(2, JUMP_IF_GT, target);
  if (decides == Opcode.EQ) return replace(2, JUMP_IF_EQ, target);
  return replace(1, JUMPI_TO, target);
}

/** Replaces the last records by a single one. */
function replace(records: usize, what: u32, c: u64): bool {
  at -= records * RECORD;
  emit(what, 0, 0, c);
  return true;
}

// ---- The precise manner.

function decodePrecise(code: usize, first: u32): usize {
  enterArena(code, true);
  const start = at;
  const raw = rawOf(code);
  const length = <usize>lengthOf(code);
  let pc = <usize>first;
  let total: u32 = 0;
  while (true) {
    if (at + COUNT_RECORD + 16 + WIDE_RECORD + 64 > chunkEnd) leaveChunk();
    if (pc >= length) {
      // Code that has ended reads as zero, which is STOP. Accounts without code execute not even a STOP.
      if (isCounting) emitCount(code, ONE_INSTRUCTION, <u32>pc, <u32>pc + 1);
      if (length > 0) emit(STEP, Opcode.STOP, <u32>pc, 0);
      emit(Opcode.STOP, 0, <u32>pc, 0);
      break;
    }
    const opcode = <u32>load<u8>(raw + pc);
    if (opcode == Opcode.JUMPDEST) {
      const place = targetPlace(code, <u64>pc, true);
      if (pc != <usize>first && load<u32>(place) != 0) {
        emit(GOTO, 0, load<u32>(place), 0);
        break;
      }
      store<u32>(place, <u32>at);
    }
    if (++total > RUN_LIMIT) {
      emit(GOTO, 0, 0, <u64>pc);
      break;
    }
    if (isCounting) emitCount(code, ONE_INSTRUCTION, <u32>pc, <u32>pc + 1);
    emit(STEP, opcode, <u32>pc, isDeep(opcode) ? <u64>itemsAt(opcode, pc, raw) : 0);
    floor = at;
    if (isPriced(opcode)) emit(opcode + PAID, 0, <u32>pc, 0);
    else if (opcode == Opcode.GAS) emit(opcode, 0, <u32>pc, 0);
    else emitPlain(opcode, pc, raw);
    if (endsRun(opcode) || (isDeep(opcode) && itemsAt(opcode, pc, raw) == 0)) break;
    pc += 1 + <usize>instructionOf(opcode).immediate;
  }
  setFree(arena, at);
  burn((pc - <usize>first) << 6);
  return start;
}

// ---- Finding blocks.

function decode(code: usize, pc: u32, isPrecise: bool): usize {
  return isPrecise ? decodePrecise(code, pc) : decodeFast(code, pc);
}

/** The block at the beginning of a code. */
export function entryOf(code: usize, isPrecise: bool): usize {
  const place = entryPlace(code, isPrecise);
  if (load<u32>(place) == 0) store<u32>(place, <u32>decode(code, 0, isPrecise));
  return load<u32>(place);
}

/** The block at a jump destination; 0 for an invalid one. */
export function targetOf(code: usize, pc: u64, isPrecise: bool): usize {
  const place = targetPlace(code, pc, isPrecise);
  if (place == 0) return 0;
  if (load<u32>(place) == 0) decode(code, <u32>pc, isPrecise);
  return load<u32>(place);
}

/** Counts an exit from a block of the fast manner before one of its instructions. */
export function countLeaving(code: usize, pc: u32): void {
  enterArena(code, true);
  const counter = emitCount(code, LEFT_BEFORE, pc, pc);
  setFree(arena, at);
  countOnce(counter);
}

/** A block at any instruction. */
export function blockAt(code: usize, pc: u32, isPrecise: bool): usize {
  return decode(code, pc, isPrecise);
}
