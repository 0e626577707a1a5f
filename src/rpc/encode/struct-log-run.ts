/** Struct logs of operations that have nothing special about them: most of every trace. */
import { StepOutcome } from "../../tracer/events.ts";
import { Op, startsFrame } from "../../tracer/opcodes.ts";
import type { StepRows } from "../../tracer/recording.ts";
import { copyText, copyWords, writeFourDigits } from "./kept-text.ts";
import type { ListedFrame } from "./listed-frame.ts";
import type { TextWriter } from "./text-writer.ts";

/** `]}` as a little-endian half word. */
const END_OF_STACK = 0x7d5d;
/** More than an entry takes without its stack. */
const ENTRY_BYTES = 512;

/** Operations that start no frame, show no storage and leave the refund counter alone. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, opcode) => {
  const isStorage = opcode === Op.SLOAD || opcode === Op.SSTORE;
  return startsFrame(opcode) || isStorage || opcode === Op.SELFDESTRUCT ? 0 : 1;
});

/** Steps of which a run is made. */
export interface EntrySpan {
  readonly rows: StepRows;
  readonly first: number;
  /** Behind the last; all in `rows`. */
  readonly end: number;
  /** Refund counter before the first: plain operations do not change it. */
  readonly refund: number;
}

/**
 * Writes entries of one frame, without memory and return data, up to one that is not plain or says of its place what has
 * not been kept, or to the end of the room. Returns the step behind the last that it wrote.
 */
export function writeEntryRun(writer: TextWriter, open: ListedFrame, { rows, first, end, refund }: EntrySpan): number {
  const { stack, places } = open;
  const { heads, tails, costs, pushes } = places;
  const { frame: frames, pc: pcs, opcode: opcodes, outcome: outcomes, gas: gases, cost: allCosts, words } = rows;
  const { view, upper, upperLength, upperStart, upperEnd } = writer;
  const { text } = stack;
  const index = open.frame?.index;
  const ending = refund === 0 ? "" : `],"refund":${refund}}`;
  const room = writer.roomEnd - ENTRY_BYTES;
  const rowEnd = end - rows.first;
  let row = first - rows.first;
  let { at } = writer;
  for (; row < rowEnd; row++) {
    const opcode = opcodes[row] as number;
    const pc = pcs[row] as number;
    const stackLength = text.at;
    if (frames[row] !== index || outcomes[row] !== StepOutcome.done || IS_PLAIN[opcode] === 0) break;
    if (costs[pc] !== allCosts[row] || at + stackLength > room) break;
    const gas = gases[row] as number;
    const integer = gas | 0;
    const high = (integer / 10_000) | 0;
    if (integer !== gas || high !== upper) break;
    let length = heads.lengths[pc] as number;
    copyWords(view, at, heads.words, heads.starts[pc] as number, length);
    at += length;
    view.setUint32(at, upperStart, true);
    view.setUint32(at + 4, upperEnd, true);
    at += upperLength;
    writeFourDigits(view, at, integer - high * 10_000);
    at += 4;
    length = tails.lengths[pc] as number;
    copyWords(view, at, tails.words, tails.starts[pc] as number, length);
    at += length;
    if (stackLength > 0) {
      copyText(view, at, text.view, 0, stackLength - 1);
      at += stackLength - 1;
    }
    if (refund === 0) {
      view.setUint16(at, END_OF_STACK, true);
      at += 2;
    } else {
      writer.at = at;
      writer.text(ending);
      at = writer.at;
    }
    stack.applyAt(pushes, pc, opcode, words[row]);
  }
  writer.at = at;
  return row + rows.first;
}
