/** The flags of limits: one for each member of the library's option, with its default. */
import { describe, expect, it } from "vitest";
import { LIMIT_FLAGS } from "../../../src/cli/flags/limits.ts";
import { DEFAULT_ENGINE_LIMITS } from "../../../src/engines/wasm/engine.ts";
import { DEFAULT_CALL_GAS_LIMIT, DEFAULT_SIMULATION_LIMITS } from "../../../src/services/simulate/call/simulation.ts";

/** Defaults by the option of the command. */
const DEFAULTS = Object.entries({
  callGasLimit: DEFAULT_CALL_GAS_LIMIT,
  traceFilterBlocks: "any number",
  ...DEFAULT_SIMULATION_LIMITS,
  ...DEFAULT_ENGINE_LIMITS,
}).map(([name, value]) => [name.replace(/Ms$/, ""), String(value)] as const);

describe("the flags of limits", () => {
  it("are one for each limit of the library", () => {
    expect(Object.keys(LIMIT_FLAGS).sort()).toEqual(DEFAULTS.map(([name]) => name).sort());
  });

  it.each(DEFAULTS)("have the library's default in the help: %s", (name, value) => {
    const { help } = LIMIT_FLAGS[name as keyof typeof LIMIT_FLAGS];
    expect(/\(default: ([^;)]+)/.exec(help)?.[1]).toBe(value);
  });
});
