import { expect, it, onTestFinished, vi } from "vitest";
import { nextTurn } from "../../src/primitives/platform/event-loop.ts";
import { ALICE, aNode, BOB } from "../support/a-node.ts";
import { stepClock } from "../support/stepping-clock.ts";

// As Vitest's were by default before its third version: of the clocks only that of dates stands still.
const FAKED = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate", "Date"];

it("a node answers while the timers of a test runner stand still, however long its work takes", async () => {
  const node = await aNode();
  const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
  const work = async (): Promise<void> => {
    const id = await ask("evm_snapshot");
    await ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
    await node.mine({ blocks: 300 });
    const traces = await ask("trace_callMany", [[{ from: ALICE, to: BOB }, ["trace"]]]);
    expect(traces).toMatchObject([{ trace: [{ type: "call" }] }]);
    expect(await ask("eth_getLogs", { fromBlock: "0x0" })).toEqual([]);
    expect(await ask("evm_revert", id)).toBe(true);
    expect(await ask("eth_blockNumber")).toBe("0x0");
  };
  const late = new Promise((_, reject) => void setTimeout(() => reject(new Error("it waits for a timer")), 10_000));
  vi.useFakeTimers({ toFake: FAKED as "setTimeout"[] });
  onTestFinished(() => void vi.useRealTimers());
  stepClock(6);
  await Promise.race([work(), late]);
});

it("a node mines by interval when the timers of a test runner are advanced, at the time of their clock", async () => {
  const node = await aNode({ clock: () => Math.floor(Date.now() / 1_000) });
  vi.useFakeTimers({ toFake: FAKED as "setTimeout"[] });
  onTestFinished(() => void vi.useRealTimers());
  await node.provider.send("evm_setIntervalMining", [5]);
  const before = node.head.header.timestamp;
  for (let seconds = 0; seconds < 30; seconds++) {
    await vi.advanceTimersByTimeAsync(1_000);
    // Mining needs turns of the event loop as well.
    await nextTurn();
  }
  await node.provider.send("evm_setIntervalMining", [0]);
  expect(node.head.header.number).toBe(6n);
  expect(node.head.header.timestamp - before).toBeGreaterThanOrEqual(29n);
});
