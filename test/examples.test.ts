/** The programs of examples/: each prints what the file beside it says. And the container's command lets its service name in. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { parseCommandLine } from "../src/cli/options/command-line.ts";
import { toListenOptions } from "../src/cli/options/node-options.ts";
import { toSettings } from "../src/cli/options/settings.ts";
import { aNode } from "./support/a-node.ts";
import { buildOnce, projectFolder } from "./support/build-once.ts";
import { type Outcome, runFiles } from "./support/run-programs.ts";
import { slowIt } from "./support/slow-suite.ts";

const run = promisify(execFile);
const examples = join(projectFolder, "examples");
const read = (...path: string[]): string => readFileSync(join(examples, ...path), "utf8");

beforeAll(buildOnce);

describe("examples/", () => {
  const programs = readdirSync(examples).filter((folder) => existsSync(join(examples, folder, "main.mjs")));

  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    outcomes = await runFiles(programs.map((folder) => join(examples, folder, "main.mjs")));
  });

  it.each(programs)("%s prints what its output.txt holds", (folder) => {
    expect(outcomes[programs.indexOf(folder)]).toEqual({ output: read(folder, "output.txt") });
  });

  slowIt("commonjs is a program that Node runs once its types are gone", async () => {
    const { outputText, diagnostics } = ts.transpileModule(read("commonjs", "main.cts"), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
      reportDiagnostics: true,
    });
    expect(diagnostics).toEqual([]);
    expect(outputText).toContain('require("hindcast")');
    const file = join(examples, "commonjs", `compiled-${process.pid}.cjs`);
    writeFileSync(file, outputText);
    try {
      const { stdout } = await run(process.execPath, [file]);
      expect(stdout).toBe(read("commonjs", "output.txt"));
    } finally {
      rmSync(file);
    }
  });

  it("has no folder that its README does not list, and the README's call tree is that of the example", () => {
    const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) expect(read("README.md")).toContain(`| \`${name}/\` |`);
    expect(readFileSync(join(projectFolder, "README.md"), "utf8")).toContain(read("call-tree", "output.txt"));
  });
});

describe("examples/docker", () => {
  const compose = read("docker", "compose.yaml");
  /** Flags between brackets behind a word. */
  const flagsAfter = (text: string, word: string): string[] =>
    JSON.parse(new RegExp(`^ *${word} ?(\\[.*\\])$`, "m").exec(text)?.[1] ?? "null") as string[];

  it.each([
    ["Dockerfile", flagsAfter(read("docker", "Dockerfile"), "CMD")],
    ["compose.yaml", flagsAfter(compose, "command:")],
  ])("%s starts a node that other services reach by its name, and nobody by another", async (_file, flags) => {
    const line = parseCommandLine(flags, "0");
    if (line.kind !== "run") throw new Error("nothing to run");
    const listen = toListenOptions(toSettings(line.values, {}, {}));
    expect(listen.host).toBe("0.0.0.0");
    const { port } = await (await aNode()).listen({ ...listen, host: "127.0.0.1", port: 0 });
    expect(await statusFor(port, "hindcast:8545")).toBe(200);
    expect(await statusFor(port, "elsewhere.example")).toBe(403);
  });

  it("names the service that the other one asks", () => {
    const [service] = /^ {2}(\w+):$/m.exec(compose)?.slice(1) ?? [];
    expect(compose).toContain(`RPC_URL: http://${service}:8545`);
    expect(flagsAfter(compose, "command:")).toContain(service);
  });
});

describe("examples/shared", () => {
  const compose = read("shared", "compose.yaml");
  const commands = [...compose.matchAll(/^ +command: (\[.*\])$/gm)].map(
    ([, flags = ""]) => JSON.parse(flags) as string[],
  );
  const units = readdirSync(join(examples, "shared")).filter((file) => file.endsWith(".service"));
  const settingsOf = (flags: readonly string[]) => {
    const line = parseCommandLine([...flags, "--shared", "postgres://user@postgres/chain"], "0");
    if (line.kind !== "run") throw new Error("nothing to run");
    return { listen: toListenOptions(toSettings(line.values, {}, {})), values: line.values };
  };

  it("starts nodes that may write under the names of their services, and readers under that of nginx", () => {
    const [reader, ...writers] = commands.map(settingsOf);
    expect(reader?.values.role).toBe("reader");
    expect(reader?.listen.allowedHosts).toEqual([
      /proxy_set_header Host (\w+);/.exec(read("shared", "nginx.conf"))?.[1],
    ]);
    for (const [index, name] of ["writer", "standby"].entries()) {
      const { listen, values } = writers[index] ?? settingsOf([]);
      expect(values.sharedAddress).toBe(`http://${name}:8545`);
      expect(listen.allowedHosts).toEqual([name]);
      expect(compose).toMatch(new RegExp(`^ {2}${name}:\\n {4}<<: \\*node\\n {4}command: .*"${name}"`, "m"));
    }
    expect(writers.length).toBe(2);
  });

  it("has nginx before the readers of the composition, under their ports", () => {
    const names = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
    const readers = names(compose, /^ {2}([\w-]+):\n {4}<<: \*reader$/gm);
    expect(names(read("shared", "nginx.conf"), /server ([\w-]+):8545 /g)).toEqual(readers);
    expect(names(compose, /127\.0\.0\.1:(\d+):\1"/g)).toEqual(
      names(read("shared", "nginx.conf"), /listen (\d+) default_server;/g),
    );
  });

  it.each(units)("%s starts a node by flags that there are", (file) => {
    const [, line = ""] = /^ExecStart=\/usr\/bin\/hindcast (.*)$/m.exec(read("shared", file)) ?? [];
    const { values } = settingsOf(line.replaceAll("%H", "machine").replaceAll("%i", "8547").split(" "));
    expect(file).toContain(values.role);
    expect(read("shared", "README.md")).toContain(`\`${file}\``);
  });
});

/** HTTP status of GET /health under a Host. */
function statusFor(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path: "/health", headers: { host } }, ({ statusCode }) => resolve(statusCode));
    sent.on("error", reject).end();
  });
}

it("a build without installed packages says what to do, in a line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hindcast-clone-"));
  try {
    cpSync(join(projectFolder, ".ci"), join(folder, ".ci"), { recursive: true });
    const building = run(process.execPath, [join(folder, ".ci/build-if-needed.mjs")]);
    await expect(building).rejects.toMatchObject({
      code: 1,
      stderr: "The packages that Hindcast is built with are not installed. Run `npm ci` first.\n",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
