#!/usr/bin/env node
// Does what a new user does, in a fresh clone, and writes what was seen to docs/first-session.md.
//
//   node .ci/first-session.mjs
//
// What no two runs have alike (folder, port, times, how long npm took) is replaced, so that a change of the file is a
// change of what users see.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "hindcast-session-"));
const clone = join(folder, "hindcast");
const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const BOB = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
// A contract whose constructor reverts with the text "no": a transaction that fails.
const REVERTS = `0x6064600c60003960646000fd08c379a0${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6e6f".padEnd(64, "0")}`;

const sections = [];
const show = (text, commands) => sections.push(`${text}\n\n\`\`\`console\n${commands.trimEnd()}\n\`\`\`\n`);
const run = (command, args) =>
  execFileSync(command, args, { cwd: clone, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** What no two runs have alike. */
function settled(text, port) {
  return text
    .replaceAll(clone, "~/hindcast")
    .replaceAll(String(port), "8545")
    .replaceAll(" --port 0", "")
    .replaceAll(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, "12:00:00")
    .replaceAll(/\b\d+ ms\b/g, "2 ms")
    .split("\n")
    .filter((line) => !line.startsWith("npm warn"))
    .map((line) => line.trimEnd())
    .join("\n");
}

async function session() {
  execFileSync("git", ["clone", "-q", root, clone]);
  run("npm", ["ci"]);
  const node = spawn("npm", ["start", "--", "--port", "0", "--timestamp", "1700000000"], {
    cwd: clone,
    detached: true,
  });
  let output = "";
  const ended = new Promise((resolve) => node.once("close", resolve));
  const port = await new Promise((resolve, reject) => {
    node.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const match = /Listening on 127\.0\.0\.1:(\d+)/.exec(output);
      if (match !== null) resolve(match[1]);
    });
    ended.then(() => reject(new Error(output)));
  });
  const banner = output.slice(output.indexOf("\n\n") + 2);
  show(
    "A clone needs npm, and neither a compiler nor a download besides npm's. This is everything that\n`npm start` prints:",
    `$ git clone … && cd hindcast\n$ npm ci\n…\n$ npm start -- --timestamp 1700000000\n${settled(banner, port)}`,
  );
  const ask = async (method, ...params) => {
    const before = output.length;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const answer = await (await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body })).text();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return {
      sent: `$ curl -s http://127.0.0.1:8545 -H 'content-type: application/json' \\\n    -d '${body}'\n${answer}\n`,
      log: settled(output.slice(before), port).trim(),
    };
  };
  const both = async (text, method, ...params) => {
    const { sent, log } = await ask(method, ...params);
    show(text, log === "" ? sent : `${sent}\n# in the terminal of the node:\n${log}\n`);
  };
  await both("The node answers requests:", "eth_getBalance", BOB, "latest");
  await both("A transfer is mined at once, and the log shows what it did:", "eth_sendTransaction", {
    from: ALICE,
    to: BOB,
    value: "0xde0b6b3a7640000",
  });
  await both("`trace_callMany` shows what another transfer would change, without sending it:", "trace_callMany", [
    [{ from: ALICE, to: BOB, value: "0x1" }, ["stateDiff"]],
  ]);
  await both(
    "A transaction that fails is mined if it has a gas limit of its own. The log shows why it failed:",
    "eth_sendTransaction",
    {
      from: ALICE,
      data: REVERTS,
      gas: "0x30d40",
    },
  );
  await both("An error says what to do about it:", "eth_getBalence", BOB, "latest");
  // npm does not hand a signal on: the whole group is told.
  process.kill(-node.pid, "SIGINT");
  await ended;
}

try {
  await session();
  const head =
    "# A first session\n\nThis page is for beginners: a session in a terminal, from the clone to a simulated transfer.\n`node .ci/first-session.mjs` records it in a fresh clone; times and the port are fixed values.\n\n";
  writeFileSync(join(root, "docs/first-session.md"), head + sections.join("\n"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
