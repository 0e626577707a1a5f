/**
 * The function that each instruction of a code has by the source map, and the blocks whose function is not certain: the
 * optimizer merges blocks with equal instructions, and keeps the ranges of one of them.
 */
import { Op } from "../../../evm/opcodes.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { SourceFunction, SourceRange } from "../source-file.ts";
import type { InstructionMap, MappedInstruction } from "../source-map.ts";
import type { CallGraph } from "./call-graph.ts";

const { JUMP, JUMPDEST, PUSH1, STOP, RETURN, REVERT, INVALID, SELFDESTRUCT } = Op;
/** Operations after which the next instruction does not run. */
const ENDS: ReadonlySet<number | undefined> = new Set([JUMP, STOP, RETURN, REVERT, INVALID, SELFDESTRUCT]);

/** A code with its source map. */
export interface MappedCode {
  readonly instructions: InstructionMap;
  readonly template: { readonly bytes: Bytes };
}

/** Made once for each code of a contract. */
export class CodeFunctions {
  readonly #code: MappedCode;
  readonly #graph: CallGraph;
  /** By range, since many instructions share one. */
  readonly #functions = new Map<SourceRange, SourceFunction | undefined>();
  #shared: ReadonlySet<number> | undefined;

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
    const definition = range.file.functionAt(range.start, range.end);
    this.#functions.set(range, definition);
    return definition;
  }

  /** True if the source map's function of the block that begins at a JUMPDEST may not be the one that runs. */
  isShared(pc: number): boolean {
    this.#shared ??= this.#findShared();
    return this.#shared.has(pc);
  }

  #findShared(): ReadonlySet<number> {
    const ways = this.#waysInto();
    const shared = new Set<number>();
    const blocks = [...this.#code.instructions.values()];
    for (const [index, { opcode, pc }] of blocks.entries()) {
      const from = opcode === JUMPDEST ? ways.get(pc) : undefined;
      if (from === undefined) continue;
      const { own, end } = this.#block(blocks, index);
      if (own === undefined || from.size === 0) continue;
      const others = [...from].filter((each) => each !== own);
      // Code that a caller and its inlined callee share has the range of either.
      const isMixed = from.has(own) && others.some((other) => this.#calls(other, own) && !this.#calls(own, other));
      const isForeign = others.some((other) => !this.#calls(other, own) && !this.#calls(own, other));
      if (isForeign || isMixed || (isFailure(end) && from.size > 1)) shared.add(pc);
    }
    return shared;
  }

  /** The function of a block, and the operation that ends it. */
  #block(instructions: readonly MappedInstruction[], start: number): { own: SourceFunction | undefined; end: number } {
    let own: SourceFunction | undefined;
    for (let index = start; ; index++) {
      const instruction = instructions[index];
      if (instruction === undefined) return { own, end: STOP };
      own ??= this.functionOf(instruction.range);
      const isNext = index > start && instruction.opcode === JUMPDEST;
      if (isNext || ENDS.has(instruction.opcode) || instruction.opcode === Op.JUMPI)
        return { own, end: instruction.opcode };
    }
  }

  #calls(caller: SourceFunction, callee: SourceFunction): boolean {
    return this.#graph.reachedFrom(caller).has(callee);
  }

  /** The functions of the code that leads to each JUMPDEST: that pushes its number, or stands before it. */
  #waysInto(): ReadonlyMap<number, ReadonlySet<SourceFunction>> {
    const { instructions, template } = this.#code;
    const ways = new Map<number, Set<SourceFunction>>();
    const width = template.bytes.length < 0x100 ? 1 : 2;
    const add = (pc: number, range: SourceRange | undefined): void => {
      const definition = this.functionOf(range);
      if (definition === undefined) return;
      const known = ways.get(pc);
      if (known === undefined) ways.set(pc, new Set([definition]));
      else known.add(definition);
    };
    let previous: MappedInstruction | undefined;
    for (const instruction of instructions.values()) {
      const { pc, opcode, range } = instruction;
      if (opcode === JUMPDEST && previous !== undefined && !ENDS.has(previous.opcode)) add(pc, previous.range);
      if (opcode === PUSH1 + width - 1) {
        const value = template.bytes.subarray(pc + 1, pc + 1 + width).reduce((number, byte) => number * 256 + byte, 0);
        if (instructions.get(value)?.opcode === JUMPDEST) add(value, range);
      }
      previous = instruction;
    }
    return ways;
  }
}

function isFailure(opcode: number): boolean {
  return opcode === REVERT || opcode === INVALID;
}
