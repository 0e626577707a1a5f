/** Several sinks on one run: what each hears. */
import { describe, expect, it } from "vitest";
import type { EventSink, SinkWants } from "../../src/evm/event-sink.ts";
import { StepWriter } from "../../src/evm/step-writer.ts";
import { Recorder } from "../../src/tracer/recorder.ts";
import { tee } from "../../src/tracer/tee.ts";
import { assemble, calling } from "../support/assembler.ts";
import { addressOf, runCode, TARGET } from "../support/evm.ts";
import { aFrameEnd, aFrameStart } from "../support/frame-events.ts";

const C = addressOf(0xcc);

/** A sink that lists the events it hears. */
function aListener(wants: SinkWants): EventSink & { readonly heard: string[] } {
  const heard: string[] = [];
  const note = (name: string) => (): void => void heard.push(name);
  return {
    wants,
    heard,
    begin: note("begin"),
    enterFrame: note("enterFrame"),
    exitFrame: note("exitFrame"),
    refuseFrame: note("refuseFrame"),
    selfDestruct: note("selfDestruct"),
    log: note("log"),
    accessAccount: note("accessAccount"),
    accessSlot: note("accessSlot"),
    takeSteps: note("takeSteps"),
    beginStep: note("beginStep"),
    failStep: note("failStep"),
  };
}

const CODE = assemble(`0 0 LOG0 1 SLOAD ${calling("CALL", C)} 0x${"dd".repeat(20)} SELFDESTRUCT`);
const ACCOUNTS = [
  { address: TARGET, code: CODE },
  { address: C, code: assemble("0 0 LOG0") },
];

async function run(sink: EventSink): Promise<void> {
  await runCode({ accounts: ACCOUNTS, sink });
}

describe("a tee", () => {
  it("wants what any of its sinks does", () => {
    const wants = (...each: SinkWants[]): SinkWants => tee(...each.map((one) => ({ wants: one }))).wants;
    expect(wants({}, {})).toEqual({ frames: undefined, logs: false, memory: false });
    expect(wants({ frames: "all" }, { logs: true }, { steps: "recorded", memory: true })).toMatchObject({
      frames: "all",
      logs: true,
      steps: "recorded",
      memory: true,
    });
    expect(wants({ accesses: "done" }, {}, { accesses: "done" }).accesses).toBe("done");
    expect(wants({ frames: C }, { frames: C.slice() }).frames).toEqual(C);
    expect(wants({ frames: C }, { frames: TARGET }).frames).toBe("all");
    expect(wants({ frames: C }, { frames: "all" }).frames).toBe("all");
    expect(wants({ frames: "all", data: "outermost" }, { frames: "all", data: "outermost" }).data).toBe("outermost");
    expect(wants({ frames: "all", data: "outermost" }, { frames: C, data: C }).data).toBe("all");
    expect(wants({ frames: "all" }, { frames: C, data: C })).toMatchObject({ frames: "all", data: C });
    expect(wants({ frames: C }, { frames: C, data: "all" })).toMatchObject({ frames: C, data: C });
  });

  it("refuses sinks that one run cannot serve", () => {
    const both = (left: SinkWants, right: SinkWants) => () => tee({ wants: left }, { wants: right });
    expect(both({ steps: "live" }, { steps: "recorded" })).toThrow("one run cannot give live and recorded");
    expect(both({ accesses: "done" }, { accesses: "attempted" })).toThrow("one run cannot give done and attempted");
  });

  it("lets each of them hear what it would hear alone", async () => {
    const all: SinkWants[] = [
      { frames: "all" },
      { frames: C },
      { logs: true },
      { accesses: "done" },
      { steps: "recorded" },
      {},
    ];
    const alone = all.map(aListener);
    for (const sink of alone) await run(sink);
    const together = all.map(aListener);
    await run(tee(...together));
    expect(together.map(({ heard }) => heard)).toEqual(alone.map(({ heard }) => heard));
    expect(together.map(({ heard }) => heard.length)).toEqual([6, 3, 3, 4, 2, 1]);
    const live = aListener({ steps: "live" });
    await run(tee(live, aListener({ frames: "all" })));
    expect(live.heard.filter((name) => name === "beginStep").length).toBeGreaterThan(10);
  });

  it("lets recorders record what they would record alone", async () => {
    const alone = new Recorder({ logs: true, accesses: true });
    await run(alone);
    const frames = new Recorder({ logs: true, accesses: true });
    const steps = new Recorder({ steps: true, memory: true });
    await run(tee(frames, steps, aListener({ frames: C })));
    expect(frames.accesses).toEqual(alone.accesses);
    expect(frames.frames.map(({ logs, to, error }) => [logs, to, error])).toEqual(
      alone.frames.map(({ logs, to, error }) => [logs, to, error]),
    );
    const { recorder } = await runCode({ accounts: ACCOUNTS });
    expect(steps.steps?.length).toBe(recorder.steps?.length);
    expect(steps.size).toBeGreaterThan(0);
    expect(tee(frames, steps, aListener({ frames: C })).size).toBe(frames.size + steps.size);
  });

  it("tells a sink of one address of that address alone, also in frames within frames", () => {
    const heard: unknown[] = [];
    const sink = tee(
      {
        wants: { frames: C },
        enterFrame: ({ depth }) => heard.push(["enter", depth]),
        exitFrame: ({ gasUsed }) => heard.push(["exit", gasUsed]),
        refuseFrame: (_frame, error) => heard.push(["refuse", error]),
      },
      { wants: { frames: "all" } },
    );
    sink.enterFrame?.(aFrameStart());
    sink.enterFrame?.(aFrameStart({ depth: 1, to: C }));
    sink.enterFrame?.(aFrameStart({ depth: 2, to: undefined }));
    sink.refuseFrame?.(aFrameStart({ depth: 3, to: C }), "callTooDeep");
    sink.refuseFrame?.(aFrameStart({ depth: 3 }), "callTooDeep");
    sink.exitFrame?.(aFrameEnd({ gasUsed: 1n }));
    sink.exitFrame?.(aFrameEnd({ gasUsed: 2n }));
    sink.exitFrame?.(aFrameEnd({ gasUsed: 3n }));
    expect(heard).toEqual([
      ["enter", 1],
      ["refuse", "callTooDeep"],
      ["exit", 2n],
    ]);
  });

  it("has the run wait for all that ask for it", async () => {
    const writer = new StepWriter();
    writer.begin({ pc: 0, opcode: 0, frame: 0, memoryBytes: 0, gas: 0, cost: 0, forwarded: 0, refund: 0 });
    const steps = writer.take();
    if (steps === undefined) throw new Error("nothing was written");
    const wants = { steps: "recorded" } as const;
    expect(tee({ wants }, { wants, takeSteps: () => undefined }).takeSteps?.(steps)).toBeUndefined();
    const goOn: (() => void)[] = [];
    const takeSteps = () => new Promise<void>((resolve) => void goOn.push(resolve));
    let isOver = false;
    const waiting = tee({ wants, takeSteps }, { wants, takeSteps }).takeSteps?.(steps);
    const over = Promise.resolve(waiting).then(() => {
      isOver = true;
    });
    for (const resolve of goOn) {
      await new Promise(setImmediate);
      expect(isOver).toBe(false);
      resolve();
    }
    await over;
    expect(goOn).toHaveLength(2);
  });
});
