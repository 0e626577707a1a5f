/** The fixtures in processes of their own, under the runner each is for, from the package as it is published. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, it } from "vitest";
import { buildOnce, projectFolder } from "../support/build-once.ts";

const run = promisify(execFile);
const fileOf = (name: string): string => fileURLToPath(new URL(`runners/${name}`, import.meta.url));
const bin = (path: string): string => join(projectFolder, "node_modules", path);
// A runner inside a runner must not take itself for a worker of the outer one.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_TEST)/.test(name)));
/** The runners' own limits of some seconds measure the machine. */
const PATIENT_MOCHA = ["--timeout", "300000"];
const PATIENT_VITEST = ["--testTimeout=300000", "--hookTimeout=300000"];

beforeAll(buildOnce);

describe.concurrent("one line in a test file gives it a chain", () => {
  it("under node:test", async ({ expect }) => {
    const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", fileOf("node-test.mjs")], { env });
    expect(stdout).toContain("# pass 5\n# fail 0\n");
  });

  it("under node:test, whose top-level hooks do not wait for each other, with the stack of a failed test", async ({
    expect,
  }) => {
    const failing = [process.execPath, ["--test", "--test-reporter=tap", fileOf("failing.mjs")], { env }] as const;
    const { stdout, stderr } = await run(...failing).catch((error: unknown) => error as Record<string, string>);
    expect(`${stdout}${stderr}`).toContain("# pass 2\n# fail 2\n");
    const shown = `${stdout}${stderr}`.split(/The last (?:request|transaction) of this test that failed was /);
    expect(shown).toHaveLength(3);
    expect(shown[1]).toMatch(/^eth_call: panic: .*\n.*at Vault\.overflow\(/);
    expect(shown[2]).toMatch(/^0x[0-9a-f]{64}: panic: .*\n.*at Vault\.overflow\(/);
  });

  it("under Mocha", async ({ expect }) => {
    const mocha = [
      bin("mocha/bin/mocha.js"),
      "--no-config",
      ...PATIENT_MOCHA,
      "--reporter",
      "json",
      fileOf("mocha.mjs"),
    ];
    const { stdout } = await run(process.execPath, mocha, { env });
    expect(JSON.parse(stdout)).toMatchObject({ stats: { passes: 5, failures: 0 } });
  });

  it("under vitest, as docs/tests.md shows it", async ({ expect }) => {
    const project = await aProject("example.test.ts", exampleOf("hindcast/vitest"));
    try {
      await symlink(bin("vitest"), join(project, "node_modules", "vitest"));
      const flags = ["run", ...PATIENT_VITEST, "--pool", "threads", "--reporter", "json", "--root", project];
      const { stdout } = await run(process.execPath, [bin("vitest/vitest.mjs"), ...flags], { env, cwd: project });
      expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 2, numFailedTests: 0, success: true });
    } finally {
      await rm(project, { recursive: true });
    }
  });

  it.for(["threads", "forks"])("under vitest, with the coverage of all files (%s)", async (pool, { expect }) => {
    const project = await aProject("contract.mjs", CONTRACT);
    try {
      await symlink(bin("vitest"), join(project, "node_modules", "vitest"));
      for (const amount of [1, 2, 3, 101]) await writeFile(join(project, `add-${amount}.test.mjs`), addTest(amount));
      const flags = ["run", ...PATIENT_VITEST, "--pool", pool, "--reporter", "json", "--root", project];
      const { stdout } = await run(process.execPath, [bin("vitest/vitest.mjs"), ...flags], { env, cwd: project });
      expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 4, success: true });
      const lcov = readFileSync(join(project, "lcov.info"), "utf8");
      expect(lcov).toMatch(/FNDA:4,Counter\.add\n/);
    } finally {
      await rm(project, { recursive: true });
    }
  });

  it.for([
    ["vitest", "viem"],
    ["vitest", "ethers"],
    ["mocha", "viem"],
    ["mocha", "ethers"],
  ] as const)("under %s, with the stack of a test that fails by %s", async ([runner, library], { expect }) => {
    const name = runner === "vitest" ? "failing.test.mjs" : "failing.mjs";
    const project = await aProject(name, failingTest(runner, library));
    try {
      for (const each of [runner, library]) await symlink(bin(each), join(project, "node_modules", each));
      const [program, ...flags] =
        runner === "vitest"
          ? ["vitest/vitest.mjs", "run", ...PATIENT_VITEST]
          : ["mocha/bin/mocha.js", "--no-config", ...PATIENT_MOCHA, name];
      const options = { env: { ...env, NO_COLOR: "1", FORCE_COLOR: "0" }, cwd: project };
      const failing = run(process.execPath, [bin(program as string), ...flags], options);
      const { stdout, stderr } = await failing.catch((error: unknown) => error as Record<string, string>);
      const output = `${stdout}${stderr}`;
      expect(output).toMatch(runner === "vitest" ? /1 failed \| 1 passed/ : /1 passing.*1 failing/s);
      const shown = output.split("The last request of this test that failed was ");
      expect(shown).toHaveLength(2);
      expect(shown[1]).toMatch(/^eth_\w+: panic: arithmetic underflow or overflow \(0x11\)\n {4}at Vault\.overflow\(/);
    } finally {
      await rm(project, { recursive: true });
    }
  });

  it("under node:test, as docs/tests.md shows it", async ({ expect }) => {
    const project = await aProject("example.mjs", exampleOf("hindcast/node-test"));
    try {
      const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", "example.mjs"], {
        env,
        cwd: project,
      });
      expect(stdout).toContain("# pass 2\n# fail 0\n");
    } finally {
      await rm(project, { recursive: true });
    }
  });

  it("under Mocha, as docs/tests.md says", async ({ expect }) => {
    const example = exampleOf("hindcast/node-test")
      .replace('import { it } from "node:test";\n', "")
      .replace("hindcast/node-test", "hindcast/mocha");
    const project = await aProject("example.mjs", example);
    try {
      const mocha = [bin("mocha/bin/mocha.js"), "--no-config", ...PATIENT_MOCHA, "--reporter", "json", "example.mjs"];
      const { stdout } = await run(process.execPath, mocha, { env, cwd: project });
      expect(JSON.parse(stdout)).toMatchObject({ stats: { passes: 2, failures: 0 } });
    } finally {
      await rm(project, { recursive: true });
    }
  });
});

