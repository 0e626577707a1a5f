/** Does what the README says, in the order a newcomer would: its commands, its curl line, its example, its tables. */
import { execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import {
  aliasTexts,
  dialectTable,
  errorTable,
  exampleAnswers,
  memberTable,
  methodTable,
  OPTION_ALIASES,
  OPTION_TYPES,
  optionTable,
  pointTable,
  replaceBetween,
  SHOWN_TRACES,
  storeTable,
} from "../.ci/doc-tables.mjs";
import { pictures } from "../bench/peers/pictures.mjs";
import { picturesIn } from "../site/pictures.mjs";
import * as flags from "../src/cli/flags/flags.ts";
import { variableOf } from "../src/cli/options/environment.ts";
import { COLUMNS, POINTS, wordsOf } from "../src/cli/trace-check/points.ts";
import { catalogue } from "../src/errors/catalogue.ts";
import { DEBUG_ARGUMENTS, STATE_ARGUMENTS } from "../src/node/arguments/debug.ts";
import { TRACE_ARGUMENTS } from "../src/node/arguments/trace.ts";
import { BEHAVIOURS, DIALECTS } from "../src/node/options/dialect.ts";
import { EXAMPLE_ANSWERS } from "../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../src/rpc/registry.ts";
import { tables } from "../src/store/schema.ts";
import { aNodeRun } from "./cli/a-run.ts";
import { aVault } from "./explain/a-workshop.ts";
import { buildOnce, projectFolder } from "./support/build-once.ts";
import { aProject, type Outcome, runProjects } from "./support/run-programs.ts";
import { codeBlocksOf } from "./support/wording.ts";

const run = promisify(execFile);
const paper = (name: string): string => readFileSync(join(projectFolder, name), "utf8");
const readme = paper("README.md");
const PAGES = readdirSync(join(projectFolder, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

/** Lines of the README's indented blocks. */
const commands = [...readme.matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => line as string);
const commandWith = (text: string): string => commands.find((line) => line.includes(text)) ?? "";

beforeAll(buildOnce);

/** When a test is over: concurrent tests have their own. */
type Finish = (run: () => Promise<void>) => void;

/** Runs `npm start`, on a free port; gives the address it prints. */
async function startNode(onTestFinished: Finish): Promise<{ readonly url: string; readonly output: string }> {
  const child = spawn("npm", ["start", "--", "--port", "0"], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let output = "";
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const match = /^Listening on 127\.0\.0\.1:(\d+)$/m.exec(output);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    void ended.then(() => reject(new Error(`it ended: ${output}`)));
  });
  return { url: `http://127.0.0.1:${port}`, output };
}

describe("the first screen", () => {
  it("has the two commands for a fresh clone and the curl line, within 25 lines", () => {
    const screen = readme.split("\n").slice(0, 25).join("\n");
    expect(screen).toContain("\n    npm ci && npm start\n");
    expect(screen).toContain("\n    npm ci && npm test\n");
    expect(screen).toContain("\n    curl ");
  });

  it.concurrent("starts a node whose accounts are the README's, and the curl line shows what a transfer does", async ({
    expect,
    onTestFinished,
  }) => {
    const { url, output } = await startNode(onTestFinished);
    expect(output).toContain("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 (10000.000000000000000000 ETH)");
    const curl = commandWith("curl ").replace("http://127.0.0.1:8545", url);
    expect(curl).toContain(url);
    const { stdout } = await run("bash", ["-c", curl]);
    const { result } = JSON.parse(stdout) as {
      result: { trace: unknown[]; stateDiff: Record<string, { balance: unknown }> }[];
    };
    expect(result).toHaveLength(1);
    expect(result[0]?.trace).toMatchObject([
      {
        type: "call",
        action: {
          from: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
          to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
          value: "0xde0b6b3a7640000",
        },
      },
    ]);
    // 10,000 ETH and one more.
    expect(result[0]?.stateDiff["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]?.balance).toEqual({
      "*": { from: "0x21e19e0c9bab2400000", to: "0x21e27c1806e59a40000" },
    });
  });
});

/** The programs of all pages that need no other file, with what a page says that they print. */
const PROGRAMS = ["README.md", ...PAGES].flatMap((page) =>
  paper(page)
    .split(/^#{2,3} /m)
    .flatMap((section) => {
      const [, program, printed = ""] = /```js\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(section) ?? [];
      const heading = section.slice(0, section.indexOf("\n"));
      return program === undefined || program.includes('from "./') ? [] : [{ page, heading, program, printed }];
    }),
);

describe("programs of pages, against the built package", () => {
  const embedding = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const [, callTree = "", callTreeText = ""] =
    /### The call tree of a transaction\n\n```js\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(readme) ?? [];
  // A program that stands in two pages runs once.
  const others = [...new Map(PROGRAMS.map((each) => [each.program + each.printed, each])).values()];

  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    outcomes = await runProjects([
      { program: embedding },
      { program: callTree, files: aVaultProject() },
      ...others.map(({ program }) => ({ program })),
    ]);
  });

  it("the embedding example runs as it stands, and prints what the README says", () => {
    expect(embedding.trim().split("\n").length).toBeLessThanOrEqual(11);
    expect(outcomes[0]).toEqual({ output: "0x1 0x1\n" });
    expect(readme).toContain("prints `0x1 0x1`.");
  });

  it("the call tree of the README is what its example prints", () => {
    expect(callTreeText).not.toBe("");
    expect(outcomes[1]).toEqual({ output: callTreeText });
  });

  it("are found in the README and in pages", () => {
    expect(PROGRAMS.map(({ heading }) => heading)).toEqual(
      expect.arrayContaining(["A bundle of calls", "An indexer and a reorg", "Blocks that are not mined"]),
    );
  });

  it.each(others.map((each, index) => ({ ...each, index })))(
    "$page, $heading: the program prints what is said",
    ({ printed, index }) => {
      expect(printed).not.toBe("");
      expect(outcomes[index + 2]).toEqual({ output: printed });
    },
  );
});

const NODE_TESTS = PAGES.flatMap((page) => codeBlocksOf(paper(page)).map(({ code }) => ({ page, code }))).filter(
  ({ code }) => code.includes('from "node:test"'),
);

it.each(NODE_TESTS)("$page: the tests of node:test pass", async ({ code }) => {
  const project = await aProject();
  await writeFile(join(project, "example.mjs"), code);
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", "example.mjs"], { cwd: project });
  expect(stdout).toMatch(/^# pass 2$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});

/** Files that the program of the README's call tree finds in its project. */
function aVaultProject(): Readonly<Record<string, string>> {
  const { artifact, withdrawal } = aVault();
  return {
    "out/Vault.sol/Vault.json": JSON.stringify(artifact),
    "vault.mjs": `export async function withdrawTooMuch(provider) {
       const [from] = await provider.request({ method: "eth_accounts" });
       const send = (tx) => provider.request({ method: "eth_sendTransaction", params: [{ from, gas: "0x30d40", ...tx }] });
       const deployed = await send({ data: "${artifact.bytecode.object}" });
       const { contractAddress } = await provider.request({ method: "eth_getTransactionReceipt", params: [deployed] });
       return send({ to: contractAddress, data: "${withdrawal}" });
     }`,
  };
}

it("the command line lines start nodes with those settings", async () => {
  const [, flags = ""] = commandWith("--hardfork london").replace("--port 8546 ", "").split(" -- ");
  const { url } = await aNodeRun(flags.split(" "));
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x0",false]}',
  });
  const { result } = (await reply.json()) as { result: Record<string, unknown> };
  expect(result).toHaveProperty("baseFeePerGas");
  expect(result).not.toHaveProperty("withdrawalsRoot");
});

describe("the generated tables are those of the sources (npm run docs renews them)", () => {
  it.each([
    ["docs/methods.md", "methods", methodTable(methods)],
    ["docs/options.md", "options", optionTable(flags, variableOf)],
    ...Object.entries(OPTION_TYPES).map(([name, path]): [string, string, string] => [
      "docs/node-options.md",
      name,
      memberTable(paper(path), name, aliasTexts(paper, OPTION_ALIASES)),
    ]),
    ["docs/dialects.md", "dialects", dialectTable(BEHAVIOURS, DIALECTS)],
    ["docs/errors.md", "errors", errorTable(catalogue)],
    ["docs/trace-formats.md", "points", pointTable(POINTS, COLUMNS, wordsOf)],
    ["docs/trace-formats.md", "examples", exampleAnswers(EXAMPLE_ANSWERS, SHOWN_TRACES)],
    ["docs/store.md", "store tables", storeTable(tables)],
  ])("%s: %s", (name, marker, content) => {
    expect(replaceBetween(paper(name), marker, content)).toBe(paper(name));
  });
});

it.each(Object.entries(pictures()))("%s is drawn of the recorded figures", (name, drawn) => {
  expect(paper(name)).toBe(drawn);
});

it("every flag, script and file that a paper names exists", () => {
  const { scripts } = JSON.parse(paper("package.json")) as { scripts: Record<string, string> };
  for (const name of ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", ...PAGES]) {
    const text = paper(name);
    for (const [, script] of text.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(script);
    for (const [, file] of text.matchAll(/`((?:docs\/|bench\/)?[\w-]+\.md)`|\]\((docs\/[\w-]+\.md)\)/g)) {
      if (file !== undefined) expect(() => paper(file)).not.toThrow();
    }
    for (const picture of picturesIn(text))
      expect(existsSync(join(projectFolder, name, "..", picture)), `${name}: ${picture}`).toBe(true);
    for (const [, file] of text.matchAll(/`((?:src|test)\/[\w./-]+\.(?:ts|md|mjs))`/g)) {
      expect(existsSync(join(projectFolder, file as string)), `${name}: ${file}`).toBe(true);
    }
  }
});

describe("links between pages", () => {
  const pages = [
    ...[
      "README.md",
      "CONTRIBUTING.md",
      "ARCHITECTURE.md",
      "SECURITY.md",
      "CHANGELOG.md",
      "examples/README.md",
      "examples/shared/README.md",
      "bench/README.md",
    ],
    ...PAGES,
  ];
  /** Anchors of a page's headings, as GitHub makes them. */
  const anchorsOf = (text: string): readonly string[] =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/ /g, "-"),
    );

  it("those of the package's pages lead to its files, or to pictures, which it does not have", () => {
    const { files } = JSON.parse(paper("package.json")) as { files: readonly string[] };
    const isPacked = (file: string): boolean =>
      ["package.json", ...files].some((each) => file === each || file.startsWith(`${each}/`) || isIn(file, each));
    const isIn = (file: string, pattern: string): boolean =>
      pattern.endsWith("/*.md") && file.endsWith(".md") && join(file, "..") === pattern.slice(0, -"/*.md".length);
    const dead = pages.filter(isPacked).flatMap((name) =>
      [
        ...paper(name)
          .replace(/```[\s\S]*?```/g, "")
          .matchAll(/\]\(([^)#\s]+)/g),
      ]
        .map(([, target = ""]) => target)
        .filter((target) => !/^https?:|\.png$/.test(target) && !isPacked(join(name, "..", target)))
        .map((target) => `${name}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it("docs/api.md lists all methods of node.trace and node.debug", () => {
    const text = paper("docs/api.md");
    const missing = [
      ...Object.keys(TRACE_ARGUMENTS).map((name) => `node.trace.${name}(`),
      ...Object.keys({ ...DEBUG_ARGUMENTS, ...STATE_ARGUMENTS }).map((name) => `node.debug.${name}(`),
    ].filter((call) => !text.includes(`\`${call}`));
    expect(missing).toEqual([]);
  });

  it.each(pages)("those of %s lead somewhere", (name) => {
    const text = paper(name).replace(/```[\s\S]*?```/g, "");
    for (const [, target = "", anchor] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)) {
      if (/^https?:/.test(target)) continue;
      const file = target === "" ? name : join(name, "..", target);
      expect(existsSync(join(projectFolder, file)), `${name}: ${target}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(paper(file)), `${name}: ${target}#${anchor}`).toContain(anchor);
    }
  });

  it("the contents list every page", () => {
    const contents = paper("docs/README.md");
    for (const page of PAGES.filter((each) => each !== "docs/README.md")) {
      expect(contents).toContain(`](${page.slice("docs/".length)})`);
    }
  });

  it("the README has at most 200 lines", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(201);
  });
});
