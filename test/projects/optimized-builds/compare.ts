/** Sends the same random calls to two builds of the same contracts. */
import { type Abi, type AbiParameter, encodeDeployData, encodeFunctionData } from "viem";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import type { CompiledFile } from "./corpus.ts";
import { ObservedBuild } from "./observed.ts";
import { RandomCalls } from "./random-calls.ts";
import { Score } from "./score.ts";

/** Contracts of packages that are deployed as they are. */
const DEPLOYED_TOO: ReadonlySet<string> = new Set([
  "SafeL2",
  "SafeProxyFactory",
  "MultiSend",
  "SimpleAccountFactory",
  "UniswapV2Factory",
]);

interface Deployed {
  readonly name: string;
  readonly address: Hex;
  readonly abi: Abi;
}

/** @param rounds - how often each function is called */
export async function compareBuilds(
  files: readonly [plain: CompiledFile, other: CompiledFile],
  seed: number,
  rounds: number,
): Promise<Score> {
  const comparison = new Comparison(await ObservedBuild.open(files[0]), await ObservedBuild.open(files[1]), seed);
  const deployed = await comparison.deploy(files);
  for (let round = 0; round < rounds; round++) for (const each of deployed) await comparison.callAll(each);
  return comparison.end();
}

class Comparison {
  readonly #plain: ObservedBuild;
  readonly #other: ObservedBuild;
  readonly #random: RandomCalls;
  readonly #score = new Score();
  #time = 2_000_000_000;

  constructor(plain: ObservedBuild, other: ObservedBuild, seed: number) {
    this.#plain = plain;
    this.#other = other;
    this.#random = new RandomCalls(seed);
    const zero: Hex = `0x${"00".repeat(20)}`;
    const [first, second, third] = plain.accounts as readonly [Hex, Hex, Hex];
    this.#random.addresses.push(zero, first, first, second, third);
  }

  async deploy([plain, other]: readonly [CompiledFile, CompiledFile]): Promise<readonly Deployed[]> {
    const deployed: Deployed[] = [];
    for (const [path, contracts] of Object.entries(plain.output.contracts)) {
      for (const [name, { abi, evm }] of Object.entries(contracts)) {
        const { object, linkReferences = {} } = evm.bytecode;
        const isWanted = path.startsWith("src/") || DEPLOYED_TOO.has(name);
        if (!isWanted || object === "" || Object.keys(linkReferences).length > 0) continue;
        const creation = abi.find(({ type }) => type === "constructor") as { inputs: AbiParameter[] } | undefined;
        const args = (creation?.inputs ?? []).map((input) => this.#random.valueOf(input));
        const dataOf = (file: CompiledFile): Hex => {
          const bytecode: Hex = `0x${file.output.contracts[path]?.[name]?.evm.bytecode.object}`;
          return encodeDeployData({ abi, bytecode, args });
        };
        const address = await this.#send(`new ${name}`, undefined, [dataOf(plain), dataOf(other)]);
        if (address === null) continue;
        deployed.push({ name, address, abi });
        this.#random.addresses.push(address);
      }
    }
    return deployed;
  }

  /** Calls each function of a contract once. */
  async callAll({ name, address, abi }: Deployed): Promise<void> {
    const random = this.#random;
    for (const item of abi) {
      if (item.type !== "function") continue;
      const args = item.inputs.map((input) => random.valueOf(input));
      const whole = encodeFunctionData({ abi: [item], functionName: item.name, args });
      if (random.chance(0.1)) random.datas.push(whole);
      const data: Hex = random.chance(0.03) ? (whole.slice(0, random.pick([10, 42, 74])) as Hex) : whole;
      const isPaid = random.chance(item.stateMutability === "payable" ? 0.5 : 0.03);
      await this.#send(`${name}.${item.name}`, address, [data, data], isPaid ? "0x5" : "0x0");
    }
  }

  async end(): Promise<Score> {
    this.#score.addAll("covered", "all calls", await this.#plain.covered(), await this.#other.covered());
    await Promise.all([this.#plain.node.close(), this.#other.node.close()]);
    return this.#score;
  }

  async #send(
    call: string,
    to: Hex | undefined,
    [plainData, otherData]: readonly [Hex, Hex],
    value: Hex = "0x0",
  ): Promise<Hex | null> {
    const [first, second] = this.#plain.accounts as readonly [Hex, Hex];
    const from = to === undefined || this.#random.chance(0.7) ? first : second;
    this.#time += 100;
    const plain = await this.#plain.send({ from, to, data: plainData, value }, this.#time);
    const other = await this.#other.send({ from, to, data: otherData, value }, this.#time);
    // Gas and code sizes differ, and with them what a contract finds out about itself.
    if (plain.hasFailed !== other.hasFailed) return null;
    if (plain.hasFailed) {
      const [truth, given] = [await this.#plain.stack(plain.hash), await this.#other.stack(other.hash)];
      if (truth.reason === given.reason) this.#score.addStack(call, truth.functions, given.functions);
    } else {
      this.#score.addWriters(call, await this.#plain.writers(plain.hash), await this.#other.writers(other.hash));
    }
    this.#score.addAll("pairs", call, await this.#plain.pairs(plain.hash), await this.#other.pairs(other.hash));
    return plain.hasFailed ? null : plain.contractAddress;
  }
}
