/** Moves through the steps of a transaction, forwards and backwards. */
import type { Halt } from "./halts.ts";
import type { Program } from "./program.ts";

/** `back` goes to the line before in the same function, or to the line that called it. */
export type Motion = "in" | "over" | "out" | "back" | "continue" | "reverse";

/** Steps at which the user wants to halt on the way. */
export interface Stops {
  isBreakpoint(step: number): boolean;
  /** True if the conditions of the breakpoint at a step hold. Asked in the order of the motion. */
  isHit(step: number): Promise<boolean>;
  /** Undefined for a step without a halt, and for kinds that are switched off. */
  haltAt(step: number): Halt | undefined;
}

/** The step at which a motion ended, and the reason. */
export interface Arrival {
  readonly step: number;
  /** `end` and `start`: nothing else was found in that direction. */
  readonly reason: "step" | "breakpoint" | "halt" | "end" | "start";
}

/** Where a motion from a step ends. */
export async function move(program: Program, from: number, motion: Motion, stops: Stops): Promise<Arrival> {
  return search(program, { from, isBackward: isBackward(motion), stops }, lineTarget(program, from, motion));
}

/** As {@link move}, by single instructions. */
export async function moveByInstruction(
  program: Program,
  from: number,
  motion: Motion,
  stops: Stops,
): Promise<Arrival> {
  if (motion === "in" || motion === "back") {
    const step = motion === "in" ? from + 1 : from - 1;
    if (step < 0) return { step: 0, reason: "start" };
    return step < program.length ? { step, reason: "step" } : { step: from, reason: "end" };
  }
  if (motion !== "over" && motion !== "out") return move(program, from, motion, stops);
  const { depth, index } = program.activationOf(from);
  const isTarget = (step: number): boolean => {
    const at = program.activationOf(step);
    return at.depth < depth || (motion === "over" && at.index === index);
  };
  return search(program, { from, isBackward: false, stops }, isTarget);
}

/** The first line that has begun: where a session starts. 0 if there is no line. */
export function firstLine(program: Program): number {
  for (let step = 0; step < program.length; step++) if (program.isLineStart(step)) return step;
  return 0;
}

interface Search {
  readonly from: number;
  readonly isBackward: boolean;
  readonly stops: Stops;
}

async function search(
  program: Program,
  { from, isBackward, stops }: Search,
  isTarget: (step: number) => boolean,
): Promise<Arrival> {
  const direction = isBackward ? -1 : 1;
  for (let step = from + direction; step >= 0 && step < program.length; step += direction) {
    if (stops.haltAt(step) !== undefined) return { step, reason: "halt" };
    const isBreakpoint = program.isLineStart(step) && stops.isBreakpoint(step);
    if (isBreakpoint && (await stops.isHit(step))) return { step, reason: "breakpoint" };
    if (isTarget(step)) return { step, reason: "step" };
  }
  if (isBackward) return { step: Math.min(from, firstLine(program)), reason: "start" };
  return { step: Math.max(from, program.lastPlaced), reason: "end" };
}

function isBackward(motion: Motion): boolean {
  return motion === "back" || motion === "reverse";
}

/** True at the steps at which a motion by lines ends. It is asked about all steps on the way, in order. */
function lineTarget(program: Program, from: number, motion: Motion): (step: number) => boolean {
  const start = program.activationOf(from);
  // The activations around the first one are those that are less deep than all that were passed.
  let least = start.depth;
  const isCaller = (step: number): boolean => {
    const { depth } = program.activationOf(step);
    least = Math.min(least, depth);
    return depth === least && depth < start.depth;
  };
  const isOwn = (step: number): boolean => program.activationOf(step).index === start.index;
  switch (motion) {
    case "in":
      return (step) => (isCaller(step) ? program.placeOf(step) !== undefined : program.isLineStart(step));
    case "over":
      return (step) =>
        isCaller(step) ? program.placeOf(step) !== undefined : isOwn(step) && program.isLineStart(step);
    case "out":
      return (step) => isCaller(step) && program.placeOf(step) !== undefined;
    case "back": {
      const hasLines = program.placedStep(from) >= 0;
      return (step) => (!hasLines || isCaller(step) || isOwn(step)) && program.isLineStart(step);
    }
    default:
      return () => false;
  }
}
