/** Passes the events of one transaction to several sinks, each according to its own `wants`. */
import type { EventSink, SinkWants } from "../evm/event-sink.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";

/** Members of a sink that receive an event and return nothing. */
type Event = Exclude<keyof EventSink, "wants" | "size" | "takeSteps">;

/**
 * A sink that forwards to all of these. They share byte arrays and step buffers, which no sink may change.
 *
 * @throws {TypeError} for sinks that one run cannot serve: steps both recorded and live, accesses both done and
 * attempted
 */
export function tee(...sinks: readonly EventSink[]): EventSink {
  const wants = unionOf(sinks.map((sink) => sink.wants));
  const framed = sinks.filter((sink) => sink.wants.frames !== undefined).map((sink) => withFrames(sink, wants));
  const logging = sinks.filter((sink) => sink.wants.logs === true);
  const accessing = sinks.filter((sink) => sink.wants.accesses !== undefined);
  const stepping = sinks.filter((sink) => sink.wants.steps !== undefined);
  return {
    // A sink may want less from one transaction to the next.
    get wants() {
      return unionOf(sinks.map((sink) => sink.wants));
    },
    get size() {
      return sinks.reduce((sum, { size = 0 }) => sum + size, 0);
    },
    begin: passOn(sinks, "begin"),
    enterFrame: passOn(framed, "enterFrame"),
    exitFrame: passOn(framed, "exitFrame"),
    refuseFrame: passOn(framed, "refuseFrame"),
    selfDestruct: passOn(framed, "selfDestruct"),
    log: passOn(logging, "log"),
    accessAccount: passOn(accessing, "accessAccount"),
    accessSlot: passOn(accessing, "accessSlot"),
    beginStep: passOn(stepping, "beginStep"),
    failStep: passOn(stepping, "failStep"),
    takeSteps: (steps) => {
      const waits = stepping.map((sink) => sink.takeSteps?.(steps)).filter((taken) => taken !== undefined);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
    },
  };
}

function passOn<Name extends Event>(sinks: readonly Pick<EventSink, Name>[], name: Name) {
  return (...event: Parameters<NonNullable<EventSink[Name]>>): void => {
    for (const sink of sinks) (sink[name] as ((...event: unknown[]) => void) | undefined)?.apply(sink, event);
  };
}

function unionOf(wants: readonly SinkWants[]): SinkWants {
  const frames = unionOfFrames(wants.map((each) => each.frames));
  const data = unionOfFrames(wants.map((each) => each.data));
  return {
    frames,
    // An engine can watch one address only.
    data: isAddress(frames) && data !== undefined ? frames : data,
    logs: wants.some(({ logs }) => logs),
    accesses: onlyOne(wants.map(({ accesses }) => accesses)),
    steps: onlyOne(wants.map(({ steps }) => steps)),
    memory: wants.some(({ memory }) => memory),
  };
}

/** All, unless all that name any name the same. */
function unionOfFrames<Frames extends SinkWants["data"]>(wanted: readonly Frames[]): Frames | "all" {
  const [first, ...others] = wanted.filter((each) => each !== undefined);
  const isSame = (other: Frames): boolean =>
    other === first || (isAddress(other) && isAddress(first) && equalBytes(other, first));
  return others.every(isSame) ? (first as Frames) : "all";
}

function isAddress(frames: SinkWants["data"]): frames is Bytes {
  return frames instanceof Uint8Array;
}

function onlyOne<Value extends string>(values: readonly (Value | undefined)[]): Value | undefined {
  const [value, ...others] = new Set(values.filter((each) => each !== undefined));
  if (others.length > 0) throw new TypeError(`tee: one run cannot give ${value} and ${others.join()}`);
  return value;
}

/**
 * The frame listener of a sink. If the sink wants the frames of one address but the run emits all, the others are
 * filtered out.
 */
function withFrames(sink: EventSink, { frames: wanted }: SinkWants): Pick<EventSink, Event> {
  const { frames } = sink.wants;
  if (!isAddress(frames) || wanted !== "all") return sink;
  const open: boolean[] = [];
  return {
    enterFrame: (frame) => {
      const isWanted = frame.to !== undefined && equalBytes(frame.to, frames);
      open.push(isWanted);
      if (isWanted) sink.enterFrame?.(frame);
    },
    exitFrame: (end) => {
      if (open.pop() === true) sink.exitFrame?.(end);
    },
    refuseFrame: (frame, error) => {
      if (frame.to !== undefined && equalBytes(frame.to, frames)) sink.refuseFrame?.(frame, error);
    },
  };
}
