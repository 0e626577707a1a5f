import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { Finished } from "../e2e/a-command.ts";
import { aReader, ask, aWriter, caughtUp, statusOf } from "../node/sharing/shared-nodes.ts";
import { aFolder } from "../support/a-folder.ts";
import { NOW } from "../support/a-node.ts";
import { editFolder, entriesOf } from "../support/damaged-folder.ts";
import { aRun } from "./a-run.ts";

const run = (...argv: string[]): Promise<Finished> => aRun(["check", ...argv]).finished;

async function aDataFolder(): Promise<string> {
  const dataDir = await aFolder();
  const node = await createNode({ dataDir, hardfork: "london" });
  await node.mine({ blocks: 3 });
  await node.close();
  return dataDir;
}

const damage = (dataDir: string, table: "canonicalHashes" | "bodies"): Promise<void> =>
  editFolder(dataDir, async (level) => {
    const [, second] = await entriesOf(level, table);
    if (second !== undefined) await level.del(second.key);
  });

describe("hindcast check", () => {
  it("says of a sound folder that nothing is wrong", async () => {
    const dataDir = await aDataFolder();
    const { code, stdout: out, stderr: err } = await run("--data-dir", dataDir, "--hardfork", "london");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Read .*: 4 blocks, 4 of them on the chain, and \d+ trie nodes\. Nothing is wrong\.\n$/);
  });

  it("says what is wrong and where, and repairs it when it is told to", async () => {
    const dataDir = await aDataFolder();
    await damage(dataDir, "canonicalHashes");
    const flags = ["--data-dir", dataDir, "--hardfork", "london"];
    const found = await run(...flags);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain("wrong: canonicalHashes: the entry of blockNumber 1 is not there.\n");
    expect(found.stdout).toContain("Wrong: 1 entries. 1 of them can be made again: run it with --repair.");
    const repaired = await run("--repair", ...flags);
    expect(repaired.code).toBe(0);
    expect(repaired.stdout).toContain("repaired: canonicalHashes: the entry of blockNumber 1 is not there.\n");
    expect(repaired.stdout).toContain("Repaired: 1 entries. No errors remain.");
    expect((await run(...flags)).code).toBe(0);
  });

  it("says what is lost", async () => {
    const dataDir = await aDataFolder();
    await damage(dataDir, "bodies");
    const { code, stdout: out } = await run("--data-dir", dataDir, "--hardfork", "london", "--repair");
    expect(code).toBe(1);
    expect(out).toMatch(/^lost: bodies: the entry of blockHash 0x[0-9a-f]{64} is not there\.$/m);
    expect(out).toContain("1 are lost: restore the folder from a copy, or import the chain again.");
  });

  it("repairs the folder of a shared chain, which then has no place among the changes of the others", async () => {
    const dataDir = await aFolder();
    const writer = await aWriter({ dataDir, hardfork: "london" });
    const reader = await aReader(writer.url);
    await writer.node.mine({ blocks: 3 });
    const { incarnation } = await statusOf(writer.node);
    await writer.node.close();
    await damage(dataDir, "canonicalHashes");
    const flags = ["--data-dir", dataDir, "--hardfork", "london"];
    const found = await run(...flags);
    expect(found.stdout).toContain("If the folder is of a node with --follow or --shared, delete it");
    const repaired = await run("--repair", ...flags);
    expect(repaired.code).toBe(0);
    expect(repaired.stdout).toContain("A node with --follow or --shared fills the folder again at its next start.");
    const again = await aWriter({ dataDir, hardfork: "london" }, writer.port);
    expect((await statusOf(again.node)).incarnation).not.toBe(incarnation);
    await caughtUp(reader, again.node);
    expect(await ask(reader, "eth_blockNumber")).toBe("0x3");
  });

  it("makes a copy begin from a base even if what is wrong is lost, and without a repair leaves it as it is", async () => {
    const writer = await aWriter({ hardfork: "london" });
    await writer.node.mine({ blocks: 3 });
    const dataDir = await aFolder();
    const bodies = async (): Promise<number> => {
      let count = 0;
      await editFolder(dataDir, async (level) => {
        count = (await entriesOf(level, "bodies")).length;
      });
      return count;
    };
    const flags = ["--data-dir", dataDir, "--hardfork", "london", "--timestamp", String(NOW)];
    const follow = async (): Promise<void> => {
      const reader = await aReader(writer.url, { dataDir });
      await caughtUp(reader, writer.node);
      await reader.close();
    };
    await follow();
    await damage(dataDir, "bodies");
    expect((await run(...flags)).code).toBe(1);
    await follow();
    expect(await bodies()).toBe(3);
    expect((await run(...flags, "--repair")).stdout).toMatch(/^lost: bodies/m);
    await follow();
    expect(await bodies()).toBe(4);
    expect((await run(...flags)).stdout).toContain("Nothing is wrong.");
  });

  it.each([
    [[], 2, "hindcast check needs --data-dir"],
    [["--data-dir", "/tmp", "--fork-url", "http://127.0.0.1:1"], 2, "Folders of forks are not checked."],
    [["--data-dir", "/no/such/folder"], 1, "The folder is not a data folder."],
    [["--repare"], 2, "--repare"],
  ])("refuses %j", async (argv, code, message) => {
    const outcome = await run(...argv);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(message);
  });

  it("prints its help", async () => {
    expect((await run("--help")).stdout).toMatch(/^Usage: hindcast check --data-dir <folder> \[--repair\]/);
  });
});
