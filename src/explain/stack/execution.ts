/** The execution of one call frame of a known contract: its own instructions in order, and the calls that they made. */
import { StepOutcome } from "../../evm/frames.ts";
import type { StepBuffer } from "../../evm/step-buffer.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { StepTable } from "../../tracer/step-table.ts";
import { type Activation, rangeOf } from "../active/activation.ts";
import { FunctionWalk } from "../active/function-walk.ts";
import type { WalkedCode } from "../active/walked-code.ts";
import { isSameRange, type SourceRange } from "../source/source-file.ts";
import type { InstructionMap, MappedInstruction } from "../source/source-map.ts";

/** The frames of a recording with its steps. */
export interface RecordedSteps {
  readonly frames: readonly CallFrame[];
  readonly steps: StepTable;
}

/** Operations between two breaks: some tenths of a millisecond. */
export const OPERATIONS_OF_STEP = 1_000;

/** Read from the recorded steps; nothing runs again. */
export class Execution {
  readonly frame: CallFrame;
  /** Frames that it started or tried to start, by the index of the operation. */
  readonly children = new Map<number, CallFrame>();
  readonly #activations: Activation[] = [];
  readonly #own: boolean[] = [];
  readonly #walk: FunctionWalk | undefined;
  readonly #steps: StepTable;
  readonly #instructions: InstructionMap;
  /** Index of each operation's step in the recording. */
  readonly #numbers: number[] = [];

  private constructor(
    frame: CallFrame,
    steps: StepTable,
    instructions: InstructionMap,
    walked: WalkedCode | undefined,
  ) {
    this.frame = frame;
    this.#steps = steps;
    this.#instructions = instructions;
    this.#walk = walked && new FunctionWalk(walked);
  }

  /**
   * Reads the operations of a frame.
   *
   * @param walked - the code with the function that begins it; undefined for a contract without source
   */
  static *read(
    frame: CallFrame,
    { frames, steps }: RecordedSteps,
    instructions: InstructionMap,
    walked?: WalkedCode | undefined,
  ): Steps<Execution> {
    const execution = new Execution(frame, steps, instructions, walked);
    const children = new Map(frame.children.map((index) => [frames[index]?.step, frames[index]]));
    for (let step = frame.step + 1; step < frame.stepEnd; ) {
      const child = children.size === 0 ? undefined : children.get(step);
      execution.#add(step, child);
      step = Math.max(step + 1, child?.stepEnd ?? 0);
      if (execution.length % OPERATIONS_OF_STEP === 0) yield;
    }
    return execution;
  }

  #add(step: number, child: CallFrame | undefined): void {
    if (child !== undefined) this.children.set(this.#numbers.length, child);
    this.#numbers.push(step);
    if (this.#walk !== undefined) this.#activations.push(this.#follow(this.#walk, this.#numbers.length - 1));
  }

  /** The function that is active at an operation; undefined without a source. */
  activation(index: number): Activation | undefined {
    return this.#activations[index];
  }

  /**
   * True for an operation whose range is that of the function that runs: its block is not shared, and it does more than
   * move an item.
   */
  isOwn(index: number): boolean {
    return this.#own[index] ?? false;
  }

  /** The call of a routine of the compiler in which the frame ended. */
  get routine(): SourceRange | undefined {
    return this.#walk?.routine;
  }

  /** True if a jump led into code of the source. */
  get hasEntered(): boolean {
    return this.#walk?.hasEntered ?? false;
  }

  /** Number of operations of this frame, without inner frames. */
  get length(): number {
    return this.#numbers.length;
  }

  /** The instruction of an operation; undefined if the source map has none, and for an index out of range. */
  at(index: number): MappedInstruction | undefined {
    const instruction = this.#read(index, (steps, row) => this.#instructions.get(steps.pc(row)));
    const activation = this.#activations[index];
    if (instruction?.range === undefined || activation?.mappedAs === undefined) return instruction;
    return { ...instruction, range: rangeOf(activation, instruction.range) };
  }

  opcode(index: number): number | undefined {
    return this.#read(index, (steps, row) => steps.opcode(row));
  }

  /** The item that an operation pushed; undefined if it pushed none. */
  word(index: number): bigint | undefined {
    return this.#read(index, (steps, row) => (steps.hasWord(row) ? steps.word(row) : undefined));
  }

  /** Gas that the frame had before an operation. */
  gas(index: number): number {
    return this.#read(index, (steps, row) => steps.gas(row)) ?? 0;
  }

  /** Gas charged for an operation, without the gas passed to a call. */
  cost(index: number): number {
    return this.#read(index, (steps, row) => steps.cost(row)) ?? 0;
  }

  /** True if the operation failed. */
  isBroken(index: number): boolean {
    return this.#read(index, (steps, row) => steps.outcome(row) !== StepOutcome.done) ?? true;
  }

  /** The range of the last operation up to an index whose range `accepts` accepts. */
  lastRange(index: number, accepts: (range: SourceRange) => boolean = () => true): SourceRange | undefined {
    for (let at = index; at >= 0; at--) {
      const range = this.at(at)?.range;
      if (range !== undefined && accepts(range)) return range;
    }
    return undefined;
  }

  /** True if all later operations belong to one place in the source, without a further call. */
  staysAt(range: SourceRange | undefined, from: number): boolean {
    if (range === undefined) return false;
    for (let index = from; index < this.length; index++) {
      if (this.children.has(index)) return false;
      const other = this.at(index)?.range;
      if (other !== undefined && !isSameRange(range, other)) return false;
    }
    return true;
  }

  /** True if an opcode is executed after an operation, without a call in between. */
  runsAfter(index: number, opcode: number): boolean {
    let runs = false;
    for (let at = index + 1; at < this.length; at++) {
      if (this.children.has(at)) return false;
      runs ||= this.opcode(at) === opcode;
    }
    return runs;
  }

  /** Index of the last operation with an opcode other than a call's; -1 if there is none. */
  lastIndexOf(opcode: number): number {
    for (let index = this.length - 1; index >= 0; index--) if (this.opcode(index) === opcode) return index;
    return -1;
  }

  /**
   * The recorded step of an operation.
   *
   * @throws {RangeError} past either end
   */
  stepAt(index: number): { readonly steps: StepBuffer; readonly row: number } {
    const number = this.#numbers[index];
    if (number === undefined) throw new RangeError(`Execution: there is no operation ${index}`);
    const steps = this.#steps.bufferOf(number);
    return { steps, row: number - steps.first };
  }

  #follow(walk: FunctionWalk, index: number): Activation {
    const { steps, row } = this.stepAt(index);
    const active = walk.read(steps.pc(row), steps.opcode(row));
    this.#own.push(walk.isOwn);
    return active;
  }

  #read<Value>(index: number, read: (steps: StepBuffer, row: number) => Value): Value | undefined {
    const number = this.#numbers[index];
    if (number === undefined) return undefined;
    const steps = this.#steps.bufferOf(number);
    return read(steps, number - steps.first);
  }
}
