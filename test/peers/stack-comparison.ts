/** Lines of failures in the stack traces of Hardhat 3's own node and of ours: the same code, the same transactions. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress } from "viem";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { type LinkReferences, linked } from "../explain/stack/corpus.ts";
import type { Failure } from "../explain/stack/failures.ts";
import { ALICE, openNode } from "../support/a-node.ts";
import { runHardhat } from "./hardhat.ts";

const SOURCES = fileURLToPath(new URL("../../fixtures/solidity-stacks/sources/", import.meta.url));

const SETTINGS = {
  plain: {},
  optimized: { optimizer: { enabled: true, runs: 200 } },
  viaIR: { optimizer: { enabled: true, runs: 200 }, viaIR: true },
};

/** The compiler settings of a source. */
export interface StackBuild {
  /** The contract that is called, in a file of its name. */
  readonly contract: "Vault" | "Old";
  readonly version: string;
  readonly mode: keyof typeof SETTINGS;
}

/** The line that each tool names as the innermost; undefined for none. */
export interface NamedLines {
  readonly ours: number | undefined;
  readonly isApproximate: boolean;
  readonly theirs: number | undefined;
}

interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly linkReferences: LinkReferences;
}

interface Transaction {
  readonly to?: Hex;
  readonly data: Hex;
  readonly gas: Hex;
}

/**
 * Builds a source with Hardhat 3 and sends each failure to both nodes.
 *
 * @param project - `fixtures/projects/stacks`, with its packages
 */
export async function compareStacks(
  project: string,
  { contract, version, mode }: StackBuild,
  failures: readonly Failure[],
): Promise<readonly NamedLines[]> {
  const folder = join(project, `${contract}-${version}-${mode}`);
  const artifacts = join(folder, "artifacts");
  await mkdir(folder);
  await cp(join(SOURCES, `${contract}.sol`), join(project, "contracts", contract, `${contract}.sol`));
  const environment = { STACKS_BUILD: JSON.stringify({ folder, contract, version, settings: SETTINGS[mode] }) };
  const hardhat = (...flags: readonly string[]): Promise<string> =>
    runHardhat(3, project, ["--config", "hardhat.config.mjs", ...flags], environment);
  await hardhat("build");
  const [deployments, calls] = await transactionsOf(artifacts, contract, failures);
  await writeFile(join(folder, "transactions.json"), JSON.stringify([...deployments, ...calls]));
  const stacks = JSON.parse(await hardhat("run", "--no-compile", "send.mjs")) as (string | null)[];
  if (stacks.slice(0, deployments.length).some((stack) => stack !== null)) throw new Error("Hardhat deployed nothing");
  const ours = await ourLines(artifacts, deployments, calls);
  return ours.map((line, index) => ({ ...line, theirs: lineOfText(stacks[deployments.length + index]) }));
}

/** Lines of a stack trace are innermost first. */
function lineOfText(stack: string | null | undefined): number | undefined {
  const match = /\((?:[^()]*\.sol):(\d+)\)/.exec(stack?.split("\n")[0] ?? "");
  return match === null ? undefined : Number(match[1]);
}

async function transactionsOf(
  artifacts: string,
  contract: StackBuild["contract"],
  failures: readonly Failure[],
): Promise<readonly [deployments: readonly Transaction[], calls: readonly Transaction[]]> {
  const read = async (name: string): Promise<Artifact> =>
    JSON.parse(
      await readFile(join(artifacts, `contracts/${contract}/${contract}.sol/${name}.json`), "utf8"),
    ) as Artifact;
  const { abi, bytecode, linkReferences } = await read(contract);
  const codes =
    contract === "Old"
      ? [bytecode]
      : [
          (await read("Checked")).bytecode,
          encodeDeployData({ abi, bytecode: linked(bytecode, linkReferences, addressAt(0)), args: [1n] }),
        ];
  const to = addressAt(codes.length - 1);
  return [
    codes.map((data) => ({ data, gas: "0x4c4b40" })),
    failures.map(({ name, args }) => ({
      ...{ to, gas: "0xf4240" },
      data: encodeFunctionData({ abi, functionName: name, args }),
    })),
  ];
}

function addressAt(nonce: number): Hex {
  return getContractAddress({ from: ALICE, nonce: BigInt(nonce) });
}

async function ourLines(
  artifacts: string,
  deployments: readonly Transaction[],
  calls: readonly Transaction[],
): Promise<readonly Omit<NamedLines, "theirs">[]> {
  const node = await openNode();
  try {
    await node.abi.addArtifacts(artifacts);
    const send = (transaction: Transaction): Promise<Hex> =>
      node.provider.send("eth_sendTransaction", [{ from: ALICE, ...transaction }]) as Promise<Hex>;
    for (const transaction of deployments) await send(transaction);
    const lines: Omit<NamedLines, "theirs">[] = [];
    for (const transaction of calls) {
      const frame = (await node.solidityStack(await send(transaction)))?.frames.at(-1);
      const ours = frame?.range?.file.positionOf(frame.range.start).line;
      lines.push({ ours, isApproximate: frame?.isApproximate ?? false });
    }
    return lines;
  } finally {
    await node.close();
  }
}
