/** The explorer's pages on a chain of Amsterdam, whose gas has two dimensions (EIP-8037). */
import { expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { saved, useExplorer } from "./explorer.ts";

/** Mines a transfer to an account that is not there: 21,000 gas for execution, and 183,600 for the account. */
async function transfer(node: HindcastNode): Promise<string> {
  const [from] = (await node.provider.send("eth_accounts", [])) as string[];
  const to = `0x${"77".repeat(20)}`;
  return (await node.provider.send("eth_sendTransaction", [{ from, to, value: "0x1" }])) as string;
}

/** Deploys a byte of code. */
async function creation(node: HindcastNode): Promise<string> {
  const [from] = (await node.provider.send("eth_accounts", [])) as string[];
  return (await node.provider.send("eth_sendTransaction", [{ from, data: "0x60015ff3" }])) as string;
}

const explorer = useExplorer(transfer, { hardfork: "amsterdam" });

it("a transaction's page shows the gas for state", async () => {
  const { visit, seeIn } = await explorer.open();
  await visit(`#/tx/${explorer.facts}`);
  await seeIn(".page-head", /204,600/, /183,600 for state/);
});

it("a transaction's gas, by call and by function, is shown with the gas for state", async () => {
  const { page, visit, see } = await explorer.open();
  await visit(`#/tx/${await creation(explorer.node)}?tab=gas`);
  await see(/gas \(185,130 for state\) were used/);
  await page.getByRole("button", { name: "By function and line" }).click();
  await see(/Less 0 gas of refunds, .* gas \(185,130 for state\) were used/);
});

it("a block's page shows both sums, and its table has the gas for state", async () => {
  const { page, visit, seeIn } = await explorer.open();
  await visit("#/block/1");
  await seeIn("article", /183,600 of 200,000,000/, /21,000 for execution, 183,600 for state/);
  const csv = await saved(page, () => page.getByRole("button", { name: "CSV" }).first().click());
  expect(csv.split("\r\n")[0]).toContain(",gasUsed,stateGasUsed,failed");
  expect(csv).toContain(",204600,183600,false");
});
