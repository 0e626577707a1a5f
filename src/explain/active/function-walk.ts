/**
 * Decides which function of the source is active at each operation of a call frame. This is the one rule for stack
 * traces, gas profiles, storage changes and the debugger:
 *
 * 1. The function that the call data selects is active from the first instruction of any function on, after its selector
 *    was compared.
 * 2. A jump that the source map marks as a call starts the function that the source calls there. If the source map
 *    names another function at the destination, the optimizer has merged several functions with equal code.
 * 3. An instruction of another function than the active one starts that function, if the source's call graph leads to it
 *    from the active one: the optimizer has inlined the call. It ends with the first instruction of its caller. Not
 *    every compiler inlines every function (`Inlining`); one that it does not inline begins with its first instruction.
 * 4. An instruction belongs to the active function if it only makes or moves an item, if the call graph does not lead to
 *    its function, or if its block may be of several functions.
 * 5. A function is certain if its call was a marked jump. One that is inlined is certain if an instruction of it ran, or
 *    if all ways of calls to that one lead through it, and if no other function that could run instead has the same body.
 */
import { Op, startsFrame } from "../../evm/opcodes.ts";
import type { SourceFunction, SourceRange } from "../source/source-file.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import { type Activation, begun, innermostOf, isOf, modifiedBy, type OpenActivation, rangeOf } from "./activation.ts";
import { CalledFunctions } from "./called-functions.ts";
import { FunctionChoice } from "./function-choice.ts";
import { InlinedFunctions } from "./inlined-functions.ts";
import type { WalkedCode } from "./walked-code.ts";

interface CallJump {
  /** Program counter of the instruction after it, to which the function returns, unless the optimizer moved that code. */
  readonly next: number;
  /** True if it called a routine of the compiler, and no function. */
  readonly isRoutine: boolean;
  readonly range: SourceRange | undefined;
}

/** Greatest number of calls that have not returned. Optimized code may return without a marked jump. */
const MOST_CALLS = 512;

/** Reads the operations of one frame in order. */
export class FunctionWalk {
  readonly #code: WalkedCode;
  /** For each jump that was marked as a call: what it called, and what is inlined in that, the innermost last. */
  readonly #called: OpenActivation[][];
  /** For each of these jumps but the first. */
  readonly #jumps: CallJump[] = [];
  /** The jump before the next operation. */
  #jumped: MappedInstruction | undefined;
  #beyond = 0;
  /** False in a block that several functions share. */
  #isTrusted = true;
  /** Functions of which code ran, be it only code that moves items. */
  readonly #seen = new Set<SourceFunction>();
  #hasEntered = false;
  #isOwn = false;
  #isElsewhere = false;
  readonly #choice: FunctionChoice;
  readonly #inlined: InlinedFunctions;
  readonly #calls: CalledFunctions;

  constructor(code: WalkedCode) {
    this.#code = code;
    this.#choice = new FunctionChoice(code.functions.selectorJumps(), code.selector);
    this.#inlined = new InlinedFunctions(code.graph);
    this.#calls = new CalledFunctions(code, this.#inlined, (definition) => this.#seen.has(definition));
    this.#called = [[begun(undefined, undefined, { isCertain: true, isInlined: false })]];
  }

  /** The last call of a routine of the compiler, if no function was called after it; undefined if it has returned. */
  get routine(): SourceRange | undefined {
    const first = this.#jumps.findLastIndex(({ isRoutine }) => !isRoutine) + 1;
    const { functions } = this.#code;
    return this.#jumps.slice(first).findLast(({ range }) => functions.functionOf(range) !== undefined)?.range;
  }

  /** True after the first jump into code of the source. */
  get hasEntered(): boolean {
    return this.#hasEntered;
  }

  /**
   * True if the range of the last operation is that of the function that ran it: its block is not shared, and it did more
   * than move an item.
   */
  get isOwn(): boolean {
    return this.#isOwn;
  }

