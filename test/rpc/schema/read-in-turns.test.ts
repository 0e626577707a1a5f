/** Params that are read in turns are read as they are at once, for the largest requests of every method. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { describeMethods } from "../../../src/rpc/openrpc/document.ts";
import { EXAMPLE_ANSWERS } from "../../../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../../../src/rpc/registry.ts";
import { checkParams, checkParamsInTurns } from "../../../src/rpc/schema/check-params.ts";
import { worstRequests } from "../../campaign/worst-requests.ts";

const document = describeMethods({ methods, version: "test", answers: EXAMPLE_ANSWERS });
/** Other modes' names of a method have its schemas. What follows the block of these is read again by their service. */
const LEFT_OUT = /^(?:hardhat|ganache)_|^trace_(?:call|callMany|rawTransaction)$/;
const described = { ...document, methods: document.methods.filter(({ name }) => !LEFT_OUT.test(name)) };
const requests = [...worstRequests(described, { values: 800, characters: 500 })].filter(({ place }) =>
  place.endsWith("of many"),
);

const attempt = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};

async function compare(method: string, received: readonly unknown[]): Promise<void> {
  const known = methods.find(({ name }) => name === method)?.params ?? [];
  const inTurns = await checkParamsInTurns(known, received).catch((error: Error) => error.message);
  // The values themselves fill pages.
  const isSame = isDeepStrictEqual(
    inTurns,
    attempt(() => checkParams(known, received)),
  );
  expect({ method, isSame }).toEqual({ method, isSame: true });
}

/** The params with their last text, or the last name of an object, as another one. */
function damaged(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0) return value.with(-1, damaged(value.at(-1)));
  if (typeof value !== "object" || value === null) return "0xbad";
  const entries = Object.entries(value);
  const [name, last] = entries.pop() ?? ["none", "value"];
  return Object.fromEntries([...entries, [name, damaged(last)]]);
}

describe("params of many values", () => {
  it("are those of dozens of methods", () => {
    expect(new Set(requests.map(({ method }) => method)).size).toBeGreaterThan(30);
  });

  it("are read in turns as at once", async () => {
    for (const { method, params } of requests) if (method !== "anvil_reorg") await compare(method, params);
  });

  it("with a wrong value at the end have the same error", async () => {
    for (const { method, params } of requests.filter((_, index) => index % 5 === 0)) {
      // A call in the place of a signed transaction: in turns the error says where in the call.
      if (method === "anvil_reorg") continue;
      const longest = params.map((each) => JSON.stringify(each).length);
      const at = longest.indexOf(Math.max(...longest));
      const whole = params[at];
      if (typeof whole !== "object" || whole === null) continue;
      const list = Array.isArray(whole) ? whole : undefined;
      await compare(method, params.with(at, list === undefined ? damaged(whole) : list.with(-1, damaged(list.at(-1)))));
    }
  });

  it("with a wrong value beside the long list have the same error", async () => {
    const accessList = Array.from({ length: 1_000 }, () => ({ address: `0x${"11".repeat(20)}`, storageKeys: [] }));
    await compare("eth_call", [{ to: "0xbad", accessList }, "latest"]);
    await compare("eth_call", [{ accessList, ACCESSLIST: accessList, gas: 1 }, "latest"]);
    await compare("eth_call", [{ accessList, tp: "0x" }, "latest"]);
    await compare("eth_call", [{ accessList }, "latets"]);
    await compare("eth_call", [{ accessList }, "latest", {}, {}, "more"]);
    await compare("eth_call", [{ accessList, data: "0x01", input: "0x02" }]);
  });
});
