import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { type Abi, encodeDeployData, encodeFunctionData } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CoverageReport } from "../../../src/explain/coverage/coverage.ts";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { senderOf } from "../stack/corpus.ts";

const FOLDER = new URL("../../../fixtures/solidity-coverage/", import.meta.url);
const LINES = readFileSync(new URL("sources/Counter.sol", FOLDER), "utf8").split("\n");

interface Build {
  readonly input: unknown;
  readonly output: {
    readonly contracts: Readonly<
      Record<string, Readonly<Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>>
    >;
  };
}

function readBuild(name: string): Build {
  return JSON.parse(brotliDecompressSync(readFileSync(new URL(`${name}.json.br`, FOLDER))).toString("utf8")) as Build;
}

const lineOf = (name: string): number => LINES.findIndex((line) => line.endsWith(`// hits: ${name}`)) + 1;

class Counter {
  readonly node: HindcastNode;
  readonly #build: Build;
  #address: Hex = "0x";

  constructor(node: HindcastNode, build: Build) {
    this.node = node;
    this.#build = build;
  }

  static async open(name: string, engine: "wasm" | "ethereumjs" = "wasm"): Promise<Counter> {
    const node = await createNode({ engine });
    const build = readBuild(name);
    node.abi.addBuild(build.input, build.output);
    return new Counter(node, build);
  }