  /** True if the range of the last operation is that of a function that is not active: the optimizer shares its code. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** The function that is active at the next operation. */
  read(pc: number, opcode: number): Activation {
    const { functions } = this.#code;
    const instruction = functions.at(pc);
    if (this.#choice.isOpenAt(pc)) return this.#top;
    if (this.#jumped?.jump === "into") this.#enter(this.#jumped, instruction, opcode);
    else if (this.#jumped !== undefined) this.#leave(pc, this.#jumped.jump === "outOf");
    this.#jumped = undefined;
    if (opcode === Op.JUMPDEST) this.#isTrusted = !functions.isShared(pc);
    const working = functions.workingAt(pc);
    if (working !== undefined) this.#claim(working);
    else if (this.#code.isCreation) this.#leaveConstructor(instruction);
    const active = this.#top;
    this.#isOwn = working !== undefined && (this.#isTrusted || isOf(active, working));
    const claimed = functions.functionOf(instruction?.range);
    if (opcode === Op.JUMPDEST && claimed !== undefined && functions.entriesOf(claimed).includes(pc))
      this.#inlined.noteEntry(claimed);
    this.#isElsewhere = claimed !== undefined && !this.#mayBeIn(claimed);
    if (claimed !== undefined) this.#seen.add(claimed);
    if (claimed !== undefined && isOf(active, claimed)) active.last = rangeOf(active, instruction?.range);
    if (opcode === Op.JUMP) this.#jumped = instruction;
    return active;
  }

  /** True for functions that are active, and in code that is not shared, for those that they call. */
  #mayBeIn(claimed: SourceFunction): boolean {
    const { graph, isCreation } = this.#code;
    const { definition } = this.#top;
    if (definition === undefined || this.#stack.some((each) => isOf(each, claimed))) return true;
    return this.#isTrusted && (isCreation || graph.reachedFrom(definition).has(claimed));
  }

  get #stack(): OpenActivation[] {
    return this.#called.at(-1) as OpenActivation[];
  }

  get #top(): OpenActivation {
    return innermostOf(this.#stack);
  }

  /** A jump that was no call. It returns if it comes to the code after a call, or if it is marked as a return. */
  #leave(pc: number, isMarked: boolean): void {
    const depth = this.#jumps.findLastIndex(({ next }) => next === pc);
    if (isMarked && this.#beyond > 0) this.#beyond--;
    else if (depth >= 0) this.#return(depth);
    else if (isMarked && this.#jumps.length > 0) this.#return(this.#jumps.length - 1);
  }

  #return(depth: number): void {
    for (const [called] of this.#called.slice(depth + 1)) this.#inlined.noteReturn(called);
    const [ended] = this.#called[depth + 1] ?? [];
    // The outermost function goes back to the code that encodes its results.
    if (ended?.isInlined && this.#jumps[depth]?.isRoutine === false) ended.hasBegun = false;
    this.#jumps.length = depth;
    this.#called.length = depth + 1;
  }

  /** An instruction has a range in a function: that one is active, or has ended, or begins, or its code is shared. */
  #claim(claimed: SourceFunction): void {
    const stack = this.#stack;
    if (isOf(this.#top, claimed) || !this.#isTrusted) return;
    this.#endModifier(claimed);
    if (isOf(this.#top, claimed)) return;
    const depth = stack.findLastIndex((each) => isOf(each, claimed));
    if (depth >= 0) stack.length = depth + 1;
    else if (this.#top.definition === undefined) this.#begin(claimed);
    else if (!this.#inlined.inline(stack, claimed) && !this.#inlined.inlineEqual(stack, claimed))
      this.#beginConstructor(claimed);
  }

  /** By way of Yul a modifier is called by a jump, and the rest of its function may be inlined in it. */
  #endModifier(running: SourceFunction): void {
    const [base] = this.#stack;
    const modified = base && modifiedBy(this.#code.graph, base, running);
    if (modified !== undefined && !this.#stack.includes(modified)) this.#stack.push(modified);
  }

  /** The first instruction of any function, at the beginning of the frame. */
  #begin(claimed: SourceFunction): void {
    const { graph, outermost, isCreation } = this.#code;
    // Without a function to run, code with ranges of functions is that which looks for one.
    if (outermost === undefined && !isCreation) return;
    // A creation may begin with the constructor of a base, which no call of its own constructor names.
    const isFirst = outermost !== undefined && (!isCreation || graph.reachedFrom(outermost).has(claimed));
    const first = isFirst ? outermost : claimed;
    this.#stack.push(begun(first, this.#top, { isCertain: true, isInlined: true }));
    if (claimed !== first) this.#claim(claimed);
  }

  /** A creation runs the constructors of all bases, which no call in the source names. */
  #beginConstructor(claimed: SourceFunction): void {
    if (!this.#code.isCreation || this.#called.length > 1 || claimed.kind !== "constructor") return;
    this.#stack.length = 1;
    this.#stack.push(begun(claimed, this.#top, { isCertain: true, isInlined: true }));
  }

  /** An initial value of a state variable has a range of its own, outside of functions. */
  #leaveConstructor({ opcode, range }: Partial<MappedInstruction> = {}): void {
    if (opcode === undefined || !(startsFrame(opcode) || opcode === Op.SSTORE) || this.#called.length > 1) return;
    const { functions, graph } = this.#code;
    const isInitial = range !== undefined && functions.functionOf(range) === undefined && !graph.isWholeContract(range);
    if (isInitial) this.#stack.length = 1;
  }

  /** A jump that the source map marks as a call has come to its destination. */
  #enter(site: MappedInstruction, entry: MappedInstruction | undefined, opcode: number): void {
    if (opcode !== Op.JUMPDEST) return;
    if (entry?.range !== undefined) this.#hasEntered = true;
    if (this.#called.length >= MOST_CALLS) {
      this.#beyond++;
      return;
    }
    const named = this.#code.functions.functionOf(entry?.range);
    if (named !== undefined) this.#endModifier(named);
    const caller = this.#calls.callerOf(this.#stack, entry);
    const { hasBegun } = caller;
    const called = this.#calls.calledBy(this.#stack, site, entry);
    const isRoutine = called === caller && hasBegun === caller.hasBegun;
    this.#called.push([called]);
    this.#jumps.push({ next: site.pc + 1, isRoutine, range: rangeOf(caller, site.range) });
  }
}
