/** The contracts of `fixtures/solidity-storage/` on a node that knows their source. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { type Abi, encodeDeployData, encodeFunctionData } from "viem";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import type { StateChanges } from "../../../src/services/simulate/explain/state-changes.ts";
import { senderOf } from "../stack/corpus.ts";

const FOLDER = new URL("../../../fixtures/solidity-storage/", import.meta.url);

interface BankContract {
  readonly abi: Abi;
  storageLayout?: unknown;
  transientStorageLayout?: unknown;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

export interface BankBuild {
  readonly input: unknown;
  readonly output: { readonly contracts: Readonly<Record<string, Readonly<Record<string, BankContract>>>> };
}

export function readBank(name: string): BankBuild {
  const bytes = brotliDecompressSync(readFileSync(new URL(`${name}.json.br`, FOLDER)));
  return JSON.parse(bytes.toString("utf8")) as BankBuild;
}

export function contractsOf({ output }: BankBuild): Readonly<Record<string, BankContract>> {
  return Object.assign({}, ...Object.values(output.contracts)) as Readonly<Record<string, BankContract>>;
}

/** The line that a comment `// write: NAME` marks. */
export function writingLine(file: string, name: string): number {
  const lines = readFileSync(new URL(`sources/${file}`, FOLDER), "utf8").split("\n");
  return lines.findIndex((line) => line.endsWith(`// write: ${name}`)) + 1;
}

export class Bank {
  readonly node: HindcastNode;
  readonly build: BankBuild;
  readonly sender: Hex;

  constructor(node: HindcastNode, build: BankBuild) {
    this.node = node;
    this.build = build;
    this.sender = senderOf(node);
  }

  static async open(build: BankBuild): Promise<Bank> {
    const node = await createNode({ hardfork: "prague" });
    node.abi.addBuild(build.input, build.output);
    return new Bank(node, build);
  }

  async deploy(name: string, args: readonly unknown[] = []): Promise<{ readonly address: Hex; readonly hash: Hex }> {
    const { abi, evm } = this.#contract(name);
    const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
    const hash = await this.send(data);
    const receipt = await this.node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    return { address: (receipt as { readonly contractAddress: Hex }).contractAddress, hash };
  }

  send(data: Hex, to?: Hex): Promise<Hex> {
    const params = [
      { from: this.sender, data, gas: "0x4c4b40" as const, ...(to === undefined ? {} : { to }) },
    ] as const;
    return this.node.provider.request({ method: "eth_sendTransaction", params }) as Promise<Hex>;
  }

  /** Calls a function of a contract in a transaction and explains it. */
  async explain(
    to: Hex,
    call: { readonly name: string; readonly args?: readonly unknown[]; readonly of?: string },
  ): Promise<StateChanges> {
    const { abi } = this.#contract(call.of ?? "Bank");
    const data = encodeFunctionData({ abi, functionName: call.name, args: call.args ?? [] });
    return this.node.explain(await this.send(data, to));
  }

  #contract(name: string): BankContract {
    const contract = contractsOf(this.build)[name];
    if (contract === undefined) throw new Error(`the fixture lacks ${name}`);
    return contract;
  }
}

/** `balances[0x…]: 5 -> 7` for each change. */
export function texts({ storage }: StateChanges): readonly string[] {
  return storage.map(({ name, before, after }) => `${name}: ${before} -> ${after}`);
}
