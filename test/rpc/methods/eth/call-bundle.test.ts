/** eth_callBundle: what a bundle does and pays, each amount following from its transactions. */
import { expect, it } from "vitest";
import { concatBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import { ALICE, aServedNode, BOB, CAROL, type Json } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { deploy, REVERTER } from "../../../support/contracts.ts";
import { signed } from "../../../support/signed-transactions.ts";

const GWEI = 1_000_000_000n;
const fees = { type: 2, maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: 2n * GWEI, gasLimit: 100_000n };

interface Bundle {
  readonly bundleHash: Hex;
  readonly results: readonly Json[];
}

it("runs transactions one on top of the other and says what the coinbase earns", async () => {
  const { node, plain } = await aServedNode({ coinbase: CAROL });
  // Passes on what it is sent to the coinbase.
  const briber = await deploy(node, assemble("0 0 0 0 CALLVALUE COINBASE GAS CALL"));
  const head = await plain.ask<Hex>("eth_blockNumber");
  const first = signed(node, { ...fees, chainId: node.chainId, nonce: 1, to: BOB, value: 5n });
  const second = signed(node, { ...fees, chainId: node.chainId, nonce: 2, to: briber, value: 1000n });
  const bundle = await plain.ask<Bundle>("eth_callBundle", {
    txs: [first.serialized, second.serialized],
    blockNumber: "0x2",
    stateBlockNumber: "latest",
  });
  const [paid, bribed] = bundle.results;
  expect(paid).toEqual({
    txHash: first.hash,
    fromAddress: ALICE,
    toAddress: BOB,
    gasUsed: 21_000,
    gasPrice: String(2n * GWEI),
    gasFees: String(42_000n * GWEI),
    coinbaseDiff: String(42_000n * GWEI),
    ethSentToCoinbase: "0",
    value: "0x",
  });
  const gas = BigInt(bribed?.gasUsed as number);
  expect(bribed).toMatchObject({ ethSentToCoinbase: "1000", coinbaseDiff: String(gas * 2n * GWEI + 1000n) });
  const hashes = [first.hash, second.hash].map((hash) => decodeData(hash as Hex));
  expect(bundle).toMatchObject({
    bundleHash: encodeData(keccak256(concatBytes(...hashes))),
    stateBlockNumber: 1,
    totalGasUsed: 21_000 + Number(gas),
    ethSentToCoinbase: "1000",
    gasFees: String((21_000n + gas) * 2n * GWEI),
    bundleGasPrice: String(((21_000n + gas) * 2n * GWEI + 1000n) / (21_000n + gas)),
  });
  expect(await plain.ask("eth_blockNumber")).toBe(head);
});

it("runs in the block that is asked for, and tells why a transaction fails", async () => {
  const { node, plain } = await aServedNode();
  const clock = await deploy(node, assemble("TIMESTAMP 0 MSTORE NUMBER 32 MSTORE BASEFEE 64 MSTORE 96 0 RETURN"));
  const reverter = await deploy(node, REVERTER);
  const to = (target: Hex, nonce: number, data = "0x") =>
    signed(node, { ...fees, chainId: node.chainId, nonce, to: target, data }).serialized;
  const { results } = await plain.ask<Bundle>("eth_callBundle", {
    txs: [to(clock, 2), to(reverter, 3, "0xc0ffee")],
    blockNumber: "0x63",
    stateBlockNumber: "latest",
    timestamp: 2_000_000_000,
    baseFee: "0x7",
  });
  const words = String(results[0]?.value)
    .slice(2)
    .match(/.{64}/g)
    ?.map((word) => BigInt(`0x${word}`));
  expect(words).toEqual([2_000_000_000n, 99n, 7n]);
  expect(results[1]).toMatchObject({ error: "execution reverted", revert: "0xc0ffee" });
  expect(results[1]).not.toHaveProperty("value");
});

it("refuses what no block could hold", async () => {
  const { node, plain } = await aServedNode();
  const ask = (txs: unknown) => plain.failure("eth_callBundle", { txs, blockNumber: 1, stateBlockNumber: "latest" });
  const early = signed(node, { ...fees, chainId: node.chainId, nonce: 9, to: BOB });
  expect((await ask([early.serialized])).message).toContain("nonce too high");
  expect((await ask([])).code).toBe(-32602);
  expect((await ask(["0x01"])).code).toBe(-32602);
});
