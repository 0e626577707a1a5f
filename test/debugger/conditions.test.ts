/** Breakpoints with conditions and counts, and logpoints. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionAnswer } from "../../src/debugger/session/session.ts";
import { Driver } from "./a-session.ts";
import { lineOf, PATH, Shop } from "./shop.ts";

interface Breakpoint {
  readonly verified: boolean;
  readonly message?: string;
}

let shop: Shop;
let buy: `0x${string}`;
beforeAll(async () => {
  shop = await Shop.open();
  buy = await shop.call("buy", 5n, 1, "note");
});
afterAll(() => shop.node.close());

/** A session with one breakpoint, and what the client was answered. */
async function withBreakpoint(line: string, fields: object): Promise<readonly [Driver, Breakpoint | undefined]> {
  const driver = await Driver.at(shop, buy);
  const { breakpoints } = await driver.ask<{ breakpoints: readonly Breakpoint[] }>("setBreakpoints", {
    source: { path: `/home/user/${PATH}` },
    breakpoints: [{ line: lineOf(line), ...fields }],
  });
  return [driver, breakpoints[0]];
}

async function resultOf(driver: Driver, expression: string): Promise<string> {
  await driver.ask("stackTrace");
  return (await driver.ask<{ result: string }>("evaluate", { expression, frameId: 1 })).result;
}

/** The texts that an answer prints, and the reason of its stop. */
function shown(answer: SessionAnswer | undefined): readonly unknown[] {
  return (answer?.events ?? []).map(({ event, body }) =>
    event === "output" ? (body as { output: string }).output : (body as { reason?: string }).reason,
  );
}

describe("a condition", () => {
  // sum() runs its line for both parts: 5 * 3 at first, and then prices[1] = 4.
  it.each([
    ["i == 1", "1"],
    ["sum > 0 && i != 0", "1"],
    ["i == 7 || parts[1] == 4", "0"],
    ["!(i == 0)", "1"],
    ["sum >= 0x0f", "1"],
    ["last == 0 && isOpen == true", "0"],
    ["last > 0", undefined],
  ])("%s is asked each time that the line begins", async (condition, first) => {
    const [driver, breakpoint] = await withBreakpoint("sum", { condition });
    expect(breakpoint).toMatchObject({ verified: true });
    const reason = await driver.go("continue");
    if (first === undefined) expect(reason).not.toBe("breakpoint");
    else {
      expect(reason).toBe("breakpoint");
      expect(await resultOf(driver, "i")).toBe(first);
    }
  });

  it("compares state, addresses and texts", async () => {
    const [driver] = await withBreakpoint("price", {
      condition: `title == "Corner" && till != 0x0000000000000000000000000000000000000000 && isOpen`,
    });
    expect(await driver.go("continue")).toBe("breakpoint");
  });

  it("holds in both directions", async () => {
    const [driver] = await withBreakpoint("sum", { condition: "i == 0" });
    expect(await driver.go("continue")).toBe("breakpoint");
    expect(await driver.go("continue")).toContain("End of the transaction");
    expect(await driver.go("reverseContinue")).toBe("breakpoint");
    expect(await resultOf(driver, "i")).toBe("0");
  });

  it.each([
    ["i ==", "i == ends too early."],
    ["i # 3", '"# 3" is not understood in i # 3.'],
    ["(i == 3", "(i == 3 ends too early."],
  ])("that is not understood makes no breakpoint: %s", async (condition, message) => {
    expect((await withBreakpoint("sum", { condition }))[1]).toEqual({ verified: false, message });
  });

  it("with a name that no value has is passed, and says so", async () => {
    const [driver] = await withBreakpoint("price", { condition: "nobody == 3" });
    const [text, reason] = shown(await driver.session.answer("continue", {}));
    expect(text).toBe(
      `The breakpoint at line ${lineOf("price")} was passed: nobody: no local or state variable here has this name.\n`,
    );
    expect(reason).toBe("step");
  });
});

it.each([
  ["2", "1"],
  [">= 2", "1"],
  ["% 2", "1"],
  ["< 2", "0"],
])("a number of times %s counts how often the line began", async (hitCondition, first) => {
  const [driver] = await withBreakpoint("sum", { hitCondition });
  expect(await driver.go("continue")).toBe("breakpoint");
  expect(await resultOf(driver, "i")).toBe(first);
});

it("a logpoint prints values and does not halt", async () => {
  const [driver] = await withBreakpoint("sum", { logMessage: "part {i}, {parts[0]}: {sum}, {nothing}" });
  expect(shown(await driver.session.answer("continue", {}))).toEqual([
    "part 0, 15: 0, {nothing}\n",
    "part 1, 15: 15, {nothing}\n",
    "step",
  ]);
});

it("a logpoint prints where its condition holds", async () => {
  const [driver] = await withBreakpoint("sum", { condition: "i > 0", logMessage: "{i}" });
  expect(shown(await driver.session.answer("continue", {}))).toEqual(["1\n", "step"]);
});
