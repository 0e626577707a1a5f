/** Limits of a block beside its gas: blocks are built within them, so that imports take them. */
import { describe, expect, it } from "vitest";
import { encodeBlock } from "../../src/chainspec/header/block.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, BOB, quantity, wordText } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { receiptOf, send } from "../support/contracts.ts";
import { DEPOSIT_CONTRACT, genesisWithDeposits } from "../support/deposit-contract.ts";
import { isSlow } from "../support/seed.ts";

const LIMIT = 8_388_608;
const zeros = (bytes: number): Hex => `0x${"00".repeat(bytes)}`;
const ask = (node: HindcastNode, method: string, ...params: unknown[]) => node.provider.send(method, params);
const sizeOf = (node: HindcastNode, number: bigint) => {
  const block = node.getBlock(number);
  return block === undefined ? 0 : encodeBlock(block).length;
};
/** A chain that has gas for more bytes than a block may have. */
const large = (options = {}) => aNode({ hardfork: "osaka", mining: "manual", gasLimit: 400_000_000, ...options });
/** Sends transactions with a million zero bytes each, which stay below the gas cap of EIP-7825. */
async function sendMegabytes(node: HindcastNode, count: number): Promise<Hex[]> {
  const hashes: Hex[] = [];
  for (let index = 0; index < count; index++) {
    hashes.push(await send(node, { to: BOB, data: zeros(1_000_000), gas: quantity(10_100_000) }));
  }
  return hashes;
}

/** Attributes of a payload on the head. */
const attributesAfter = (node: HindcastNode, withdrawals: readonly object[] = []) => ({
  timestamp: quantity(node.head.header.timestamp + 12n),
  prevRandao: wordText(0),
  suggestedFeeRecipient: ALICE,
  withdrawals,
  parentBeaconBlockRoot: wordText(0),
});

describe("the bytes of a block (EIP-7934)", () => {
  it.runIf(isSlow)(
    "end before the limit, with smaller transactions after one that does not fit, which is in the next (osaka)",
    async () => {
      const node = await large();
      const hashes = await sendMegabytes(node, 9);
      const payload = (await ask(
        node,
        "testing_buildBlockV1",
        encodeData(node.head.hash),
        attributesAfter(node),
        null,
      )) as {
        executionPayload: { transactions: string[] };
      };
      expect(payload.executionPayload.transactions).toHaveLength(8);
      const small = (await ask(node, "eth_sendTransaction", {
        from: BOB,
        to: ALICE,
        maxPriorityFeePerGas: "0x1",
      })) as Hex;
      const [first, second] = await node.mine({ blocks: 2 });
      expect([first?.transactions.length, second?.transactions.length]).toEqual([9, 1]);
      expect((await receiptOf(node, small)).blockNumber).toBe("0x1");
      expect((await receiptOf(node, hashes[8] as Hex)).blockNumber).toBe("0x2");
      expect(sizeOf(node, 1n)).toBeLessThanOrEqual(LIMIT);
      const other = await large({ genesisNumber: 0 });
      for (const number of [1n, 2n]) await other.importBlock(encodeBlock(node.getBlock(number) ?? node.head));
      expect(other.head.hash).toEqual(node.head.hash);
    },
  );

  if (isSlow) {
    it("have no limit before (prague)", async () => {
      const node = await large({ hardfork: "prague" });
      await sendMegabytes(node, 9);
      await node.mine();
      expect(node.head.transactions).toHaveLength(9);
      expect(sizeOf(node, 1n)).toBeGreaterThan(LIMIT);
    });
  }

  if (isSlow) {
    it("are used up to the last few", async () => {
      const sizeWith = async (bytes: number): Promise<number> => {
        const node = await large();
        await send(node, { to: BOB, data: zeros(bytes), gas: quantity(90_000_000) });
        await node.mine();
        return node.head.transactions.length === 0 ? 0 : sizeOf(node, 1n);
      };
      const rest = LIMIT - (await sizeWith(8_380_000));
      // The builder does not know beforehand how many bytes the numbers of the header take.
      expect(await sizeWith(8_380_000 + rest - 8)).toBe(LIMIT - 8);
      expect(await sizeWith(8_380_000 + rest + 1)).toBe(0);
    });
  }

  if (isSlow) {
    it("are those of a reorganisation, too", async () => {
      const node = await large();
      await node.mine();
      const data = zeros(1_000_000);
      const pairs = Array.from({ length: 9 }, () => [{ from: ALICE, to: BOB, data, gas: quantity(10_100_000) }, 0]);
      await ask(node, "anvil_reorg", 1, pairs);
      expect(node.head.transactions.length).toBeGreaterThan(0);
      expect(sizeOf(node, 1n)).toBeLessThanOrEqual(LIMIT);
    });
  }

  it("are fewer than those of a transaction that is refused at once", async () => {
    const node = await large();
    const sending = send(node, { to: BOB, data: zeros(LIMIT), gas: quantity(100_000_000) });
    await expect(sending).rejects.toThrow(/^oversized data: transaction size 83887\d\d, limit 8388608/);
  });
});

