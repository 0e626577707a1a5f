/**
 * The instructions of a code from a program in the ethdebug format, for builds without a source map.
 *
 * The format does not distinguish calls of functions from other jumps, so every jump is a regular one.
 *
 * @see https://ethdebug.github.io/format/spec/program/overview
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { countOf, listOf, objectOf } from "./read/json-values.ts";
import type { SourceFile, SourceRange } from "./source-file.ts";
import { type InstructionMap, type MappedInstruction, sharedRange } from "./source-map.ts";

/**
 * Reads the ranges of a program's instructions. Instructions outside of the code are left out; those whose range is in no
 * source have no range.
 *
 * @param program - `ethdebug` of a code in the compiler's output; anything else gives an empty map
 * @param files - by the compiler's index
 */
export function mapProgram(code: Bytes, program: unknown, files: ReadonlyMap<number, SourceFile>): InstructionMap {
  const instructions = new Map<number, MappedInstruction>();
  let range: SourceRange | undefined;
  for (const instruction of listOf(objectOf(program).instructions)) {
    const { offset, context } = objectOf(instruction);
    const pc = countOf(offset);
    const opcode = pc === undefined ? undefined : code[pc];
    if (pc === undefined || opcode === undefined) continue;
    range = sharedRange(range, rangeOf(context, files));
    instructions.set(pc, { pc, opcode, jump: "regular", range });
  }
  return instructions;
}

/** The range of a context, or of the first part that has one where the context gathers several. */
function rangeOf(context: unknown, files: ReadonlyMap<number, SourceFile>): SourceRange | undefined {
  const { code, gather } = objectOf(context);
  if (code === undefined) return first(listOf(gather), (part) => rangeOf(part, files));
  const { source, range } = objectOf(code);
  const { offset, length } = objectOf(range);
  const [id, start, size] = [countOf(objectOf(source).id), countOf(offset), countOf(length)];
  const file = id === undefined ? undefined : files.get(id);
  if (file === undefined || start === undefined || size === undefined || start + size > file.length) return undefined;
  return { file, start, end: start + size };
}

function first<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
