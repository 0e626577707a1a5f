/** The call stack at a step: functions and calls, the innermost first. */
import type { FoundContract } from "../../explain/source/contract-finder.ts";
import { functionTitle, type SourceFunction, type SourceRange } from "../../explain/source/source-file.ts";
import type { Place } from "../program/place.ts";
import type { Activation, Program } from "../program/program.ts";
import { functionAt } from "../values/local-values.ts";

/** A function or call that is active. */
export interface StackEntry {
  readonly activation: Activation;
  readonly title: string;
  /** The last step of the activation itself. */
  readonly step: number;
  /** The step before which its frame's machine is shown: for a frame that has made a call, the step of the call. */
  readonly machineStep: number;
  /** Undefined for code between functions: then only its disassembly can be shown. */
  readonly place: Place | undefined;
  /** The source of the step itself; undefined if it has none. */
  readonly range: SourceRange | undefined;
}

/** Entries without a function and without a line, which choose the function of a call, are left out. */
export function callStack(program: Program, step: number): readonly StackEntry[] {
  const top = program.activationOf(step);
  const placed = program.placedStep(step);
  const shown = program.placeOf(step) === undefined ? placed : step;
  const entries = [entryOf(program, top, { step, shown, machineStep: step, place: placeAt(program, placed) })];
  let machineStep = step;
  for (let called = top, { parent } = top; parent !== undefined; called = parent, { parent } = parent) {
    const { frame, site } = called;
    if (parent.frame !== frame) machineStep = frame.step;
    const place = placeAt(program, site) ?? startOf(parent);
    const last = site < 0 ? parent.entry : site;
    const at = { step: last, shown: site, machineStep, place };
    if (place !== undefined) entries.push(entryOf(program, parent, at, called));
  }
  return entries;
}

/** The first line of a function of which no line ran: the optimizer has inlined it. */
function startOf({ definition }: Activation): Place | undefined {
  if (definition === undefined) return undefined;
  const { file, start } = definition.range;
  return { source: file, line: file.positionOf(start).line };
}

function placeAt(program: Program, step: number): Place | undefined {
  return step < 0 ? undefined : program.placeOf(step);
}

function entryOf(
  program: Program,
  activation: Activation,
  at: Pick<StackEntry, "step" | "machineStep" | "place"> & { readonly shown: number },
  called?: Activation,
): StackEntry {
  const { shown, ...rest } = at;
  const { instructions } = activation.code.found?.code ?? {};
  const range = shown < 0 ? undefined : instructions?.get(program.pcOf(shown))?.range;
  // Shared code belongs to no line: the line before it may be in a modifier, which has ended.
  const own = instructions?.get(program.pcOf(at.step))?.range ?? range;
  return { activation, ...rest, range, title: titleOf(activation, own, called) };
}

/** True if a modifier makes a call; false if the function that has the modifier does. */
function calls({ contract }: FoundContract, modifier: SourceFunction, { definition }: Activation): boolean {
  return contract
    .calls()
    .callsOf(modifier)
    .some(({ callee }) => callee === definition);
}

/** `Vault.withdraw`; a library's function has the library's name, one outside of contracts none. */
function titleOf(activation: Activation, range: SourceRange | undefined, called: Activation | undefined): string {
  const { code } = activation;
  if (code.found === undefined) return code.name;
  const found = functionAt(activation, range);
  const isEnded =
    found?.kind === "modifier" &&
    called?.frame === activation.frame &&
    called.definition !== undefined &&
    !calls(code.found, found, called);
  const definition = isEnded ? activation.definition : found;
  // A state variable with a value and a getter: outside of the getter, the value is assigned.
  if (definition === undefined || (definition.kind === "getter" && activation.definition === undefined))
    return code.name;
  const { contract } = definition;
  const owner = contract?.kind === "library" ? contract.name : code.name;
  const title = contract === undefined ? functionTitle(definition) : `${owner}.${functionTitle(definition)}`;
  return activation.isCertain ? title : `${title} [approximate]`;
}
