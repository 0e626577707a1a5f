/** The Foundry project deploys to our node by `forge script --broadcast`; `cast` reads and writes there. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALICE } from "../support/a-node.ts";
import { ALICE_KEY, openProject, type Project } from "./a-project.ts";

const arch = { x64: "amd64", arm64: "arm64" }[process.arch as string];
const os = { linux: "linux", darwin: "darwin", win32: "win32" }[process.platform as string];

describe("a Foundry project with our node as its network", () => {
  let project: Project;
  let bank: string;
  beforeAll(async () => {
    project = await openProject("foundry", ["@foundry-rs/forge@1.7.1", "@foundry-rs/cast@1.7.1", "solc@0.8.37"]);
    const deployed = await foundry("forge", "script", "script/Deploy.s.sol:Deploy", "--offline", "--broadcast", ...KEY);
    expect(deployed).toContain("ONCHAIN EXECUTION COMPLETE & SUCCESSFUL");
    const file = join(project.folder, "broadcast/Deploy.s.sol/31337/run-latest.json");
    const { transactions } = JSON.parse(await readFile(file, "utf8")) as {
      transactions: { contractAddress: string }[];
    };
    bank = transactions[0]?.contractAddress ?? "";
  });
  afterAll(() => project?.close());

  const KEY = ["--private-key", ALICE_KEY];
  const binaryOf = (tool: "forge" | "cast"): string =>
    join(project.folder, "node_modules/@foundry-rs", `${tool}-${os}-${arch}`, "bin", tool);
  const foundry = async (tool: "forge" | "cast", ...flags: readonly string[]): Promise<string> =>
    (await project.run(binaryOf(tool), ...flags, "--rpc-url", project.url)).trim();
  const cast = (...flags: readonly string[]): Promise<string> => foundry("cast", ...flags);
  const held = (): Promise<string> => cast("call", bank, "balanceOf(address)(uint256)", ALICE);

  it("has deployed the contract and paid into it", async () => {
    expect(bank.toLowerCase()).toBe("0x5fbdb2315678afecb367f032d93f642f64180aa3");
    expect(await held()).toBe("5");
    expect(await cast("balance", bank)).toBe("5");
    expect(await cast("nonce", ALICE)).toBe("2");
  });

  it("finds the event that it emitted", async () => {
    expect(await cast("logs", "--address", bank, "Paid(address indexed,uint256)")).toContain(`address: 0x5FbDB2315678`);
  });

  it("sends a transaction and reads what it changed", async () => {
    expect(await cast("send", bank, "withdraw(uint256)", "2", ...KEY)).toMatch(/status +1 \(success\)/);
    expect(await held()).toBe("3");
  });

  it("shows the data of the custom error that a call reverts with", async () => {
    // TooMuch(99, 3)
    const data = "0x6073b21f0000000000000000000000000000000000000000000000000000000000000063";
    await expect(cast("call", bank, "withdraw(uint256)", "99", "--from", ALICE)).rejects.toThrow(data);
  });

  it("shows where a transaction failed, by the build that forge wrote", async () => {
    const { node, folder } = project;
    await project.run(binaryOf("forge"), "build", "--force", "--offline");
    await node.abi.addArtifacts(join(folder, "out"));
    // withdraw(99)
    const data = `0x2e1a7d4d${(99).toString(16).padStart(64, "0")}`;
    const hash = (await node.provider.send("eth_sendTransaction", [
      { from: ALICE, to: bank, data, gas: "0x186a0" },
    ])) as `0x${string}`;
    const shown = await node.renderTrace(hash, { colors: false });
    const source = await readFile(join(folder, "src/Bank.sol"), "utf8");
    const line = source.split("\n").findIndex((text) => text.includes("revert TooMuch")) + 1;
    expect(shown).toContain("reverted with custom error TooMuch(99, 3)");
    expect(shown).toContain(`at Bank.withdraw(amount: 99) (src/Bank.sol:${line}:`);
  });

  it("travels in time and back", async () => {
    const before = await held();
    const id = JSON.parse(await cast("rpc", "evm_snapshot")) as string;
    await cast("send", bank, "pay()", "--value", "7", ...KEY);
    expect(await held()).toBe(String(BigInt(before) + 7n));
    expect(await cast("rpc", "evm_revert", id)).toBe("true");
    expect(await held()).toBe(before);
  });
});
