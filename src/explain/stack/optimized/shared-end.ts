/**
 * The end of a frame in code that several jumps lead to: the optimizer merges blocks with equal instructions, and keeps the
 * ranges of one of them. Instructions before it have ranges of their own.
 */
import { Op } from "../../../evm/opcodes.ts";
import type { BuiltCode } from "../../source/build.ts";
import type { SourceRange } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";

const { JUMP, JUMPI, JUMPDEST, PUSH1, STOP, RETURN, REVERT, INVALID } = Op;
/** Many failures are those of a few codes. */
const waysOfCodes = new WeakMap<BuiltCode, ReadonlyMap<number, number>>();
/** Operations after which the next instruction does not run. */
const ENDS: ReadonlySet<number | undefined> = new Set([JUMP, STOP, RETURN, REVERT, INVALID]);

/** The instructions before the shared code, back to the last condition, call, or beginning of a function. */
export interface SharedEnd {
  /** The last range in a function; undefined for none, as after a condition that jumps to the shared code. */
  readonly before: SourceRange | undefined;
}

/** Undefined if no code after the last condition, call, or beginning of a function has more than one way in. */
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
    else if (end !== undefined && range?.file.functionAt(range.start, range.end) !== undefined) end.before ??= range;
  }
  return end;
}

/** Number of jumps to each JUMPDEST, at most: a number that is pushed may mean something else. All tags have one width. */
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
