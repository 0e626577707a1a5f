/** The tests of a Hardhat 2 project pass on our node, started without any flag. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openProject, type Project } from "./a-project.ts";

const PACKAGES = [
  "hardhat@2.29.1",
  "@nomicfoundation/hardhat-chai-matchers@2.1.0",
  "@nomicfoundation/hardhat-ethers@3.1.0",
  "@nomicfoundation/hardhat-network-helpers@1.1.0",
  "chai@4",
  "ethers@6",
  "solc@0.8.30",
];

let project: Project;
beforeAll(async () => {
  project = await openProject("hardhat2", PACKAGES);
});
afterAll(() => project?.close());

it("passes its own tests", async () => {
  const hardhat = join(project.folder, "node_modules/hardhat/internal/cli/bootstrap.js");
  const told = await project.run(process.execPath, hardhat, "test");
  expect(told).toContain("7 passing");
  expect(told).not.toContain("failing");
});
