/** The contracts of `fixtures/solidity-debugger/` on a node that knows their source. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { type Abi, encodeDeployData, encodeFunctionData } from "viem";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { senderOf } from "../explain/stack/corpus.ts";

const FOLDER = new URL("../../fixtures/solidity-debugger/", import.meta.url);
export const PATH = "src/Shop.sol";
export const SOURCE = readFileSync(new URL("sources/Shop.sol", FOLDER), "utf8");

interface ShopBuild {
  readonly input: { readonly settings?: object };
  readonly output: {
    readonly contracts: Readonly<
      Record<string, Readonly<Record<string, { readonly abi: Abi; readonly evm: { bytecode: { object: string } } }>>>
    >;
  };
}

export function readShop(name: string): ShopBuild {
  const bytes = brotliDecompressSync(readFileSync(new URL(`${name}.json.br`, FOLDER)));
  return JSON.parse(bytes.toString("utf8")) as ShopBuild;
}

/** The line that a comment `// line: NAME` marks. */
export function lineOf(name: string): number {
  const line = SOURCE.split("\n").findIndex((text) => text.endsWith(`// line: ${name}`)) + 1;
  if (line === 0) throw new Error(`Shop.sol marks no line ${name}`);
  return line;
}

export class Shop {
  readonly node: HindcastNode;
  readonly address: Hex;
  readonly creation: Hex;
  readonly #abi: Abi;

  private constructor(node: HindcastNode, abi: Abi, created: { readonly address: Hex; readonly hash: Hex }) {
    this.node = node;
    this.#abi = abi;
    this.address = created.address;
    this.creation = created.hash;
  }

  /** Deploys the shop; with `isKnown` false the node is not told of the source. */
  static async open(name = "0.8.30-plain", { isKnown = true } = {}): Promise<Shop> {
    const build = readShop(name);
    const node = await createNode({ hardfork: "prague" });
    if (isKnown) node.abi.addBuild(build.input, build.output);
    const contract = build.output.contracts[PATH]?.Shop;
    if (contract === undefined) throw new Error("the fixture lacks the shop");
    const data = encodeDeployData({
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
      args: ["Corner"],
    });
    const hash = await send(node, { data });
    const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    return new Shop(node, contract.abi, { hash, address: (receipt as { contractAddress: Hex }).contractAddress });
  }

  /** Calls a function in a transaction, which may fail. */
  call(functionName: string, ...args: readonly unknown[]): Promise<Hex> {
    return send(this.node, { to: this.address, data: encodeFunctionData({ abi: this.#abi, functionName, args }) });
  }
}

async function send(node: HindcastNode, fields: { readonly data: Hex; readonly to?: Hex }): Promise<Hex> {
  const params = [{ from: senderOf(node), gas: "0x4c4b40" as const, ...fields }] as const;
  return (await node.provider.request({ method: "eth_sendTransaction", params })) as Hex;
}
