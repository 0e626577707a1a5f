/** Limits of a run, which shares the event loop meanwhile. */
import { describe, expect } from "vitest";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import type { EventSink, SinkWants } from "../../../src/evm/event-sink.ts";
import { assemble } from "../../support/assembler.ts";
import { runCode } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { stepClock } from "../../support/stepping-clock.ts";

const ENDLESS = assemble("loop: @loop JUMP");
/** Hours of such a loop. */
const GAS = 10n ** 12n;

const HEARD: readonly (readonly [string, SinkWants | undefined])[] = [
  ["unheard", undefined],
  ["with its steps recorded", { steps: "recorded" }],
  ["with its steps told live", { steps: "live" }],
];

const sinkOf = (wants: SinkWants | undefined): Pick<EventSink, "wants"> | undefined => wants && { wants };

/** Counts the turns of the event loop until it is stopped. */
function countTurns(): { readonly turns: () => number; readonly stop: () => void } {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return {
    turns: () => turns,
    stop: () => {
      isOver = true;
    },
  };
}

describe.each(ENGINE_NAMES)("an endless loop (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(HEARD)("ends with its time, and lets everything else have its turn until then, %s", async (_name, wants) => {
    stepClock();
    const counted = countTurns();
    const sink = sinkOf(wants);
    const run = runCode({
      engine,
      code: ENDLESS,
      message: { gasLimit: GAS },
      limits: { timeoutMs: 200 },
      record: false,
      ...(sink && { sink }),
    });
    await expect(run).rejects.toMatchObject({ code: "EXECUTION_TIMEOUT" });
    counted.stop();
    expect(counted.turns()).toBeGreaterThan(0);
  });

  it.each(HEARD)("ends when its caller aborts, %s", async (_name, wants) => {
    const aborter = new AbortController();
    setTimeout(() => aborter.abort(new Error("enough")), 20);
    const sink = sinkOf(wants);
    const run = runCode({
      engine,
      code: ENDLESS,
      message: { gasLimit: GAS },
      limits: { signal: aborter.signal },
      record: false,
      ...(sink && { sink }),
    });
    await expect(run).rejects.toMatchObject({ code: "EXECUTION_ABORTED", cause: new Error("enough") });
  });

  it("lets another run end meanwhile", async () => {
    const aborter = new AbortController();
    const limits = { signal: aborter.signal };
    const endless = runCode({ engine, code: ENDLESS, message: { gasLimit: GAS }, limits, record: false });
    const { result } = await runCode({ engine, code: assemble("1 0 MSTORE 32 0 RETURN"), record: false });
    expect(result.error).toBeUndefined();
    aborter.abort();
    await expect(endless).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
  });
});
