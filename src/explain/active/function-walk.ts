/**
 * Decides which function of the source is active at each operation of a call frame. This is the one rule for stack
 * traces, gas profiles, storage changes and the debugger:
 *
 * 1. The function that the call data selects is active from the first instruction of any function on, after its selector
 *    was compared.
 * 2. A jump that the source map marks as a call starts the function that the source calls there. If the source map
 *    names another function at the destination, the optimizer has kept one of several functions with equal code.
 * 3. An instruction of another function than the active one starts that function, if the source's call graph leads to it
 *    from the active one: the optimizer has inlined the call. It ends with the first instruction of its caller.
 * 4. An instruction belongs to the active function if it only makes or moves an item, if the call graph does not lead to
 *    its function, or if its block may be of several functions.
 * 5. A function is certain if its call was a marked jump. One that is inlined is certain if an instruction of it ran, or
 *    if all ways of calls to that one lead through it, and if no other function that could run instead has the same body.
 */
import { Op, startsFrame } from "../../evm/opcodes.ts";
import type { CallGraph } from "../source/functions/call-graph.ts";
import type { CodeFunctions } from "../source/functions/code-functions.ts";
import type { SelectorJump } from "../source/functions/selector-jumps.ts";
import { holds, isSameRange, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import {
  type Activation,
  equalTo,
  isOf,
  likelyWay,
  type OpenActivation,
  rangeOf,
  runningOf,
  siteOf,
} from "./activation.ts";
import { hasSameBody } from "./equal-functions.ts";

interface CallJump {
  /** Program counter of the instruction after it, to which the function returns, unless the optimizer moved that code. */
  readonly next: number;
  /** True if it called a routine of the compiler, and no function. */
  readonly isRoutine: boolean;
  readonly range: SourceRange | undefined;
}

/** The code of a frame, and the function that begins it. */
export interface WalkedCode {
  readonly functions: CodeFunctions;
  readonly graph: CallGraph;
  /** The function that the call data selects, or the constructor; undefined if there is none. */
  readonly outermost: SourceFunction | undefined;
  /** Undefined for a creation, and for call data that select no function. */
  readonly selector: bigint | undefined;
  readonly isCreation: boolean;
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
  /** Functions that jumps called and that have returned, with their callers. */
  readonly #returned = new Map<SourceFunction, Set<SourceFunction>>();
  #hasEntered = false;
  #isOwn = false;
  /** The comparisons with the selector that have not found it equal; undefined after one has, and if there is none. */
  #choices: ReadonlyMap<number, SelectorJump> | undefined;
  /** The last of them. */
  #choice: SelectorJump | undefined;

  constructor(code: WalkedCode) {
    this.#code = code;
    const choices = code.functions.selectorJumps().filter(({ value }) => value === code.selector);
    if (choices.length > 0) this.#choices = new Map(choices.map((choice) => [choice.pc, choice]));
    this.#called = [[this.#made(undefined, undefined, { isCertain: true, isInlined: false })]];
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

  /** The function that is active at the next operation. */
  read(pc: number, opcode: number): Activation {
    const { functions } = this.#code;
    const instruction = functions.at(pc);
    if (this.#isChoosing(pc)) return this.#top;
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
    if (claimed !== undefined) this.#seen.add(claimed);
    if (claimed !== undefined && isOf(active, claimed)) active.last = rangeOf(active, instruction?.range);
    if (opcode === Op.JUMP) this.#jumped = instruction;
    return active;
  }

  /** True before the function is chosen. The code for that may have ranges of functions that compute the same. */
  #isChoosing(pc: number): boolean {
    if (this.#choices === undefined) return false;
    const { pc: last = -1, isTakenIfEqual } = this.#choice ?? {};
    const isChosen = this.#choice !== undefined && (pc !== last + 1) === isTakenIfEqual;
    if (isChosen) this.#choices = undefined;
    this.#choice = this.#choices?.get(pc);
    return !isChosen;
  }

  get #stack(): OpenActivation[] {
    return this.#called.at(-1) as OpenActivation[];
  }

  get #top(): OpenActivation {
    return this.#stack.at(-1) as OpenActivation;
  }

  /** A jump that was no call. It returns if it comes to the code after a call, or if it is marked as a return. */
  #leave(pc: number, isMarked: boolean): void {
    const depth = this.#jumps.findLastIndex(({ next }) => next === pc);
    if (isMarked && this.#beyond > 0) this.#beyond--;
    else if (depth >= 0) this.#return(depth);
    else if (isMarked && this.#jumps.length > 0) this.#return(this.#jumps.length - 1);
  }

  #return(depth: number): void {
    for (const [called] of this.#called.slice(depth + 1)) this.#noteReturn(called);
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
    const depth = stack.findLastIndex((each) => isOf(each, claimed));
    if (depth >= 0) stack.length = depth + 1;
    else if (this.#top.definition === undefined) this.#begin(claimed);
    else if (!this.#inline(claimed) && !this.#inlineEqual(claimed)) this.#beginConstructor(claimed);
  }

  /** The first instruction of any function, at the beginning of the frame. */
  #begin(claimed: SourceFunction): void {
    const { graph, outermost, isCreation } = this.#code;
    // Without a function to run, code with ranges of functions is that which looks for one.
    if (outermost === undefined && !isCreation) return;
    // A creation may begin with the constructor of a base, which no call of its own constructor names.
    const isFirst = outermost !== undefined && (!isCreation || graph.reachedFrom(outermost).has(claimed));
    const first = isFirst ? outermost : claimed;
    this.#stack.push(this.#made(first, this.#top, { isCertain: true, isInlined: true }));
    if (claimed !== first) this.#claim(claimed);
  }

  /** A creation runs the constructors of all bases, which no call in the source names. */
  #beginConstructor(claimed: SourceFunction): void {
    if (!this.#code.isCreation || this.#called.length > 1 || claimed.kind !== "constructor") return;
    this.#stack.length = 1;
    this.#stack.push(this.#made(claimed, this.#top, { isCertain: true, isInlined: true }));
  }

  /** An initial value of a state variable has a range of its own, outside of functions. */
  #leaveConstructor({ opcode, range }: Partial<MappedInstruction> = {}): void {
    if (opcode === undefined || !(startsFrame(opcode) || opcode === Op.SSTORE) || this.#called.length > 1) return;
    const { functions, graph } = this.#code;
    const isInitial = range !== undefined && functions.functionOf(range) === undefined && !graph.isWholeContract(range);
    if (isInitial) this.#stack.length = 1;
  }

  /** Starts a function that the active one, or one that it is inlined in, calls. False if none does. */
  #inline(claimed: SourceFunction, kept?: SourceFunction): boolean {
    const { graph } = this.#code;
    const depth = this.#stack.findLastIndex(
      ({ definition }) => definition !== undefined && graph.reachedFrom(definition).has(claimed),
    );
    if (depth < 0) return false;
    this.#stack.length = depth + 1;
    this.#stack.push(...this.#way(this.#top, claimed, kept));
    return true;
  }

  /** Finds the only function that runs, or may run, and has the same body as one that may not. False if there is none. */
  #inlineEqual(claimed: SourceFunction): boolean {
    const { graph } = this.#code;
    const stack = this.#stack;
    for (let depth = stack.length - 1; depth >= 0; depth--) {
      const active = stack[depth] as OpenActivation;
      const { definition } = active;
      const [only, ...others] = definition === undefined ? [] : equalTo(claimed, graph.reachedFrom(definition));
      if (only === undefined) continue;
      if (others.length > 0) return false;
      if (only !== definition) return this.#inline(only, claimed);
      stack.length = depth + 1;
      active.kept = claimed;
      return true;
    }
    return false;
  }

  #noteReturn({ definition, caller }: Partial<Activation> = {}): void {
    if (definition === undefined || caller?.definition === undefined || definition === caller.definition) return;
    const callers = this.#returned.get(definition) ?? new Set();
    this.#returned.set(definition, callers.add(caller.definition));
  }

  /** True if the only call of a function was a jump and has returned: code with its range is then that of another one. */
  #hasReturned({ definition: caller }: Activation, callee: SourceFunction): boolean {
    const returned = this.#returned.get(callee);
    if (caller === undefined || returned?.has(caller) !== true) return false;
    return this.#code.graph.callsOf(caller).filter((edge) => edge.callee === callee).length === 1;
  }

  /** The activations from a function to one that it calls, through others that are inlined. */
  #way(from: OpenActivation, callee: SourceFunction, kept?: SourceFunction): OpenActivation[] {
    const { graph } = this.#code;
    const { definition } = from;
    if (definition === undefined) return [];
    const way = likelyWay(graph.waysBetween(definition, callee), from.last);
    const isOnly = equalTo(callee, graph.reachedFrom(definition)).length <= 1;
    const activations: OpenActivation[] = [];
    for (const [index, edge] of way.entries()) {
      const caller = activations.at(-1) ?? from;
      const isLast = index === way.length - 1;
      activations.push(
        this.#made(edge.callee, caller, {
          ...siteOf(graph, caller, edge),
          isCertain: isLast
            ? isOnly && !this.#hasReturned(caller, callee)
            : graph.isOnEveryWay(edge.callee, definition, callee),
          isInlined: true,
          kept: isLast ? kept : undefined,
        }),
      );
    }
    return activations;
  }

  #made(
    definition: SourceFunction | undefined,
    caller: Activation | undefined,
    how: Pick<Activation, "isCertain" | "isInlined"> & Partial<Activation>,
  ): OpenActivation {
    return {
      caller,
      definition,
      site: undefined,
      isSiteCertain: true,
      kept: undefined,
      hasBegun: !how.isInlined,
      last: undefined,
      ...how,
    };
  }

  /** A jump that the source map marks as a call has come to its destination. */
  #enter(site: MappedInstruction, entry: MappedInstruction | undefined, opcode: number): void {
    if (opcode !== Op.JUMPDEST) return;
    if (entry?.range !== undefined) this.#hasEntered = true;
    if (this.#called.length >= MOST_CALLS) {
      this.#beyond++;
      return;
    }
    const caller = this.#callerOf(entry);
    const { hasBegun } = caller;
    const called = this.#calledBy(caller, site, entry);
    const isRoutine = called === caller && hasBegun === caller.hasBegun;
    this.#called.push([called]);
    this.#jumps.push({ next: site.pc + 1, isRoutine, range: rangeOf(caller, site.range) });
  }

  /** The active function, or the one that it is inlined in if only that one calls the function of the destination. */
  #callerOf(entry: MappedInstruction | undefined): OpenActivation {
    const { functions, graph } = this.#code;
    const named = functions.functionOf(entry?.range);
    const stack = this.#stack;
    if (named === undefined || entry?.range === undefined || !isSameRange(entry.range, named.range)) return this.#top;
    const reaches = (isWanted: (reached: SourceFunction) => boolean): number =>
      stack.findLastIndex(
        ({ definition }) =>
          definition !== undefined &&
          definition !== named &&
          [...graph.reachedFrom(definition)].some((reached) => reached !== definition && isWanted(reached)),
      );
    const direct = reaches((reached) => reached === named);
    const depth = direct >= 0 ? direct : reaches((reached) => hasSameBody(reached, named));
    if (depth >= 0 && this.#top.definition !== named) stack.length = depth + 1;
    return this.#top;
  }

  /** The function that a call jump starts; the caller for a routine of the compiler. */
  #calledBy(caller: OpenActivation, site: MappedInstruction, entry: MappedInstruction | undefined): OpenActivation {
    const { functions, graph, outermost } = this.#code;
    const { definition } = caller;
    const named = functions.functionOf(entry?.range);
    if (named === undefined || entry?.range === undefined || !isSameRange(entry.range, named.range)) return caller;
    const isBase = caller.caller === undefined;
    if (isBase || definition === undefined) {
      const first = outermost ?? named;
      return this.#made(first, caller, {
        isCertain: true,
        isInlined: false,
        kept: first === named ? undefined : named,
      });
    }
    const modified =
      definition.kind === "modifier" ? (runningOf(caller, named) ?? this.#restOf(caller, named)) : undefined;
    if (modified !== undefined) return modified;
    const range = rangeOf(caller, site.range);
    const started = (called: SourceFunction): OpenActivation =>
      this.#made(called, caller, {
        site: range,
        isCertain: true,
        isInlined: false,
        kept: called === named ? undefined : named,
      });
    const call = range && graph.callAt(definition, range);
    const callees = call === undefined ? [] : graph.calleesOf(definition, call);
    const called = callees.find((callee) => callee === named) ?? callees.find((callee) => hasSameBody(callee, named));
    if (called !== undefined) return started(called);
    if (this.#isDispatch(caller, range) && (named === definition || !graph.reachedFrom(definition).has(named))) {
      caller.kept = named === definition ? undefined : named;
      caller.hasBegun = true;
      return caller;
    }
    const [only, ...others] = callees;
    if (only !== undefined && others.length === 0 && !graph.reachedFrom(only).has(named)) {
      // The jump may have the range of its last argument, a call that the optimizer has inlined and that has run.
      const isCalled = graph.callsOf(definition).some(({ callee }) => callee === named);
      const isArgument = only !== named && isCalled && this.#seen.has(only);
      if (!isArgument) return started(only);
    }
    // The compiler's own functions may have the range of the function that uses them.
    const isRecursive = graph.callsOf(named).some(({ callee }) => graph.reachedFrom(callee).has(named));
    if (named === definition && !isRecursive) return caller;
    const reached = graph.reachedFrom(definition);
    if (reached.has(named)) return this.#jumpedTo(caller, named, range);
    const [equal, ...more] = equalTo(named, reached);
    if (equal !== undefined && more.length === 0) return this.#jumpedTo(caller, equal, range, named);
    return { ...started(named), isCertain: false };
  }

  /** Starts the function that a modifier jumps to: the only one with the modifier and this body that may run. */
  #restOf({ definition: modifier }: Activation, named: SourceFunction): OpenActivation | undefined {
    const { graph } = this.#code;
    const stack = this.#stack;
    for (let depth = stack.length - 2; depth >= 0; depth--) {
      const { definition } = stack[depth] as OpenActivation;
      const reached = definition === undefined ? [] : equalTo(named, graph.reachedFrom(definition));
      const able = reached.filter((each) => graph.callsOf(each).some(({ callee }) => callee === modifier));
      const [only, ...others] = able;
      if (only === undefined) continue;
      if (others.length > 0 || only === definition) return undefined;
      stack.length = depth + 1;
      return this.#jumpedTo(this.#top, only, undefined, only === named ? undefined : named);
    }
    return undefined;
  }

  /** True for code that decodes the arguments of a function: it has the range of the function, and jumps to its body. */
  #isDispatch({ definition, site, hasBegun }: Activation, range: SourceRange | undefined): boolean {
    const isOutermost = definition !== undefined && definition === this.#code.outermost && site === undefined;
    return isOutermost && !hasBegun && (range === undefined || isSameRange(range, definition.range));
  }

  /** A function that was called by a jump, through functions that are inlined in the caller. */
  #jumpedTo(
    caller: OpenActivation,
    called: SourceFunction,
    site: SourceRange | undefined,
    kept?: SourceFunction,
  ): OpenActivation {
    const way = this.#way(caller, called, kept);
    const last =
      way.at(-1) ??
      this.#made(called, caller, { site, isSiteCertain: false, isCertain: false, isInlined: false, kept });
    // With one call only on the way, the jump's own range is the better one.
    const isDirect = way.length === 1 && site !== undefined && last.caller?.definition !== undefined;
    const whole = last.caller?.definition?.range;
    const isWithin = isDirect && whole !== undefined && holds(whole, site) && !isSameRange(whole, site);
    return { ...last, isInlined: false, hasBegun: true, ...(isWithin && { site, isSiteCertain: true }) };
  }
}
