/**
 * The function that each instruction of a code has by the source map, and the blocks whose function is not certain: the
 * optimizer merges blocks with equal instructions, and keeps the ranges of one of them.
 */
import { isDup, isPush, isSwap, Op } from "../../../evm/opcodes.ts";
import { functionAround, isSameRange, type SourceFunction, type SourceRange, sourceText } from "../source-file.ts";
import type { MappedInstruction } from "../source-map.ts";
import type { CallGraph } from "./call-graph.ts";
import { findSelectorJumps, type MappedCode, type SelectorJump } from "./selector-jumps.ts";

const { JUMP, JUMPI, JUMPDEST, PUSH1, STOP, RETURN, REVERT, INVALID, SELFDESTRUCT } = Op;
/** Operations after which the next instruction does not run. */
const ENDS: ReadonlySet<number | undefined> = new Set([JUMP, STOP, RETURN, REVERT, INVALID, SELFDESTRUCT]);

/** Large constants are computed. */
const MOVES: ReadonlySet<number> = new Set([Op.POP, Op.NOT, Op.SHL, Op.SUB, JUMPDEST]);
/** True for operations that make or move an item. The optimizer shares constants, and the ends of routines. */
function isMove({ opcode, jump }: MappedInstruction): boolean {
  if (opcode === JUMP) return jump !== "into";
  return isPush(opcode) || isDup(opcode) || isSwap(opcode) || MOVES.has(opcode);
}

