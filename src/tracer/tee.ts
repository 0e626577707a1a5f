/** Several sinks on one transaction: each hears what it wants, as if it were alone. */
import type { EventSink, SinkWants } from "../evm/event-sink.ts";
import { type Bytes, equalBytes } from "../primitives/bytes.ts";

type FrameEvents = Pick<EventSink, "enterFrame" | "exitFrame" | "refuseFrame" | "selfDestruct">;

/**
 * A sink that passes everything on to these. They share byte arrays and step buffers: a sink may keep them, not change
 * them.
 *
 * @throws {TypeError} for sinks that one run cannot serve: steps recorded and live, accesses done and attempted
 */
export function tee(...sinks: readonly EventSink[]): EventSink {
  const wants = unionOf(sinks.map((sink) => sink.wants));
  const framed = sinks.filter((sink) => sink.wants.frames !== undefined).map((sink) => framesOf(sink, wants));
  const logging = sinks.filter((sink) => sink.wants.logs === true);
  const accessing = sinks.filter((sink) => sink.wants.accesses !== undefined);
  const stepping = sinks.filter((sink) => sink.wants.steps !== undefined);
  return {
    wants,
    begin: (state) => {
      for (const sink of sinks) sink.begin?.(state);
    },
    enterFrame: (frame) => {
      for (const sink of framed) sink.enterFrame?.(frame);
    },
    exitFrame: (end) => {
      for (const sink of framed) sink.exitFrame?.(end);
    },
    refuseFrame: (frame, error) => {
      for (const sink of framed) sink.refuseFrame?.(frame, error);
    },
    selfDestruct: (event) => {
      for (const sink of framed) sink.selfDestruct?.(event);
    },
    log: (log) => {
      for (const sink of logging) sink.log?.(log);
    },
    accessAccount: (address) => {
      for (const sink of accessing) sink.accessAccount?.(address);
    },
    accessSlot: (address, slot) => {
      for (const sink of accessing) sink.accessSlot?.(address, slot);
    },
    takeSteps: (steps) => {
      const waits = stepping.map((sink) => sink.takeSteps?.(steps)).filter((taken) => taken !== undefined);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
    },
    beginStep: (step, outcome) => {
      for (const sink of stepping) sink.beginStep?.(step, outcome);
    },
    failStep: (step, outcome) => {
      for (const sink of stepping) sink.failStep?.(step, outcome);
    },
  };
}

function unionOf(wants: readonly SinkWants[]): SinkWants {
  const frames = wants.map((each) => each.frames).filter((each) => each !== undefined);
  const [first] = frames;
  const areTheSame = frames.every(
    (each) => each === first || (isAddress(each) && isAddress(first) && equalBytes(each, first)),
  );
  return {
    frames: areTheSame ? first : "all",
    logs: wants.some(({ logs }) => logs),
    accesses: onlyOne(wants.map(({ accesses }) => accesses)),
    steps: onlyOne(wants.map(({ steps }) => steps)),
    memory: wants.some(({ memory }) => memory),
  };
}

function isAddress(frames: SinkWants["frames"]): frames is Bytes {
  return frames instanceof Uint8Array;
}

function onlyOne<Value extends string>(values: readonly (Value | undefined)[]): Value | undefined {
  const [value, ...others] = new Set(values.filter((each) => each !== undefined));
  if (others.length > 0) throw new TypeError(`tee: one run cannot give ${value} and ${others.join()}`);
  return value;
}

/** What a sink hears of frames: those of its address alone, where the run tells of all. */
function framesOf(sink: EventSink, { frames: told }: SinkWants): FrameEvents {
  const { frames } = sink.wants;
  if (!isAddress(frames) || told !== "all") return sink;
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
