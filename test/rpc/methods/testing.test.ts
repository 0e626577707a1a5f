/** testing_buildBlockV1: what it builds is imported by another node, which checks every promise of the header. */
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import type { Payload } from "../../../src/rpc/wire-types.generated.ts";
import {
  ALICE,
  addressText,
  aNode,
  aServedNode,
  BOB,
  type Client,
  type Json,
  NOW,
  quantity,
  wordText,
} from "../../support/a-node.ts";
import { blockOfPayload } from "../../support/payload-block.ts";

const ONE_GWEI = 1_000_000_000n;
const MINER = addressText(0xaa);

const attributes = (more: Json = {}): Json => ({
  timestamp: quantity(NOW + 12),
  prevRandao: wordText(7),
  suggestedFeeRecipient: MINER,
  withdrawals: [],
  parentBeaconBlockRoot: wordText(8),
  ...more,
});

const headHash = async (plain: Client): Promise<string> =>
  (await plain.ask<Json>("eth_getBlockByNumber", "latest", false)).hash as string;

const build = async (
  plain: Client,
  transactions: string[] | null,
  more: Json = {},
  extra: string | null = null,
): Promise<Payload> => plain.ask("testing_buildBlockV1", await headHash(plain), attributes(more), transactions, extra);

/** A transfer of 1 wei by ALICE, signed by a node's own key. */
async function aTransfer(node: HindcastNode, nonce: number): Promise<string> {
  const { Wallet, hexlify } = await import("ethers");
  const key = node.accounts[0]?.privateKey ?? new Uint8Array();
  return new Wallet(hexlify(key)).signTransaction({
    type: 2,
    chainId: node.chainId,
    nonce,
    gasLimit: 21_000,
    maxFeePerGas: 3n * ONE_GWEI,
    maxPriorityFeePerGas: 500n,
    to: BOB,
    value: 1,
  });
}

describe("testing_buildBlockV1", () => {
  it("builds a block that another node accepts, with everything it was told", async () => {
    const { node, plain } = await aServedNode();
    const withdrawals = [{ index: "0x1", validatorIndex: "0x2", address: BOB, amount: "0x3" }];
    const transactions = [await aTransfer(node, 0), await aTransfer(node, 1)];
    const built = await build(plain, transactions, { withdrawals }, "0x746573745f6e616d65");
    expect(built.executionPayload).toMatchObject({
      blockNumber: "0x1",
      timestamp: quantity(NOW + 12),
      prevRandao: wordText(7),
      feeRecipient: MINER,
      extraData: "0x746573745f6e616d65",
      gasUsed: quantity(42_000),
      transactions,
      withdrawals,
    });
    const other = await aNode();
    const imported = await other.importBlock(blockOfPayload(built, wordText(8)));
    expect(encodeData(imported.hash)).toBe(built.executionPayload.blockHash);
  });

  it("says what the fee recipient earns: 500 wei for each of 42000 gas", async () => {
    const { node, plain } = await aServedNode();
    const built = await build(plain, [await aTransfer(node, 0), await aTransfer(node, 1)]);
    expect(built.blockValue).toBe(quantity(42_000 * 500));
  });

  it("takes the pool's transactions for null, and none for an empty list", async () => {
    const { plain } = await aServedNode({ mining: "manual" });
    await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
    expect((await build(plain, [])).executionPayload.transactions).toEqual([]);
    expect((await build(plain, null)).executionPayload.transactions).toHaveLength(1);
  });

  it("takes what was sent without a key in the name of a contract, and refuses what a contract's key has signed", async () => {
    const { node, plain } = await aServedNode({ mining: "manual", autoImpersonate: true });
    const contract = addressText(0xcc);
    await node.setCode(contract, "0x00");
    await node.setBalance(contract, 10n ** 18n);
    await plain.ask("eth_sendTransaction", { from: contract, to: BOB, value: "0x1", gas: "0x5208" });
    expect((await build(plain, null)).executionPayload.transactions).toHaveLength(1);
    const signed = await aTransfer(node, 0);
    await node.setCode(ALICE, "0x00");
    const failure = await plain.failure("testing_buildBlockV1", await headHash(plain), attributes(), [signed], null);
    expect(failure.message).toContain("sender not an eoa");
  });

  it("refuses a transaction that cannot stand there, and changes nothing", async () => {
    const { node, plain } = await aServedNode();
    const before = await headHash(plain);
    const tooHigh = await aTransfer(node, 9);
    const failure = await plain.failure("testing_buildBlockV1", before, attributes(), [tooHigh], null);
    expect(failure).toMatchObject({ code: -32000 });
    expect(failure.message).toContain("nonce too high");
    expect(await headHash(plain)).toBe(before);
    expect(await plain.ask("eth_blockNumber")).toBe("0x0");
  });

  it("keeps the chain's gas limit, or moves it by less than 1/1024 to the target it is given", async () => {
    const { plain } = await aServedNode();
    const gasLimit = async (more: Json): Promise<number> =>
      Number((await build(plain, [], more)).executionPayload.gasLimit);
    expect(await gasLimit({})).toBe(30_000_000);
    // 30000000 / 1024 = 29296.875
    expect(await gasLimit({ targetGasLimit: quantity(60_000_000) })).toBe(30_000_000 + 29_295);
    expect(await gasLimit({ targetGasLimit: quantity(1) })).toBe(30_000_000 - 29_295);
    expect(await gasLimit({ targetGasLimit: quantity(30_000_010) })).toBe(30_000_010);
  });

  it("builds on any block it knows", async () => {
    const { node, plain } = await aServedNode();
    const genesis = await headHash(plain);
    await node.mine({ blocks: 3 });
    const built = await plain.ask<Payload>("testing_buildBlockV1", genesis, attributes(), [], null);
    expect(built.executionPayload).toMatchObject({ parentHash: genesis, blockNumber: "0x1" });
  });

  it.each([
    ["an unknown parent", [wordText(1), attributes(), []], -32000, /parent block not found/],
    [
      "bytes that are no transaction",
      [undefined, attributes(), ["0x1234"]],
      -32602,
      /Transaction is not in valid format/,
    ],
    [
      "a time that is not after the parent's",
      [undefined, attributes({ timestamp: quantity(NOW) }), []],
      -32602,
      /timestamp/,
    ],
    ["too long extra data", [undefined, attributes(), [], `0x${"00".repeat(33)}`], -32602, /at most 32 bytes/],
  ])("refuses %s", async (_, params, code, message) => {
    const { plain } = await aServedNode();
    const [parent, ...rest] = params;
    const failure = await plain.failure("testing_buildBlockV1", parent ?? (await headHash(plain)), ...rest);
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
  });

  it("refuses before the Merge, since a payload has no difficulty", async () => {
    const { plain } = await aServedNode({ hardfork: "london" });
    const failure = await plain.failure("testing_buildBlockV1", await headHash(plain), attributes(), []);
    expect(failure).toMatchObject({ code: -32004 });
  });
});
