/** The contracts of `fixtures/optimized-builds`, compiled in several ways with the packages that they use. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import type { Abi } from "viem";
import { openCompilers } from "../../conformance/stack-traces/compilers.mjs";

const run = promisify(execFile);
const SOURCES = new URL("../../../fixtures/optimized-builds/sources/", import.meta.url);
const OUTPUTS = ["abi", "evm.bytecode", "evm.deployedBytecode", "evm.methodIdentifiers"];
const PACKAGES = [
  "@openzeppelin/contracts@5",
  "@openzeppelin/contracts@4.8.3",
  "@openzeppelin/contracts@4.9.6",
  "@openzeppelin/contracts@3.4.2-solc-0.7",
  "@openzeppelin/contracts-upgradeable@5",
  "solady@0.1",
  "solmate@6",
  "@uniswap/v2-core@1",
  "@aave/core-v3@1.19",
  "@safe-global/safe-contracts@1.4",
  "@account-abstraction/contracts@0.8",
  "@uniswap/v3-core@1",
  "@uniswap/v3-periphery@1.4",
  "@chainlink/contracts@1.5",
];

/** Compiler settings by the name of the way. */
const WAYS = {
  plain: { optimizer: { enabled: false } },
  optimized: { optimizer: { enabled: true, runs: 200 } },
  "via-ir": { optimizer: { enabled: true, runs: 200 }, viaIR: true },
} as const;
export type Way = keyof typeof WAYS;

/** The files of the corpus, with their compiler and the ways in which it can compile them. */
export const FILES: readonly (readonly [name: string, solc: string, ways: readonly Way[]])[] = [
  ["Tokens", "0.8.30", ["optimized", "via-ir"]],
  ["Upgradeable", "0.8.30", ["optimized", "via-ir"]],
  ["GasSavers", "0.8.30", ["optimized", "via-ir"]],
  ["AccountAbstraction", "0.8.30", ["optimized", "via-ir"]],
  // Its stack is too deep for solc by way of Yul.
  ["Safes", "0.8.30", ["optimized"]],
  // By way of Yul solc is meant to be used from 0.8.13 on.
  ["Aave", "0.8.10", ["optimized"]],
  ["Chainlink", "0.8.30", ["optimized", "via-ir"]],
  ["UniswapV2", "0.5.17", ["optimized"]],
  ["UniswapV3", "0.7.6", ["optimized"]],
];

export interface CompiledContract {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string; readonly linkReferences?: object } };
}

/** A compiler's standard JSON input and output. */
export interface CompiledFile {
  readonly input: unknown;
  readonly output: { readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>> };
}

export class SourceCorpus {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Unpacks the packages into a new folder, without what they depend on. */
  static async open(): Promise<SourceCorpus> {
    const folder = await mkdtemp(join(tmpdir(), "hindcast-corpus-"));
    for (const name of PACKAGES) {
      const { stdout } = await run("npm", ["pack", "--silent", name], { cwd: folder });
      const target = join(folder, name);
      await mkdir(target, { recursive: true });
      await run("tar", ["xzf", stdout.trim().split("\n").at(-1) ?? "", "-C", target, "--strip-components=1"], {
        cwd: folder,
      });
    }
    return new SourceCorpus(folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  compile(name: string, version: string, way: Way): CompiledFile {
    const sources: Record<string, { content: string }> = {};
    this.#load(`src/${name}.sol`, sources, version);
    const outputSelection = { "*": { "*": OUTPUTS, "": ["ast"] } };
    const input = { language: "Solidity", sources, settings: { ...WAYS[way], outputSelection } };
    const output = JSON.parse(openCompilers()(`solc-${version}`).compile(JSON.stringify(input)));
    const failure = (output.errors ?? []).find(({ severity }: { severity: string }) => severity === "error");
    if (failure !== undefined) throw new Error(failure.formattedMessage);
    return { input, output };
  }

  /** Adds a source and all that it imports. Where a source asks for another patch release, it gets the one that is here. */
  #load(path: string, sources: Record<string, { content: string }>, version: string): void {
    if (sources[path] !== undefined) return;
    const own = new URL(path.replace(/^src\//, ""), SOURCES);
    const text = readFileSync(existsSync(own) ? own : join(this.#folder, inPackage(path, version)), "utf8");
    const [series = ""] = /^\d+\.\d+/.exec(version) ?? [];
    const content = text.replace(new RegExp(`^pragma solidity =?(${series}\\.\\d+);`, "m"), "pragma solidity ^$1;");
    sources[path] = { content };
    for (const [, target = ""] of content.matchAll(/^\s*(?:import\b[^;'"]*|\}\s*from\s*)["']([^'"]+)["']/gm)) {
      this.#load(target.startsWith(".") ? posix.join(posix.dirname(path), target) : target, sources, version);
    }
  }
}

/** The path with the version of its package: the newest one, or the one of OpenZeppelin for solc 0.7. */
function inPackage(path: string, version: string): string {
  const isOf = (name: string): boolean => path.startsWith(`${name}/`) || path.startsWith(`${nameOf(name)}/`);
  const wanted = PACKAGES.filter(isOf);
  const exact = wanted.find((name) => path.startsWith(`${name}/`) || name.endsWith(`-solc-${version.slice(0, 3)}`));
  const found = exact ?? wanted[0] ?? "";
  return path.startsWith(`${found}/`) ? path : path.replace(nameOf(found), found);
}

/** `@scope/name` of `@scope/name@1.2`. */
function nameOf(name: string): string {
  return name.replace(/(.)@.*$/, "$1");
}
