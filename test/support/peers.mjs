// Peers from npm, installed into a temporary folder: none of them is a dependency of ours.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Installs packages, without their scripts, into a new folder.
 *
 * @param {readonly string[]} packages such as `ganache@7.9.2`
 * @returns {Promise<{ folder: string, remove: () => Promise<void> }>}
 */
export async function installPeers(packages) {
  const folder = await mkdtemp(join(tmpdir(), "hindcast-peers-"));
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  // Installed packages may be run by another version of Node than this one.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--engine-strict=false"];
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await run("npm", ["install", ...flags, ...packages], { cwd: folder });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
}

/** The Anvil binary of a folder of {@link installPeers}. */
export function anvilBinary(folder) {
  return foundryBinary(folder, "anvil");
}

/** A Foundry binary of a folder of {@link installPeers}: packages hold one for each system. */
export function foundryBinary(folder, name) {
  const arch = { x64: "amd64", arm64: "arm64" }[process.arch];
  const os = { linux: "linux", darwin: "darwin", win32: "win32" }[process.platform];
  const file = os === "win32" ? `${name}.exe` : name;
  return join(folder, "node_modules", "@foundry-rs", `${name}-${os}-${arch}`, "bin", file);
}

/**
 * Starts a program that prints `Listening on host:port` (Anvil) or `server at http://host:port` (Hardhat).
 *
 * @param {string} command
 * @param {readonly string[]} flags
 * @param {string} [folder] - to start it in
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPeer(command, flags, folder) {
  const child = spawn(command, flags, { stdio: ["ignore", "pipe", "pipe"], cwd: folder });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let output = "";
  const port = await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const match = /(?:Listening on|server at) \S+?:(\d+)/.exec(output);
      if (match !== null) resolve(match[1]);
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.once("error", reject);
    void ended.then(() => reject(new Error(`${command} ended: ${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}

/**
 * Starts Ganache of a folder of {@link installPeers} with the accounts of Anvil and Hardhat, in this process.
 *
 * @param {string} folder
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startGanache(folder) {
  const ganache = createRequire(join(folder, "package.json"))("ganache");
  const server = ganache.server({
    chain: { chainId: 31337 },
    wallet: { mnemonic: "test test test test test test test test test test test junk", defaultBalance: 10_000 },
    miner: { blockGasLimit: 30_000_000 },
    logging: { quiet: true },
  });
  await server.listen(0, "127.0.0.1");
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
