/** What Hardhat's own network can be told: errors of failed transactions, equal timestamps, random intervals. */
import { expect, it, vi } from "vitest";
import type { Miner } from "../../src/miner/miner.ts";
import { MiningSchedule } from "../../src/miner/mining-mode.ts";
import type { ProviderRpcError } from "../../src/rpc/provider.ts";
import { ALICE, aNode, aServedNode, BOB, NOW, wordText } from "../support/a-node.ts";
import { deploy, REVERTER, send } from "../support/contracts.ts";

/** error InsufficientBalance(uint256 available, uint256 required) with 5 and 10. */
const INSUFFICIENT = `0xcf479181${wordText(5).slice(2)}${wordText(10).slice(2)}` as const;
const ABI = [
  {
    type: "error",
    name: "InsufficientBalance",
    inputs: [
      { name: "available", type: "uint256" },
      { name: "required", type: "uint256" },
    ],
  },
];
const CUSTOM_ERROR = {
  name: "InsufficientBalance",
  args: [5n, 10n],
  namedArgs: { available: 5n, required: 10n },
};

const failureOf = (task: Promise<unknown>): Promise<ProviderRpcError> =>
  task.then(
    () => {
      throw new Error("it succeeded");
    },
    (error: ProviderRpcError) => error,
  );

it("errors in process carry the custom error, the contract, and what helps", async () => {
  const node = await aNode();
  const to = await deploy(node, REVERTER);
  const call = () => failureOf(node.provider.request({ method: "eth_call", params: [{ to, data: INSUFFICIENT }] }));
  expect(await call()).toMatchObject({ code: 3, data: INSUFFICIENT, contract: to, customError: undefined });
  node.abi.add(ABI, { name: "Vault", address: Buffer.from(to.slice(2), "hex") });
  const failure = await call();
  expect(failure).toMatchObject({ contract: to, contractName: "Vault", customError: CUSTOM_ERROR });
  const estimate = { method: "eth_estimateGas", params: [{ to, data: INSUFFICIENT }] } as const;
  expect((await failureOf(node.provider.request(estimate))).customError).toEqual(CUSTOM_ERROR);
  const unknown = await failureOf(node.provider.send("eth_sendTransaction", [{ from: to }]));
  expect(unknown.fix).toContain("anvil_impersonateAccount");
});

it("errors of refused transactions carry their hash", async () => {
  const node = await aNode({ mining: "manual" });
  const hash = await send(node, { to: BOB, nonce: "0x0", gas: "0x5208" });
  const raw = await node.provider.request({ method: "eth_getRawTransactionByHash", params: [hash] });
  const again = await failureOf(node.provider.send("eth_sendRawTransaction", [raw]));
  expect(again).toMatchObject({ message: expect.stringContaining("already known"), transaction: hash });
});

it("throwOnTransactionFailures answers a failed transaction with its error, and mines it", async () => {
  const served = await aServedNode({ throwOnTransactionFailures: true });
  const { node, plain } = served;
  const to = await deploy(node, REVERTER);
  node.abi.add(ABI);
  const failing = { from: ALICE, to, data: INSUFFICIENT, gas: "0x186a0" };
  const failure = await failureOf(node.provider.send("eth_sendTransaction", [failing]));
  expect(failure).toMatchObject({ code: 3, message: "execution reverted", data: INSUFFICIENT, contract: to });
  expect(failure.customError).toEqual(CUSTOM_ERROR);
  const block = await plain.ask<{ transactions: string[] }>("eth_getBlockByNumber", "latest", false);
  expect(block.transactions).toEqual([failure.transaction]);
  expect(await plain.failure("eth_sendTransaction", failing)).toMatchObject({ code: 3, data: INSUFFICIENT });
  expect(await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB })).toMatch(/^0x/);
  node.setMiningMode("manual");
  expect(await plain.ask("eth_sendTransaction", failing)).toMatch(/^0x/);
});

it("blocks have their parent's timestamp only where that is allowed", async () => {
  const node = await aNode({ allowBlocksWithSameTimestamp: true, timestamp: NOW });
  await node.mine({ blocks: 2 });
  expect(node.head.header.timestamp).toBe(BigInt(NOW));
  await node.provider.request({ method: "evm_setNextBlockTimestamp", params: [NOW] });
  await node.mine({ timestamp: BigInt(NOW) });
  expect(node.head.header).toMatchObject({ number: 3n, timestamp: BigInt(NOW) });
  const chain = Buffer.concat([...node.exportChain()]);
  const same = await aNode({ allowBlocksWithSameTimestamp: true, timestamp: NOW });
  expect(await same.importChain(chain)).toMatchObject({ imported: 3 });
  const strict = await aNode({ timestamp: NOW });
  await expect(strict.importChain(chain)).rejects.toThrow("is not after the parent's");
  await strict.mine();
  expect(strict.head.header.timestamp).toBe(BigInt(NOW + 1));
  await expect(strict.mine({ timestamp: BigInt(NOW + 1) })).rejects.toThrow(`Give at least ${NOW + 2}`);
});

it("of a pair of milliseconds, each block waits another number between the two", async () => {
  vi.useFakeTimers();
  const random = vi.spyOn(Math, "random").mockReturnValueOnce(0.5).mockReturnValueOnce(0).mockReturnValue(1);
  let mined = 0;
  const miner = { mine: async () => ++mined } as unknown as Miner;
  const schedule = new MiningSchedule(miner, { intervalMs: [1000, 3000] }, () => undefined);
  const after = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    return mined;
  };
  try {
    expect(await after(1999)).toBe(0);
    expect(await after(1)).toBe(1);
    expect(await after(1000)).toBe(2);
    expect(await after(2999)).toBe(2);
    expect(await after(1)).toBe(3);
    expect(() => schedule.set({ intervalMs: [3000, 1000] })).toThrow("the smaller first");
  } finally {
    schedule.stop();
    random.mockRestore();
    vi.useRealTimers();
  }
});

it("hardhat_setIntervalMining takes such a pair", async () => {
  const { node, plain } = await aServedNode();
  expect(await plain.ask("hardhat_setIntervalMining", [600_000, 900_000])).toBeNull();
  expect(node.miningMode).toEqual({ intervalMs: [600_000, 900_000] });
  expect(await plain.ask("anvil_getIntervalMining")).toBe(600);
  expect((await plain.failure("hardhat_setIntervalMining", [5, 1])).code).toBe(-32602);
});
