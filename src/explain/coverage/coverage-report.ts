/** Computes which lines, functions and branches of the source ran, and how often. */
import { instructionOf } from "../../evm/instructions.ts";
import { bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import type { BuiltCode } from "../source/build.ts";
import type { ContractFinder, FoundContract } from "../source/contract-finder.ts";
import type { CodeFunctions } from "../source/functions/code-functions.ts";
import type { SourceChoice, SourceFile, SourceFunction } from "../source/source-file.ts";
import type { InstructionMap, MappedInstruction } from "../source/source-map.ts";
import { type CoverageSnapshot, timesOf } from "./coverage-counts.ts";
import { FileCounts } from "./file-counts.ts";
import type { FileCoverage } from "./file-coverage.ts";
import { functionsOfSelected } from "./selected-functions.ts";

const [STOP, JUMP, JUMPI, JUMPDEST, RETURN, REVERT, INVALID] = [0x00, 0x56, 0x57, 0x5b, 0xf3, 0xfd, 0xfe];
/** Instructions at which a block ends. */
const ENDS: ReadonlySet<number> = new Set([STOP, JUMP, JUMPI, JUMPDEST, RETURN, REVERT, INVALID]);

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
  const possible = functionsOfSelected(contract, code, times);
  const ran = functionsThatRan(functions, code, times);
  const touched = new Set<FileCounts>();
  let before: MappedInstruction | undefined;
  let isShared = false;
  let isForeign = false;
  for (const instruction of code.instructions.values()) {
    const { pc, opcode, range } = instruction;
    if (opcode === JUMPDEST) {
      isShared = functions.isShared(pc);
      isForeign = functions.isForeign(pc);
    }
    const counts = range && countsOf(range.file);
    if (range !== undefined && counts !== undefined) {
      const definition = functions.functionOf(range);
      const isImpossible = possible !== undefined && definition !== undefined && !possible.has(definition);
      const isUnknown = isImpossible || (isShared && definition !== undefined && !ran.has(definition));
      const here = isUnknown ? 0 : (times[pc] ?? 0);
      const isDone = definition?.modifiers.length === 0 || functions.workingAt(pc) === definition;
      const isOwn = !isForeign && isDone;
      counts.add(range, here, isOwn);
      touched.add(counts);
      if (opcode === JUMPI && here > 0) {
        const next = times[pc + 1] ?? 0;
        if (failsByJump(code, pc, before)) counts.addDecision(range, next, here - next);
        else counts.addDecision(range, here - next, next);
      }
    }
    before = instruction;
  }
  for (const counts of touched) counts.endCode();
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

/**
 * Whether the jump of a `require` is taken if it fails. Without the optimizer it is taken if it passes. The optimizer may
 * turn it around, so that it leads to a block that reverts.
 */
function failsByJump(code: BuiltCode, pc: number, before: MappedInstruction | undefined): boolean {
  if (before === undefined || instructionOf(before.opcode).immediate === 0) return false;
  const target = Number(bytesToBigInt(code.template.bytes.subarray(before.pc + 1, pc)));
  return reverts(code.instructions, target + 1) && !reverts(code.instructions, pc + 1);
}

/** True if the block that begins at a place ends in a revert. */
function reverts(instructions: InstructionMap, start: number): boolean {
  for (let pc = start; ; ) {
    const opcode = instructions.get(pc)?.opcode;
    if (opcode === undefined || ENDS.has(opcode)) return opcode === REVERT || opcode === INVALID;
    pc += 1 + instructionOf(opcode).immediate;
  }
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
