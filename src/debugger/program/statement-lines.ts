/**
 * The line of an instruction at which a debugger stops. The compiler gives many instructions the range of a whole
 * function, or of a whole `if` or loop; they belong to no line.
 */
import { Op } from "../../evm/opcodes.ts";
import type { BuiltContract } from "../../explain/source/build.ts";
import type { FoundContract } from "../../explain/source/contract-finder.ts";
import { objectOf, textOf } from "../../explain/source/read/json-values.ts";
import {
  functionAround,
  holds,
  isSameRange,
  type SourceFile,
  type SourceRange,
} from "../../explain/source/source-file.ts";
import type { MappedInstruction } from "../../explain/source/source-map.ts";

/** Statements that contain others. */
const COMPOUND = /^(?:if|for|while|do|try)\b/;
const ASSEMBLY = /^assembly\b/;

/** The innermost statement around a range; undefined outside of the bodies of functions and modifiers. */
export function statementAt(range: SourceRange): SourceRange | undefined {
  const definition = functionAround(range);
  return definition?.code.statements.findLast((statement) => holds(statement, range));
}

/** The line, from 1; undefined for an instruction that belongs to none. */
export function lineOf({ opcode, range }: MappedInstruction, contract: BuiltContract): number | undefined {
  // A JUMPDEST after an `if` has the range of the `if`.
  if (range === undefined || opcode === Op.JUMPDEST) return undefined;
  const { file, start } = range;
  // At the end of a block its variables are taken off the stack.
  if (file.textOf(start, start + 1) === "{") return undefined;
  const statement = statementAt(range);
  if (statement !== undefined) {
    const text = file.textOf(statement.start, Math.min(statement.end, statement.start + 8));
    const isWhole = isSameRange(statement, range);
    if (isWhole && (COMPOUND.test(text) || ASSEMBLY.test(text))) return undefined;
    return file.positionOf(ASSEMBLY.test(text) ? start : statement.start).line;
  }
  const definition = functionAround(range);
  if (definition?.kind === "getter") return file.positionOf(definition.range.start).line;
  return definition === undefined && isInitializer(range, contract) ? file.positionOf(start).line : undefined;
}

/** True for the value that a state variable is declared with. */
function isInitializer({ file, start, end }: SourceRange, { lineage }: BuiltContract): boolean {
  return lineage.some(
    ({ range, variables }) =>
      range.file === file &&
      variables.some(({ src, value }) => {
        const [first = 0, length = 0] = (textOf(src) ?? "").split(":").map(Number);
        return value !== null && objectOf(value) === value && first <= start && end <= first + length;
      }),
  );
}

/** Lines that have a statement, in order. */
export function statementLines(file: SourceFile): readonly number[] {
  const lines = new Set<number>();
  for (const { code, kind, range } of file.functions) {
    if (kind === "getter") lines.add(file.positionOf(range.start).line);
    for (const statement of code.statements) {
      const { line } = file.positionOf(statement.start);
      const text = file.textOf(statement.start, Math.min(statement.end, statement.start + 8));
      if (!ASSEMBLY.test(text)) lines.add(line);
      else for (let at = line + 1; at < file.positionOf(statement.end).line; at++) lines.add(at);
    }
  }
  return [...lines].sort((left, right) => left - right);
}

/** Lines of files that instructions belong to. The optimizer leaves some statements without any. */
export function linesOfCode({ contract, code }: FoundContract): ReadonlyMap<SourceFile, ReadonlySet<number>> {
  const lines = new Map<SourceFile, Set<number>>();
  for (const instruction of code.instructions.values()) {
    const line = lineOf(instruction, contract);
    if (line === undefined || instruction.range === undefined) continue;
    const { file } = instruction.range;
    const ofFile = lines.get(file) ?? new Set<number>();
    lines.set(file, ofFile.add(line));
  }
  return lines;
}
