// Makes and frees the objects of codes. There are three kinds:
//
// - Lasting codes are those of the state. Their objects remain, as accounts, events and counters name codes by them. Their
//   bytes, which the host can load again, are dropped when they are many, but for those of codes that open frames run.
// - Temporary codes were made by the running transaction, and are freed at the next one.
// - Init codes are freed at the end of their frames.
//
// All that is decoded from any of them is dropped when it is much: a transaction can run any amount of code.

import { Frame, outermost } from "../machine/frame";
import { memoryLimit } from "../machine/heap";
import { burn, frame } from "../machine/machine";
import { Arena } from "./arena";
import { Code, CodeFlag, NO_CODE } from "./code";
import { Operation, placeBehind } from "./records";

/** Number of zeros after the code, for a PUSH or a word that goes beyond its end. */
const PADDING: usize = 64;

/** The codes of a kind. */
@unmanaged
class Codes {
  newest: Code;
  private unused: u32;
  private unusedToo: u64;
  private objectArena: v128;
  private recordArena: v128;

  @inline get objects(): Arena {
    return changetype<Arena>(changetype<usize>(this) + offsetof<Codes>("objectArena"));
  }

  /** The arena of all that is decoded. */
  @inline get records(): Arena {
    return changetype<Arena>(changetype<usize>(this) + offsetof<Codes>("recordArena"));
  }

  /** Creates an object, and room behind it. */
  add(length: usize, room: usize): Code {
    const code = changetype<Code>(this.objects.take(offsetof<Code>() + room));
    memory.fill(changetype<usize>(code), 0, offsetof<Code>());
    code.length = <u32>length;
    code.arena = this.objects;
    code.records = this.records;
    code.chunk = this.objects.current;
    code.older = this.newest;
    this.newest = code;
    return code;
  }

  /** Creates an object with a copy of bytes. */
  addCopy(source: usize, length: usize): Code {
    const code = this.add(length, length + PADDING);
    code.raw = changetype<usize>(code) + offsetof<Code>();
    memory.copy(code.raw, source, length);
    memory.fill(code.raw + length, 0, PADDING);
    burn(length);
    finishCode(code);
    return code;
  }

  forgetRecords(): void {
    this.records.empty();
    for (let code = this.newest; code != NO_CODE; code = code.older) code.forgetRecords();
  }

  empty(): void {
    this.newest = NO_CODE;
    this.objects.empty();
    this.records.empty();
  }
}

const lasting: Codes = changetype<Codes>(memory.data(offsetof<Codes>(), 16));
const temporary: Codes = changetype<Codes>(memory.data(offsetof<Codes>(), 16));
const initial: Codes = changetype<Codes>(memory.data(offsetof<Codes>(), 16));

/** The bytes of lasting codes and their jump destinations, and how much of them and of records there may be. */
@unmanaged
class Bounds {
  /** The arena of the bytes, and an empty one, to which those move that are not dropped. */
  bytes: Arena;
  spare: Arena;
  /** Bytes that were loaded since codes were dropped. */
  loaded: usize;
  /** How many times {@link shareOfRecords} there may be. */
  shares: usize;
  /** The running frame's number and gas when codes were last dropped. */
  frameNumber: u32;
  private unused: u32;
  frameGas: i64;
}

const bounds: Bounds = changetype<Bounds>(memory.data(offsetof<Bounds>(), 16));

/** The code object of accounts without code. */
export let emptyCode: Code = NO_CODE;

/** Makes the object of the empty code, unless it exists. */
export function prepareCode(): void {
  if (emptyCode != NO_CODE) return;
  bounds.bytes = changetype<Arena>(memory.data(16, 16));
  bounds.spare = changetype<Arena>(memory.data(16, 16));
  bounds.shares = 1;
  emptyCode = newCode(0);
}

/** Creates an object for code of this many bytes, which are loaded by {@link prepareBytes}. */
export function newCode(length: usize): Code {
  return lasting.add(length, 0);
}

/** Reserves memory for the bytes of {@link newCode}, which the host then writes. Returns its address. */
export function prepareBytes(code: Code): usize {
  const length = <usize>code.length;
  bounds.loaded += length + PADDING;
  code.arena = bounds.bytes;
  code.raw = bounds.bytes.take(length + PADDING);
  memory.fill(code.raw + length, 0, PADDING);
  return code.raw;
}

