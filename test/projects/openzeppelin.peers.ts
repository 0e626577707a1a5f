/**
 * Tests of OpenZeppelin's contracts on Hardhat's own network and on ours by the plugin, beside hundreds of artifacts and
 * tens of megabytes of build output.
 */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canRunHardhat3, HARDHAT_3, hardhatProgram } from "../peers/hardhat.ts";
import { buildOnce, projectFolder } from "../support/build-once.ts";
import { openProject, type Project } from "./a-project.ts";

const PACKAGES = [
  ...HARDHAT_3,
  "@nomicfoundation/hardhat-ethers@4.2.0",
  "@nomicfoundation/hardhat-ethers-chai-matchers@3",
  "@nomicfoundation/hardhat-mocha@4",
  "@nomicfoundation/hardhat-network-helpers@3",
  "@openzeppelin/contracts@5.7.0",
  "@openzeppelin/contracts-upgradeable@5.7.0",
  "chai@6",
  "ethers@6",
  "mocha@12",
  "solc@0.8.37",
];

describe.skipIf(!canRunHardhat3)("a project of OpenZeppelin's contracts", () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject("openzeppelin", PACKAGES);
    buildOnce();
    await symlink(projectFolder, join(project.folder, "node_modules", "hindcast"));
    await hardhat("build");
  }, 600_000);
  afterAll(() => project?.close());

  const hardhat = (...flags: readonly string[]): Promise<string> => {
    const [command, script] = hardhatProgram(3, project.folder);
    return project.run(command, script, ...flags);
  };

  it.each(["default", "hindcast"])(
    "passes all its tests on the network %s",
    async (network) => {
      const output = await hardhat("test", "mocha", "--no-compile", "--network", network);
      expect(output).toContain("512 passing");
      expect(output).not.toContain("failing");
    },
    300_000,
  );
});
