/** Each row of the table of dialects. */
import { describe, expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import { DIALECTS, type Dialect } from "../../../src/node/options/dialect.ts";
import { ProviderRpcError } from "../../../src/rpc/provider.ts";

const TO = `0x${"c0".repeat(20)}`;

/** Code of executions that halt, by the reason. */
const HALTS = {
  "out of gas": "0x5b600056",
  INVALID: "0xfe",
  "an undefined instruction": "0x0c",
  "a stack that is too short": "0x50",
  "a stack that is too long": "0x5b6001600056",
  "a jump to no JUMPDEST": "0x600056",
  "return data beyond its end": "0x6001600060003e",
};

/** The error of a request, as the provider throws it. */
async function errorOf(request: Promise<unknown>): Promise<ProviderRpcError> {
  const error = await request.then(
    (result) => new Error(`answered ${String(result)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderRpcError)) throw error;
  return error;
}

describe.each(Object.entries(HALTS))("the error of a halt: %s", (_reason, code) => {
  /** Errors of the call, of its estimate, of a transaction that is estimated first, and of one that is mined. */
  async function errors(dialect: Dialect | undefined): Promise<ProviderRpcError[]> {
    const options = dialect === undefined ? {} : { dialect };
    await using node = await createNode({ ...options, throwOnTransactionFailures: true });
    const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
    const [from] = (await ask("eth_accounts")) as string[];
    await ask("anvil_setCode", TO, code);
    const call = { from, to: TO };
    return [
      await errorOf(ask("eth_call", { ...call, gas: "0x186a0" }, "latest")),
      await errorOf(ask("eth_estimateGas", call)),
      await errorOf(ask("eth_sendTransaction", call)),
      await errorOf(ask("eth_sendTransaction", { ...call, gas: "0x186a0" })),
    ];
  }

  it.each(DIALECTS)("has the data that the client of %s sends", async (dialect) => {
    const data = { hindcast: undefined, anvil: undefined, hardhat: "0x", ganache: "0x" }[dialect];
    expect((await errors(dialect)).map((error) => error.data)).toEqual([data, data, data, data]);
  });

  it("has none by default, and the same message and number in every dialect", async () => {
    const shown = (found: ProviderRpcError[]) => found.map(({ code: number, message }) => [number, message]);
    const byDefault = await errors(undefined);
    expect(byDefault.map((error) => error.data)).toEqual([undefined, undefined, undefined, undefined]);
    for (const dialect of DIALECTS) expect(shown(await errors(dialect))).toEqual(shown(byDefault));
  });
});

it("a revert has its own data in every dialect, and so has none of it", async () => {
  for (const dialect of DIALECTS) {
    await using node = await createNode({ dialect });
    const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
    await ask("anvil_setCode", TO, "0x63deadbeef60005260046000fd");
    expect((await errorOf(ask("eth_call", { to: TO }, "latest"))).data).toBe("0x00000000");
    await ask("anvil_setCode", TO, "0x60006000fd");
    expect((await errorOf(ask("eth_call", { to: TO }, "latest"))).data).toBe("0x");
  }
});

it("too little gas for what is paid before code runs is a refusal, not a halt", async () => {
  await using node = await createNode({ dialect: "hardhat" });
  const call = { to: TO, data: "0x01", gas: "0x5208" };
  expect((await errorOf(node.provider.send("eth_call", [call, "latest"]))).data).not.toBe("0x");
  expect((await errorOf(node.provider.send("eth_estimateGas", [call]))).data).not.toBe("0x");
});

it("another dialect than these is refused with their names", async () => {
  await expect(createNode({ dialect: "truffle" as Dialect })).rejects.toThrow(
    /dialect.*hindcast.*anvil.*hardhat.*ganache/s,
  );
});
