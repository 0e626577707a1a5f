/** Each row of the table of dialects. */
import { describe, expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import { DIALECTS, type Dialect } from "../../../src/node/options/dialect.ts";
import { ProviderRpcError } from "../../../src/rpc/provider.ts";
import { onEngine } from "../../support/per-engine.ts";
import { pairs } from "../../support/seed.ts";

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

describe("the error of a halt", () => {
  /** Errors of the call, of its estimate, of a transaction that is estimated first, and of one that is mined. */
  async function errors(code: string, dialect: Dialect | undefined): Promise<ProviderRpcError[]> {
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

  it.each(pairs(Object.entries(HALTS), DIALECTS).map(([[reason, code], dialect]) => [reason, dialect, code] as const))(
    "(%s) has the data that the client of %s sends",
    async (_reason, dialect, code) => {
      const data = { hindcast: undefined, anvil: undefined, hardhat: "0x", ganache: "0x" }[dialect];
      expect((await errors(code, dialect)).map((error) => error.data)).toEqual([data, data, data, data]);
    },
  );

  it("has none by default", async () => {
    const data = (await errors(HALTS.INVALID, undefined)).map((error) => error.data);
    expect(data).toEqual([undefined, undefined, undefined, undefined]);
  });
});

it.each([
  ["eth_call", (call: object) => [call]],
  ["eth_estimateGas", (call: object) => [call]],
  ["hindcast_estimateGas", (call: object) => [call]],
  ["eth_sendUnsignedTransaction", (call: object) => [call]],
  ["eth_sendTransactionSync", (call: object) => [call]],
  ["personal_sendTransaction", (call: object) => [call, ""]],
  ["eth_fillTransaction", (call: object) => [call]],
  ["eth_signTransaction", (call: object) => [call]],
  ["wallet_sendCalls", ({ from, to }: { from?: string; to?: string }) => [{ from, calls: [{ to }] }]],
])("%s has the data of the dialect in the error of a halt", async (method, params) => {
  for (const [dialect, data] of [
    ["hardhat", "0x"],
    ["anvil", undefined],
  ] as const) {
    await using node = await createNode({ dialect, throwOnTransactionFailures: true });
    const ask = (name: string, ...given: unknown[]) => node.provider.send(name, given);
    const [from] = (await ask("eth_accounts")) as [string];
    await ask("anvil_setCode", TO, "0xfe");
    expect((await errorOf(ask(method, ...params({ from, to: TO })))).data).toBe(data);
  }
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

describe.each(["wasm", "ethereumjs"] as const)("a sender that lacks the value (%s)", (engine) => {
  const it = onEngine(engine);
  const POOR = `0x${"ab".repeat(20)}`;
  /** Code that returns the caller's balance and its own. */
  const BALANCES = "0x33315f524760205260405ff3";

  async function asked(dialect: Dialect, method: "eth_call" | "eth_estimateGas", price: object): Promise<unknown> {
    await using node = await createNode({ engine, dialect });
    await node.provider.send("anvil_setCode", [TO, BALANCES]);
    await node.provider.send("anvil_setBalance", [POOR, "0x5"]);
    const call = { from: POOR, to: TO, value: "0x7", ...price };
    return await node.provider.send(method, [call, "latest"]).catch(({ message }: Error) => message);
  }
  const PRICES = [{}, { gasPrice: "0x77359400" }, { maxFeePerGas: "0x77359400", gas: "0x186a0" }];

  it.each(PRICES)(
    "calls where Hardhat lends it the rest: it has none left, and the contract has all (%j)",
    async (price) => {
      // Observed in Hardhat 3.18.0.
      const words = `0x${"0".repeat(64)}${"7".padStart(64, "0")}`;
      expect(await asked("hardhat", "eth_call", price)).toBe(words);
      for (const dialect of ["hindcast", "anvil", "ganache"] as const) {
        expect(await asked(dialect, "eth_call", price)).toMatch(/insufficient (?:funds|balance)/i);
      }
    },
  );

  it.each(PRICES)("estimates where Hardhat and Ganache lend it the rest (%j)", async (price) => {
    for (const dialect of ["hardhat", "ganache"] as const) {
      expect(await asked(dialect, "eth_estimateGas", price)).toMatch(/^0x[0-9a-f]+$/);
    }
    for (const dialect of ["hindcast", "anvil"] as const) {
      expect(await asked(dialect, "eth_estimateGas", price)).toMatch(/insufficient (?:funds|balance)/i);
    }
  });

  it("is refused all the same when it sends", async () => {
    await using node = await createNode({ engine, dialect: "hardhat" });
    await node.provider.send("anvil_impersonateAccount", [POOR]);
    const sent = errorOf(node.provider.send("eth_sendTransaction", [{ from: POOR, to: TO, value: "0x7" }]));
    expect((await sent).message).toMatch(/doesn't have enough funds/);
  });
});

describe("a JSON number in place of a QUANTITY", () => {
  const REQUESTS: readonly [method: string, ...params: unknown[]][] = [
    ["eth_getBlockByNumber", 0, false],
    ["eth_getBalance", TO, 0],
    ["eth_getBalance", TO, { blockNumber: 0 }],
    ["eth_estimateGas", { to: TO, value: 0, gas: 30_000 }, 0],
    ["eth_getLogs", { fromBlock: 0, toBlock: 0 }],
    ["eth_getBlockTransactionCountByNumber", 0],
    ["eth_getTransactionByBlockNumberAndIndex", 0, 99],
    ["eth_createAccessList", { to: TO, gas: 30_000 }, 0],
  ];
  const inHex = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? `0x${each.toString(16)}` : each)));

  it.each(REQUESTS)("is taken by the dialects of other nodes: %s %j", async (method, ...params) => {
    const timestamp = 1_700_000_000;
    await using node = await createNode({ timestamp });
    const answer = await node.provider.send(method, inHex(params) as unknown[]);
    for (const dialect of ["hardhat", "anvil", "ganache"] as const) {
      await using other = await createNode({ dialect, timestamp });
      expect(await other.provider.send(method, params)).toEqual(answer);
    }
    expect((await errorOf(node.provider.send(method, params))).message).toMatch(
      /expected a (QUANTITY|block number) such as "0x[0-9a-f]+".*, got \d+\./,
    );
  });

  it.each<readonly [method: string, param: unknown, place: string]>([
    ["eth_getBlockByNumber", -1, "params[0]: expected a block number"],
    ["eth_getBlockByNumber", 1.5, "params[0]: expected a block number"],
    ["eth_getBlockByNumber", 2 ** 60, "params[0]: expected a block number"],
    ["eth_getBlockByNumber", true, "params[0]: expected a block number"],
    ["eth_estimateGas", { to: TO, gas: -1 }, "params[0].gas: expected a QUANTITY"],
    // DATA is no number.
    ["eth_estimateGas", { to: TO, data: 16 }, "params[0].data: expected DATA"],
    ["eth_estimateGas", { to: 16 }, "params[0].to: expected an address"],
    ["eth_estimateGas", { to: 16, value: 1, gas: 2 }, "params[0].to: expected an address"],
  ])("is refused if it is none: %s %j", async (method, param, place) => {
    await using node = await createNode({ dialect: "ganache" });
    const params = method === "eth_getBlockByNumber" ? [param, false] : [param];
    expect((await errorOf(node.provider.send(method, params))).message).toContain(place);
  });
});

it("another dialect than these is refused with their names", async () => {
  await expect(createNode({ dialect: "truffle" as Dialect })).rejects.toThrow(
    /dialect.*hindcast.*anvil.*hardhat.*ganache/s,
  );
});
