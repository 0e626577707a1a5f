/** The explorer's pages on a chain that others recorded: every hardfork from Frontier to Osaka, uncles, the Merge, blobs. */
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { hasRealChain, realChain, realGenesis, whereItIs } from "../conformance/real-chain.ts";
import { useExplorer } from "./explorer.ts";

interface RecordedTransaction {
  readonly hash: string;
  readonly type: string;
  readonly to: string | null;
  readonly status: string | undefined;
  readonly gasUsed: number;
}

/** Imports the chain and looks for a transaction of each sort. */
async function importChain(node: HindcastNode) {
  await node.importChain(realChain());
  const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
  const transactions: RecordedTransaction[] = [];
  for (let number = 0; number <= 54; number++) {
    const id = `0x${number.toString(16)}`;
    const block = (await ask("eth_getBlockByNumber", id, true)) as { transactions: RecordedTransaction[] };
    const receipts = (await ask("eth_getBlockReceipts", id)) as { status?: string; gasUsed: string }[];
    transactions.push(
      ...block.transactions.map((tx, index) => ({
        ...tx,
        status: receipts[index]?.status,
        gasUsed: Number(receipts[index]?.gasUsed),
      })),
    );
  }
  const find = (test: (tx: RecordedTransaction) => boolean): string => transactions.find(test)?.hash ?? "";
  const dearest = transactions.toSorted((left, right) => right.gasUsed - left.gasUsed)[0];
  return {
    sorts: {
      legacy: find(({ type }) => type === "0x0"),
      "access list": find(({ type }) => type === "0x1"),
      "dynamic fee": find(({ type }) => type === "0x2"),
      blob: find(({ type }) => type === "0x3"),
      "set code": find(({ type }) => type === "0x4"),
      creation: find(({ to, gasUsed }) => to === null && gasUsed > 60_000),
      "without a status, before Byzantium": find(({ status }) => status === undefined),
      "most gas": dearest?.hash ?? "",
    },
    contract: transactions.find(({ to, gasUsed }) => to !== null && gasUsed > 30_000)?.to ?? "",
  };
}

describe.skipIf(!hasRealChain)(`the recorded chain ${whereItIs}`, () => {
  const explorer = useExplorer(importChain, async () => ({ genesis: realGenesis() }));

  it("lists its blocks from the head down to the first, with uncles beside them", async () => {
    const { page, visit, see, seeIn } = await explorer.open();
    await visit("#/");
    await seeIn(".blocks .number", /^54$/);
    const rows = page.locator(".blocks tbody tr");
    for (const older = page.getByRole("button", { name: "Older blocks" }); (await older.count()) > 0; ) {
      const before: number = await rows.count();
      await older.click();
      await expect.poll(() => rows.count()).toBeGreaterThan(before);
    }
    await page.locator(".blocks .number", { hasText: /^0$/ }).first().waitFor();
    await see("3503995874084926");
  });

  it.each([
    ["the first", 0, "Transactions 0"],
    ["59 transactions", 2, "Transactions 59"],
    ["an uncle and rewards", 34, "Uncles 1"],
    ["a withdrawal", 39, "Withdrawals"],
    ["an execution-layer request", 45, "Transactions"],
    ["the head", 54, "Transactions"],
  ])("shows a block, its header and its trace: %s", async (_what, number, text) => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/block/${number}`);
    await see(`Block ${number}`);
    await see(text);
    await page.getByRole("tab", { name: "Header" }).click();
    await see("parentHash");
    if (number === 0) return;
    await page.getByRole("tab", { name: "Trace" }).click();
    await page.locator(".trace-row, .empty").first().waitFor();
  });

  it("shows the reward of a miner, and for an uncle", async () => {
    const { visit, see } = await explorer.open();
    await visit("#/block/34");
    await see("2.0625 ETH, and 1.75 ETH for uncles");
  });

  it.each([
    "legacy",
    "access list",
    "dynamic fee",
    "blob",
    "set code",
    "creation",
    "without a status, before Byzantium",
    "most gas",
  ] as const)("shows a transaction with all of its tabs: %s", async (sort) => {
    const { page, visit, see } = await explorer.open();
    const hash = explorer.facts.sorts[sort];
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
    await visit(`#/tx/${hash}`);
    await see(hash);
    await page.getByRole("tree").waitFor();
    for (const tab of [/^Changes/, /^Events/, "Gas", "Steps", "Raw"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.locator("[role=tabpanel] > *").first().waitFor();
      expect(await page.locator(".problem").count()).toBe(0);
    }
    await see(/cumulativeGasUsed/);
  });

  it("shows a contract: what called it, its code and its storage", async () => {
    const { page, visit, see } = await explorer.open();
    await visit(`#/address/${explorer.facts.contract}`);
    await page.locator(".transactions li").first().waitFor();
    await visit(`#/address/${explorer.facts.contract}?tab=calls`);
    await page.locator(".trace-row").first().waitFor();
    await visit(`#/address/${explorer.facts.contract}?tab=code`);
    await see(/instructions$/);
    await visit(`#/address/${explorer.facts.contract}?tab=storage`);
    await page.locator("section[aria-label='Slots'], .empty").first().waitFor();
  });
});
