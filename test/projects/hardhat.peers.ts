/** The Hardhat 3 project deploys to our node and its tests pass there: over HTTP, and with the plugin in Hardhat's process. */
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canRunHardhat3, HARDHAT_3, hardhatProgram } from "../peers/hardhat.ts";
import { buildOnce, projectFolder } from "../support/build-once.ts";
import { openProject, type Project } from "./a-project.ts";

const PACKAGES = [
  ...HARDHAT_3,
  "@nomicfoundation/hardhat-ethers@4.2.0",
  "@nomicfoundation/hardhat-ignition@3",
  "@nomicfoundation/hardhat-ignition-viem@3",
  "@nomicfoundation/hardhat-network-helpers@3",
  "@nomicfoundation/hardhat-node-test-runner@3",
  "@nomicfoundation/hardhat-verify@3",
  "@nomicfoundation/hardhat-viem@3",
  "@nomicfoundation/ignition-core@3",
  "ethers@6",
  "solc@0.8.37",
  "viem@2",
];
describe.skipIf(!canRunHardhat3)("a Hardhat 3 project with our node as its network", () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject("hardhat", PACKAGES);
    buildOnce();
    await symlink(projectFolder, join(project.folder, "node_modules", "hindcast"));
  });
  afterAll(() => project?.close());

  const hardhat = (...flags: readonly string[]): Promise<string> => {
    const [command, script] = hardhatProgram(3, project.folder);
    return project.run(command, script, ...flags, "--network", "hindcast");
  };

  it("deploys with a script, at the address of the first account's first contract", async () => {
    expect(await hardhat("run", "scripts/deploy.ts")).toContain(
      "deployed at 0x5FbDB2315678afecb367f032d93F642f64180aa3",
    );
    expect(project.node.head.header.number).toBe(2n);
  });

  it("passes its own tests", async () => {
    const told = await hardhat("test", "nodejs");
    expect(told).toContain("8 passing");
    expect(told).not.toContain("failing");
  });

  it("passes them with the plugin, which needs no node to be started", async () => {
    const told = await hardhat("--config", "hardhat.plugin.config.ts", "test", "nodejs");
    expect(told).toContain("8 passing");
    expect(told).not.toContain("failing");
    const ownTests = ["plugin-test/chains.ts", "plugin-test/members.ts"];
    expect(await hardhat("--config", "hardhat.plugin.config.ts", "test", "nodejs", ...ownTests)).toContain("8 passing");
  });

  it("deploys by viem, ethers and Ignition with the plugin, which reports coverage and gas of the run", async () => {
    const config = ["--config", "hardhat.deployments.config.ts"];
    const output = await hardhat(...config, "test", "nodejs", "plugin-test/deployments.ts");
    expect(output).toContain("5 passing");
    expect(output).toMatch(/^amount 42$/m);
    const [gas, lcov] = await Promise.all(
      ["gas.txt", "lcov.info"].map((name) => readFile(join(project.folder, "reports", name), "utf8")),
    );
    expect(gas).toMatch(/^Bank +pay +5 +45127 /m);
    expect(lcov).toContain("SF:contracts/Bank.sol\n");
    expect(lcov).toMatch(/FNDA:7,Bank\.pay\n/);
    const deployed = await hardhat(...config, "ignition", "deploy", "ignition/modules/Bank.ts");
    expect(deployed).toContain("Bank#Bank - 0x5FbDB2315678afecb367f032d93F642f64180aa3");
  });
});
