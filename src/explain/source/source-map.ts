/**
 * The instructions of a code with their ranges in the source.
 *
 * @see https://docs.soliditylang.org/en/latest/internals/source_mappings.html
 */
import { instructionOf } from "../../evm/instructions.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { isSameRange, type SourceFile, type SourceRange } from "./source-file.ts";

/** Meaning of a jump in the source: it calls a function, returns from one, or neither. */
export type JumpKind = "into" | "outOf" | "regular";

/** An instruction and the range of the source that it was made from. */
export interface MappedInstruction {
  readonly pc: number;
  readonly opcode: number;
  readonly jump: JumpKind;
  /** Undefined for code that has no counterpart in the source. */
  readonly range: SourceRange | undefined;
}

type Entry = readonly [start: number, length: number, file: number, jump: string];

/** The instructions by program counter. */
export type InstructionMap = ReadonlyMap<number, MappedInstruction>;

/**
 * Parses a compressed source map, in which a missing member repeats that of the entry before. Entries whose range is in
 * no source have no range.
 *
 * @param files - by the compiler's index
 */
export function mapInstructions(
  code: Bytes,
  sourceMap: string,
  files: ReadonlyMap<number, SourceFile>,
): InstructionMap {
  const entries = sourceMap.split(";");
  const instructions = new Map<number, MappedInstruction>();
  let entry: Entry = [0, 0, -1, "-"];
  let range: SourceRange | undefined;
  let index = 0;
  for (let pc = 0; pc < code.length && index < entries.length; index++) {
    entry = nextEntry(entry, entries[index] as string);
    range = sharedRange(range, rangeOf(entry, files));
    const opcode = code[pc] as number;
    instructions.set(pc, { pc, opcode, jump: jumpOf(entry[3]), range });
    pc += 1 + instructionOf(opcode).immediate;
  }
  return instructions;
}

function nextEntry(last: Entry, text: string): Entry {
  if (text === "") return last;
  const [start, length, file, jump] = text.split(":");
  return [numberOr(start, last[0]), numberOr(length, last[1]), numberOr(file, last[2]), jump || last[3]];
}

function numberOr(text: string | undefined, last: number): number {
  return text === undefined || text === "" ? last : Number(text);
}

function rangeOf([start, length, file]: Entry, files: ReadonlyMap<number, SourceFile>): SourceRange | undefined {
  const source = files.get(file);
  return source === undefined || !(start + length <= source.length)
    ? undefined
    : { file: source, start, end: start + length };
}

/** The object of the last range if the next is equal, because consecutive instructions often have the same. */
export function sharedRange(last: SourceRange | undefined, next: SourceRange | undefined): SourceRange | undefined {
  return last !== undefined && next !== undefined && isSameRange(last, next) ? last : next;
}

function jumpOf(letter: string): JumpKind {
  if (letter === "i") return "into";
  return letter === "o" ? "outOf" : "regular";
}
