// Finds the decoded blocks of a code, and decodes those that are reached for the first time.

import { COUNTS_LEAVING } from "../machine/layout";
import { Code } from "./code";
import { countOnce } from "./coverage";
import { decodeFast } from "./decode-fast";
import { decodePrecise } from "./decode-precise";
import { targetPlace } from "./destinations";
import { writer } from "./record-writer";
import { NO_RECORD, Record } from "./records";

/** A block at any instruction. It is decoded again each time. */
export function blockAt(code: Code, pc: u32, isPrecise: bool): Record {
  return isPrecise ? decodePrecise(code, pc) : decodeFast(code, pc);
}

/** The block at the beginning of a code. */
export function entryOf(code: Code, isPrecise: bool): Record {
  const place = code.entry(isPrecise);
  if (!place.isDecoded) place.block = blockAt(code, 0, isPrecise);
  return place.block;
}

/** The block at a jump destination; NO_RECORD for an invalid one. */
export function targetOf(code: Code, pc: u64, isPrecise: bool): Record {
  const place = targetPlace(code, pc, isPrecise);
  if (place == null) return NO_RECORD;
  // Decoding fills the place.
  if (!place.isDecoded) blockAt(code, <u32>pc, isPrecise);
  return place.block;
}

/** Counts an exit from a block of the fast manner before one of its instructions. */
export function countLeaving(code: Code, pc: u32): void {
  writer.begin(code, true);
  const counter = writer.emitCount(code, COUNTS_LEAVING, pc, pc);
  writer.end();
  countOnce(counter);
}
