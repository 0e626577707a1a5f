import { Transaction, type TransactionLike } from "ethers";
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { decodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, aServedNode, BOB, type Json, quantity } from "../../../support/a-node.ts";
import { saying } from "../../../support/saying.ts";
import { isSlow, sweep } from "../../../support/seed.ts";
import { blobs, signed } from "../../../support/signed-transactions.ts";

const GWEI = 1_000_000_000n;
const ALICE_CHECKSUMMED = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const BOB_CHECKSUMMED = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

type Fields = TransactionLike<string>;
const base = (node: HindcastNode): Fields => ({ chainId: node.chainId, to: BOB, gasLimit: 21_000n, nonce: 0 });
const fees: Fields = { type: 2, maxFeePerGas: 5n * GWEI, maxPriorityFeePerGas: GWEI };

/** Sends a transaction of account 0, signed by ethers. */
function sendRaw(node: HindcastNode, fields: Fields, account = 0): Promise<unknown> {
  const tx = signed(node, { ...base(node), ...fees, ...fields }, account);
  return node.provider.send("eth_sendRawTransaction", [tx.serialized]);
}

const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.send(method, params);

describe("txpool_*", () => {
  async function aWaitingNode() {
    const node = await aNode({ mining: "manual" });
    await sendRaw(node, { value: 7n });
    await sendRaw(node, { nonce: 3, to: null, data: "0x00", gasLimit: 60_000n });
    await sendRaw(node, { to: ALICE }, 1);
    return node;
  }

  it("counts what is executable and what waits behind a gap", async () => {
    expect(await ask(await aWaitingNode(), "txpool_status")).toEqual({ pending: "0x2", queued: "0x1" });
  });

  it("lists transactions by checksummed sender and decimal nonce, as they wait", async () => {
    const node = await aWaitingNode();
    const content = (await ask(node, "txpool_content")) as Record<string, Record<string, Record<string, Json>>>;
    expect(Object.keys(content.pending ?? {}).sort()).toEqual([BOB_CHECKSUMMED, ALICE_CHECKSUMMED].sort());
    expect(content.pending?.[ALICE_CHECKSUMMED]).toEqual({
      "0": expect.objectContaining({ from: ALICE, value: "0x7", blockHash: null, gasPrice: quantity(5n * GWEI) }),
    });
    expect(content.queued).toEqual({
      [ALICE_CHECKSUMMED]: { "3": expect.objectContaining({ nonce: "0x3", to: null }) },
    });
    expect(await ask(node, "txpool_contentFrom", ALICE)).toEqual({
      pending: content.pending?.[ALICE_CHECKSUMMED],
      queued: content.queued?.[ALICE_CHECKSUMMED],
    });
  });

  it("shows each as geth's line of text", async () => {
    expect(await ask(await aWaitingNode(), "txpool_inspect")).toEqual({
      pending: {
        [ALICE_CHECKSUMMED]: { "0": `${BOB_CHECKSUMMED}: 7 wei + 21000 gas × 5000000000 wei` },
        [BOB_CHECKSUMMED]: { "0": `${ALICE_CHECKSUMMED}: 0 wei + 21000 gas × 5000000000 wei` },
      },
      queued: { [ALICE_CHECKSUMMED]: { "3": "contract creation: 0 wei + 60000 gas × 5000000000 wei" } },
    });
  });
});

describe("dropping what waits", () => {
  it("answers the hash or null, as Anvil does, and to Hardhat's name whether it waited", async () => {
    const node = await aNode({ mining: "manual" });
    const [first, second] = [await sendRaw(node, {}), await sendRaw(node, { nonce: 1 })];
    const drops = async (method: string, hash: unknown) => [
      await ask(node, method, hash),
      await ask(node, method, hash),
    ];
    expect(await drops("anvil_dropTransaction", second)).toEqual([second, null]);
    expect(await drops("hardhat_dropTransaction", first)).toEqual([true, false]);
    expect(await ask(node, "txpool_status")).toEqual({ pending: "0x0", queued: "0x0" });
  });

  it("is refused to Hardhat's name when the transaction is mined", async () => {
    const node = await aNode();
    const hash = await sendRaw(node, {});
    await expect(ask(node, "hardhat_dropTransaction", hash)).rejects.toMatchObject({
      code: -32602,
      message: `Transaction ${hash} cannot be dropped because it is already mined.`,
    });
    expect(await ask(node, "anvil_dropTransaction", hash)).toBeNull();
  });
});

