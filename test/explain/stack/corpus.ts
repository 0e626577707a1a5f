/** The contracts of `fixtures/solidity-stacks/`, deployed on a node that knows their source. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { type Abi, encodeDeployData, encodeFunctionData } from "viem";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";

const FOLDER = new URL("../../../fixtures/solidity-stacks/", import.meta.url);
/** The contract that is called, in a file of its name. */
type Name = "Vault" | "Old" | "Shared" | "Creations" | "Reverts" | "Wallets";

/** Places of libraries' addresses in a code, by file and library. */
export type LinkReferences = Readonly<Record<string, Readonly<Record<string, readonly { readonly start: number }[]>>>>;

interface Bytecode {
  readonly object: string;
  readonly linkReferences: LinkReferences;
}

interface CompiledContract {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: Bytecode };
}

interface BuildFile {
  readonly input: unknown;
  readonly output: { readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>> };
}

export function readBuildFile(name: string): BuildFile {
  return JSON.parse(
    brotliDecompressSync(readFileSync(new URL(`${name}.json.br`, FOLDER))).toString("utf8"),
  ) as BuildFile;
}

/** The line that a comment `// line: NAME` marks. */
export function markedLine(name: string, contract: Name = "Vault"): number {
  const source = readFileSync(new URL(`sources/${contract}.sol`, FOLDER), "utf8").split("\n");
  return source.findIndex((line) => line.endsWith(`// line: ${name}`)) + 1;
}

export class Corpus {
  readonly node: HindcastNode;
  readonly vault: Hex;
  readonly #abi: Abi;

  private constructor(node: HindcastNode, vault: Hex, abi: Abi) {
    this.node = node;
    this.vault = vault;
    this.#abi = abi;
  }

  static async open(name: string, options: NodeOptions = {}): Promise<Corpus> {
    const { input, output } = readBuildFile(name);
    const node = await createNode(options);
    node.abi.addBuild(input, output);
    for (const alone of ["Old", "Shared", "Creations", "Reverts", "Wallets"]) {
      const contract = output.contracts[`src/${alone}.sol`]?.[alone];
      if (contract === undefined) continue;
      return new Corpus(node, await deploy(node, `0x${contract.evm.bytecode.object}`), contract.abi);
    }
    const { Vault, Checked } = output.contracts["src/Vault.sol"] ?? {};
    if (Vault === undefined || Checked === undefined) throw new Error("the fixture lacks its contracts");
    const library = await deploy(node, `0x${Checked.evm.bytecode.object}`);
    const { object, linkReferences } = Vault.evm.bytecode;
    const bytecode = linked(`0x${object}`, linkReferences, library);
    const vault = await deploy(node, encodeDeployData({ abi: Vault.abi, bytecode, args: [1n] }));
    return new Corpus(node, vault, Vault.abi);
  }

  /** Call data of a function. */
  data(functionName: string, args: readonly unknown[] = []): Hex {
    return encodeFunctionData({ abi: this.#abi, functionName, args });
  }

  /** Sends a transaction that fails; gives its hash. */
  async send(fields: {
    readonly data?: Hex;
    readonly value?: Hex;
    readonly to?: Hex;
    readonly gas?: Hex;
    readonly from?: Hex;
  }): Promise<Hex> {
    const from = senderOf(this.node);
    const params = [{ from, to: this.vault, gas: "0xf4240" as const, ...fields }] as const;
    return (await this.node.provider.request({ method: "eth_sendTransaction", params })) as Hex;
  }
}

export function senderOf({ accounts }: HindcastNode): Hex {
  const [account] = accounts;
  if (account === undefined) throw new Error("the node has no accounts");
  return encodeData(account.address);
}

/** A code with the address of its only library put in. */
export function linked(code: Hex, references: LinkReferences, library: Hex): Hex {
  const places = Object.values(references).flatMap((names) => Object.values(names).flat());
  const digits = places.reduce(
    (text, { start }) => text.slice(0, start * 2) + library.slice(2) + text.slice(start * 2 + 40),
    code.slice(2),
  );
  return `0x${digits}`;
}

async function deploy(node: HindcastNode, data: Hex): Promise<Hex> {
  const params = [{ from: senderOf(node), data, gas: "0x4c4b40" as const }] as const;
  const hash = (await node.provider.request({ method: "eth_sendTransaction", params })) as Hex;
  const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  return (receipt as { readonly contractAddress: Hex }).contractAddress;
}