describe("the access list of a block (EIP-7928)", () => {
  it("is within what the gas limit allows, or the block is not built", async () => {
    // 2,000 gas for each account and each slot: 30 of them, where the contracts of the protocol take 26.
    const node = await aNode({ hardfork: "amsterdam", mining: "manual", gasLimit: 60_000 });
    await node.mine();
    const withdrawal = (index: number) => ({
      index: quantity(index),
      validatorIndex: "0x1",
      address: `0x${(0x1000 + index).toString(16).padStart(40, "0")}`,
      amount: "0x1",
    });
    const build = (count: number) => {
      const withdrawals = Array.from({ length: count }, (_, index) => withdrawal(index));
      const attributes = attributesAfter(node, withdrawals);
      return ask(node, "testing_buildBlockV1", encodeData(node.head.hash), attributes, []);
    };
    await expect(build(1)).resolves.toBeDefined();
    await expect(build(20)).rejects.toMatchObject({
      code: -32004,
      message: expect.stringMatching(/^Block 2 would not be valid: its access list has \d+ items, over 30\./),
    });
  });
});

describe("a deposit event of another layout (EIP-6110)", () => {
  const TOPIC = "0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5";
  const broken = encodeData(assemble(`${TOPIC} 576 0 LOG1`));
  const genesis = genesisWithDeposits("osaka", { [DEPOSIT_CONTRACT]: { balance: "0x0", code: broken } });

  it.each(["wasm", "ethereumjs"] as const)(
    "takes its transaction out of the block, and no other (%s)",
    async (engine) => {
      const node = await aNode({ genesis, engine, mining: "manual" });
      const before = await send(node, { to: BOB, value: "0x1", nonce: "0x0" });
      const bad = await send(node, { to: DEPOSIT_CONTRACT, nonce: "0x1", gas: quantity(100_000) });
      await node.mine();
      expect(node.head.transactions).toHaveLength(1);
      expect((await receiptOf(node, before)).status).toBe("0x1");
      expect(await ask(node, "eth_getTransactionByHash", bad)).toBeNull();
      const after = await send(node, { to: BOB, value: "0x3", nonce: "0x1" });
      await node.mine();
      expect((await receiptOf(node, after)).status).toBe("0x1");
      expect(await ask(node, "eth_getBalance", BOB, "latest")).toBe("0x4");
    },
  );

  it("is named to its sender", async () => {
    const node = await aNode({ genesis, mining: "auto" });
    const sending = send(node, { to: DEPOSIT_CONTRACT, gas: quantity(100_000) });
    await expect(sending).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^a deposit event has an invalid layout \(EIP-6110\)/),
    });
  });
});