describe("a transaction that the pool refuses is answered in geth's words", () => {
  it.each<[string, Fields, string]>([
    ["too little gas", { gasLimit: 20_999n }, "intrinsic gas too low: gas 20999, minimum needed 21000"],
    [
      "too little gas for its data",
      { data: `0x${"11".repeat(200)}`, gasLimit: 25_000n },
      "insufficient gas for floor data gas cost: gas 25000, minimum needed 29000",
    ],
    [
      "init code that is too long",
      { to: null, data: `0x${"00".repeat(49_153)}`, gasLimit: 10_000_000n },
      "max initcode size exceeded: code size 49153, limit 49152",
    ],
    [
      "more value than there is",
      { value: 10n ** 22n },
      `insufficient funds for gas * price + value: balance ${10n ** 22n}, tx cost ${10n ** 22n + 105_000n * GWEI}, overshot ${105_000n * GWEI}`,
    ],
    [
      "a blob transaction without its blobs",
      { type: 3, maxFeePerBlobGas: 1n, blobVersionedHashes: [`0x01${"00".repeat(31)}`] },
      "missing sidecar in blob transaction",
    ],
  ])("%s", async (_what, fields, message) => {
    const node = await aNode({ mining: "manual" });
    await expect(sendRaw(node, fields)).rejects.toMatchObject({ code: -32000, message: saying(message) });
  });

  it("more gas than EIP-7825 allows, where the cap is wanted", async () => {
    const node = await aNode({ mining: "manual", transactionGasCap: true });
    const message = "transaction gas limit too high (cap: 16777216, tx: 17000000), see EIP-7825";
    await expect(sendRaw(node, { gasLimit: 17_000_000n })).rejects.toMatchObject({
      code: -32000,
      message: saying(message),
    });
    await expect(ask(node, "eth_sendTransaction", { from: ALICE, to: BOB, gas: "0x1036640" })).rejects.toThrow(message);
  });

  it("more gas than a block has", async () => {
    const node = await aNode({ mining: "manual", gasLimit: 1_000_000 });
    const rejection = { code: -32000, message: saying("exceeds block gas limit") };
    await expect(sendRaw(node, { gasLimit: 1_000_001n })).rejects.toMatchObject(rejection);
  });

  it.each<[string, Fields, string, string]>([
    ["1", { type: 1, gasPrice: GWEI, maxFeePerGas: null, maxPriorityFeePerGas: null }, "istanbul", "Berlin"],
    ["2", {}, "berlin", "London"],
    ["4", { type: 4, authorizationList: [] }, "cancun", "Prague"],
  ])("a type that is not there yet: %s in %s", async (type, fields, hardfork, wanted) => {
    const node = await aNode({ mining: "manual", hardfork });
    await expect(sendRaw(node, fields)).rejects.toMatchObject({
      code: -32000,
      message: saying(`transaction type not supported: type ${type} rejected, pool not yet in ${wanted}`),
    });
  });

  it("a tip above its fee cap", async () => {
    const node = await aNode();
    // From execution-apis' cases; ethers makes no such transaction.
    const call = { from: ALICE, to: BOB, gas: "0x5208", type: "0x2", maxFeePerGas: "0x5", maxPriorityFeePerGas: "0x6" };
    await expect(ask(node, "eth_sendTransaction", call)).rejects.toMatchObject({ code: -32000 });
    const raw =
      "0x02f86b870c72dd9d5e883e048203e8018261a894aa000000000000000000000000000000000000000a80c080a07598a76d407d863e6dfb6a67a736782d0303fe47633fe28c1d7239d557cbd7e2a014f108ef0efc0234d5e64e4de30de849527b71cd1213eaaed1f99f29a0a9d3b5";
    const chain = await aNode({ genesis: { config: { chainId: "3503995874084926", londonBlock: 0 } } });
    await expect(ask(chain, "eth_sendRawTransaction", raw)).rejects.toMatchObject({
      code: -32000,
      message: saying("max priority fee per gas higher than max fee per gas"),
    });
  });

  it("a type that nobody knows, and what is no transaction", async () => {
    const node = await aNode();
    const send = (raw: string) => ask(node, "eth_sendRawTransaction", raw);
    await expect(send("0x05c0")).rejects.toMatchObject({
      code: -32000,
      message: saying("transaction type not supported"),
    });
    for (const raw of ["0x", "0xc0", "0x02", "0x02c0", "0x03f841c0c0c0c0"]) {
      await expect(send(raw)).rejects.toMatchObject({ code: -32000 });
    }
  });

  it("a signature for another chain", async () => {
    const node = await aNode();
    await expect(sendRaw(node, { chainId: 5n })).rejects.toMatchObject({
      code: -32000,
      message: saying("invalid sender: invalid chain id for signer: have 5 want 31337"),
    });
  });
});

it("with automine, a transaction that no block can take is refused with the reason", async () => {
  const node = await aNode();
  await node.setCode(decodeData(ALICE), Uint8Array.of(1));
  await expect(sendRaw(node, {})).rejects.toMatchObject({ code: -32000, message: /^sender not an eoa/ });
  expect(await ask(node, "txpool_status")).toEqual({ pending: "0x0", queued: "0x0" });
});

