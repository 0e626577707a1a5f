/** Functions that optimised builds name are those that the plain build of the same contracts names. */
import { type Abi, encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { readBuildFile } from "../stack/corpus.ts";

const A = "0x00000000000000000000000000000000000000a1";
const B = "0x00000000000000000000000000000000000000b1";
const ZERO = "0x0000000000000000000000000000000000000000";

/** In order: each call finds what the calls before it have changed. */
const CALLS: readonly (readonly [contract: string, name: string, args: readonly unknown[], isStranger?: boolean])[] = [
  ["Mine", "initialize", [ZERO]],
  ["Mine", "transferOwnership", [ZERO]],
  ["Mine", "transferOwnership", [A]],
  ["Mine", "initialize", [B]],
  ["Mine", "initialize", [B]],
  ["Ledger", "add", [A, 10n]],
  ["Ledger", "add", [ZERO, 1n]],
  ["Ledger", "add", [A, 1n], true],
  ["Ledger", "add", [A, 2n ** 256n - 1n]],
  ["Ledger", "sub", [A, 11n]],
  ["Ledger", "sub", [ZERO, 1n]],
  ["Ledger", "sub", [A, 1n], true],
  ["Ledger", "sub", [A, 3n]],
  ["Ledger", "move", [A, ZERO, 1n]],
  ["Ledger", "move", [ZERO, A, 1n]],
  ["Ledger", "move", [A, B, 100n]],
  ["Ledger", "move", [A, B, 2n]],
];

/** A name with a mark for what is approximate. */
interface Named {
  readonly name: string;
  readonly isApproximate: boolean;
}

class Build {
  readonly node: HindcastNode;
  readonly #abis: Readonly<Record<string, Abi>>;
  readonly #addresses = new Map<string, Hex>();
  #accounts: readonly Hex[] = [];

  private constructor(node: HindcastNode, abis: Readonly<Record<string, Abi>>) {
    this.node = node;
    this.#abis = abis;
  }

  static async open(mode: string): Promise<Build> {
    const { input, output } = readBuildFile(`owned-0.8.30-${mode}`);
    const contracts = output.contracts["src/Owned.sol"] ?? {};
    const node = await createNode();
    node.abi.addBuild(input, output);
    const build = new Build(node, Object.fromEntries(Object.entries(contracts).map(([name, { abi }]) => [name, abi])));
    build.#accounts = await node.provider.request({ method: "eth_accounts" });
    for (const [name, { evm }] of Object.entries(contracts)) {
      const hash = await build.#send({ data: `0x${evm.bytecode.object}` });
      const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
      build.#addresses.set(name, receipt?.contractAddress as Hex);
    }
    return build;
  }

  async call([contract, functionName, args, isStranger = false]: (typeof CALLS)[number]): Promise<Hex> {
    const data = encodeFunctionData({ abi: this.#abis[contract] ?? [], functionName, args });
    return this.#send({ to: this.#addresses.get(contract) as Hex, data }, isStranger ? 1 : 0);
  }

  async stack(hash: Hex): Promise<readonly Named[]> {
    const { frames = [] } = (await this.node.solidityStack(hash)) ?? {};
    return frames.map(({ function: name = "", isApproximate }) => ({ name, isApproximate }));
  }

  /** The functions that wrote each variable. */
  async writers(hash: Hex): Promise<ReadonlyMap<string, readonly Named[]>> {
    const { storage } = await this.node.explain(hash);
    return new Map(
      storage.map(({ name = "", writes }) => [
        name,
        writes.map(({ function: writer = "", isApproximate }) => ({ name: writer, isApproximate })),
      ]),
    );
  }

  /** Pairs of a function and one that ran inside it. */
  async pairs(hash: Hex): Promise<ReadonlySet<string>> {
    const stacks = [...(await this.node.gasProfile(hash)).stacks()];
    return new Set(
      stacks.flatMap(({ names }) =>
        names.flatMap((inner, index) => names.slice(0, index).map((outer) => `${outer} > ${inner}`)),
      ),
    );
  }

  async #send(fields: { readonly to?: Hex; readonly data: Hex }, account = 0): Promise<Hex> {
    const from = this.#accounts[account] as Hex;
    return this.node.provider.request({
      method: "eth_sendTransaction",
      params: [{ from, gas: "0x2dc6c0", ...fields }],
    });
  }
}

describe.each(["optimized", "via-ir"])("the %s build", (mode) => {
  /** Least shares of functions of the plain build that are named without a mark. */
  const least = mode === "optimized" ? 0.95 : 0.5;

  it("names no function without a mark that the plain build contradicts", async () => {
    const build = await Build.open(mode);
    const truth = await Build.open("plain");
    let frames = 0;
    let named = 0;
    for (const call of CALLS) {
      const [expected, given] = [await truth.call(call), await build.call(call)];
      const [lines, found] = [await truth.stack(expected), await build.stack(given)];
      const what = JSON.stringify(call, (_, value) => (typeof value === "bigint" ? `${value}` : value));
      const unmarked = found.filter(({ isApproximate }) => !isApproximate).map(({ name }) => name);
      expect(
        isSubsequence(
          unmarked,
          lines.map(({ name }) => name),
        ),
        `${what}: ${unmarked.join(" > ")}`,
      ).toBe(true);
      frames += lines.length;
      named += unmarked.length;
      const written = await truth.writers(expected);
      for (const [variable, writers] of await build.writers(given)) {
        for (const [index, { name, isApproximate }] of writers.entries()) {
          if (!isApproximate) expect(name, `${what}: ${variable}`).toBe(written.get(variable)?.[index]?.name);
        }
      }
      const pairs = await truth.pairs(expected);
      for (const pair of await build.pairs(given)) expect(pairs, what).toContain(pair);
    }
    expect(frames).toBeGreaterThan(20);
    expect(named / frames).toBeGreaterThanOrEqual(least);
    await Promise.all([build.node.close(), truth.node.close()]);
  });

  it("marks no function as covered that did not run", async () => {
    const build = await Build.open(mode);
    build.node.coverage.start();
    await build.call(["Ledger", "add", [A, 10n]]);
    await build.call(["Mine", "initialize", [ZERO]]);
    const { files } = await build.node.coverage.report();
    const ran = files.flatMap(({ functions }) => functions.filter(({ times }) => times > 0).map(({ name }) => name));
    const able = ["_check", "_isInit", "_init", "_initUnchained"].map((name) => `Owned.${name}`);
    const possible = [
      ...able,
      "Owned.onlyInit",
      "Mine.once",
      "Mine.initialize",
      "Ledger.onlyBoss",
      "Ledger.add",
      "Ledger._credit",
    ];
    expect(ran.filter((name) => !possible.includes(name))).toEqual([]);
    expect(ran).toContain("Ledger.add");
    await build.node.close();
  });
});

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const name of whole) if (name === part[at]) at++;
  return at === part.length;
}
