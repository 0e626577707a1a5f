/**
 * The steps of a transaction as a debugger sees them: which function each belongs to, its line, and where a line begins.
 *
 * The functions are those of `explain/active`. Modifiers and the compiler's own routines belong to the function that uses
 * them. Code that the optimizer shares with a function that is not active belongs to no line.
 */
import { StepOutcome } from "../../evm/frames.ts";
import { instructionOf } from "../../evm/instructions.ts";
import type { Activation as ActiveFunction } from "../../explain/active/activation.ts";
import { FunctionWalk } from "../../explain/active/function-walk.ts";
import type { ContractFinder } from "../../explain/source/contract-finder.ts";
import type { SourceFunction } from "../../explain/source/source-file.ts";
import { walkedCode } from "../../explain/stack/called-function.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { StepTable } from "../../tracer/step-table.ts";
import type { RecordedTransaction } from "../recording/transaction.ts";
import { CodeTable, type DebuggedCode } from "./debugged-code.ts";
import { InstructionPlaces } from "./instruction-places.ts";
import type { Place } from "./place.ts";

/** One run of a function, or of the part of a call frame outside of functions. */
export interface Activation {
  readonly index: number;
  /** The one that called it; undefined for the outermost. */
  readonly parent: Activation | undefined;
  readonly depth: number;
  readonly frame: CallFrame;
  readonly code: DebuggedCode;
  /** Undefined outside of functions. */
  readonly definition: SourceFunction | undefined;
  /** False if the optimizer has inlined it, and another function may run instead. */
  readonly isCertain: boolean;
  /** Its first step, and the number of stack items before it. */
  readonly entry: number;
  readonly entryHeight: number;
  /** The last step of the caller that has a line; -1 if there is none. */
  readonly site: number;
}

interface OpenActivation extends Activation {
  lastPlace: number;
  lastStep: number;
  /** Position of the first instruction of the current line. */
  linePc: number;
}

/** A frame whose steps are being read. */
interface OpenFrame {
  readonly places: InstructionPlaces;
  /** Undefined for a code without source. */
  readonly walk: FunctionWalk | undefined;
  readonly base: OpenActivation;
  /** By the function that is active. */
  readonly activations: Map<ActiveFunction, OpenActivation>;
  top: OpenActivation;
  height: number;
}

/** Made once for each session; moving through it computes nothing again. */
export class Program {
  readonly codes: CodeTable;
  readonly length: number;
  readonly activations: Activation[] = [];
  readonly #steps: StepTable;
  readonly #places: Place[] = [];
  readonly #activation: Uint32Array;
  /** Index of the place plus one; 0 for none. */
  readonly #place: Uint32Array;
  readonly #heights: Uint16Array;
  readonly #starts: Uint8Array;

  constructor({ frames, steps }: RecordedTransaction, finder: ContractFinder) {
    this.codes = new CodeTable(finder);
    this.length = steps.length;
    this.#steps = steps;
    this.#activation = new Uint32Array(steps.length);
    this.#place = new Uint32Array(steps.length);
    this.#heights = new Uint16Array(steps.length);
    this.#starts = new Uint8Array(steps.length);
    const placesOf = new Map<DebuggedCode, InstructionPlaces>();
    const open: OpenFrame[] = [];
    for (const buffer of steps) {
      for (let row = 0; row < buffer.length; row++) {
        const frame = frames[buffer.frame(row)] as CallFrame;
        const step = buffer.first + row;
        const state = open[frame.index] ?? this.#open(frame, step, { open, placesOf });
        open[frame.index] = state;
        this.#read(state, step, { pc: buffer.pc(row), opcode: buffer.opcode(row) });
        if (buffer.outcome(row) === StepOutcome.done) apply(state, buffer.opcode(row));
      }
    }
  }