it("two requests at a time get different nonces", async () => {
  const { node, plain } = await aServedNode({ mining: "manual" });
  const hashes = await Promise.all(
    Array.from({ length: 20 }, () => plain.ask("eth_sendTransaction", { from: ALICE, to: BOB })),
  );
  expect(new Set(hashes).size).toBe(20);
  await node.mine();
  expect(node.head.transactions.map(({ nonce }) => Number(nonce))).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

describe("a blob transaction", () => {
  const blobFields = (version: 0 | 1): Fields => ({ type: 3, maxFeePerBlobGas: GWEI, ...blobs(version) });

  const BLOB_FORMS = [
    ["osaka", 1],
    ["osaka", 0],
    ["cancun", 0],
  ] as const;

  it.each(sweep(BLOB_FORMS, (_, index) => index === 0))(
    "waits with its verified blobs and is mined without them (%s, proofs of version %i)",
    async (hardfork, version) => {
      const node = await aNode({ mining: "manual", hardfork });
      const hash = await sendRaw(node, blobFields(version));
      expect(await ask(node, "eth_getTransactionByHash", hash)).toMatchObject({ type: "0x3", blockHash: null });
      const [block] = await node.mine();
      expect(block?.transactions[0]?.sidecar).toBeUndefined();
      expect(await ask(node, "eth_getTransactionReceipt", hash)).toMatchObject({
        blobGasUsed: "0x20000",
        status: "0x1",
      });
      const raw = (await ask(node, "eth_getRawTransactionByHash", hash)) as string;
      expect(Transaction.from(raw).hash).toBe(hash);
    },
  );

  it("with proofs by cell is refused before Osaka", async () => {
    const node = await aNode({ mining: "manual", hardfork: "prague" });
    await expect(sendRaw(node, blobFields(1))).rejects.toMatchObject({
      message: "unexpected sidecar version, want: 0, got: 1",
    });
  });

  it.runIf(isSlow)("whose proof is another blob's is refused", async () => {
    const node = await aNode({ mining: "manual" });
    const fields = blobFields(0);
    const [blob] = fields.blobs as { data: string; commitment: string; proof: string }[];
    // A point of the curve, but not this blob's proof.
    const forged = { ...blob, proof: blob?.commitment } as never;
    await expect(sendRaw(node, { ...fields, blobs: [forged] })).rejects.toMatchObject({
      code: -32000,
      message: "invalid blob 0: can't verify opening proof",
    });
  });

  it("whose hash is not its blob's is refused", async () => {
    const node = await aNode({ mining: "manual" });
    const { serialized: raw } = signed(node, {
      ...base(node),
      ...fees,
      ...blobFields(0),
      blobVersionedHashes: [`0x01${"ab".repeat(31)}`],
    });
    await expect(ask(node, "eth_sendRawTransaction", raw)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^blob 0: computed hash 0x01[0-9a-f]{62} mismatches transaction one 0x01(ab){31}$/,
      ),
    });
  });

  it("that is not signed yet is not signed here", async () => {
    const node = await aNode();
    const call = { from: ALICE, to: BOB, blobVersionedHashes: [`0x01${"00".repeat(31)}`] };
    await expect(ask(node, "eth_sendTransaction", call)).rejects.toMatchObject({
      code: -32000,
      message: saying("signing blob transactions not supported"),
    });
  });
});

describe("eth_sendTransaction refuses what cannot be meant, in geth's words:", () => {
  it.each<[string, Json, string]>([
    ["another chain", { chainId: "0x1" }, "chainId does not match node's (have=1, want=31337)"],
    ["a price of zero", { gasPrice: "0x0" }, "gasPrice must be non-zero after london fork"],
    ["a fee cap of zero", { maxFeePerGas: "0x0" }, "maxFeePerGas must be non-zero"],
    [
      "a fee cap below the tip",
      { maxFeePerGas: "0x5", maxPriorityFeePerGas: "0x6" },
      "maxFeePerGas (5) < maxPriorityFeePerGas (6)",
    ],
    ["a creation of nothing", { to: undefined }, "contract creation without any data provided"],
    ["a blob transaction without blobs", { blobVersionedHashes: [] }, "need at least 1 blob for a blob transaction"],
  ])("%s", async (_what, fields, message) => {
    const call = { from: ALICE, to: BOB, gas: "0x5208", ...fields };
    await expect(ask(await aNode(), "eth_sendTransaction", call)).rejects.toMatchObject({
      code: -32000,
      message: saying(message),
    });
  });

  it("fee caps before London", async () => {
    const node = await aNode({ hardfork: "berlin" });
    await expect(ask(node, "eth_sendTransaction", { from: ALICE, to: BOB, maxFeePerGas: "0x5" })).rejects.toMatchObject(
      {
        message: saying("maxFeePerGas and maxPriorityFeePerGas are not valid before London is active"),
      },
    );
  });
});