/** Deploys the contract of fixtures/solidity-coverage/. */
const CONTRACT = `
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
const path = ${JSON.stringify(join(projectFolder, "fixtures/solidity-coverage/0.8.30-plain.json.br"))};
const { input, output } = JSON.parse(brotliDecompressSync(readFileSync(path)).toString());
const { bytecode, methodIdentifiers } = output.contracts["src/Counter.sol"].Counter.evm;
const word = (value) => value.toString(16).padStart(64, "0");
export async function deploy({ abi, provider, accounts }) {
  abi.addBuild(input, output);
  const from = "0x" + Buffer.from(accounts[0].address).toString("hex");
  const send = (fields) =>
    provider.send("eth_sendTransaction", [{ from, gas: "0x4c4b40", ...fields }]);
  const hash = await send({ data: "0x" + bytecode.object + word(3) });
  const { contractAddress: to } = await provider.send("eth_getTransactionReceipt", [hash]);
  return (amount) => send({ to, data: "0x" + methodIdentifiers["add(uint256)"] + word(amount) });
}`;

const addTest = (amount: number): string => `
import { it } from "vitest";
import { useHindcast } from "hindcast/vitest";
import { deploy } from "./contract.mjs";
const chain = useHindcast({ coverage: true });
it("adds", async () => void (await (await deploy(chain.node))(${amount})));
`;

/** A test that fails by a request of a library, after one that passes though its request fails. */
const failingTest = (runner: "vitest" | "mocha", library: "viem" | "ethers"): string => `
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import * as library from "${library}";
import { useHindcast } from "hindcast/${runner}";
${runner === "vitest" ? 'import { beforeAll, it } from "vitest";' : "const beforeAll = before;"}
const path = ${JSON.stringify(join(projectFolder, "fixtures/solidity-stacks/0.8.30-plain.json.br"))};
const { input, output } = JSON.parse(brotliDecompressSync(readFileSync(path)).toString());
const { abi, evm } = output.contracts["src/Vault.sol"].Vault;
const address = "0x${"77".repeat(20)}";
const most = 2n ** 256n - 1n;
const chain = useHindcast();
const overflow = {
  ethers: () => new library.Contract(address, abi, new library.BrowserProvider(chain.provider)).overflow.staticCall(most),
  viem: () => library.createPublicClient({ transport: library.custom(chain.provider) })
    .simulateContract({ address, abi, functionName: "overflow", args: [most] }),
}.${library};
beforeAll(async () => {
  chain.node.abi.addBuild(input, output);
  const code = "0x" + evm.deployedBytecode.object.replace(/__.{38}/g, "0".repeat(40));
  await chain.provider.request({ method: "anvil_setCode", params: [address, code] });
});
it("passes", async () => void (await overflow().catch(() => undefined)));
it("fails", async () => void (await overflow()));
`;

/** The example of docs/tests.md with an import. */
function exampleOf(module: string): string {
  const page = readFileSync(join(projectFolder, "docs/tests.md"), "utf8");
  const examples = [...page.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  return examples.find((text) => text.includes(`from "${module}"`)) ?? "";
}

/** A project of its own with one file, in which the package is installed by a link. */
async function aProject(name: string, content: string): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "hindcast-runner-"));
  await mkdir(join(project, "node_modules"));
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }');
  await writeFile(join(project, name), content);
  await symlink(projectFolder, join(project, "node_modules", "hindcast"));
  return project;
}
