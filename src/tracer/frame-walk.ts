/** Visits the frames of a recording depth first, with each SELFDESTRUCT after all that its frame called. */
import type { SelfDestruct } from "../evm/event-sink.ts";
import type { CallFrame } from "./recording.ts";

/** A frame that begins, or the SELFDESTRUCT that ended it. */
export interface Visit {
  readonly frame: CallFrame;
  /** Undefined where the frame begins. */
  readonly selfDestruct: SelfDestruct | undefined;
  /** 0 for the outermost frame. A SELFDESTRUCT is one deeper than its frame. */
  readonly depth: number;
}

/**
 * The visits in their order.
 *
 * @param isHidden - true for frames that are left out, which have none below them; the outermost is never left out
 */
export function* visits(
  frames: readonly CallFrame[],
  isHidden?: (frame: CallFrame) => boolean,
): Generator<Visit, void, undefined> {
  const around: CallFrame[] = [];
  const isInside = (parent: number): boolean => around.length === 0 || around.at(-1)?.index === parent;
  // Frames are in the order in which they began.
  for (const frame of frames) {
    const { parent } = frame;
    if (parent >= 0 && isHidden?.(frame) === true) continue;
    while (!isInside(parent)) yield* endOf(around);
    yield { frame, selfDestruct: undefined, depth: around.length };
    around.push(frame);
  }
  while (around.length > 0) yield* endOf(around);
}

function* endOf(around: CallFrame[]): Generator<Visit, void, undefined> {
  const frame = around.pop() as CallFrame;
  const { selfDestruct } = frame;
  if (selfDestruct !== undefined) yield { frame, selfDestruct, depth: around.length + 1 };
}

/** Number of visits directly below a frame. */
export function countBelow(
  { children, selfDestruct }: CallFrame,
  frames: readonly CallFrame[],
  isHidden?: (frame: CallFrame) => boolean,
): number {
  let count = children.length + (selfDestruct === undefined ? 0 : 1);
  if (isHidden !== undefined) for (const child of children) if (isHidden(frames[child] as CallFrame)) count--;
  return count;
}
