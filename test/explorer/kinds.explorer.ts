/** The explorer's page of a transaction of each kind: tokens, fees, delegations, blobs, self-destruction, recursion. */
import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { Corpus } from "../explain/stack/corpus.ts";
import { assemble } from "../support/assembler.ts";
import { authorization, blobs, signed } from "../support/signed-transactions.ts";
import { buildDemo } from "./demo-chain.mjs";
import { useExplorer } from "./explorer.ts";

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
const at = (byte: number): string => `0x${byte.toString(16).padStart(40, "0")}`;
const LEVELS = 60;
/** Calls itself as often as its data say, then fails; each call fails with what the inner one returned. */
const RECURSION = assemble(`
  0 CALLDATALOAD DUP1 @more JUMPI 0 0 REVERT
  more: 1 SWAP1 SUB 0 MSTORE 0 0 32 0 0 ADDRESS GAS CALL @fine JUMPI
  RETURNDATASIZE 0 0 RETURNDATACOPY RETURNDATASIZE 0 REVERT
  fine: STOP`);
const [TRANSFER] = encodeEventTopics({
  abi: parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]),
  eventName: "Transfer",
});

/** A token that no ABI is known of: it logs a transfer of all its data's second word from the caller to the first. */
const UNKNOWN_TOKEN = assemble(
  `36 CALLDATALOAD 0 MSTORE 4 CALLDATALOAD CALLER ${TRANSFER} 32 0 LOG3 1 0 MSTORE 32 0 RETURN`,
);

const [PAUSED] = encodeEventTopics({ abi: parseAbi(["event Paused(address account)"]), eventName: "Paused" });
/** Logs a pause, and fails with an error of Ownable if it is sent ether. None of the node's ABIs has them. */
const PAUSER = assemble(`
  CALLVALUE @refuse JUMPI CALLER 0 MSTORE ${PAUSED} 32 0 LOG1 STOP
  refuse: 0x118cdaa7 224 SHL 0 MSTORE CALLER 4 MSTORE 36 0 REVERT`);

async function buildKinds(node: HindcastNode) {
  const demo = await buildDemo(node);
  const { market, alice, bob, gold } = demo;
  const carol = market.accounts[4];
  const send = (fields: object): Promise<string> => market.ask("eth_sendTransaction", { from: alice, ...fields });
  const place = async (address: string, code: Uint8Array): Promise<string> => {
    await market.ask("anvil_setCode", address, hex(code));
    return address;
  };
  const recursion = await place(at(0xa1), RECURSION);
  const word = LEVELS.toString(16).padStart(64, "0");
  const recursive = await send({ to: recursion, data: `0x${word}`, gas: "0x2dc6c0" });
  const doomed = await place(at(0xa2), assemble(`${bob} SELFDESTRUCT`));
  await market.ask("anvil_setBalance", doomed, "0xde0b6b3a7640000");
  const destroyed = await send({ to: doomed, gas: "0x186a0" });
  const token = await place(at(0xa3), UNKNOWN_TOKEN);
  const args = encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [bob as Hex, 1_234n]);
  const unknown = await send({ to: token, data: `0xa9059cbb${args.slice(2)}`, gas: "0x186a0" });
  const pauser = await place(at(0xa4), PAUSER);
  const paused = await send({ to: pauser, data: "0x8456cb59", gas: "0x186a0" });
  const nonce = Number(await market.ask("eth_getTransactionCount", alice, "latest"));
  const grants = [authorization(node, 4, gold, 0), authorization(node, 4, gold, 7), authorization(node, 5, at(0), 0)];
  const tx = signed(node, {
    type: 4,
    to: carol,
    nonce,
    chainId: node.chainId,
    gasLimit: 500_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1n,
    authorizationList: grants,
  });
  const delegation = await market.ask("eth_sendRawTransaction", tx.serialized);
  const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1n, maxFeePerBlobGas: 7n };
  const fields = { type: 3, chainId: node.chainId, nonce: nonce + 1, to: bob, gasLimit: 21_000n, ...fees, ...blobs(0) };
  const blob = await market.ask("eth_sendRawTransaction", signed(node, fields).serialized);
  return { ...demo, carol, recursive, destroyed, doomed, unknown, token, paused, delegation, blob };
}

/** A node with a contract that fails six calls of its own deep, at a line that its source shows. */
async function aRecursion() {
  const corpus = await Corpus.open("0.8.30-plain");
  return {
    node: corpus.node,
    data: corpus.data("recursive", [6n]),
    send: (fields: { readonly data: Hex }) => corpus.send(fields),
  };
}

const explorer = useExplorer(buildKinds, { hardfork: "prague" });