/** A name, a number, or a literal without spaces. */
const WORD = /^[\w.'"]*$/;
const LONGEST_WORD = 80;

/** Blocks by the program counter of their JUMPDEST. */
interface SharedBlocks {
  readonly all: ReadonlySet<number>;
  readonly foreign: ReadonlySet<number>;
  /** The functions that the blocks begin with. */
  readonly own: ReadonlyMap<number, SourceFunction>;
}

/** Blocks that lead to others by a number that they push, or because they stand before them. */
interface Ways {
  /** The functions of the code that leads to each block. */
  readonly functions: ReadonlyMap<number, ReadonlySet<SourceFunction>>;
  /** The functions that call each block by a jump. */
  readonly calls: ReadonlyMap<number, ReadonlySet<SourceFunction>>;
  /** The blocks that each block leads to, without those that it calls. */
  readonly next: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Made once for each code of a contract. */
export class CodeFunctions {
  readonly #code: MappedCode;
  readonly #graph: CallGraph;
  /** By range, since many instructions share one. */
  readonly #functions = new Map<SourceRange, SourceFunction | undefined>();
  /** Ranges of a name or a literal, by range. */
  readonly #words = new Map<SourceRange, boolean>();
  #shared: SharedBlocks | undefined;
  #jumps: readonly SelectorJump[] | undefined;
  #working: ReadonlyMap<number, SourceFunction> | undefined;
  #entries: ReadonlyMap<SourceFunction, readonly number[]> | undefined;

  /** @internal */
  constructor(code: MappedCode, graph: CallGraph) {
    this.#code = code;
    this.#graph = graph;
  }

  /** The instruction at a program counter. */
  at(pc: number): MappedInstruction | undefined {
    return this.#code.instructions.get(pc);
  }

  /** The innermost function around a range; undefined for code of no function. */
  functionOf(range: SourceRange | undefined): SourceFunction | undefined {
    if (range === undefined) return undefined;
    if (this.#functions.has(range)) return this.#functions.get(range);
    const definition = functionAround(range);
    this.#functions.set(range, definition);
    return definition;
  }

  /** Program counters of the JUMPDESTs at which a function begins: they have its whole range. */
  entriesOf(definition: SourceFunction): readonly number[] {
    this.#entries ??= this.#findEntries();
    return this.#entries.get(definition) ?? [];
  }

  #findEntries(): ReadonlyMap<SourceFunction, readonly number[]> {
    const entries = new Map<SourceFunction, number[]>();
    for (const { pc, opcode, range } of this.#code.instructions.values()) {
      const definition = opcode === JUMPDEST ? this.functionOf(range) : undefined;
      if (definition === undefined || range === undefined || !isSameRange(range, definition.range)) continue;
      entries.set(definition, [...(entries.get(definition) ?? []), pc]);
    }
    return entries;
  }

  /**
   * The function of the instruction at a program counter, if that does more than move an item, or comes just before one
   * of the same function that does.
   */
  workingAt(pc: number): SourceFunction | undefined {
    this.#working ??= this.#findWorking();
    return this.#working.get(pc);
  }

  #findWorking(): ReadonlyMap<number, SourceFunction> {
    const working = new Map<number, SourceFunction>();
    let next: SourceFunction | undefined;
    for (const instruction of [...this.#code.instructions.values()].reverse()) {
      const { pc, opcode, range } = instruction;
      const own = this.functionOf(range);
      if (opcode === JUMP) next = undefined;
      const isVariable = (opcode === Op.MLOAD || opcode === Op.MSTORE) && this.#isWord(range);
      if (!isMove(instruction) && !isVariable) next = own;
      if (own !== undefined && own === next) working.set(pc, own);
    }
    return working;
  }

  /** True for a name or a literal, whose value may be in memory and be read anywhere. */
  #isWord(range: SourceRange | undefined): boolean {
    if (range === undefined || range.end - range.start > LONGEST_WORD) return false;
    const known = this.#words.get(range) ?? WORD.test(sourceText(range));
    this.#words.set(range, known);
    return known;
  }

  /** The places of the jumps that a comparison with a selector decides, in the order of the code. */
  selectorJumps(): readonly SelectorJump[] {
    this.#jumps ??= findSelectorJumps(this.#code);
    return this.#jumps;
  }

  /** True if the source map's function of the block that begins at a JUMPDEST may not be the one that runs. */
  isShared(pc: number): boolean {
    this.#shared ??= this.#findShared();
    return this.#shared.all.has(pc);
  }

  /**
   * True if code of a function in the block that begins at a JUMPDEST may also be of a function that neither calls that one
   * nor is called by it.
   */
  isForeign(pc: number, definition: SourceFunction): boolean {
    this.#shared ??= this.#findShared();
    const own = this.#shared.own.get(pc);
    return this.#shared.foreign.has(pc) || (own !== undefined && this.#isApart(own, definition));
  }

  #findShared(): SharedBlocks {
    const { functions, calls, next } = this.#waysInto();
    const all = new Set<number>();
    const foreign = new Set<number>();
    const owners = new Map<number, SourceFunction>();
    const blocks = [...this.#code.instructions.values()];
    for (const [index, { opcode, pc }] of blocks.entries()) {
      if (opcode !== JUMPDEST) continue;
      const { own, end } = this.#block(blocks, index);
      if (own === undefined) continue;
      owners.set(pc, own);
      // Callers share nothing with a function that they call by a jump.
      const merged = [...(calls.get(pc) ?? [])].filter((caller) => !this.#calls(caller, own));
      const from = new Set([...(functions.get(pc) ?? []), ...merged]);
      const others = [...from].filter((each) => each !== own);
      // Code that a caller and its inlined callee share has the range of either.
      const isMixed = from.has(own) && others.some((other) => this.#calls(other, own) && !this.#calls(own, other));
      const isForeign = others.some((other) => this.#isApart(other, own));
      if (isForeign) foreign.add(pc);
      if (isForeign || isMixed || (isFailure(end) && from.size > 1)) all.add(pc);
    }
    // The rest of a function whose beginning is shared is shared as well.
    for (const pc of foreign) {
      const own = owners.get(pc);
      for (const after of next.get(pc) ?? []) {
        const other = owners.get(after);
        if (own !== undefined && other !== undefined && !this.#isApart(own, other)) foreign.add(after);
      }
    }
    return { all, foreign, own: owners };
  }

  /** True if neither function calls the other. A creation runs all constructors, which no call in the source names. */
  #isApart(left: SourceFunction, right: SourceFunction): boolean {
    if (left.kind === "constructor" || right.kind === "constructor") return false;
    return !this.#calls(left, right) && !this.#calls(right, left);
  }

  /** The function of a block, and the operation that ends it. */
  #block(instructions: readonly MappedInstruction[], start: number): { own: SourceFunction | undefined; end: number } {
    let own: SourceFunction | undefined;
    for (let index = start; ; index++) {
      const instruction = instructions[index];
      if (instruction === undefined) return { own, end: STOP };
      own ??= this.functionOf(instruction.range);
      const isNext = index > start && instruction.opcode === JUMPDEST;
      if (isNext || ENDS.has(instruction.opcode) || instruction.opcode === JUMPI)
        return { own, end: instruction.opcode };
    }
  }

  #calls(caller: SourceFunction, callee: SourceFunction): boolean {
    return this.#graph.reachedFrom(caller).has(callee);
  }

  #waysInto(): Ways {
    const { instructions, template } = this.#code;
    const functions = new Map<number, Set<SourceFunction>>();
    const calls = new Map<number, Set<SourceFunction>>();
    const next = new Map<number, Set<number>>();
    const width = template.bytes.length < 0x100 ? 1 : 2;
    let block = 0;
    const add = (pc: number, range: SourceRange | undefined, isCall = false): void => {
      const definition = this.functionOf(range);
      if (!isCall) addTo(next, block, pc);
      if (definition !== undefined) addTo(isCall ? calls : functions, pc, definition);
    };
    let previous: MappedInstruction | undefined;
    for (const instruction of instructions.values()) {
      const { pc, opcode, range } = instruction;
      if (opcode === JUMPDEST && previous !== undefined && !ENDS.has(previous.opcode)) add(pc, previous.range);
      if (opcode === JUMPDEST) block = pc;
      if (opcode === PUSH1 + width - 1) {
        const value = template.bytes.subarray(pc + 1, pc + 1 + width).reduce((number, byte) => number * 256 + byte, 0);
        const isCall = instructions.get(pc + 1 + width)?.jump === "into";
        if (instructions.get(value)?.opcode === JUMPDEST) add(value, range, isCall);
      }
      previous = instruction;
    }
    return { functions, calls, next };
  }
}

function addTo<Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

function isFailure(opcode: number): boolean {
  return opcode === REVERT || opcode === INVALID;
}
