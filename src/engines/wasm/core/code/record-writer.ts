// Writes records into the arena of a code.

import { instructionOf, Opcode } from "../facts.generated";
import { setFuel } from "../machine/machine";
import { Arena } from "./arena";
import { Code } from "./code";
import { deepest, isDeep } from "./deep-stack";
import { prepareTargets } from "./destinations";
import { itemsAt } from "./instruction-facts";
import { areCodesMany } from "./new-code";
import { COUNT_RECORD, Counter, NO_RECORD, Operation, Record, WIDE_RECORD } from "./records";

/** Most instructions of a block, so that it fits in a chunk; a longer one continues in another block. */
export const BLOCK_LIMIT: u32 = 128;
/** Most bytes of a block: all records have the longest form, each has a STEP, and a few records follow at the end. */
const BLOCK_ROOM: usize = 32 + 32 + 128 * (16 + 48) + 64;

/** The place in memory at which records are written. */
@unmanaged
class RecordWriter {
  private arena: Arena;
  /** The next record. */
  at: Record;
  /** Records before this one must not be joined with later ones. */
  floor: Record;
  private chunkEnd: usize;

  /** Begins to write in the arena of a code. */
  begin(code: Code, isPrecise: bool): void {
    // Uses the same arena, so it must be complete before records are written.
    prepareTargets(code, isPrecise);
    this.arena = code.records;
    this.enterFreeRoom();
  }

  private enterFreeRoom(): void {
    this.arena.makeRoom(BLOCK_ROOM);
    this.at = changetype<Record>(this.arena.free);
    this.chunkEnd = this.arena.end;
  }

  /** Keeps what was written. */
  end(): void {
    this.arena.free = changetype<usize>(this.at);
    if (areCodesMany()) setFuel(-1);
  }

  /** Continues in another chunk if this one has no room for a block. */
  makeRoomForBlock(): void {
    this.makeRoom(BLOCK_ROOM);
  }

  /** Continues in another chunk if this one has too little room. Each keeps room for the record that leads there. */
  makeRoom(bytes: usize): void {
    if (changetype<usize>(this.at) + bytes <= this.chunkEnd) return;
    const link = this.at;
    this.at = link.next;
    this.end();
    this.enterFreeRoom();
    link.operation = <u16>Operation.GOTO;
    link.a = 0;
    link.b = <u32>changetype<usize>(this.at);
    link.c = 0;
  }

  @inline emit(operation: u32, a: u32, b: u32, c: u64): void {
    const record = this.at;
    record.operation = <u16>operation;
    record.a = <u16>a;
    record.b = b;
    record.c = c;
    this.at = record.next;
  }

  /** Moves on by this many bytes; what was written is not joined with later records. */
  skip(bytes: usize): void {
    this.at = this.at.after(bytes);
    this.floor = this.at;
  }

  /** Writes a counter. */
  emitCount(code: Code, kind: u32, start: u32, end: u32): Counter {
    const counter = changetype<Counter>(this.at);
    counter.operation = <u16>Operation.COUNT;
    counter.kind = <u16>kind;
    counter.start = start;
    counter.times = 0;
    counter.end = end;
    counter.code = changetype<usize>(code);
    this.skip(COUNT_RECORD);
    return counter;
  }

  /** Writes what pushes a constant of `size` bytes. If it goes beyond the end of the code, its end is zeros. */
  emitPush(data: usize, size: usize): void {
    let zeros: usize = 0;
    while (zeros < size && load<u8>(data + zeros) == 0) zeros++;
    if (size - zeros <= 8) {
      let value: u64 = 0;
      for (let index = zeros; index < size; index++) value = (value << 8) | <u64>load<u8>(data + index);
      this.emit(Operation.PUSH, 0, 0, value);
      return;
    }
    const record = this.at;
    this.emit(Operation.PUSH_WIDE, 0, 0, 0);
    record.wide.setZero();
    for (let index: usize = 0; index < size; index++)
      store<u8>(changetype<usize>(record.wide) + size - 1 - index, load<u8>(data + index));
    this.skip(WIDE_RECORD - offsetof<Record>());
  }

  /** Writes an instruction that has the same record in both manners: any without a price of its own. */
  emitPlain(opcode: u32, pc: usize, raw: usize): void {
    const depth = (<u32>instructionOf(opcode).pops) << 5;
    if (opcode >= Opcode.PUSH0 && opcode <= Opcode.PUSH32) this.emitPush(raw + pc + 1, instructionOf(opcode).immediate);
    else if (opcode >= Opcode.DUP1 && opcode <= Opcode.DUP16) this.emit(Opcode.DUP1, depth, <u32>pc, 0);
    else if (opcode >= Opcode.SWAP1 && opcode <= Opcode.SWAP16) this.emit(Opcode.SWAP1, depth, <u32>pc, 0);
    else if (isDeep(opcode)) this.emitDeep(opcode, pc, raw);
    else this.emit(opcode, 0, <u32>pc, 0);
  }

  /** Writes DUPN and SWAPN as DUP1 and SWAP1 with a deeper item. */
  emitDeep(opcode: u32, pc: usize, raw: usize): void {
    const items = itemsAt(opcode, pc, raw);
    const depth = deepest(items) << 5;
    if (opcode == Opcode.EXCHANGE) this.emit(opcode, (items & 0xffff) << 5, <u32>pc, <u64>depth);
    else this.emit(opcode == Opcode.DUPN ? Opcode.DUP1 : Opcode.SWAP1, depth, <u32>pc, 0);
  }

  /** The record so many before the next one; NO_RECORD if it must not be joined with later ones. */
  @inline back(records: usize): Record {
    const record = changetype<Record>(changetype<usize>(this.at) - records * offsetof<Record>());
    return changetype<usize>(record) >= changetype<usize>(this.floor) ? record : NO_RECORD;
  }

  /** Replaces records, from one on, by a single one. */
  replace(first: Record, operation: u32, c: u64): void {
    this.at = first;
    this.emit(operation, 0, 0, c);
  }
}

/** The only one: code is decoded piece by piece. */
export const writer: RecordWriter = changetype<RecordWriter>(memory.data(offsetof<RecordWriter>(), 16));
