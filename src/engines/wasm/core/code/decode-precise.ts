// The precise manner: a STEP record before each instruction.

import { instructionOf, Opcode } from "../facts.generated";
import { COUNTS_INSTRUCTION } from "../machine/layout";
import { burn } from "../machine/machine";
import { Code } from "./code";
import { isCounting } from "./coverage";
import { isDeep } from "./deep-stack";
import { targetPlace } from "./destinations";
import { endsRun, isPriced, itemsAt } from "./instruction-facts";
import { writer } from "./record-writer";
import { COUNT_RECORD, Operation, Record, RUN_LIMIT, WIDE_RECORD } from "./records";

/** Most bytes that an instruction takes, with the record that may follow. */
const INSTRUCTION_ROOM: usize = COUNT_RECORD + 16 + WIDE_RECORD + 64;

/** Decodes from a place to an end, or to code that is already decoded. Returns the first record. */
export function decodePrecise(code: Code, first: u32): Record {
  writer.begin(code, true);
  const start = writer.at;
  const raw = code.raw;
  const length = <usize>code.length;
  let pc = <usize>first;
  let total: u32 = 0;
  while (true) {
    writer.makeRoom(INSTRUCTION_ROOM);
    if (pc >= length) {
      emitEnd(code, <u32>pc);
      break;
    }
    const opcode = <u32>load<u8>(raw + pc);
    if (opcode == Opcode.JUMPDEST) {
      const place = targetPlace(code, <u64>pc, true);
      if (place != null) {
        if (pc != <usize>first && place.isDecoded) {
          writer.emit(Operation.GOTO, 0, <u32>changetype<usize>(place.block), 0);
          break;
        }
        place.block = writer.at;
      }
    }
    if (++total > RUN_LIMIT) {
      writer.emit(Operation.GOTO, 0, 0, <u64>pc);
      break;
    }
    if (isCounting) writer.emitCount(code, COUNTS_INSTRUCTION, <u32>pc, <u32>pc + 1);
    emitPrecise(opcode, pc, raw);
    if (endsRun(opcode) || (isDeep(opcode) && itemsAt(opcode, pc, raw) == 0)) break;
    pc += 1 + <usize>instructionOf(opcode).immediate;
  }
  writer.end();
  burn((pc - <usize>first) << 6);
  return start;
}

/** Writes the end of a code, which reads as zero, a STOP. Accounts without code execute not even a STOP. */
function emitEnd(code: Code, pc: u32): void {
  if (isCounting) writer.emitCount(code, COUNTS_INSTRUCTION, pc, pc + 1);
  if (code.length > 0) writer.emit(Operation.STEP, Opcode.STOP, pc, 0);
  writer.emit(Opcode.STOP, 0, pc, 0);
}

function emitPrecise(opcode: u32, pc: usize, raw: usize): void {
  writer.emit(Operation.STEP, opcode, <u32>pc, isDeep(opcode) ? <u64>itemsAt(opcode, pc, raw) : 0);
  if (isPriced(opcode)) writer.emit(Operation.PAID, opcode, <u32>pc, 0);
  else if (opcode == Opcode.GAS) writer.emit(opcode, 0, <u32>pc, 0);
  else writer.emitPlain(opcode, pc, raw);
}
