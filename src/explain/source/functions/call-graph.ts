/** The functions that a contract's functions call, as its sources say. The optimizer may have removed a call's jump. */
import { isObject, type JsonObject, objectOf, textOf } from "../read/json-values.ts";
import {
  isSameRange,
  type SourceCall,
  type SourceContract,
  type SourceFile,
  type SourceFunction,
  type SourceRange,
} from "../source-file.ts";

/** One call of a function by another one. */
export interface CallEdge {
  readonly call: SourceCall;
  readonly callee: SourceFunction;
}

/** The calls that lead from one function to another, in order. */
export type Way = readonly CallEdge[];

/**
 * The functions whose calls the compiler may have replaced by their code. Without the optimizer that is none; modifiers have
 * no calls. Yul's optimizer, of `viaIR`, may inline any function; the other one, only functions without a jump inside
 * (solc's `Inliner`, from 0.8.2 on).
 */
export type Inlining = "none" | "straight" | "any";

/**
 * The inlining by settings of the compiler.
 *
 * @param settings - any function may be inlined if they are not known
 */
export function inliningBy(settings: unknown): Inlining {
  if (!isObject(settings) || settings.viaIR === true) return "any";
  const { optimizer } = settings;
  const { enabled, details } = objectOf(optimizer);
  return enabled === true || isObject(details) ? "straight" : "none";
}

/** Statements that contain jumps. */
const JUMPING = /^(?:if|for|while|do|try)\b/;

/** Most functions between a caller and a function that it calls through others. */
const LONGEST_WAY = 12;
/** Most ways that are compared. */
const MOST_WAYS = 64;

/** The calls within the code of one contract, which its inheritance decides. Each function is read once. */
export class CallGraph {
  readonly #lineage: readonly SourceContract[];
  readonly #functions = new Map<number, SourceFunction>();
  readonly #edges = new Map<SourceFunction, readonly CallEdge[]>();
  readonly #reached = new Map<SourceFunction, ReadonlySet<SourceFunction>>();
  readonly #inlined = new Map<SourceFunction, ReadonlySet<SourceFunction>>();
  readonly #straight = new Map<SourceFunction, boolean>();
  readonly #inlining: Inlining;
  readonly #ways = new Map<SourceFunction, Map<SourceFunction, readonly Way[]>>();
  /** Functions that code of the contract uses as values. */
  readonly #mentioned: readonly SourceFunction[];

  /**
   * @param lineage - the contract and its bases, the most derived first
   * @param files - the sources of its build
   * @internal
   */
  constructor(lineage: readonly SourceContract[], files: readonly SourceFile[], inlining: Inlining) {
    this.#lineage = lineage;
    this.#inlining = inlining;
    const functions = files.flatMap((file) => file.functions);
    for (const each of functions) this.#functions.set(each.id, each);
    // Contracts that this one does not derive from have no code in it; libraries may.
    const own = functions.filter(({ contract }) => contract?.kind !== "contract" || lineage.includes(contract));
    const mentioned = new Set(own.flatMap(({ code }) => code.mentions));
    this.#mentioned = own.filter(({ id }) => mentioned.has(id));
  }

  /** True for the range of the whole contract or of a base, which the compiler gives to routines of its own. */
  isWholeContract(range: SourceRange): boolean {
    return this.#lineage.some((contract) => isSameRange(contract.range, range));
  }

