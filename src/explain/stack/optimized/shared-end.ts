/**
 * Frames that end in code which several jumps lead to. The optimizer merges blocks with equal instructions, such as the `revert`
 * of several `require`s, and the source map has the range of one of them. The instructions before the merged block have ranges of
 * their own.
 */
import { Op } from "../../../evm/opcodes.ts";
import type { BuiltCode } from "../../source/build.ts";
import { functionAround, type SourceRange } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";

const { JUMP, JUMPI, JUMPDEST, PUSH1, STOP, RETURN, REVERT, INVALID } = Op;
/** Ways into the blocks of a code. Many failures are in the same few codes. */
const waysOfCodes = new WeakMap<BuiltCode, ReadonlyMap<number, number>>();
/** Operations after which the next instruction does not run. */
const ENDS: ReadonlySet<number | undefined> = new Set([JUMP, STOP, RETURN, REVERT, INVALID]);

/** The code that ran before the merged block, back to the last condition, call, or beginning of a function. */
export interface SharedEnd {
  /** The last range in a function; undefined if there is none, as after a condition that jumps to the merged block. */
  readonly before: SourceRange | undefined;
}

/** Undefined if the frame did not end in a merged block, or if a condition, a call, or the beginning of a function came after it. */
export function sharedEnd(known: KnownFrame): SharedEnd | undefined {
  const { execution, last } = known;
  const ways = waysInto(known.found.code);
  let end: { before: SourceRange | undefined } | undefined;
  /** Functions that have returned since, as this goes backwards. */
  let returned = 0;
  for (let index = last; index >= 0; index--) {
    const { opcode, jump, range, pc = -1 } = execution.at(index) ?? {};
    if (opcode === JUMP && jump === "outOf") returned++;
    if (opcode === JUMP && jump === "into" && returned-- === 0) break;
    if (returned > 0) continue;
    if (opcode === JUMPI || execution.children.has(index)) break;
    const isEntry = opcode === JUMPDEST && execution.at(index - 1)?.jump === "into";
    if (opcode === JUMPDEST && !isEntry && (ways.get(pc) ?? 0) > 1) end = { before: undefined };
    else if (end !== undefined && functionAround(range) !== undefined) end.before ??= range;
  }
  return end;
}

/**
 * Number of ways to each JUMPDEST: jumps, and the instruction before it. At most as many, since a number that is pushed need not
 * be the target of a jump. In one code all targets are pushed with the same width.
 */
function waysInto(code: BuiltCode): ReadonlyMap<number, number> {
  const known = waysOfCodes.get(code);
  if (known !== undefined) return known;
  const { instructions, template } = code;
  const ways = new Map<number, number>();
  waysOfCodes.set(code, ways);
  const width = template.bytes.length < 0x100 ? 1 : 2;
  const add = (pc: number): unknown => ways.set(pc, (ways.get(pc) ?? 0) + 1);
  let previous: number | undefined;
  for (const { pc, opcode } of instructions.values()) {
    if (opcode === JUMPDEST && !ENDS.has(previous)) add(pc);
    if (opcode === PUSH1 + width - 1) {
      add(template.bytes.subarray(pc + 1, pc + 1 + width).reduce((number, byte) => number * 256 + byte, 0));
    }
    previous = opcode;
  }
  return ways;
}
