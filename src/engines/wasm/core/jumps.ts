// Finds the record that runs after a jump, a GOTO, or a change of manner.

import { blockAt, targetOf } from "./code/decode";
import { COUNT_RECORD, NO_RECORD, Operation, Record } from "./code/records";
import { Frame, FrameFlag } from "./machine/frame";
import { Word } from "./words/word";

/** The next record after a jump to a constant, which depends on a condition; NO_RECORD if it is invalid. @inline */
export function jumpIf(condition: bool, record: Record, running: Frame): Record {
  return condition ? targetOf(running.code, record.c, false) : record.next;
}

/** The record at the target of a jump to the number in a word; NO_RECORD for an invalid one. */
export function jumpTarget(running: Frame, word: Word): Record {
  return word.isSmall ? targetOf(running.code, word.limb0, running.isPrecise) : NO_RECORD;
}

/** The record that a GOTO names. */
export function goOn(running: Frame, record: Record): Record {
  if (record.b == 0) record.b = <u32>changetype<usize>(blockAt(running.code, <u32>record.c, running.isPrecise));
  const next = changetype<Record>(record.b);
  return record.a != 0 && next.operation == Operation.COUNT ? next.after(COUNT_RECORD) : next;
}

/** Switches a frame to the precise manner, from an instruction on. */
export function goPrecise(running: Frame, pc: u32): Record {
  running.flags |= FrameFlag.PRECISE;
  return blockAt(running.code, pc, true);
}
