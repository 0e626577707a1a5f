/** Reports what a hardfork changes for a project, from its build artifacts: deployments, and hard-coded gas. */
import { HARDFORKS, type Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import { TRANSACTION_GAS_CAP } from "../../../chainspec/transaction/intrinsic-gas.ts";
import { artifactFolder } from "../../../explain/abi/artifact-folder.ts";
import type { Artifact } from "../../../explain/abi/artifacts.ts";
import { listBuildFiles } from "../../../explain/source/build-info-folder.ts";
import { type GasConstant, readGasConstants } from "../../../explain/source/gas-constants.ts";
import { type Bytes, concatBytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { decodeData } from "../../../primitives/bytes/hex.ts";
import { inTurns } from "../../../primitives/platform/turns.ts";
import type { ComparisonService, HardforkComparison } from "./compare-hardforks.ts";
import type { Pair } from "./differences.ts";
import type { HardforkRun } from "./hardfork-side.ts";
import { type OperationPrice, operationPrices } from "./operations.ts";

/** The options of `node.hardforkReport()`. */
export interface ReportOptions {
  /** Default: mainnet's newest, and the newest that there is. */
  readonly hardforks?: Pair<Hardfork> | undefined;
  /** Gas limit of the blocks to deploy in; default: mainnet's 60,000,000. */
  readonly blockGasLimit?: bigint | undefined;
}

/** The deployment of a contract. */
export interface DeploymentReport {
  readonly name: string;
  /** Bytes of the deployed code, and of the init code without arguments. */
  readonly codeSize: number;
  readonly initCodeSize: number;
  readonly runs: Pair<HardforkRun>;
  /** False if the constructor needs arguments or fails. Then the gas leaves out what the constructor does. */
  readonly isExact: boolean;
  /** Reasons why it cannot be deployed under the second hardfork, a sentence each. */
  readonly problems: readonly string[];
}

/** Hard-coded gas. */
export interface GasConstantReport extends GasConstant {
  /** Operations that it is enough for under the first hardfork, but not under the second. */
  readonly lost: readonly OperationPrice[];
}

/** The result of `node.hardforkReport()`. Gas is in pairs: under the first hardfork and under the second. */
export interface HardforkReport {
  readonly hardforks: Pair<Hardfork>;
  readonly blockGasLimit: bigint;
  /** Contracts with code, in the order of their files. */
  readonly deployments: readonly DeploymentReport[];
  readonly gasConstants: readonly GasConstantReport[];
  /** Parts of the project that could not be examined, in sentences. */
  readonly gaps: readonly string[];
}

const MAINNET_GAS_LIMIT = 60_000_000n;
const MAINNET_HARDFORKS: Pair<Hardfork> = ["osaka", HARDFORKS.at(-1) as Hardfork];
const NOT_LOOKED_FOR =
  "so hard-coded gas was not looked for. Foundry writes them with build_info = true and ast = true.";

/**
 * Reads a folder of artifacts and reports on its contracts.
 *
 * @param folder - Hardhat's `artifacts` or Foundry's `out`
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_ABI`, `INVALID_BUILD`, `NO_ARTIFACTS`
 * @throws {LimitError} at the time limit
 */
export async function hardforkReport(
  comparisons: ComparisonService,
  folder: string,
  options: ReportOptions = {},
): Promise<HardforkReport> {
  const { hardforks = MAINNET_HARDFORKS, blockGasLimit = MAINNET_GAS_LIMIT } = options;
  const deployments: DeploymentReport[] = [];
  for (const artifact of await inTurns(artifactFolder(folder).open())) {
    if (artifact.runtime === undefined) continue;
    deployments.push(await deploymentOf(comparisons, artifact, { hardforks, blockGasLimit }));
  }
  const builds = await listBuildFiles(folder);
  const { found: constants, withoutAsts } = await readGasConstants(builds);
  const prices = constants.length === 0 ? [] : await operationPrices(comparisons, hardforks);
  return {
    hardforks,
    blockGasLimit,
    deployments,
    gasConstants: constants.map((constant) => ({ ...constant, lost: lostWith(constant, prices) })),
    gaps:
      builds.length === 0
        ? [`There are no build files in a folder build-info, ${NOT_LOOKED_FOR}`]
        : withoutAsts.map((path) => `${path} has no ASTs, ${NOT_LOOKED_FOR}`),
  };
}

function lostWith({ gas, isStatic }: GasConstant, prices: readonly OperationPrice[]): readonly OperationPrice[] {
  const possible = prices.filter((operation) => operation.isStatic || !isStatic);
  return possible.filter(({ prices: [before, after] }) => before <= gas && gas < after);
}

async function deploymentOf(
  comparisons: ComparisonService,
  { name, abi, creation, runtime }: Artifact,
  options: Required<Pick<HardforkReport, "hardforks" | "blockGasLimit">>,
): Promise<DeploymentReport> {
  const { hardforks, blockGasLimit } = options;
  const deploy = (data: Bytes): Promise<HardforkComparison> => comparisons.compare({ calls: [{ data }], hardforks });
  const initCode = creation?.bytes ?? EMPTY_BYTES;
  const codeSize = runtime?.bytes.length ?? 0;
  const needsArguments = abi.some(({ kind, inputs }) => kind === "constructor" && inputs.length > 0);
  const exact = needsArguments ? undefined : await deploy(initCode);
  const isExact = exact?.runs[0]?.runs.some(({ status }) => status === "succeeded") === true;
  const comparison = isExact ? exact : await deploy(standIn(initCode, codeSize));
  const runs = comparison.runs[0]?.runs as Pair<HardforkRun>;
  const problems = problemsOf(runs[1], comparison.blockGas[1], blockGasLimit);
  return { name, codeSize, initCodeSize: initCode.length, runs, isExact, problems };
}

/** Init code of the same length that returns so many zeros: PUSH3, PUSH1 0, RETURN, and the rest of the given code. */
function standIn(initCode: Bytes, codeSize: number): Bytes {
  const start = decodeData(`0x62${codeSize.toString(16).padStart(6, "0")}6000f3`);
  return concatBytes(start, initCode.subarray(start.length));
}

function problemsOf(run: HardforkRun, blockGas: bigint, blockGasLimit: bigint): string[] {
  const { status, gas } = run;
  if (status !== "succeeded" || gas === undefined) {
    const bound = run.bound === undefined ? "" : ` ${run.bound.where}`;
    return [`It cannot be deployed: ${run.reason}.${bound}`];
  }
  const problems: string[] = [];
  if (blockGas > blockGasLimit) {
    problems.push(`It needs ${count(blockGas)} gas of a block, which has ${count(blockGasLimit)}.`);
  }
  const running = gas.beforeRefund - gas.state;
  if (running > TRANSACTION_GAS_CAP) {
    const cap = `a transaction has at most ${count(TRANSACTION_GAS_CAP)} (EIP-7825)`;
    problems.push(`It needs ${count(running)} gas without that for state, and ${cap}.`);
  }
  return problems;
}

function count(gas: bigint): string {
  return gas.toLocaleString("en");
}
