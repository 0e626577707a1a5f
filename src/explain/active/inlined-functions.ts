/** Functions that the optimizer has inlined: an instruction of theirs runs without a jump into them. */
import type { CallGraph } from "../source/functions/call-graph.ts";
import type { SourceFunction } from "../source/source-file.ts";
import { type Activation, begun, equalTo, innermostOf, likelyWay, type OpenActivation, siteOf } from "./activation.ts";

/** Starts the inlined functions of one frame. */
export class InlinedFunctions {
  readonly #graph: CallGraph;
  /** Functions that jumps called and that have returned, with their callers. */
  readonly #returned = new Map<SourceFunction, Set<SourceFunction>>();
  /** Functions whose first instruction ran, be it after a jump that is not marked as a call, as those of old compilers. */
  readonly #entered = new Set<SourceFunction>();

  constructor(graph: CallGraph) {
    this.#graph = graph;
  }

  /** The frame has come to the first instruction of a function. */
  noteEntry(definition: SourceFunction): void {
    this.#entered.add(definition);
  }

  /** True if code of a function may run in that of a caller without a jump that is marked as a call. */
  #mayRunIn(caller: SourceFunction, callee: SourceFunction): boolean {
    const graph = this.#graph;
    return graph.inlinedIn(caller).has(callee) || (this.#entered.has(callee) && graph.reachedFrom(caller).has(callee));
  }

  /** Starts a function that the active one, or one that it is inlined in, calls. False if none does. */
  inline(stack: OpenActivation[], claimed: SourceFunction, mappedAs?: SourceFunction): boolean {
    const depth = stack.findLastIndex(
      ({ definition }) => definition !== undefined && this.#mayRunIn(definition, claimed),
    );
    if (depth < 0) return false;
    stack.length = depth + 1;
    stack.push(...this.way(innermostOf(stack), claimed, mappedAs));
    return true;
  }

  /** Finds the only function that runs, or may run, and has the same body as one that may not. False if there is none. */
  inlineEqual(stack: OpenActivation[], claimed: SourceFunction): boolean {
    for (let depth = stack.length - 1; depth >= 0; depth--) {
      const active = stack[depth] as OpenActivation;
      const { definition } = active;
      const [only, ...others] = definition === undefined ? [] : this.#equalIn(definition, claimed);
      if (only === undefined) continue;
      if (others.length > 0) return false;
      if (only !== definition) return this.inline(stack, only, claimed);
      stack.length = depth + 1;
      active.mappedAs = claimed;
      return true;
    }
    return false;
  }

  #equalIn(caller: SourceFunction, claimed: SourceFunction): readonly SourceFunction[] {
    return equalTo(claimed, this.#graph.reachedFrom(caller)).filter((each) => this.#mayRunIn(caller, each));
  }

  noteReturn({ definition, caller }: Partial<Activation> = {}): void {
    if (definition === undefined || caller?.definition === undefined || definition === caller.definition) return;
    const callers = this.#returned.get(definition) ?? new Set();
    this.#returned.set(definition, callers.add(caller.definition));
  }

  /** True if the only call of a function was a jump and has returned: code with its range is then that of another one. */
  #hasReturned({ definition: caller }: Activation, callee: SourceFunction): boolean {
    const returned = this.#returned.get(callee);
    if (caller === undefined || returned?.has(caller) !== true) return false;
    return this.#graph.callsOf(caller).filter((edge) => edge.callee === callee).length === 1;
  }

  /** The activations from a function to one that it calls, through others that are inlined. */
  way(from: OpenActivation, callee: SourceFunction, mappedAs?: SourceFunction): OpenActivation[] {
    const graph = this.#graph;
    const { definition } = from;
    if (definition === undefined) return [];
    const between = graph.waysBetween(definition, callee);
    const mayRun = (each: SourceFunction): boolean => this.#entered.has(each) || graph.mayBeInlined(each);
    const possible = between.filter((each) => each.slice(0, -1).every((edge) => mayRun(edge.callee)));
    const way = likelyWay(possible.length > 0 ? possible : between, from.last);
    const isOnly = equalTo(callee, graph.reachedFrom(definition)).length <= 1;
    const activations: OpenActivation[] = [];
    for (const [index, edge] of way.entries()) {
      const caller = activations.at(-1) ?? from;
      const isLast = index === way.length - 1;
      activations.push(
        begun(edge.callee, caller, {
          ...siteOf(graph, caller, edge),
          isCertain: isLast
            ? isOnly && !this.#hasReturned(caller, callee)
            : graph.isOnEveryWay(edge.callee, definition, callee),
          isInlined: true,
          mappedAs: isLast ? mappedAs : undefined,
        }),
      );
    }
    return activations;
  }
}