  get #contract(): { abi: Abi; evm: { bytecode: { object: string } } } {
    const contract = this.#build.output.contracts["src/Counter.sol"]?.Counter;
    if (contract === undefined) throw new Error("the fixture lacks its contract");
    return contract;
  }

  async deploy(start: bigint): Promise<void> {
    const { abi, evm } = this.#contract;
    const hash = await this.#transact({
      data: encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args: [start] }),
    });
    const receipt = await this.node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    this.#address = (receipt as { readonly contractAddress: Hex }).contractAddress;
  }

  data(functionName: string, args: readonly unknown[] = []): Hex {
    return encodeFunctionData({ abi: this.#contract.abi, functionName, args });
  }

  send(name: string, ...args: readonly unknown[]): Promise<Hex> {
    return this.#transact({ to: this.#address, data: this.data(name, args) });
  }

  #transact(fields: { readonly to?: Hex; readonly data: Hex }): Promise<Hex> {
    const params = [{ from: senderOf(this.node), gas: "0x4c4b40" as const, ...fields }] as const;
    return this.node.provider.request({ method: "eth_sendTransaction", params }) as Promise<Hex>;
  }

  call(name: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.node.provider.request({
      method: "eth_call",
      params: [{ to: this.#address, data: this.data(name, args) }],
    });
  }

  estimate(name: string, ...args: readonly unknown[]): Promise<unknown> {
    const params = [{ to: this.#address, data: this.data(name, args) }] as const;
    return this.node.provider.request({ method: "eth_estimateGas", params });
  }
}

/** Times of the marked line; undefined where it is not in the report. */
function timesOf({ files }: CoverageReport, name: string): number | undefined {
  return files[0]?.lines.find(({ line }) => line === lineOf(name))?.times;
}

/** What all builds show alike; unoptimised ones also count exactly. */
async function exercise(counter: Counter): Promise<void> {
  await counter.deploy(3n);
  await counter.send("add", 5n);
  await counter.send("add", 6n);
  await counter.send("add", 101n);
  await counter.send("loop", 4n);
  await counter.send("guarded");
  await counter.send("fails", 1n);
  await counter.send("create", 8n);
}

const RAN = ["twice", "part", "modifier", "constructor", "constructorIf", "addMuch", "addLittle", "loop", "ternary"];
const ALSO_RAN = ["guarded", "failure", "create"];
const NEVER_RAN = ["alsoGuarded", "afterFailure", "never"];

describe.each(["0.8.10-plain", "0.8.30-plain", "0.8.10-optimized", "0.8.30-optimized"])("coverage of %s", (build) => {
  let counter: Counter;
  beforeEach(async () => {
    counter = await Counter.open(build);
    counter.node.coverage.start();
  });
  afterEach(() => counter.node.close());

  it("has the lines that ran, and those that did not", async () => {
    await exercise(counter);
    const report = await counter.node.coverage.report();
    for (const name of [...RAN, ...ALSO_RAN]) expect([name, (timesOf(report, name) ?? 0) > 0]).toEqual([name, true]);
    for (const name of NEVER_RAN) expect([name, timesOf(report, name)]).toEqual([name, 0]);
    expect(timesOf(report, "unused")).toBe(0);
  });

  it("has both outcomes of a require", async () => {
    await exercise(counter);
    for (const amount of [0n, 0n, 3n]) await counter.send("fails", amount);
    const { files } = await counter.node.coverage.report();
    const arms = files[0]?.branches.filter(({ line }) => line === lineOf("failure")).map(({ times }) => times);
    expect(arms).toEqual([2, 2]);
  });

  it("has what ran since a snapshot", async () => {
    await exercise(counter);
    const snapshot = counter.node.coverage.snapshot();
    await counter.send("never");
    const report = await counter.node.coverage.since(snapshot);
    expect(timesOf(report, "never")).toBe(1);
    expect(timesOf(report, "addMuch")).toBe(0);
  });

  it("refuses what is no snapshot", async () => {
    const report = await counter.node.coverage.report();
    await expect(counter.node.coverage.since(report as never)).rejects.toMatchObject({
      code: "INVALID_PARAMS",
      message: expect.stringContaining("expected a snapshot, as coverage.snapshot() returns it"),
    });
  });
});

describe.each([
  ["0.8.10-plain", "wasm"],
  ["0.8.30-plain", "wasm"],
  ["0.8.30-plain", "ethereumjs"],
] as const)("coverage of %s on %s", (build, engine) => {
  it("counts how often lines, functions and branches ran", async () => {
    const counter = await Counter.open(build, engine);
    counter.node.coverage.start();
    await exercise(counter);
    const report = await counter.node.coverage.report();
    const times = Object.fromEntries([...RAN, ...ALSO_RAN].map((name) => [name, timesOf(report, name)]));
    expect(times).toEqual({
      ...{ twice: 2, part: 1, modifier: 1, constructor: 1, constructorIf: 1, addMuch: 1, addLittle: 2, loop: 4 },
      ...{ ternary: 1, guarded: 1, failure: 1, create: 1 },
    });
    const functions = Object.fromEntries((report.files[0]?.functions ?? []).map(({ name, times: ran }) => [name, ran]));
    expect(functions).toMatchObject({ "Counter.add": 3, "Counter.never": 0, "Steps.twice": 2, "Steps.unused": 0 });
    const branches = (report.files[0]?.branches ?? []).map(({ line, arm, times: ran }) => [line, arm, ran]);
    expect(branches).toEqual(
      expect.arrayContaining([
        [lineOf("addMuch") - 1, 0, 1],
        [lineOf("addMuch") - 1, 1, 2],
        [lineOf("constructorIf") - 1, 0, 1],
        [lineOf("constructorIf") - 1, 1, 0],
        [lineOf("failure"), 0, 0],
        [lineOf("failure"), 1, 1],
        [lineOf("modifier"), 0, 1],
        [lineOf("modifier"), 1, 0],
      ]),
    );
    await counter.node.close();
  });
});

describe("coverage", () => {
  let counter: Counter;
  beforeEach(async () => {
    counter = await Counter.open("0.8.30-plain");
    await counter.deploy(0n);
    counter.node.coverage.start();
  });
  afterEach(() => counter.node.close());

  it("counts calls, and estimates that fail, but not those that succeed, traces and renderings", async () => {
    const hash = await counter.send("never");
    await counter.node.renderTrace(hash, { storage: true });
    await counter.node.gasProfile(hash);
    await counter.estimate("add", 101n);
    await counter.call("loop", 3n);
    await expect(counter.estimate("fails", 1n)).rejects.toThrow("not zero");
    const report = await counter.node.coverage.report();
    expect(["never", "addMuch", "loop", "beforeFailure", "afterFailure"].map((name) => timesOf(report, name))).toEqual([
      ...[1, 0, 3, 1, 0],
    ]);
  });

  it("changes neither gas nor results, and ends with stop", async () => {
    const [covered, plain] = [await counter.send("add", 7n), await counter.send("add", 7n)];
    counter.node.coverage.stop();
    const uncovered = await counter.send("add", 7n);
    const gas = await Promise.all(
      [plain, uncovered].map(async (hash) => {
        const receipt = await counter.node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
        return (receipt as { readonly gasUsed: Hex }).gasUsed;
      }),
    );
    expect(covered).not.toBe(plain);
    expect(gas[0]).toBe(gas[1]);
    expect(timesOf(await counter.node.coverage.report(), "addLittle")).toBe(2);
  });

  it("is an lcov tracefile, what istanbul reads, and an answer over JSON-RPC", async () => {
    await counter.send("add", 7n);
    const report = await counter.node.coverage.report();
    const lcov = report.toLcov();
    expect(lcov).toContain("SF:src/Counter.sol\n");
    expect(lcov).toContain(`DA:${lineOf("addLittle")},1\n`);
    expect(lcov).toMatch(/FNDA:1,Counter\.add\n/);
    expect(lcov).toMatch(new RegExp(`BRDA:${lineOf("addMuch") - 1},\\d+,1,1\\n`));
    const file = report.toIstanbul()["src/Counter.sol"];
    expect(Object.keys(file?.s ?? {})).toEqual(Object.keys(file?.statementMap ?? {}));
    expect(Object.values(file?.b ?? {}).every((arms) => arms.length === 2)).toBe(true);
    const { provider } = counter.node;
    const answer = await provider.request({ method: "hindcast_coverageReport" });
    expect(answer).toMatchObject({ files: [{ path: "src/Counter.sol" }], lcov });
  });

  it("cannot be reported before it is started, by a program or over JSON-RPC", async () => {
    await using node = await createNode();
    const message =
      "Coverage has not been started, so that nothing was counted. Call node.coverage.start() or hindcast_coverageStart first, then run the calls to count.";
    await expect(node.coverage.report()).rejects.toMatchObject({ code: "COVERAGE_NOT_STARTED", message });
    await expect(node.coverage.since(new Map() as never)).rejects.toMatchObject({ code: "COVERAGE_NOT_STARTED" });
    expect(() => node.coverage.snapshot()).toThrow(message);
    const request = node.provider.request({ method: "hindcast_coverageReport" });
    await expect(request).rejects.toMatchObject({ code: -32004, message });
    node.coverage.start();
    node.coverage.stop();
    expect((await node.coverage.report()).files).toEqual([]);
  });
});
