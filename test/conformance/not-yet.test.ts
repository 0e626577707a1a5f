import { describe, expect, it } from "vitest";
import { ENGINE_NAMES as NAMES_IN_SOURCE } from "../../src/evm/engine.ts";
import { DEFAULT_ENGINE, ENGINE_NAMES } from "./engines.mjs";
import { listedCases } from "./not-yet.mjs";
import { isChosen } from "./state-tests/entries.mjs";

describe("listedCases", () => {
  const list = {
    "state-tests": {
      "*": { "contradicts EIP-1": ["a", "b"] },
      ethereumjs: { "a fault of it": ["c"], "another fault of it": ["d"] },
    },
    "rpc-compat": { "*": { "not built yet": ["e"] } },
  };

  it("has those of all engines and those of the engine", () => {
    expect(listedCases("state-tests", { engine: "ethereumjs" }, list)).toEqual(["a", "b", "c", "d"]);
    expect(listedCases("state-tests", { engine: DEFAULT_ENGINE }, list)).toEqual(["a", "b"]);
    expect(listedCases("rpc-compat", {}, list)).toEqual(["e"]);
    expect(listedCases("tracers", {}, list)).toEqual([]);
  });

  it("leaves out those that are not run", () => {
    const names = Array.from({ length: 100 }, (_, index) => `case ${index}`);
    const sampled = listedCases("s", { every: 10 }, { s: { "*": { reason: names } } });
    expect(sampled).toEqual(names.filter((name) => isChosen(name, 10)));
    expect(sampled.length).toBeGreaterThan(0);
  });

  it("reads the list of the repository", () => {
    for (const engine of ENGINE_NAMES) expect(listedCases("state-tests", { engine })).toEqual(expect.any(Array));
  });
});

it("knows the engines that there are", () => {
  expect(ENGINE_NAMES).toEqual(NAMES_IN_SOURCE);
  expect(ENGINE_NAMES).toContain(DEFAULT_ENGINE);
});