/** Must be called after the bytes of a code are written. Recognises a delegation: 0xef0100 and an address (EIP-7702). */
export function finishCode(code: Code): void {
  const raw = code.raw;
  if (code.length != 23 || (load<u32>(raw) & 0xffffff) != 0x0001ef) return;
  code.flags |= CodeFlag.IS_DELEGATION;
  code.delegate.readAddress(raw + 3);
}

/** Creates an object with a copy of code that this transaction created. */
export function newTemporaryCode(source: usize, length: usize): Code {
  return temporary.addCopy(source, length);
}

/** Creates an object with a copy of init code, which must be freed by {@link freeInitCode}. */
export function newInitCode(source: usize, length: usize): Code {
  const code = initial.addCopy(source, length);
  code.recordsChunk = initial.records.current;
  code.recordsFree = initial.records.free;
  return code;
}

/** Frees the codes that the last transaction created. */
export function forgetTemporaryCode(): void {
  temporary.empty();
  initial.empty();
}

/** Frees init code with all that was decoded from it. Later init codes must be freed already. Ignores other code. */
export function freeInitCode(code: Code): void {
  if (code.records != initial.records) return;
  initial.newest = code.older;
  initial.objects.freeFrom(code.chunk, changetype<usize>(code));
  initial.records.freeFrom(code.recordsChunk, code.recordsFree);
}

// ---- Dropping codes.

/** Most bytes of records, unless a frame needs more. The limit can be another one in each session. */
function shareOfRecords(): usize {
  return memoryLimit >> 3;
}

/** Most bytes of codes that are loaded between two times that codes are dropped. */
function shareOfBytes(): usize {
  return memoryLimit >> 2;
}

/** True if the host should call {@link dropCodes} when it next can. */
export function areCodesMany(): bool {
  const records = lasting.records.filled + temporary.records.filled + initial.records.filled;
  return <u64>records > <u64>shareOfRecords() * <u64>bounds.shares || bounds.loaded > shareOfBytes();
}

/**
 * Drops all that is decoded, and if many bytes are loaded those of lasting codes that no open frame runs. The host calls
 * it when the fuel is used up: then the running frame is at the beginning of a block, as the others are behind their calls.
 */
export function dropCodes(): void {
  for (let open = outermost; open != frame.opened; open = open.opened) {
    open.goOnAt(placeBehind(open.ip), open.ip.operation == Operation.STEP);
  }
  lasting.forgetRecords();
  temporary.forgetRecords();
  initial.forgetRecords();
  if (bounds.loaded > shareOfBytes()) dropBytes();
  for (let code = initial.newest; code != NO_CODE; code = code.older) {
    code.recordsChunk = initial.records.current;
    code.recordsFree = initial.records.free;
  }
  boundRecords(frame);
}

function dropBytes(): void {
  const spare = bounds.spare;
  for (let open = outermost; open != frame.opened; open = open.opened) {
    if (open.code.records == lasting.records) open.code.flags |= CodeFlag.IS_RUNNING;
  }
  for (let code = lasting.newest; code != NO_CODE; code = code.older) {
    const isRunning = (code.flags & CodeFlag.IS_RUNNING) != 0;
    code.flags &= ~CodeFlag.IS_RUNNING;
    if (!code.isLoaded) continue;
    code.flags &= ~CodeFlag.IS_ANALYSED;
    const room = <usize>code.length + PADDING;
    const copy = isRunning ? spare.take(room) : 0;
    if (isRunning) memory.copy(copy, code.raw, room);
    code.arena = spare;
    code.raw = copy;
  }
  bounds.bytes.empty();
  bounds.spare = bounds.bytes;
  bounds.bytes = spare;
  bounds.loaded = 0;
}

/** Doubles the most bytes of records if the running frame could not go on with so few of them. */
function boundRecords(running: Frame): void {
  const isStuck = running.number == bounds.frameNumber && running.gas == bounds.frameGas;
  bounds.shares = isStuck ? bounds.shares * 2 : 1;
  bounds.frameNumber = running.number;
  bounds.frameGas = running.gas;
}
