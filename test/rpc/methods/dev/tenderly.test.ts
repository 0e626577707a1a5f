/** tenderly_*: simulations with decoded calls, logs, and what they change. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Market } from "../../../explorer/demo-chain.mjs";
import { aServedNode, type Json, openNode, type ServedNode, serve, wordText } from "../../../support/a-node.ts";

const NOBODY = `0x${"00".repeat(20)}`;

interface Simulated {
  readonly status: boolean;
  readonly gasUsed: string;
  readonly cumulativeGasUsed: string;
  readonly logs: readonly Json[];
  readonly trace: readonly Json[];
  readonly assetChanges: readonly Json[];
  readonly stateChanges: readonly Json[];
}

describe("a token", () => {
  let served: ServedNode;
  let market: Market;
  let token: string;
  let minted: string;
  let alice: string;
  let bob: string;
  const transfer = (amount: bigint) => ({
    from: alice,
    to: token,
    data: market.data("Token", "transfer", bob, amount),
  });

  beforeAll(async () => {
    served = await serve(await openNode({ hardfork: "cancun" }));
    market = await new Market(served.node).open();
    [alice = "", bob = ""] = market.accounts;
    token = await market.deploy("Token", "Gold", "GLD");
    minted = await market.send("Token", token, "mint", [alice, 100n]);
  });

  afterAll(() => served.node.close());

  it("that is sent shows as a decoded call and event, an asset and changes of states", async () => {
    const { plain } = served;
    const head = await plain.ask("eth_blockNumber");
    const done = await plain.ask<Simulated>("tenderly_simulateTransaction", transfer(30n), "latest");
    expect(done).toMatchObject({ status: true, cumulativeGasUsed: done.gasUsed, blockNumber: head, type: "0x0" });
    expect(done.trace).toMatchObject([
      {
        type: "CALL",
        from: alice,
        to: token,
        method: "transfer",
        decodedInput: [
          { name: "to", type: "address", value: bob },
          { name: "value", type: "uint256", value: "30" },
        ],
        decodedOutput: [{ type: "bool", value: true }],
        subtraces: 0,
        traceAddress: [],
      },
    ]);
    expect(done.logs).toMatchObject([
      {
        name: "Transfer",
        anonymous: false,
        inputs: [
          { type: "address", value: alice, indexed: true },
          { type: "address", value: bob, indexed: true },
          { type: "uint256", value: "30", indexed: false },
        ],
        raw: { address: token, data: wordText(30) },
      },
    ]);
    expect(done.assetChanges).toEqual([
      {
        assetInfo: { standard: "ERC20", type: "Fungible", contractAddress: token },
        type: "Transfer",
        from: alice,
        to: bob,
        rawAmount: "0x1e",
      },
    ]);
    const changed = done.stateChanges.find(({ address }) => address === token) as { storage: Json[] };
    const values = changed.storage.map(({ previousValue, newValue }) => [previousValue, newValue]);
    expect(values.sort()).toEqual([
      [wordText(0), wordText(30)],
      [wordText(100), wordText(70)],
    ]);
    expect(await plain.ask("eth_blockNumber")).toBe(head);
  });

  it("is spent by one call of a bundle and missing for the next, which fails by name", async () => {
    const bundle = await served.plain.ask<readonly Simulated[]>("tenderly_simulateBundle", [
      transfer(80n),
      transfer(80n),
    ]);
    expect(bundle.map(({ status }) => status)).toEqual([true, false]);
    const [first, second] = bundle as readonly [Simulated, Simulated];
    expect(BigInt(second.cumulativeGasUsed)).toBe(BigInt(first.gasUsed) + BigInt(second.gasUsed));
    expect(second).toMatchObject({ logs: [], assetChanges: [], trace: [{ error: "execution reverted" }] });
  });

  it("that was minted shows in the trace of its transaction", async () => {
    const done = await served.plain.ask<Simulated>("tenderly_traceTransaction", minted);
    const { gasUsed } = await served.plain.ask<Json>("eth_getTransactionReceipt", minted);
    expect(done).toMatchObject({ status: true, gasUsed, trace: [{ method: "mint" }] });
    expect(done.assetChanges).toMatchObject([{ type: "Mint", to: alice, rawAmount: "0x64" }]);
    expect(done.assetChanges[0]).not.toHaveProperty("from");
  });
});

it("without ABIs calls, logs and ether are there all the same", async () => {
  const { plain } = await aServedNode();
  const [from, to] = await plain.ask<readonly string[]>("eth_accounts");
  const done = await plain.ask<Simulated>("tenderly_simulateTransaction", { from, to, value: "0x5" });
  expect(done).toMatchObject({ status: true, gasUsed: "0x5208", logs: [], logsBloom: `0x${"00".repeat(256)}` });
  expect(done.trace).toEqual([
    {
      type: "CALL",
      from,
      to,
      gas: expect.any(String),
      gasUsed: "0x0",
      value: "0x5",
      input: "0x",
      output: "0x",
      subtraces: 0,
      traceAddress: [],
    },
  ]);
  expect(done.assetChanges).toMatchObject([{ assetInfo: { standard: "NativeCurrency" }, from, to, rawAmount: "0x5" }]);
  const changes = new Map(done.stateChanges.map((change) => [change.address, change]));
  expect(changes.get(from)).toMatchObject({ nonce: { previousValue: "0x0", newValue: "0x1" } });
  const { balance } = changes.get(to) as { balance: { previousValue: string; newValue: string } };
  expect(BigInt(balance.newValue) - BigInt(balance.previousValue)).toBe(5n);
});

it("refuses an empty bundle, an unknown transaction and a call that cannot be paid", async () => {
  const { plain } = await aServedNode();
  expect(await plain.failure("tenderly_simulateBundle", [])).toMatchObject({
    code: -32602,
    message: expect.stringContaining("expected at least one call"),
  });
  expect(await plain.failure("tenderly_traceTransaction", wordText(7))).toMatchObject({
    message: expect.stringContaining("transaction not found"),
  });
  expect(
    await plain.failure("tenderly_simulateTransaction", { from: NOBODY.replace("00", "11"), value: "0x1" }),
  ).toMatchObject({
    message: expect.stringContaining("insufficient funds"),
  });
});
