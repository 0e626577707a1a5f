/** The limits that SECURITY.md lists, held against the code. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { longFlag, NAMES } from "../src/cli/flags/flags.ts";
import { DEFAULT_CACHE_BYTES } from "../src/node/options/cache-sizes.ts";
import { DEFAULT_LIMITS } from "../src/node/options/limits.ts";
import { FILE_JSON, STATE_JSON } from "../src/primitives/json/json-limits.ts";
import { FIXED_LIMITS } from "../src/rpc/fixed-limits.ts";
import { IPC_DEFAULTS, SERVER_DEFAULTS } from "../src/server/limits.ts";
import { DEFAULT_CALL_GAS_LIMIT } from "../src/services/simulate/call/simulation.ts";
import { DEFAULT_POOL_LIMITS } from "../src/txpool/tx-pool.ts";

const under = (prefix: string, members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}.${name}`, value]));

const { maxBatchLength, maxRequestValues, ...simulationAndEngine } = DEFAULT_LIMITS;

const limits: Readonly<Record<string, unknown>> = {
  ...FIXED_LIMITS,
  maxBodyBytes: SERVER_DEFAULTS.maxBodyBytes,
  maxRequestBytes: IPC_DEFAULTS.maxRequestBytes,
  "limits.callGasLimit": DEFAULT_CALL_GAS_LIMIT,
  ...under("limits", simulationAndEngine),
  ...under("poolLimits", DEFAULT_POOL_LIMITS),
  maxBatchLength,
  maxCacheBytes: DEFAULT_CACHE_BYTES,
  maxRequestValues,
};

it("every limit stands in SECURITY.md with its option and default, and nothing else does", () => {
  const paper = readFileSync(new URL("../SECURITY.md", import.meta.url), "utf8");
  const rows = [...paper.matchAll(/^\| .+ \| (.+) \| ([\d,]+) \|$/gm)].map(([, option = "", value = ""]) => [
    (option.split(", ")[0] ?? "").replace("fixed: ", "").replaceAll("`", ""),
    value.replaceAll(",", ""),
  ]);
  const expected = Object.entries(limits).map(([name, value]) => [name, String(value)]);
  expect(rows.sort()).toEqual(expected.sort());
});

it("the limits of a text are the same in all files, and those that two servers share are the same in both", () => {
  expect(STATE_JSON.length).toBe(FILE_JSON.length);
  const shared = Object.entries(IPC_DEFAULTS).filter(
    ([name, value]) => typeof value === "number" && name in SERVER_DEFAULTS,
  );
  expect(SERVER_DEFAULTS).toMatchObject(Object.fromEntries(shared));
});

it("every option of a limit is one of the library, and every flag one of the command", () => {
  const paper = readFileSync(new URL("../SECURITY.md", import.meta.url), "utf8");
  const options = [...paper.matchAll(/^\| .+ \| (.+) \| [\d,]+ \|$/gm)].flatMap(([, text = ""]) =>
    text.startsWith("fixed: ") ? [] : [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  const flags = new Set(NAMES.map((name) => longFlag(name)));
  const sources = ["options/options.ts", "options/check-options.ts"].map((file) =>
    readFileSync(new URL(`../src/node/${file}`, import.meta.url), "utf8"),
  );
  for (const option of options) {
    if (option.startsWith("--")) expect([...flags], option).toContain(option);
    else expect(sources.join("\n"), option).toMatch(new RegExp(`\\b${option.split(".").at(-1)}\\b`));
  }
  expect(options.length).toBeGreaterThan(15);
});
