// Code: its bytes, its jump destinations (yellow paper §9.4.3), and its decoded blocks.

import { instructionOf, Opcode } from "../facts.generated";
import { CODE_LENGTH, CODE_RAW } from "../machine/layout";
import { reserve } from "../machine/heap";
import { burn } from "../machine/machine";
import { readAddress } from "../machine/words";

// An object of 112 bytes for each code.
const ARENA: usize = 8;
const BITMAP: usize = 12;
const RANKS: usize = 16;
const DESTINATIONS: usize = 20;
/** Tables of decoded blocks by jump destination, for each manner. The block at pc 0 follows. */
const FAST_TARGETS: usize = 24;
const PRECISE_TARGETS: usize = 28;
const FAST_ENTRY: usize = 32;
const PRECISE_ENTRY: usize = 36;
const FLAGS: usize = 40;
/** The chunk that was the arena's current one when the object was made. */
const CHUNK: usize = 44;
const DELEGATE: usize = 80;
const OBJECT_BYTES: usize = 112;

const IS_DELEGATION: u32 = 1;
const IS_ANALYSED: u32 = 2;

/** Number of zeros after the code, for a PUSH or a word that goes beyond its end. */
const PADDING: usize = 64;

// ---- Arenas: lists of memory chunks, for codes and all that is decoded from them. Code that a transaction deploys is
// freed at the next one, init code at the end of its frame: a transaction can run any amount of it.

const CHUNK_BYTES: usize = 65536;
// A chunk begins with the address of the next one, and its own size.
const CHUNK_NEXT: usize = 0;
const CHUNK_SIZE: usize = 4;
const CHUNK_START: usize = 16;

// An arena: first chunk, current chunk, first free byte.
const lasting = memory.data(16, 16);
const temporary = memory.data(16, 16);
const initial = memory.data(16, 16);
const FIRST: usize = 0;
const CURRENT: usize = 4;
const FREE: usize = 8;

/** @inline */
export function arenaOf(code: usize): usize {
  return load<u32>(code + ARENA);
}

/** Allocates contiguous bytes, which are not zeroed. */
export function take(arena: usize, bytes: usize): usize {
  const rounded = (bytes + 15) & ~15;
  makeRoom(arena, rounded);
  const start = <usize>load<u32>(arena + FREE);
  store<u32>(arena + FREE, <u32>(start + rounded));
  return start;
}

/** Ensures that this many contiguous bytes are free after those already taken. */
export function makeRoom(arena: usize, bytes: usize): void {
  let chunk = <usize>load<u32>(arena + CURRENT);
  if (chunk != 0 && load<u32>(arena + FREE) + <u32>bytes <= <u32>chunk + load<u32>(chunk + CHUNK_SIZE)) return;
  while (chunk != 0 && load<u32>(chunk + CHUNK_NEXT) != 0) {
    chunk = load<u32>(chunk + CHUNK_NEXT);
    if (CHUNK_START + bytes <= <usize>load<u32>(chunk + CHUNK_SIZE)) return enterChunk(arena, chunk);
  }
  const needed = CHUNK_START + bytes;
  // A power of two, so that init codes of many lengths share few chunks.
  const size = max<usize>(max<usize>(CHUNK_BYTES, needed), <usize>1 << (32 - clz<u32>(<u32>needed - 1)));
  const added = reserve(size);
  store<u32>(added + CHUNK_NEXT, 0);
  store<u32>(added + CHUNK_SIZE, <u32>size);
  if (chunk == 0) store<u32>(arena + FIRST, <u32>added);
  else store<u32>(chunk + CHUNK_NEXT, <u32>added);
  enterChunk(arena, added);
}

function enterChunk(arena: usize, chunk: usize): void {
  store<u32>(arena + CURRENT, <u32>chunk);
  store<u32>(arena + FREE, <u32>(chunk + CHUNK_START));
}

/** @inline */
export function freeOf(arena: usize): usize {
  return load<u32>(arena + FREE);
}

/** End of the current chunk. @inline */
export function endOf(arena: usize): usize {
  const chunk = <usize>load<u32>(arena + CURRENT);
  return chunk + load<u32>(chunk + CHUNK_SIZE);
}

/** @inline */
export function setFree(arena: usize, at: usize): void {
  store<u32>(arena + FREE, <u32>at);
}

/** Frees the codes that the last transaction created. */
export function forgetTemporaryCode(): void {
  empty(temporary);
  empty(initial);
}

function empty(arena: usize): void {
  const first = <usize>load<u32>(arena + FIRST);
  if (first != 0) enterChunk(arena, first);
}

/** Frees init code with all that was decoded from it. Later init codes must be freed already. Ignores other code. */
export function freeInitCode(code: usize): void {
  if (<usize>load<u32>(code + ARENA) != initial) return;
  store<u32>(initial + CURRENT, load<u32>(code + CHUNK));
  store<u32>(initial + FREE, <u32>code);
}

// ---- Code objects.

/** The code object of accounts without code. */
export let emptyCode: usize = 0;

export function prepareCode(): void {
  if (emptyCode == 0) emptyCode = makeCode(lasting, 0);
}

