// Starts the processes of the suites: their own scripts, and nodes of the built command line.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readResult } from "./verdict.mjs";

export const projectFolder = fileURLToPath(new URL("../../", import.meta.url));
const cliPath = fileURLToPath(new URL("../../dist/bundle/hindcast.js", import.meta.url));
const START_TIMEOUT_MS = 120_000;

/**
 * Runs a suite's script, passes its FAIL lines and notes on as they come, and returns what it counted.
 *
 * @param {Record<string, string>} environment added to this process's own
 * @param {readonly string[]} listed cases known not to pass, whose lines begin with `listed` instead of FAIL
 * @throws {Error} if the script could not run
 */
export async function runScript(path, args, environment = {}, listed = []) {
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  let output = "";
  let shown = 0;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
    const end = output.lastIndexOf("\n") + 1;
    for (const line of output.slice(shown, end).split("\n")) {
      // Counts are printed at the end, for the suite as a whole.
      if (line === "" || /^\d+ passed, \d+ failed$/.test(line)) continue;
      const isListed = listed.includes(/^FAIL (\S+): /.exec(line)?.[1]);
      console.log(isListed ? line.replace("FAIL", "listed") : line);
    }
    shown = end;
  });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  const result = readResult(output);
  if (result === undefined || (code !== 0 && code !== 1)) throw new Error(`${path} ended with exit code ${code}`);
  return result;
}

/**
 * Starts a node on a free port with these flags, hands its address to `use`, and stops it.
 *
 * @throws {Error} if the node does not start
 */
export async function withNode(flags, use) {
  const child = spawn(process.execPath, [cliPath, "--port", "0", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  try {
    return await use(await addressOf(child));
  } finally {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(timer);
  }
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    let complaint = "";
    const timer = setTimeout(() => reject(new Error("the node did not start in time")), START_TIMEOUT_MS);
    child.stderr.setEncoding("utf8").on("data", (text) => {
      complaint += text;
    });
    // Read to the end: a full pipe would stop the node.
    child.stdout.setEncoding("utf8").on("data", (text) => {
      if (output === undefined) return;
      output += text;
      const match = /^Listening on (\S+)$/m.exec(output);
      if (match === null) return;
      output = undefined;
      clearTimeout(timer);
      resolve(`http://${match[1]}/`);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      reject(new Error(`the node ended with exit code ${code}: ${complaint.trim()}`));
    });
  });
}
