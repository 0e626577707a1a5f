/** What Amsterdam changes for calls and blocks, against sums by hand. */
import { describe, expect, it } from "vitest";
import type { CallRequest, HardforkComparison } from "../../../../src/index.ts";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, aServedNode, BOB, CAROL, NOBODY, quantity } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { COUNTER, deploy, receiptOf, send } from "../../../support/contracts.ts";

const [alice, bob, nobody] = [ALICE, BOB, NOBODY].map(decodeData) as [Uint8Array, Uint8Array, Uint8Array];
const TWO = ["osaka", "amsterdam"] as const;
const NEW_ACCOUNT = 183_600n;
const NEW_SLOT = 97_920n;

const compare = (node: HindcastNode, ...calls: readonly CallRequest[]): Promise<HardforkComparison> =>
  node.compareHardforks({ calls, hardforks: TWO });
const runsOf = ({ runs }: HardforkComparison, index = 0) => {
  const compared = runs[index];
  if (compared === undefined) throw new Error(`there is no run ${index}`);
  return compared;
};

describe("calls", () => {
  it("of a deployment of 24 KiB cost 37.8 million gas instead of 5.0", async () => {
    const node = await aNode();
    // PUSH2 24576, PUSH1 0, RETURN.
    const data = decodeData("0x6160006000f3");
    const comparison = await compare(node, { from: alice, data });
    const { runs, isSame } = runsOf(comparison);
    expect(isSame).toBe(true);
    // Calldata: 4 bytes and 2 zeros; a word of init code; two PUSH; 768 words of memory.
    const [calldata, word, run] = [4n * 16n + 2n * 4n, 2n, 3n + 3n + 3n * 768n + (768n * 768n) / 512n];
    const intrinsic = 21_000n + 32_000n + calldata + word;
    const execution = run + 200n * 24_576n;
    expect(runs[0]).toMatchObject({
      status: "succeeded",
      gas: { total: 4_971_736n, intrinsic, execution, state: 0n, floor: 0n, refund: 0n, beforeRefund: 4_971_736n },
    });
    expect(intrinsic + execution).toBe(4_971_736n);
    // EIP-2780: sender, new account, its access. EIP-8037: 6 gas a word of the code's hash; the code and the account.
    const gas = {
      intrinsic: 12_000n + 9_000n + 3_000n + calldata + word,
      execution: run + 768n * 6n,
      state: NEW_ACCOUNT + 24_576n * 1_530n,
    };
    expect(runs[1]).toMatchObject({ status: "succeeded", gas: { ...gas, total: 37_817_024n, floor: 0n, refund: 0n } });
    expect(gas.intrinsic + gas.execution + gas.state).toBe(37_817_024n);
    // State gas is the larger dimension.
    expect(comparison.blockGas).toEqual([4_971_736n, gas.state]);
  });

  it("of a transfer have a log more (EIP-7708)", async () => {
    const { runs, logs, writes, isSame } = runsOf(await compare(await aNode(), { from: alice, to: bob, value: 7n }));
    expect(runs.map(({ gas }) => gas?.total)).toEqual([21_000n, 21_000n]);
    expect(isSame).toBe(false);
    expect(logs[0]).toEqual([]);
    expect(logs[1]).toHaveLength(1);
    expect(logs[1][0]?.data).toEqual(decodeData(`0x${"7".padStart(64, "0")}`));
    expect(writes).toEqual([]);
  });

  it("run one after another, under each hardfork on its own state", async () => {
    const node = await aNode();
    const counter = decodeData(await deploy(node, COUNTER));
    const comparison = await compare(node, { from: alice, to: counter }, { from: alice, to: counter });
    expect(comparison.runs.map(({ isSame }) => isSame)).toEqual([true, true]);
    expect(runsOf(comparison, 0).runs[1].gas?.state).toBe(NEW_SLOT);
    expect(runsOf(comparison, 1).runs[1].gas?.state).toBe(0n);
    expect(runsOf(comparison, 1).runs[0].output).toEqual(decodeData(`0x${"2".padStart(64, "0")}`));
    expect(node.head.header.number).toBe(1n);
  });

  it.each([
    // A slot and a size of code: 2,100 and 100; on Amsterdam 200 (EIP-8038). The rest costs less than 20.
    ["the stipend of 2,300 gas", "0 SLOAD POP ADDRESS EXTCODESIZE POP STOP", 0],
    // A new slot: 22,100; on Amsterdam 97,920 of state gas (EIP-8037) and more.
    ["50,000 gas", "1 0 SSTORE STOP", 47_700],
  ])("that send with %s do not reach every recipient", async (_, code, gas) => {
    const node = await aNode();
    const receiver = await deploy(node, assemble(code));
    const sender = await deploy(node, assemble(`0 0 0 0 CALLVALUE ${receiver} ${gas} CALL 0 MSTORE 32 0 RETURN`));
    const comparison = await compare(node, { from: alice, to: decodeData(sender), value: 5n });
    const { runs, writes, isSame } = runsOf(comparison);
    expect(runs.map(({ status, output }) => [status, output.at(-1)])).toEqual([
      ["succeeded", 1],
      ["succeeded", 0],
    ]);
    expect(isSame).toBe(false);
    expect(writes.map(({ address, member, values }) => [encodeData(address), member, values])).toEqual(
      expect.arrayContaining([
        [sender, "balance", [0n, 5n]],
        [receiver, "balance", [5n, 0n]],
      ]),
    );
    expect(writes).toHaveLength(gas === 0 ? 2 : 3);
  });

  it("name a difference of storage by its slot", async () => {
    const node = await aNode();
    const writer = decodeData(await deploy(node, assemble("GAS 3 SSTORE STOP")));
    const { writes } = runsOf(await compare(node, { from: alice, to: writer, gasLimit: 200_000n }));
    const slot = decodeData(`0x${"3".padStart(64, "0")}`);
    // Intrinsic gas is 21,000 and 15,000; GAS costs 2.
    expect(writes).toEqual([{ address: writer, member: "storage", slot, values: [178_998n, 184_998n] }]);
  });

  it("see overrides, and are the same under the same hardfork", async () => {
    const node = await aNode();
    const overrides = { accounts: [{ address: nobody, code: assemble("CALLER 0 MSTORE 32 0 RETURN") }] };
    const comparison = await node.compareHardforks({
      calls: [{ from: alice, to: nobody }],
      hardforks: ["london", "london"],
      overrides,
    });
    expect(runsOf(comparison).isSame).toBe(true);
    expect(runsOf(comparison).runs[0].output.slice(12)).toEqual(alice);
  });
});

