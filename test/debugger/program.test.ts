/** The steps of a transaction as lines and functions, held against the replayed machine. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { firstLine, move } from "../../src/debugger/program/motion.ts";
import { Program } from "../../src/debugger/program/program.ts";
import { fetchTransaction } from "../../src/debugger/recording/fetch-transaction.ts";
import type { DebuggedTransaction } from "../../src/debugger/recording/transaction.ts";
import { decodeData } from "../../src/primitives/bytes/hex.ts";
import { machineAt } from "../../src/tracer/inspect/machine-at.ts";
import { Shop } from "./shop.ts";

let shop: Shop;
let debugged: DebuggedTransaction;
let program: Program;
const FREE = { isBreakpoint: () => false, isHit: async () => false, haltAt: () => undefined };

beforeAll(async () => {
  shop = await Shop.open();
  const ask = (method: string, params: readonly unknown[]) => shop.node.provider.request({ method, params } as never);
  ({ debugged } = await fetchTransaction(decodeData(await shop.call("buy", 5n, 1, "note")), ask));
  program = new Program(debugged.transaction, debugged.contracts);
});
afterAll(() => shop.node.close());

it("counts as many stack items at each step as the machine has", () => {
  for (let step = 0; step < program.length; step += 7) {
    expect(program.heightAt(step)).toBe(machineAt(debugged.transaction, step).stack.length);
  }
});

it("puts each activation inside the one that called it, for as long as it runs", () => {
  const last = new Map<number, number>();
  for (let step = 0; step < program.length; step++) last.set(program.activationOf(step).index, step);
  for (const { index, parent, entry, depth } of program.activations) {
    if (parent === undefined) continue;
    expect(depth).toBe(parent.depth + 1);
    expect(entry).toBeGreaterThan(parent.entry);
    expect(last.get(index) ?? 0).toBeLessThan(last.get(parent.index) ?? 0);
  }
});

it("reaches every line that begins by stepping in, in order", async () => {
  const starts: number[] = [];
  for (let step = 0; step < program.length; step++) if (program.isLineStart(step)) starts.push(step);
  const reached: number[] = [];
  let at = firstLine(program);
  for (let reason = "step"; reason === "step"; ) {
    if (program.isLineStart(at)) reached.push(at);
    const arrival = await move(program, at, "in", FREE);
    at = arrival.step;
    reason = arrival.reason;
  }
  expect(reached).toEqual(starts);
});

it("steps back over what it has stepped over, from each line to the one before in its function or its caller", async () => {
  for (let step = 0; step < program.length; step++) {
    if (!program.isLineStart(step)) continue;
    const next = await move(program, step, "over", FREE);
    if (next.reason !== "step" || program.activationOf(next.step) !== program.activationOf(step)) continue;
    expect(await move(program, next.step, "back", FREE)).toEqual({ step, reason: "step" });
  }
});
