/** The limits that SECURITY.md lists, held against the code. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DEFAULT_ENGINE_LIMITS } from "../src/engines/wasm/engine.ts";
import { DEFAULT_MAX_BATCH_LENGTH } from "../src/node/rpc-endpoints.ts";
import { FILE_JSON, REQUEST_JSON, STATE_JSON } from "../src/primitives/json/json-limits.ts";
import { MAX_RATIO, SMALL_BYTES } from "../src/primitives/platform/compression.ts";
import { IPC_DEFAULTS } from "../src/server/sockets/start-ipc-server.ts";
import { SERVER_DEFAULTS } from "../src/server/start-server.ts";
import { DEFAULT_SIMULATION_LIMITS } from "../src/services/simulate/call/simulation.ts";
import { DEFAULT_POOL_LIMITS } from "../src/txpool/tx-pool.ts";

const under = (prefix: string, members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}.${name}`, value]));

const numbers = (members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => typeof value === "number" && name !== "port"));

const limits: Readonly<Record<string, unknown>> = {
  ...numbers(SERVER_DEFAULTS),
  ...numbers(IPC_DEFAULTS),
  ...under("limits", { ...DEFAULT_SIMULATION_LIMITS, ...DEFAULT_ENGINE_LIMITS }),
  ...under("poolLimits", DEFAULT_POOL_LIMITS),
  maxBatchLength: DEFAULT_MAX_BATCH_LENGTH,
  "request depth": REQUEST_JSON.depth,
  "request values": REQUEST_JSON.values,
  "state file depth": STATE_JSON.depth,
  "file values": FILE_JSON.values,
  "file depth": FILE_JSON.depth,
  "text length": FILE_JSON.length,
  ratio: MAX_RATIO,
  "small files": SMALL_BYTES,
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
