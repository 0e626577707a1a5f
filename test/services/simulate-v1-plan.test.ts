import { describe, expect, it } from "vitest";
import type { Header } from "../../src/chainspec/header/header.ts";
import { HindcastError } from "../../src/errors/hindcast-error.ts";
import { planBlocks, type RequestedBlock } from "../../src/services/simulate/simulate-v1/plan.ts";
import { saying } from "../support/saying.ts";

const base = { number: 100n, timestamp: 1_000n } as Header;
const block = (overrides: RequestedBlock["overrides"] = {}): RequestedBlock => ({ overrides, calls: [] });
const plan = (...blocks: RequestedBlock[]): [bigint, bigint][] =>
  planBlocks(base, blocks).map(({ number, timestamp }) => [number, timestamp]);

function failure(...blocks: RequestedBlock[]): { code: number; text: string } {
  try {
    plan(...blocks);
  } catch (error) {
    if (error instanceof HindcastError) return { code: error.rpcCode, text: error.rpcMessage };
  }
  throw new Error("planBlocks did not refuse");
}

describe("planBlocks", () => {
  it("numbers blocks on from the base, twelve seconds apart", () => {
    expect(plan(block(), block())).toEqual([
      [101n, 1_012n],
      [102n, 1_024n],
    ]);
  });

  it("goes on from what an override sets", () => {
    expect(plan(block({ timestamp: 1_001n }), block())).toEqual([
      [101n, 1_001n],
      [102n, 1_013n],
    ]);
  });

  it("fills a gap in the numbers with empty blocks before the one that made it", () => {
    const calls = [{}];
    const planned = planBlocks(base, [{ overrides: { number: 103n, timestamp: 1_100n }, calls }]);
    expect(planned.map(({ number, timestamp, calls: own }) => [number, timestamp, own.length])).toEqual([
      [101n, 1_012n, 0],
      [102n, 1_024n, 0],
      [103n, 1_100n, 1],
    ]);
  });

  it("does not hand overrides on to blocks that fill a gap", () => {
    const [filled] = planBlocks(base, [block({ number: 102n, baseFeePerGas: 7n })]);
    expect(filled?.overrides).toEqual({});
  });

  it.each([
    ["the base's number", [block({ number: 100n })], "block numbers must be in order: 100 <= 100"],
    ["a number before it", [block({ number: 99n })], "block numbers must be in order: 99 <= 100"],
    [
      "a number twice",
      [block({ number: 105n }), block({ number: 105n })],
      "block numbers must be in order: 105 <= 105",
    ],
  ])("refuses %s (-38020)", (_, blocks, text) => {
    expect(failure(...blocks)).toEqual({ code: -38020, text: saying(text) });
  });

  it.each([
    ["the base's time", [block({ timestamp: 1_000n })], "block timestamps must be in order: 1000 <= 1000"],
    ["a time before the default of the block before", [block(), block({ timestamp: 1_012n })], "1012 <= 1012"],
    ["a time before that of a block that fills the gap", [block({ number: 103n, timestamp: 1_020n })], "1020 <= 1024"],
  ])("refuses %s (-38021)", (_, blocks, text) => {
    const { code, text: told } = failure(...blocks);
    expect(code).toBe(-38021);
    expect(told).toContain(text);
  });

  it("takes 256 blocks and not one more, gaps included (-38026)", () => {
    expect(plan(block({ number: 356n }))).toHaveLength(256);
    expect(failure(block({ number: 357n }))).toEqual({ code: -38026, text: saying("too many blocks") });
    expect(failure(block({ number: 1n << 200n }))).toEqual({ code: -38026, text: saying("too many blocks") });
    expect(plan(...new Array<RequestedBlock>(256).fill(block()))).toHaveLength(256);
    expect(failure(...new Array<RequestedBlock>(257).fill(block()))).toEqual({
      code: -38026,
      text: saying("too many blocks"),
    });
  });

  it("refuses to plan nothing (-32602)", () => {
    expect(failure()).toEqual({ code: -32602, text: saying("empty input") });
  });
});