  activationOf(step: number): Activation {
    return this.activations[this.#activation[step] as number] as Activation;
  }

  /** The line that a step belongs to; undefined for code that belongs to none. */
  placeOf(step: number): Place | undefined {
    return this.#places[(this.#place[step] as number) - 1];
  }

  /** True for the first step of a line, in each run of that line. */
  isLineStart(step: number): boolean {
    return this.#starts[step] === 1;
  }

  /** How often the line of a step has begun, up to this step. */
  timesBegun(step: number): number {
    const place = this.#place[step];
    let times = 0;
    for (let at = 0; at <= step; at++) if (this.#starts[at] === 1 && this.#place[at] === place) times++;
    return times;
  }

  /** The last step that has a line; -1 if none has. */
  get lastPlaced(): number {
    return this.#place.findLastIndex((place) => place !== 0);
  }

  /** Position of a step's instruction in its code. */
  pcOf(step: number): number {
    const buffer = this.#steps.bufferOf(step);
    return buffer.pc(step - buffer.first);
  }

  /** Number of stack items before a step. */
  heightAt(step: number): number {
    return this.#heights[step] as number;
  }

  /** The last step up to this one, of the same activation, that has a line; -1 if there is none. */
  placedStep(step: number): number {
    const { index } = this.activationOf(step);
    for (let at = step; at >= 0; at--) {
      if (this.#activation[at] === index && this.#place[at] !== 0) return at;
    }
    return -1;
  }

  #open(
    frame: CallFrame,
    step: number,
    { open, placesOf }: { open: readonly OpenFrame[]; placesOf: Map<DebuggedCode, InstructionPlaces> },
  ): OpenFrame {
    const code = this.codes.of(frame);
    const places = placesOf.get(code) ?? new InstructionPlaces(code, this.#places);
    placesOf.set(code, places);
    const parent = open[frame.parent]?.top;
    const base = this.#activate({
      parent,
      frame,
      code,
      definition: undefined,
      isCertain: true,
      entry: step,
      entryHeight: 0,
    });
    const walk = code.found && new FunctionWalk(walkedCode(frame, code.found));
    return { places, walk, base, activations: new Map(), top: base, height: 0 };
  }

  #activate(fields: Omit<Activation, "index" | "depth" | "site" | "parent"> & { parent: OpenActivation | undefined }) {
    const { parent } = fields;
    const activation: OpenActivation = {
      ...fields,
      index: this.activations.length,
      depth: parent === undefined ? 0 : parent.depth + 1,
      site: parent?.lastStep ?? -1,
      lastPlace: 0,
      lastStep: -1,
      linePc: -1,
    };
    this.activations.push(activation);
    return activation;
  }

  #read(state: OpenFrame, step: number, { pc, opcode }: { pc: number; opcode: number }): void {
    const active = state.walk?.read(pc, opcode);
    const top = this.#activationIn(state, active, step);
    state.top = top;
    this.#activation[step] = top.index;
    this.#heights[step] = state.height;
    const place = state.walk?.isElsewhere === true ? 0 : state.places.placeAt(pc, active);
    if (place === 0) return;
    this.#place[step] = place;
    // A loop may have a single line, which begins again where its first instruction runs again.
    if (place !== top.lastPlace || pc === top.linePc) {
      this.#starts[step] = 1;
      top.linePc = pc;
    }
    top.lastPlace = place;
    top.lastStep = step;
  }

  /** The code that decodes arguments, and modifiers, belong to their caller. */
  #activationIn(state: OpenFrame, active: ActiveFunction | undefined, step: number, isCaller = false): OpenActivation {
    if (active?.definition === undefined) return state.base;
    const isInlined = isInlinedFunction(active);
    const isFirst = isCaller && active.caller?.definition === undefined;
    if (!active.hasBegun && !isInlined && !isFirst) return this.#activationIn(state, active.caller, step, isCaller);
    const known = state.activations.get(active);
    if (known !== undefined) return known;
    const parent = this.#activationIn(state, active.caller, step, isInlined);
    const { frame, code } = state.base;
    const { definition, isCertain } = active;
    const made = this.#activate({ parent, frame, code, definition, isCertain, entry: step, entryHeight: state.height });
    state.activations.set(active, made);
    return made;
  }
}

function isInlinedFunction({ isInlined, definition, caller }: ActiveFunction): boolean {
  return isInlined && definition?.kind !== "modifier" && caller?.definition !== undefined;
}

function apply(state: OpenFrame, opcode: number): void {
  const { pops, pushes } = instructionOf(opcode);
  state.height = Math.max(0, state.height + pushes - pops);
}
