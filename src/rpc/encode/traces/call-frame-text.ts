/**
 * The tree of callTracer as text, frame by frame. The text equals `JSON.stringify` of {@link encodeCallFrame}'s value.
 *
 * A tree of a hundred thousand calls, written in one go, would block the event loop for a second.
 */

import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { Breaks } from "../../../primitives/platform/turns.ts";
import type { GethCallFrame } from "../../../tracer/formats/call-tracer.ts";
import type { Pause, Piece } from "../stream/text.ts";
import { encodeCallFrame, encodeCallLog } from "./call-frame.ts";

/**
 * A frame whose calls are being written. A stack of them replaces nested generators, because a tree may be a thousand
 * calls deep.
 */
interface Open {
  readonly frame: GethCallFrame;
  /** Number of its calls that are written. */
  written: number;
}

/** A frame and all calls below it. */
export function* callFrameText(root: GethCallFrame): Generator<Piece | Pause> {
  const breaks = new Breaks();
  yield headOf(root);
  const open: Open[] = [{ frame: root, written: 0 }];
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const turn = breaks.check();
    if (turn !== undefined) yield turn;
    const { frame, written } = current;
    const call = frame.calls?.[written];
    if (call === undefined) {
      open.pop();
      yield* tailOf(frame, breaks);
      continue;
    }
    current.written++;
    yield (written === 0 ? ',"calls":[' : ",") + headOf(call);
    open.push({ frame: call, written: 0 });
  }
}

/** The members before the calls. */
function headOf(frame: GethCallFrame): string {
  const { calls: _calls, logs: _logs, value: _value, ...rest } = frame;
  const { type: _type, ...members } = encodeCallFrame(rest);
  return JSON.stringify(members).slice(0, -1);
}

/** The end of the calls and the members after them. */
function* tailOf({ calls, logs, value, type }: GethCallFrame, breaks: Breaks): Generator<Piece | Pause> {
  if (calls !== undefined) yield calls.length === 0 ? ',"calls":[]' : "]";
  if (logs !== undefined) {
    yield ',"logs":[';
    for (const [index, log] of logs.entries()) {
      const turn = breaks.check();
      if (turn !== undefined) yield turn;
      yield (index === 0 ? "" : ",") + JSON.stringify(encodeCallLog(log));
    }
    yield "]";
  }
  yield `${value === undefined ? "" : `,"value":"${encodeQuantity(value)}"`},"type":${JSON.stringify(type)}}`;
}