const LOOKS = [
  { width: 1280, scheme: "light" },
  { width: 1280, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const;

describe.each(LOOKS)("at $width pixels, $scheme", (look) => {
  it.each([
    ["a swap", () => explorer.facts.swap, "Token transfers 2"],
    ["a delegation", () => explorer.facts.delegation, "set code"],
    ["a blob", () => explorer.facts.blob, "1 blob"],
    ["a deep recursion", () => explorer.facts.recursive, "failed"],
  ])("axe finds nothing, and nothing has to be scrolled to the side: %s", async (_what, hash, text) => {
    const { page, visit, see, axe } = await explorer.open(look);
    await visit(`#/tx/${hash()}`);
    await see(text);
    await page.waitForLoadState("networkidle");
    expect(await axe()).toEqual([]);
    const [needed, given]: [number, number] = await page.evaluate(
      "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
    );
    expect(needed).toBeLessThanOrEqual(given);
  });
});

describe.each([1280, 390])("at %i pixels", (width) => {
  it("a swap lists its transfers and net changes in units, with symbols that lead to the tokens", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { swap, gold, alice, pool } = explorer.facts;
    await visit(`#/tx/${swap}`);
    const transfers = page.locator("section.panel", { hasText: "Token transfers 2" });
    await seeIn(transfers, /10\s+GLD\s+Gold/, /9\.\d+\s+SLV\s+Silver/, /Account 0 → \s*Proxy/, /Proxy → \s*Account 0/);
    const changes = page.getByLabel("Net changes");
    await seeIn(changes, /−10\s+GLD/, /\+10\s+GLD/, /\+9\.\d+\s+SLV/);
    for (const account of [alice, pool])
      expect(await changes.locator(`a[href="#/address/${account}"]`).count()).toBe(2);
    await transfers.getByRole("link", { name: "GLD" }).click();
    await page.waitForURL(`**/#/address/${gold}`);
  });

  it("its fee has its parts, which add up, and its price and limits", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { swap, market } = explorer.facts;
    await visit(`#/tx/${swap}`);
    const fee = page.locator(".facts > div", { has: page.locator("dt", { hasText: /^Fee$/ }) });
    await seeIn(fee, /burnt/, /to the miner/);
    const receipt = await market.ask("eth_getTransactionReceipt", swap);
    const { baseFeePerGas } = await market.ask("eth_getBlockByHash", receipt.blockHash, false);
    const [burnt, tip] = [baseFeePerGas, BigInt(receipt.effectiveGasPrice) - BigInt(baseFeePerGas)].map(
      (price) => Number(BigInt(price) * BigInt(receipt.gasUsed)) / 1e18,
    );
    const texts = (await fee.innerText()).match(/[\d.]+(?= ETH)/g)?.map(Number) ?? [];
    expect(texts[0]).toBeCloseTo((burnt as number) + (tip as number), 7);
    expect(texts[1]).toBeCloseTo(burnt as number, 7);
    expect(texts[2]).toBeCloseTo(tip as number, 7);
    const { maxFeePerGas } = await market.ask("eth_getTransactionByHash", swap);
    const saved = (BigInt(maxFeePerGas) - BigInt(receipt.effectiveGasPrice)) * BigInt(receipt.gasUsed);
    expect(texts[3]).toBeCloseTo(Number(saved) / 1e18, 7);
    await seeIn(fee, /below the limit/);
    await seeIn(".facts", /at most [\d.]+ gwei/, /confirmations?/);
  });

  it("an ERC-721 and an ERC-1155 transfer show their ids", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { market, deed, items, alice, bob } = explorer.facts;
    const given = await market.send("Deed", deed, "mint", [bob, 99n]);
    await visit(`#/tx/${given}`);
    await seeIn(page.locator(".transfer"), /^1\s+DEED\s+Deed\s+#99\s+nobody → /);
    const batch = await market.send("Items", items, "mintBatch", [alice, [70n, 71n], [6n, 9n]]);
    await visit(`#/tx/${batch}`);
    await seeIn(".assets", /6\s+0x[\s\S]*#70/, /9\s+0x[\s\S]*#71/);
  });

  it("an authorization list shows who delegated to what, and why others were skipped", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { delegation, carol, gold } = explorer.facts;
    await visit(`#/tx/${delegation}`);
    await page.getByRole("tab", { name: "Authorizations 3" }).click();
    const rows = page.getByLabel("Authorizations").locator("tbody tr");
    await seeIn(rows.nth(0), /Token/, /applied/);
    await seeIn(rows.nth(1), /skipped/, /its nonce is 7, the account's was 1/);
    await seeIn(rows.nth(2), /ends its delegation/, /applied/);
    await rows.nth(0).locator(`a[href="#/address/${carol}"]`).click();
    await seeIn("h1", /Account\s+delegated/);
    await seeIn(".facts", /Delegates to\s+Token/);
    expect(await page.locator(`.facts a[href="#/address/${gold}"]`).count()).toBe(1);
    await page.getByRole("tab", { name: "Source" }).click();
    await seeIn(".source-row", /\d/);
    await page.getByRole("tab", { name: /^Functions/ }).click();
    await page.getByRole("heading", { name: "balanceOf" }).waitFor();
  });

  it("a blob transaction shows both fees, the price of blob gas, hashes and the bytes", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { blob, market } = explorer.facts;
    const tx = await market.ask("eth_getTransactionByHash", blob);
    await visit(`#/tx/${blob}`);
    await seeIn(".facts", /1 blob, 131,072 blob gas at 1 wei/, /for blobs/);
    await page.getByRole("tab", { name: "Blobs 1" }).click();
    await seeIn(page.getByRole("tabpanel"), new RegExp(tx.blobVersionedHashes[0]));
    await page.getByText(/131,072 bytes/).click();
    const [bytes] = await market.ask("anvil_getBlobsByTransactionHash", blob);
    await seeIn(page.getByRole("tabpanel").locator("pre"), new RegExp(`^${bytes.slice(0, 200)}`));
  });

  it("a self-destruction is named in the tree, with its beneficiary", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    const { destroyed, bob } = explorer.facts;
    await visit(`#/tx/${destroyed}`);
    const line = page.locator(".line-change");
    await seeIn(line, /SELFDESTRUCT/, /1 ETH/);
    expect(await line.locator(`a[href="#/address/${bob}"]`).count()).toBe(1);
  });

  it("a deep tree stays in view, with numbers for the depth, and a failure that is passed on is shown twice", async () => {
    const { page, visit, seeIn, seeCount } = await explorer.open({ width });
    await visit(`#/tx/${explorer.facts.recursive}`);
    const tree = page.getByRole("tree");
    await tree.focus();
    await page.keyboard.press("End");
    await seeIn(".line.is-current", /failed/);
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press("ArrowUp");
    await seeIn(".line.is-current .depth", new RegExp(`^${LEVELS}$`));
    const box = await page.locator(".line.is-current .cut").boundingBox();
    expect(box.x + 60).toBeLessThan(width);
    expect(box.width).toBeGreaterThan(60);
    await seeCount(
      ".tag-fail",
      await page
        .locator(".line-call .tag-fail")
        .count()
        .then((calls: number) => calls + 2),
    );
  });

  it("the frames of a recursion are one, with their number, where the stack of a failure is shown", async () => {
    const { node, data, send } = await aRecursion();
    const hash = await send({ data });
    const { url } = await node.listen({ port: 0 });
    const page = await explorer.bare();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${url}/#/tx/${hash}`);
    const frames = page.locator(".stack-trace li");
    await frames.first().waitFor();
    // The innermost one has failed at another line than the six around it.
    expect((await frames.allInnerTexts()).map((text: string) => /^\d+ times/.exec(text)?.[0])).toEqual([
      undefined,
      "6 times",
    ]);
    expect(await frames.first().innerText()).toMatch(/Vault\.recursive/);
    await page.close();
    await node.close();
  });

  it("what no ABI is known of has the names of its standard: functions, events and errors", async () => {
    const { page, visit, see, seeIn } = await explorer.open({ width });
    const { paused, market, alice } = explorer.facts;
    await visit(`#/tx/${paused}`);
    await seeIn("h1", /^pause\s+success/);
    await seeIn(page.getByRole("tree"), /Paused\(account: 0x/);
    const failed = await market.ask("eth_sendTransaction", {
      ...{ from: alice, to: at(0xa4), data: "0x8456cb59", value: "0x1", gas: "0x186a0" },
    });
    await visit(`#/tx/${failed}`);
    await see(/^OwnableUnauthorizedAccount\(account: 0x/);
    await visit(`#/address/${at(0xa4)}?tab=events`);
    await seeIn(".events li", /^Paused\(account: 0x/);
  });

  it("a token without an ABI is called, logs and transfers by the names of its standard", async () => {
    const { page, visit, seeIn } = await explorer.open({ width });
    await visit(`#/tx/${explorer.facts.unknown}`);
    await seeIn("h1", /^transfer\s+success/);
    await seeIn(page.getByRole("tree"), /transfer\s*\(0x/, /Transfer\(from: 0x/);
    await seeIn(".transfer", /^1,234\s/);
    await page.getByRole("tab", { name: "Raw" }).click();
    await seeIn(page.getByLabel("Arguments"), /amount\s+uint256\s+1,234/);
  });
});
