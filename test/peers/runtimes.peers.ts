/** Deno and Bun run the package's build for Node: a chain in memory and in a folder, servers, threads, all documented examples. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { EXAMPLE_ANSWERS } from "../../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../../src/rpc/registry.ts";
import { aFolder } from "../support/a-folder.ts";
import { buildOnce, projectFolder } from "../support/build-once.ts";
import { unpackedAnswers } from "../support/unpacked-answers.ts";

const run = promisify(execFile);
const folder = join(projectFolder, "test/peers/runtimes");
const bundle = join(projectFolder, "dist/bundle/index.js");

/** Programs by runtime, in the packages for this platform; those are installed on first use. */
const RUNTIMES: Readonly<
  Record<string, { readonly packages: readonly string[]; readonly arguments: readonly string[] }>
> = {
  deno: {
    packages: [
      `@deno/${process.platform}-${process.arch}-glibc/deno`,
      `@deno/${process.platform}-${process.arch}/deno`,
    ],
    arguments: ["run", "--allow-all", "--no-lock"],
  },
  bun: { packages: [`@oven/bun-${process.platform}-${process.arch}/bin/bun`], arguments: ["run"] },
};

beforeAll(async () => {
  await buildOnce();
  if (existsSync(join(folder, "node_modules"))) return;
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder, stdio: "inherit" });
});

it.each(Object.keys(RUNTIMES))(
  "%s answers as Node does, keeps a chain in a folder, and ends by itself",
  async (name) => {
    const runtime = RUNTIMES[name];
    const program = runtime?.packages
      .map((path) => join(folder, "node_modules", path))
      .find((path) => existsSync(path));
    if (runtime === undefined || program === undefined) {
      console.warn(`There is no ${name} for this platform.`);
      return;
    }
    const list = join(await aFolder(), "methods.json");
    const own = methods.filter(({ aliasOf }) => aliasOf === undefined);
    writeFileSync(
      list,
      JSON.stringify(own.map(({ name: method, example, writes }) => ({ name: method, example, writes }))),
    );
    const { stdout } = await run(program, [...runtime.arguments, join(folder, "program.mjs"), bundle, list], {
      timeout: 300_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { chains, answers } = JSON.parse(stdout);
    const grown = { trace: 1, steps: 6 };
    expect(chains).toEqual([
      { ...grown, start: "0x0", overHttp: "0x2", head: "0x3" },
      { ...grown, start: "0x0", overHttp: "0x2", head: "0x3" },
      { ...grown, start: "0x3", overHttp: "0x5", head: "0x6" },
    ]);
    expect(unpackedAnswers(answers)).toEqual(unpackedAnswers(EXAMPLE_ANSWERS));
  },
);