  /** True for a range in a state variable that has a slot: its initial value, which a creation writes. */
  isInitialValue({ file, start, end }: SourceRange): boolean {
    return this.#lineage.some(
      ({ range, variables }) => range.file === file && variables.some((variable) => holdsBytes(variable, start, end)),
    );
  }

  /** The functions that a call may run: one by its name, and for a variable each that is used as a value. */
  calleesOf(caller: SourceFunction, call: SourceCall): readonly SourceFunction[] {
    const named = this.#functions.get(call.callee);
    // Events, structs and built-in functions are `direct` and have no function here; a variable may hold any.
    if (named === undefined) return call.kind === "direct" ? [] : this.#mentioned;
    if (call.kind === "direct" || named.isPrivate || !this.#lineage.includes(named.contract as SourceContract)) {
      return [named];
    }
    const isSuper = call.kind === "super" && caller.contract !== undefined;
    const below = isSuper ? this.#lineage.indexOf(caller.contract) + 1 : 0;
    const overriding = this.#lineage
      .slice(below)
      .flatMap(({ functions }) => functions)
      .find((candidate) => isSameSignature(candidate, named) && candidate.body !== undefined);
    return [overriding ?? named];
  }

  /** The calls of a function and of its modifiers, in the order of the source. */
  callsOf(caller: SourceFunction): readonly CallEdge[] {
    const known = this.#edges.get(caller);
    if (known !== undefined) return known;
    const edges = [...caller.modifiers, ...caller.code.calls].flatMap((call) =>
      this.calleesOf(caller, call).map((callee) => ({ call, callee })),
    );
    this.#edges.set(caller, edges);
    return edges;
  }

  /** The call of a function that has a range; undefined if none has. */
  callAt(caller: SourceFunction, range: SourceCall["range"]): SourceCall | undefined {
    return caller.code.calls.find((call) => isSameRange(call.range, range));
  }

  /** A function, and the functions and modifiers that it calls, directly or through others. */
  reachedFrom(caller: SourceFunction): ReadonlySet<SourceFunction> {
    const known = this.#reached.get(caller);
    if (known !== undefined) return known;
    const reached = new Set([caller]);
    for (const each of reached) for (const { callee } of this.callsOf(each)) reached.add(callee);
    this.#reached.set(caller, reached);
    return reached;
  }

  /** The functions whose code may stand in that of a caller, directly or in one another, and the caller itself. */
  inlinedIn(caller: SourceFunction): ReadonlySet<SourceFunction> {
    if (this.#inlining === "any") return this.reachedFrom(caller);
    const known = this.#inlined.get(caller);
    if (known !== undefined) return known;
    const inlined = new Set([caller]);
    for (const each of inlined) {
      for (const { callee } of this.callsOf(each)) if (this.mayBeInlined(callee)) inlined.add(callee);
    }
    this.#inlined.set(caller, inlined);
    return inlined;
  }

  /** True for modifiers, and for functions whose calls the compiler may have replaced by their code. */
  mayBeInlined(definition: SourceFunction): boolean {
    if (definition.kind === "modifier" || this.#inlining === "any") return true;
    return this.#inlining === "straight" && this.#isStraight(definition);
  }

  /** True for a function without jumps, all of whose callees are such functions. */
  #isStraight(definition: SourceFunction): boolean {
    const known = this.#straight.get(definition);
    if (known !== undefined) return known;
    // A function that calls itself is none.
    this.#straight.set(definition, false);
    const { statements, branches } = definition.code;
    const isStraight =
      branches.length === 0 &&
      !statements.some(({ file, start, end }) => JUMPING.test(file.textOf(start, Math.min(end, start + 8)))) &&
      this.callsOf(definition).every(({ callee }) => this.#isStraight(callee));
    this.#straight.set(definition, isStraight);
    return isStraight;
  }

  /** True if all calls that lead from one function to another lead through a third one. */
  isOnEveryWay(between: SourceFunction, caller: SourceFunction, callee: SourceFunction): boolean {
    if (between === caller || between === callee) return true;
    const reached = new Set([caller]);
    for (const each of reached) {
      for (const edge of this.callsOf(each)) if (edge.callee !== between) reached.add(edge.callee);
    }
    return !reached.has(callee);
  }

  /** The ways of calls from one function to another, at most 64; empty if there is none. */
  waysBetween(caller: SourceFunction, callee: SourceFunction): readonly Way[] {
    const known = this.#ways.get(caller) ?? new Map<SourceFunction, readonly Way[]>();
    this.#ways.set(caller, known);
    const ways = known.get(callee) ?? this.#findWays(caller, callee);
    known.set(callee, ways);
    return ways;
  }

  #findWays(caller: SourceFunction, callee: SourceFunction): readonly Way[] {
    const ways: Way[] = [];
    const visit = (from: SourceFunction, way: Way, seen: ReadonlySet<SourceFunction>): void => {
      for (const edge of this.callsOf(from)) {
        if (ways.length >= MOST_WAYS) return;
        if (edge.callee === callee) ways.push([...way, edge]);
        else if (way.length < LONGEST_WAY && !seen.has(edge.callee) && this.reachedFrom(edge.callee).has(callee)) {
          visit(edge.callee, [...way, edge], new Set([...seen, edge.callee]));
        }
      }
    };
    visit(caller, [], new Set([caller]));
    return ways;
  }
}

function isSameSignature(left: SourceFunction, right: SourceFunction): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.parameterTypes.join(",") === right.parameterTypes.join(",")
  );
}

/** True if a node of the AST is around bytes of its file. */
function holdsBytes({ src }: JsonObject, start: number, end: number): boolean {
  const [first = 0, length = 0] = (textOf(src) ?? "").split(":").map(Number);
  return first <= start && end <= first + length;
}
