/** Limits from flags, the environment and the configuration file. */
import { describe, expect, it } from "vitest";
import { type GivenValues, longFlag } from "../../../src/cli/flags/flags.ts";
import { LIMIT_FLAGS } from "../../../src/cli/flags/limits.ts";
import { parseCommandLine } from "../../../src/cli/options/command-line.ts";
import { readEnvironment } from "../../../src/cli/options/environment.ts";
import { toNodeOptions } from "../../../src/cli/options/node-options.ts";
import { toSettings } from "../../../src/cli/options/settings.ts";
import { createNode } from "../../../src/index.ts";

const NAMES = Object.keys(LIMIT_FLAGS) as (keyof typeof LIMIT_FLAGS)[];
/** Bytes: within the bounds of every limit. */
const VALUE = 2 ** 25;

const limits = (line: readonly string[], env: Record<string, string> = {}, file: GivenValues = {}) => {
  const request = parseCommandLine(line, "1.2.3");
  if (request.kind !== "run") throw new Error("nothing to run");
  return toNodeOptions(toSettings(request.values, readEnvironment(env), file), undefined).limits;
};

describe("limits", () => {
  it("are the library's if no flag is given", () => {
    expect(limits([])).toBeUndefined();
  });

  it.each(NAMES)("have a flag that the library takes: %s", async (name) => {
    const given = limits([longFlag(name), String(VALUE)]);
    expect(Object.entries(given ?? {}).map(([member, value]) => [member.replace(/Ms$/, ""), Number(value)])).toEqual([
      [name, VALUE],
    ]);
    await using node = await createNode({ limits: given ?? {}, accounts: 0 });
    expect(node.head.header.number).toBe(0n);
  });

  it("come from the environment and the configuration file too, the flag first", () => {
    const env = { HINDCAST_CALL_GAS_LIMIT: "7", HINDCAST_CALL_TIMEOUT: "8" };
    const file = { callGasLimit: 1n, callTimeout: 2, traceTimeout: 3 };
    expect(limits(["--call-gas-limit", "0x10"], env, file)).toEqual({
      ...{ callGasLimit: 16n, callTimeoutMs: 8, traceTimeoutMs: 3 },
    });
  });

  it("of memory have Anvil's flag", () => {
    expect(limits(["--memory-limit", "134217728"])).toEqual({ executionMemory: 134_217_728 });
  });

  it.each([
    ["--call-gas-limit", "-1", "a whole number from 0 to 2^256 - 1"],
    ["--call-timeout", "0", "a whole number from 1"],
    ["--call-timeout", "1.5", "a whole number from 1"],
    ["--memory-limit", "1000", "a whole number from 16777216 to 4294967296"],
    ["--execution-memory", "4294967297", "a whole number from 16777216 to 4294967296"],
    ["--state-file-bytes", "4294967297", "a whole number from 0 to 4294967296"],
    ["--concurrent-executions", "0", "a whole number from 1"],
  ])("%s refuses %s", (flag, value, shape) => {
    expect(() => limits([`${flag}=${value}`])).toThrow(`${flag}: expected ${shape}`);
  });

  it("answers Ganache's flag with the name here", () => {
    expect(() => limits(["--miner.callGasLimit", "5"])).toThrow("write --call-gas-limit");
  });
});
