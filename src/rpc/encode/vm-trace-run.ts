/** Operations of a vmTrace that have nothing special about them: most of every trace. */
import { StepOutcome } from "../../tracer/events.ts";
import { MEMORY_REGIONS } from "../../tracer/memory-regions.ts";
import { isPush, Op, opcodeShape, startsFrame } from "../../tracer/opcodes.ts";
import type { StepRows } from "../../tracer/recording.ts";
import { Fragments } from "./fragments.ts";
import { copyWords, writeFourDigits } from "./kept-text.ts";
import type { TextWriter } from "./text-writer.ts";
import type { TracedFrame } from "./traced-frame.ts";

/** How an operation is written. */
const Manner = {
  /** By itself: frames, storage, regions of memory. */
  alone: 0,
  /** Pushes nothing, or always the same. */
  constant: 1,
  pushing: 2,
  loading: 3,
  storing: 4,
} as const;
type Manner = (typeof Manner)[keyof typeof Manner];

const MANNERS = Uint8Array.from({ length: 256 }, (_, opcode): Manner => {
  if (opcode === Op.MLOAD) return Manner.loading;
  if (opcode === Op.MSTORE) return Manner.storing;
  if (startsFrame(opcode) || opcode === Op.SSTORE || MEMORY_REGIONS[opcode] !== undefined) return Manner.alone;
  return isPush(opcode) || opcodeShape(opcode).pushes === 0 ? Manner.constant : Manner.pushing;
});
const PUSHES = Uint8Array.from({ length: 256 }, (_, opcode) => opcodeShape(opcode).pushes);

const PARTS = Fragments.of('],"store":null,"used":', '","off":', '},"push":[');
const USED = 0;
const OFFSET = 1;
const PUSH = 2;
/** More than an operation takes beside what it pushes. */
const OPERATION_BYTES = 512;

/** Steps of which a run is made. */
export interface OperationSpan {
  readonly rows: StepRows;
  readonly first: number;
  /** Behind the last; all in `rows`. */
  readonly end: number;
}

/** What is kept of a place as the beginning of its operations; undefined where they are written alone. */
export function operationHead(opcode: number, cost: number, word: bigint | undefined): string | undefined {
  const manner = MANNERS[opcode];
  const head = `,{"cost":${JSON.stringify(cost)},"ex":{"mem":`;
  if (manner === Manner.alone) return undefined;
  if (manner === Manner.loading || manner === Manner.storing) return `${head}{"data":"0x`;
  if (manner === Manner.pushing) return `${head}null,"push":[`;
  return `${head}null,"push":[${word === undefined ? "" : `"0x${word.toString(16)}"`}],"store":null,"used":`;
}

/**
 * Writes operations of one frame up to one that is written alone or says of its place what has not been kept, or to the
 * end of the room. Returns the step behind the last that it wrote.
 *
 * Goes as the loop of struct-log-run.ts goes. What they share are the functions of kept-text.ts, which says why no more.
 */
export function writeOperationRun(writer: TextWriter, open: TracedFrame, { rows, first, end }: OperationSpan): number {
  const { stack, places } = open;
  const { heads, tails, costs, pushes } = places;
  const { frame: frames, pc: pcs, opcode: opcodes, outcome: outcomes, gas: gases, cost: allCosts, words } = rows;
  const { view, upper, upperLength, upperStart, upperEnd } = writer;
  const index = open.frame?.index;
  const room = writer.roomEnd - OPERATION_BYTES;
  const rowEnd = end - rows.first;
  let row = first - rows.first;
  let { at } = writer;
  for (; row < rowEnd; row++) {
    const opcode = opcodes[row] as number;
    const pc = pcs[row] as number;
    const cost = allCosts[row] as number;
    const manner = MANNERS[opcode];
    if (frames[row] !== index || outcomes[row] !== StepOutcome.done || manner === Manner.alone) break;
    if (costs[pc] !== cost || at + stack.text.at > room) break;
    const used = (gases[row] as number) - cost;
    const integer = used | 0;
    const high = (integer / 10_000) | 0;
    if (integer !== used || high !== upper) break;
    let length = heads.lengths[pc] as number;
    copyWords(view, at, heads.words, heads.starts[pc] as number, length);
    at += length;
    if (manner === Manner.constant) stack.applyAt(pushes, pc, opcode, words[row]);
    else {
      writer.at = at;
      if (manner === Manner.pushing) {
        stack.apply(opcode, words[row]);
        stack.writeTop(writer, PUSHES[opcode] as number);
      } else if (manner === Manner.loading) writeLoad(writer, open, words[row] as bigint);
      else writeStore(writer, open, rows.first + row);
      writer.fragment(PARTS, USED);
      at = writer.at;
    }
    view.setUint32(at, upperStart, true);
    view.setUint32(at + 4, upperEnd, true);
    at += upperLength;
    writeFourDigits(view, at, integer - high * 10_000);
    at += 4;
    length = tails.lengths[pc] as number;
    copyWords(view, at, tails.words, tails.starts[pc] as number, length);
    at += length;
  }
  writer.at = at;
  return row + rows.first;
}

function writeLoad(writer: TextWriter, { stack }: TracedFrame, word: bigint): void {
  const offset = stack.number(0);
  stack.apply(Op.MLOAD, word);
  stack.writeWord(writer, 0);
  writer.fragment(PARTS, OFFSET);
  writer.number(offset);
  writer.fragment(PARTS, PUSH);
  stack.writeTop(writer, 1);
}

function writeStore(writer: TextWriter, { stack, unwritten }: TracedFrame, step: number): void {
  stack.writeWord(writer, 1);
  writer.fragment(PARTS, OFFSET);
  writer.number(stack.number(0));
  writer.fragment(PARTS, PUSH);
  stack.apply(Op.MSTORE, undefined);
  unwritten.push(step);
}