describe("a mined block", () => {
  it("has the gas of its receipts under its own hardfork, and transactions that no longer suffice fail", async () => {
    const node = await aNode({ mining: "manual" });
    const block = await mined(node, [
      // A new account costs 183,600 gas more, which the transaction does not have.
      { to: NOBODY, value: "0x1", gas: quantity(21_000) },
      // EIP-7976: 15,000 and 64 for each byte; here 10 are enough.
      { to: BOB, data: `0x${"00".repeat(1_000)}`, gas: quantity(31_000) },
      { to: CAROL, value: "0x2", gas: quantity(21_000) },
    ]);
    const comparison = await node.compareHardforks();
    expect(comparison.hardforks).toEqual(TWO);
    expect(comparison.runs.map(({ txHash }) => txHash && encodeData(txHash))).toEqual(block);
    const receipts = await Promise.all(block.map((hash) => receiptOf(node, hash)));
    expect(comparison.runs.map(({ runs }) => runs[0].gas?.total)).toEqual(
      receipts.map(({ gasUsed }) => BigInt(gasUsed)),
    );
    expect(comparison.runs.map(({ runs }) => runs.map(({ status }) => status))).toEqual([
      ["succeeded", "failed"],
      ["succeeded", "refused"],
      ["succeeded", "succeeded"],
    ]);
    expect(runsOf(comparison, 0).writes).toEqual(
      expect.arrayContaining([
        { address: nobody, member: "balance", values: [1n, 0n] },
        { address: alice, member: "balance", values: [expect.any(BigInt), expect.any(BigInt)] },
      ]),
    );
    const paid = runsOf(comparison, 0).writes.find(({ address }) => encodeData(address) === ALICE)?.values;
    // Gas fees do not count.
    expect(Number(paid?.[1]) - Number(paid?.[0])).toBeLessThanOrEqual(1);
    expect(runsOf(comparison, 1).runs[0].gas).toMatchObject({ total: 31_000n, intrinsic: 25_000n, floor: 6_000n });
    expect(runsOf(comparison, 1).runs[1]).toMatchObject({
      gas: undefined,
      reason: "insufficient gas for floor data gas cost: have 31000, want 79000",
    });
    // The refused transaction leaves the nonce one behind.
    expect(runsOf(comparison, 2).writes.map(({ member }) => member)).toContain("nonce");
    expect(comparison.blockGas).toEqual([73_000n, 42_000n]);
  });

  it.each(["osaka", "amsterdam"] as const)(
    "is compared with Amsterdam, or on it with Osaka, by default (%s)",
    async (hardfork) => {
      const node = await aNode({ hardfork });
      await mined(node, [{ to: BOB, value: "0x1" }]);
      expect((await node.compareHardforks()).hardforks).toEqual(TWO);
    },
  );

  it("cannot be the first one", async () => {
    const node = await aNode();
    await expect(node.compareHardforks()).rejects.toThrow("genesis is not traceable");
    await expect(node.compareHardforks({ block: { number: 9n } })).rejects.toMatchObject({ code: "HEADER_NOT_FOUND" });
  });

  async function mined(node: HindcastNode, transactions: readonly Readonly<Record<string, unknown>>[]): Promise<Hex[]> {
    const hashes: Hex[] = [];
    for (const transaction of transactions) hashes.push(await send(node, transaction));
    await node.mine();
    return hashes;
  }
});

describe("hindcast_compareHardforks", () => {
  it("answers the same in JSON", async () => {
    const { plain } = await aServedNode();
    const request = { calls: [{ from: ALICE, to: NOBODY, value: "0x1" }], hardforks: ["Osaka", "amsterdam"] };
    const gas = { intrinsic: 21_000, execution: 0, floor: 0, refund: 0 };
    expect(await plain.ask("hindcast_compareHardforks", request)).toMatchObject({
      hardforks: TWO,
      runs: [
        {
          transactionHash: null,
          isSame: false,
          runs: [
            { status: "succeeded", reason: null, output: "0x", gas: { ...gas, total: 21_000, state: 0 } },
            { status: "succeeded", gas: { ...gas, total: 204_600, state: 183_600 } },
          ],
          logs: [[], [{ address: "0xfffffffffffffffffffffffffffffffffffffffe" }]],
          writes: [],
        },
      ],
      blockGas: [21_000, 183_600],
    });
  });

  it("refuses names that are none", async () => {
    const { plain } = await aServedNode();
    const failure = await plain.failure("hindcast_compareHardforks", { hardforks: ["osaka", "amsterdamned"] });
    expect(failure.message).toContain('expected the name of a hardfork such as "osaka", got "amsterdamned"');
    expect((await plain.failure("hindcast_compareHardforks", { hardforks: ["osaka"] })).message).toContain("two");
  });
});
