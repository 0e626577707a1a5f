/** Functions that are called by a jump that the source map marks as a call. */
import { holds, isSameRange, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import { type Activation, begun, equalTo, innermostOf, type OpenActivation, rangeOf, runningOf } from "./activation.ts";
import { hasSameBody } from "./equal-functions.ts";
import type { InlinedFunctions } from "./inlined-functions.ts";
import type { WalkedCode } from "./walked-code.ts";

/** Finds what the jumps of one frame call. */
export class CalledFunctions {
  readonly #code: WalkedCode;
  readonly #inlined: InlinedFunctions;
  readonly #hasRun: (definition: SourceFunction) => boolean;

  /** @param hasRun - true for functions of which code ran, be it only code that moves items */
  constructor(code: WalkedCode, inlined: InlinedFunctions, hasRun: (definition: SourceFunction) => boolean) {
    this.#code = code;
    this.#inlined = inlined;
    this.#hasRun = hasRun;
  }

  /** The active function, or the one that it is inlined in if only that one calls the function of the destination. */
  callerOf(stack: OpenActivation[], entry: MappedInstruction | undefined): OpenActivation {
    const { functions, graph } = this.#code;
    const named = functions.functionOf(entry?.range);
    if (named === undefined || entry?.range === undefined || !isSameRange(entry.range, named.range))
      return innermostOf(stack);
    const reaches = (isWanted: (reached: SourceFunction) => boolean): number =>
      stack.findLastIndex(
        ({ definition }) =>
          definition !== undefined &&
          definition !== named &&
          [...graph.reachedFrom(definition)].some((reached) => reached !== definition && isWanted(reached)),
      );
    const direct = reaches((reached) => reached === named);
    const depth = direct >= 0 ? direct : reaches((reached) => hasSameBody(reached, named));
    if (depth >= 0 && innermostOf(stack).definition !== named) stack.length = depth + 1;
    return innermostOf(stack);
  }

  /** The function that a call jump starts; the caller for a routine of the compiler. */
  calledBy(stack: OpenActivation[], site: MappedInstruction, entry: MappedInstruction | undefined): OpenActivation {
    const { functions, graph, outermost } = this.#code;
    const caller = innermostOf(stack);
    const { definition } = caller;
    const named = functions.functionOf(entry?.range);
    if (named === undefined || entry?.range === undefined || !isSameRange(entry.range, named.range)) return caller;
    const isBase = caller.caller === undefined;
    if (isBase || definition === undefined) {
      const first = outermost ?? named;
      return begun(first, caller, {
        isCertain: true,
        isInlined: false,
        mappedAs: first === named ? undefined : named,
      });
    }
    const modified =
      definition.kind === "modifier" ? (runningOf(caller, named) ?? this.#restOf(stack, named)) : undefined;
    if (modified !== undefined) return modified;
    const range = rangeOf(caller, site.range);
    const started = (called: SourceFunction): OpenActivation =>
      begun(called, caller, {
        site: range,
        isCertain: true,
        isInlined: false,
        mappedAs: called === named ? undefined : named,
      });
    const call = range && graph.callAt(definition, range);
    const callees = call === undefined ? [] : graph.calleesOf(definition, call);
    const called = callees.find((callee) => callee === named) ?? callees.find((callee) => hasSameBody(callee, named));
    if (called !== undefined) return started(called);
    if (this.#isDispatch(caller, range) && (named === definition || !graph.reachedFrom(definition).has(named))) {
      caller.mappedAs = named === definition ? undefined : named;
      caller.hasBegun = true;
      return caller;
    }
    const [only, ...others] = callees;
    if (only !== undefined && others.length === 0 && !graph.reachedFrom(only).has(named)) {
      // The jump may have the range of its last argument, a call that the optimizer has inlined and that has run.
      const isCalled = graph.callsOf(definition).some(({ callee }) => callee === named);
      const isArgument = only !== named && isCalled && this.#hasRun(only);
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
  #restOf(stack: OpenActivation[], named: SourceFunction): OpenActivation | undefined {
    const { graph } = this.#code;
    const { definition: modifier } = innermostOf(stack);
    for (let depth = stack.length - 2; depth >= 0; depth--) {
      const { definition } = stack[depth] as OpenActivation;
      const reached = definition === undefined ? [] : equalTo(named, graph.reachedFrom(definition));
      const able = reached.filter((each) => graph.callsOf(each).some(({ callee }) => callee === modifier));
      const [only, ...others] = able;
      if (only === undefined) continue;
      if (others.length > 0 || only === definition) return undefined;
      stack.length = depth + 1;
      return this.#jumpedTo(innermostOf(stack), only, undefined, only === named ? undefined : named);
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
    mappedAs?: SourceFunction,
  ): OpenActivation {
    const way = this.#inlined.way(caller, called, mappedAs);
    const last =
      way.at(-1) ?? begun(called, caller, { site, isSiteCertain: false, isCertain: false, isInlined: false, mappedAs });
    // With one call only on the way, the jump's own range is the better one.
    const isDirect = way.length === 1 && site !== undefined && last.caller?.definition !== undefined;
    const whole = last.caller?.definition?.range;
    const isWithin = isDirect && whole !== undefined && holds(whole, site) && !isSameRange(whole, site);
    return { ...last, isInlined: false, hasBegun: true, ...(isWithin && { site, isSiteCertain: true }) };
  }
}
