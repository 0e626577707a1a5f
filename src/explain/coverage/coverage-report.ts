/** Computes which lines, functions and branches of the source ran, and how often. */
import { Op } from "../../evm/opcodes.ts";
import type { BuiltCode } from "../source/build.ts";
import type { ContractFinder, FoundContract } from "../source/contract-finder.ts";
import type { CallGraph } from "../source/functions/call-graph.ts";
import type { CodeFunctions } from "../source/functions/code-functions.ts";
import { holds, isSameRange, type SourceChoice, type SourceFile, type SourceFunction } from "../source/source-file.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import { failsByJump, timesTaken } from "./conditional-jumps.ts";
import { type CoverageSnapshot, timesOf } from "./coverage-counts.ts";
import { FileCounts } from "./file-counts.ts";
import type { FileCoverage } from "./file-coverage.ts";
import { functionsOfSelected } from "./selected-functions.ts";

const { JUMPI, JUMPDEST } = Op;

/** The coverage of the source files that are wanted, by path. */
export function coverageOf(
  counted: CoverageSnapshot,
  contracts: ContractFinder,
  isWanted: SourceChoice,
): readonly FileCoverage[] {
  const files = new Map<SourceFile, FileCounts>();
  const countsOf = (file: SourceFile): FileCounts | undefined => {
    if (!isWanted(file)) return undefined;
    const counts = files.get(file) ?? new FileCounts(file);
    files.set(file, counts);
    return counts;
  };
  for (const { creation, runtime } of contracts.all) {
    for (const code of [creation, runtime]) if (code !== undefined) noteMapped(code, countsOf);
  }
  for (const code of counted.values()) {
    const found = contracts.findRuntime(code.code) ?? contracts.findCreation(code.code);
    if (found !== undefined) addTimes(found, timesOf(code), countsOf);
  }
  return merged([...files.values()].map((counts) => counts.coverage()));
}

/** Undefined for a file that is not wanted. */
type CountsOf = (file: SourceFile) => FileCounts | undefined;

function noteMapped({ instructions, files }: BuiltCode, countsOf: CountsOf): void {
  for (const file of files) countsOf(file);
  for (const { range } of instructions.values()) if (range !== undefined) countsOf(range.file)?.note(range);
}

function addTimes({ contract, code }: FoundContract, times: Float64Array, countsOf: CountsOf): void {
  const functions = contract.functionsOf(code);
  const graph = contract.calls();
  const possible = functionsOfSelected(contract, code, times);
  const ran = functionsThatRan(functions, code, times);
  const begun = new Map<SourceFunction, boolean>();
  const hasEntered = (definition: SourceFunction): boolean =>
    definition.kind !== "function" ||
    graph.mayBeInlined(definition) ||
    functions.entriesOf(definition).some((pc) => (times[pc] ?? 0) > 0);
  /** False for code before the body of a function with modifiers: that of the modifiers, or moved there by the optimizer. */
  const isDone = ({ pc, range }: MappedInstruction, definition: SourceFunction): boolean => {
    if (definition.modifiers.length === 0) return true;
    if (range === undefined || !isSameRange(range, definition.range)) return functions.workingAt(pc) === definition;
    const hasBegun = begun.get(definition) ?? firstCallees(definition, graph).every((callee) => ran.has(callee));
    begun.set(definition, hasBegun);
    return hasBegun;
  };
  const touched = new Set<FileCounts>();
  let isShared = false;
  let block = 0;
  for (const instruction of code.instructions.values()) {
    const { pc, opcode, range } = instruction;
    if (opcode === JUMPDEST) {
      isShared = functions.isShared(pc);
      block = pc;
    }
    const counts = range && countsOf(range.file);
    if (range !== undefined && counts !== undefined) {
      const definition = functions.functionOf(range);
      const isImpossible = definition !== undefined && (possible?.has(definition) === false || !hasEntered(definition));
      const isUnknown = isImpossible || (isShared && definition !== undefined && !ran.has(definition));
      const here = isUnknown ? 0 : (times[pc] ?? 0);
      const isOwn =
        definition !== undefined && !functions.isForeign(block, definition) && isDone(instruction, definition);
      counts.add(range, here, isOwn);
      touched.add(counts);
      if (opcode === JUMPI && here > 0) {
        const taken = timesTaken(code, times, pc);
        if (failsByJump(code, pc)) counts.addDecision(range, here - taken, taken);
        else counts.addDecision(range, taken, here - taken);
      }
    }
  }
  for (const counts of touched) counts.endCode();
}

/** The functions that the first statement of a function calls. */
function firstCallees(definition: SourceFunction, graph: CallGraph): readonly SourceFunction[] {
  const [first] = definition.code.statements;
  const calls = definition.code.calls.filter(({ range }) => first !== undefined && holds(first, range));
  return calls.flatMap((call) => {
    const callees = graph.calleesOf(definition, call);
    return callees.length === 1 ? callees : [];
  });
}

/** Functions of which an instruction ran that belongs to no other. */
function functionsThatRan(functions: CodeFunctions, code: BuiltCode, times: Float64Array): ReadonlySet<SourceFunction> {
  const ran = new Set<SourceFunction>();
  let isShared = false;
  for (const { pc, opcode, range } of code.instructions.values()) {
    if (opcode === JUMPDEST) isShared = functions.isShared(pc);
    const definition = isShared || !((times[pc] ?? 0) > 0) ? undefined : functions.functionOf(range);
    if (definition !== undefined) ran.add(definition);
  }
  return ran;
}

/** Adds up the counts of files that are in several builds. */
export function merged(files: readonly FileCoverage[]): readonly FileCoverage[] {
  const byPath = new Map<string, FileCoverage>();
  for (const file of files) {
    const known = byPath.get(file.path);
    byPath.set(file.path, known === undefined ? file : mergedFile(known, file));
  }
  return [...byPath.values()]
    .filter(({ lines, functions }) => lines.length + functions.length > 0)
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

function mergedFile(left: FileCoverage, right: FileCoverage): FileCoverage {
  return {
    path: left.path,
    lines: sums([...left.lines, ...right.lines], ({ line }) => `${line}`),
    functions: sums([...left.functions, ...right.functions], ({ name, line }) => `${line}:${name}`),
    branches: sums([...left.branches, ...right.branches], ({ branch, arm }) => `${branch}:${arm}`),
  };
}

function sums<Row extends { readonly line: number; readonly times: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const known = byKey.get(keyOf(row));
    byKey.set(keyOf(row), known === undefined ? row : { ...known, times: known.times + row.times });
  }
  return [...byKey.values()].sort((left, right) => left.line - right.line);
}
