/** The contracts of `fixtures/solidity-fuzzing/`, deployed on a node that knows their source. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { type Abi, encodeDeployData } from "viem";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import type { FuzzTarget } from "../../../src/testing/fuzz/options.ts";
import { ALICE, aNode } from "../../support/a-node.ts";

interface BuildFile {
  readonly input: unknown;
  readonly output: {
    readonly contracts: Readonly<
      Record<string, Readonly<Record<string, { readonly abi: Abi; readonly evm: { bytecode: { object: string } } }>>>
    >;
  };
}

const FILE = new URL("../../../fixtures/solidity-fuzzing/build.json.br", import.meta.url);
const BUILD = JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString("utf8")) as BuildFile;

/** A node that knows the sources. The end of the test closes it. */
export async function aFuzzedNode(): Promise<HindcastNode> {
  const node = await aNode();
  node.abi.addBuild(BUILD.input, BUILD.output);
  return node;
}

/** Deploys a contract from Alice's account. */
export async function deployTarget(
  node: HindcastNode,
  name: string,
  args: readonly unknown[] = [],
  value: Hex = "0x0",
): Promise<FuzzTarget> {
  const contract = Object.values(BUILD.output.contracts).find((contracts) => name in contracts)?.[name];
  if (contract === undefined) throw new Error(`the fixture lacks ${name}`);
  const { abi, evm } = contract;
  const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
  const params = [{ from: ALICE, data, value, gas: "0x4c4b40" as const }] as const;
  const hash = (await node.provider.request({ method: "eth_sendTransaction", params })) as Hex;
  const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  return { abi, address: (receipt as { readonly contractAddress: Hex }).contractAddress };
}
