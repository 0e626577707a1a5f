/**
 * Counts executions of the statements of one source file.
 *
 * An instruction belongs to the innermost statement whose range contains the instruction's. The count of a statement is
 * that of the first of its instructions in the code. The compiler copies modifiers into each function that uses them,
 * so the counts of all copies are added up.
 */
import {
  functionTitle,
  holds,
  type SourceBranch,
  type SourceFile,
  type SourceFunction,
  type SourceRange,
} from "../source/source-file.ts";
import type { BranchCoverage, FileCoverage, FunctionCoverage, LineCoverage } from "./file-coverage.ts";

/** A statement or a function header, with its counts. */
interface Counted {
  readonly range: SourceRange;
  readonly definition: SourceFunction;
  /** True if some code contains an instruction of it. */
  isMapped: boolean;
  times: number;
  /** True if an instruction ran that is its own. */
  hasRun: boolean;
  /** Count in the code that is being read. */
  here: number;
  isEntered: boolean;
}

/** The counts of one file. It lives for one report. */
export class FileCounts {
  readonly #file: SourceFile;
  readonly #statements: readonly Counted[];
  readonly #heads = new Map<SourceFunction, Counted>();
  /** Cache by range, because many instructions share one. */
  readonly #innermost = new Map<SourceRange, Counted | undefined>();
  /** Highest count of an instruction by range, over all codes. */
  readonly #ranges = new Map<SourceRange, number>();
  /** How often each `require` and `assert` was decided, by its place. */
  readonly #checks = new Map<string, { passed: number; failed: number }>();
  #last: Counted | undefined;

  constructor(file: SourceFile) {
    this.#file = file;
    const counted = (range: SourceRange, definition: SourceFunction): Counted => {
      return { range, definition, isMapped: false, times: 0, hasRun: false, here: 0, isEntered: false };
    };
    const bodies = file.functions.filter(({ body }) => body !== undefined);
    this.#statements = bodies.flatMap((definition) =>
      definition.code.statements.map((range) => counted(range, definition)),
    );
    for (const definition of bodies) {
      this.#heads.set(definition, counted(definition.range, definition));
      for (const { range, isCheck } of definition.code.branches) {
        if (isCheck) this.#checks.set(placeOf(range), { passed: 0, failed: 0 });
      }
    }
  }

  /** Notes that a code has an instruction with this range. */
  note(range: SourceRange): void {
    const counted = this.#find(range);
    if (counted !== undefined) counted.isMapped = true;
  }

  /**
   * Adds the count of the next instruction of the code that is being read.
   *
   * @param isOwn - false for an instruction that the optimizer may have moved, or shares with another function
   */
  add(range: SourceRange, times: number, isOwn: boolean): void {
    this.#ranges.set(range, Math.max(this.#ranges.get(range) ?? 0, times));
    const counted = this.#find(range);
    if (counted !== undefined && times > 0 && isOwn) counted.hasRun = true;
    if (counted !== undefined && counted !== this.#last) {
      const isCopied = counted.definition.kind === "modifier";
      if (!counted.isEntered) counted.here = times;
      else if (isCopied) counted.here += times;
      else counted.here = Math.max(counted.here, times);
      counted.isEntered = true;
    }
    this.#last = counted;
  }

  /** Adds what a conditional jump decided, which counts if it is that of a `require` or an `assert`. */
  addDecision(range: SourceRange, passed: number, failed: number): void {
    const check = this.#checks.get(placeOf(range));
    if (check === undefined) return;
    check.passed += passed;
    check.failed += failed;
  }

  /** Finishes the code that is being read. */
  endCode(): void {
    for (const counted of [...this.#statements, ...this.#heads.values()]) {
      counted.times += counted.here;
      counted.here = 0;
      counted.isEntered = false;
    }
    this.#last = undefined;
  }

  #find(range: SourceRange): Counted | undefined {
    if (this.#innermost.has(range)) return this.#innermost.get(range);
    // Statements are sorted so that inner ones come after those that contain them.
    const found = this.#statements.findLast((counted) => holds(counted.range, range)) ?? this.#headOf(range);
    this.#innermost.set(range, found);
    return found;
  }

  #headOf(range: SourceRange): Counted | undefined {
    const definition = this.#file.functionAt(range.start, range.end);
    return definition && this.#heads.get(definition);
  }

  coverage(): FileCoverage {
    return {
      path: this.#file.path,
      lines: this.#lines(),
      functions: Array.from(this.#heads.values(), (head) => this.#function(head)),
      branches: [...this.#heads.keys()]
        .flatMap(({ code }) => code.branches)
        .flatMap((branch, index) => this.#branch(branch, index)),
    };
  }

  #lines(): readonly LineCoverage[] {
    const lines = new Map<number, number>();
    const mapped = new Set(this.#statements.filter(({ isMapped }) => isMapped).map(({ definition }) => definition));
    for (const { range, definition, isMapped, times } of this.#statements) {
      // Two cases have no instruction. A single statement was optimized away: it is not a line to cover. A whole
      // function is in no contract: its lines are reported as not run.
      if (!isMapped && mapped.has(definition)) continue;
      const { line } = this.#file.positionOf(range.start);
      lines.set(line, Math.max(lines.get(line) ?? 0, times));
    }
    for (const { code } of this.#heads.keys()) {
      for (const block of code.blocks) this.#addBlock(block, lines);
    }
    return [...lines].map(([line, times]) => ({ line, times })).sort((left, right) => left.line - right.line);
  }

  /** A block runs as often as its first statement. */
  #addBlock(block: SourceRange, lines: Map<number, number>): void {
    const first = this.#statements.find(({ range }) => holds(block, range));
    const times = first && lines.get(this.#file.positionOf(first.range.start).line);
    const { line } = this.#file.positionOf(block.start);
    if (times !== undefined) lines.set(line, Math.max(lines.get(line) ?? 0, times));
  }

  #function(head: Counted): FunctionCoverage {
    const { range, definition } = head;
    const { contract } = definition;
    const isFirst = (counted: Counted): boolean => counted.definition === definition && counted.isMapped;
    const first = this.#statements.find(isFirst) ?? head;
    return {
      name: [contract?.name, functionTitle(definition)].filter((part) => part !== undefined).join("."),
      line: this.#file.positionOf(range.start).line,
      // Its first statement may have been merged with that of another function.
      times: first.hasRun ? first.times : 0,
    };
  }

  #branch({ range, arms }: SourceBranch, branch: number): readonly BranchCoverage[] {
    const { line } = this.#file.positionOf(range.start);
    const check = this.#checks.get(placeOf(range));
    if (check !== undefined) {
      return [
        { line, branch, arm: 0, times: check.passed },
        { line, branch, arm: 1, times: check.failed },
      ];
    }
    const [whenTrue, whenFalse] = arms.map((arm) => (arm === undefined ? undefined : this.#timesWithin(arm)));
    const condition = this.#find(range)?.times ?? 0;
    const missing = Math.max(0, condition - (whenTrue ?? 0));
    return [
      { line, branch, arm: 0, times: whenTrue ?? 0 },
      { line, branch, arm: 1, times: whenFalse ?? missing },
    ];
  }

  /** The count of an arm: that of its first statement, or for an expression, that of its instructions. */
  #timesWithin(arm: SourceRange): number {
    const first = this.#statements.find((counted) => counted.isMapped && holds(arm, counted.range));
    if (first !== undefined) return first.times;
    return Math.max(0, ...Array.from(this.#ranges, ([range, times]) => (holds(arm, range) ? times : 0)));
  }
}

function placeOf({ start, end }: SourceRange): string {
  return `${start}:${end}`;
}