function makeCode(arena: usize, length: usize): usize {
  const code = take(arena, OBJECT_BYTES + length + PADDING);
  memory.fill(code, 0, OBJECT_BYTES);
  const raw = code + OBJECT_BYTES;
  memory.fill(raw + length, 0, PADDING);
  store<u32>(code + CODE_LENGTH, <u32>length);
  store<u32>(code + CODE_RAW, <u32>raw);
  store<u32>(code + ARENA, <u32>arena);
  store<u32>(code + CHUNK, load<u32>(arena + CURRENT));
  return code;
}

/** Creates an object for code of this many bytes. The host writes the bytes. */
export function newCode(length: usize): usize {
  return makeCode(lasting, length);
}

/** Must be called after the bytes of {@link newCode} are written. */
export function finishCode(code: usize): void {
  noteDelegation(code);
}

/** Creates an object with a copy of code that this transaction created. */
export function newTemporaryCode(source: usize, length: usize): usize {
  return copyOf(temporary, source, length);
}

/** Creates an object with a copy of init code, which must be freed by {@link freeInitCode}. */
export function newInitCode(source: usize, length: usize): usize {
  return copyOf(initial, source, length);
}

function copyOf(arena: usize, source: usize, length: usize): usize {
  const code = makeCode(arena, length);
  memory.copy(rawOf(code), source, length);
  burn(length);
  noteDelegation(code);
  return code;
}

/** Recognises a delegation: 0xef0100 and an address (EIP-7702). */
function noteDelegation(code: usize): void {
  const raw = rawOf(code);
  if (lengthOf(code) != 23 || (load<u32>(raw) & 0xffffff) != 0x0001ef) return;
  store<u32>(code + FLAGS, load<u32>(code + FLAGS) | IS_DELEGATION);
  readAddress(code + DELEGATE, raw + 3);
}

/** @inline */
export function lengthOf(code: usize): u32 {
  return load<u32>(code + CODE_LENGTH);
}

/** @inline */
export function rawOf(code: usize): usize {
  return load<u32>(code + CODE_RAW);
}

/** @inline */
export function isDelegation(code: usize): bool {
  return (load<u32>(code + FLAGS) & IS_DELEGATION) != 0;
}

/** Address of the word with a delegation's address. @inline */
export function delegateOf(code: usize): usize {
  return code + DELEGATE;
}

// ---- Jump destinations: one bit for each byte of code, and for each 64 bytes the number of destinations before them.

function analyse(code: usize): void {
  const length = <usize>lengthOf(code);
  const raw = rawOf(code);
  const blocks = (length + 63) >> 6;
  const bitmap = take(arenaOf(code), blocks * 12 + 16);
  const ranks = bitmap + blocks * 8;
  memory.fill(bitmap, 0, blocks * 8);
  for (let pc: usize = 0; pc < length; pc++) {
    const opcode = <u32>load<u8>(raw + pc);
    if (opcode == Opcode.JUMPDEST) {
      const bits = bitmap + ((pc >> 6) << 3);
      store<u64>(bits, load<u64>(bits) | (<u64>1 << <u64>(pc & 63)));
    } else if (opcode >= Opcode.PUSH1 && opcode <= Opcode.PUSH32) pc += instructionOf(opcode).immediate;
  }
  let count: u32 = 0;
  for (let block: usize = 0; block < blocks; block++) {
    store<u32>(ranks + (block << 2), count);
    count += <u32>popcnt<u64>(load<u64>(bitmap + (block << 3)));
  }
  store<u32>(code + BITMAP, <u32>bitmap);
  store<u32>(code + RANKS, <u32>ranks);
  store<u32>(code + DESTINATIONS, count);
  store<u32>(code + FLAGS, load<u32>(code + FLAGS) | IS_ANALYSED);
  burn(length << 3);
}

/** Number of the jump destination at a program counter; -1 if there is none. @inline */
function destinationAt(code: usize, pc: u32): i32 {
  const lane = <usize>(pc >> 6);
  const bits = load<u64>(<usize>load<u32>(code + BITMAP) + (lane << 3));
  const bit = <u64>1 << <u64>(pc & 63);
  if ((bits & bit) == 0) return -1;
  return <i32>(load<u32>(<usize>load<u32>(code + RANKS) + (lane << 2)) + <u32>popcnt<u64>(bits & (bit - 1)));
}

/** Creates the tables for {@link targetPlace}, unless they exist. */
export function prepareTargets(code: usize, isPrecise: bool): void {
  if ((load<u32>(code + FLAGS) & IS_ANALYSED) == 0) analyse(code);
  const field = code + (isPrecise ? PRECISE_TARGETS : FAST_TARGETS);
  if (load<u32>(field) != 0) return;
  const bytes = <usize>load<u32>(code + DESTINATIONS) << 2;
  const targets = take(arenaOf(code), bytes + 4);
  memory.fill(targets, 0, bytes);
  store<u32>(field, <u32>targets);
}

/**
 * The decoded block at a jump destination of the running code; 0 for an invalid destination.
 *
 * @param pc - any number
 */
export function targetPlace(code: usize, pc: u64, isPrecise: bool): usize {
  if (pc >= <u64>lengthOf(code)) return 0;
  const number = destinationAt(code, <u32>pc);
  if (number < 0) return 0;
  const targets = <usize>load<u32>(code + (isPrecise ? PRECISE_TARGETS : FAST_TARGETS));
  return targets + (<usize>number << 2);
}

/** The decoded block at the beginning of the code. @inline */
export function entryPlace(code: usize, isPrecise: bool): usize {
  return code + (isPrecise ? PRECISE_ENTRY : FAST_ENTRY);
}
