/** The node's signatures equal those of ethers and viem with the same key. */
import { Transaction, verifyMessage, verifyTypedData, Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { ALICE, aNode, BOB, type Json, NOBODY } from "../../../support/a-node.ts";
import { saying } from "../../../support/saying.ts";
import { signingKey } from "../../../support/signed-transactions.ts";

const asker =
  (node: Awaited<ReturnType<typeof aNode>>) =>
  (method: string, ...params: unknown[]): Promise<unknown> =>
    node.provider.send(method, params);

describe("eth_sign and personal_sign", () => {
  it("sign what ethers signs, with the arguments the other way round", async () => {
    const node = await aNode();
    const ask = asker(node);
    const expected = await new Wallet(signingKey(node)).signMessage("hello");
    expect(await ask("eth_sign", ALICE, "0x68656c6c6f")).toBe(expected);
    expect(await ask("personal_sign", "0x68656c6c6f", ALICE)).toBe(expected);
    expect(await ask("personal_sign", "hello", ALICE, "password")).toBe(expected);
    expect(verifyMessage("hello", expected).toLowerCase()).toBe(ALICE);
  });

  it("refuse an account that is not the node's", async () => {
    const ask = asker(await aNode());
    await expect(ask("eth_sign", NOBODY, "0x00")).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^unknown account 0x0{38}ff\. The node has no key for it/i),
    });
  });
});

describe("eth_signTypedData_v4", () => {
  const types = { Order: [{ name: "amount", type: "uint256" }] };
  const domain = { name: "Shop", chainId: 31_337 };

  it("signs what ethers verifies, from an object or its text", async () => {
    const ask = asker(await aNode());
    const data = { types, domain, primaryType: "Order", message: { amount: "7" } };
    const signature = (await ask("eth_signTypedData_v4", ALICE, data)) as string;
    expect(verifyTypedData(domain, types, { amount: 7n }, signature).toLowerCase()).toBe(ALICE);
    expect(await ask("eth_signTypedData_v4", ALICE, JSON.stringify(data))).toBe(signature);
  });

  it("keeps every digit of a bare number in the text", async () => {
    const ask = asker(await aNode());
    const text = `{"types":${JSON.stringify(types)},"domain":${JSON.stringify(domain)},"primaryType":"Order","message":{"amount":1152921504606846977}}`;
    const signature = (await ask("eth_signTypedData_v4", ALICE, text)) as string;
    expect(verifyTypedData(domain, types, { amount: 2n ** 60n + 1n }, signature).toLowerCase()).toBe(ALICE);
  });

  it.each([
    ["what is no JSON", "{", /params\[1\]: expected an object with types, primaryType, domain and message/],
    ["a member of another shape", { types, domain, primaryType: "Order", message: { amount: {} } }, /message\.amount/],
    ["a missing member", { types, domain, primaryType: "Order" }, /params\[1\]\.message/],
  ])("refuses %s, naming the place", async (_what, data, text) => {
    await expect(asker(await aNode())("eth_signTypedData_v4", ALICE, data)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(text),
    });
  });
});

describe("eth_signTransaction", () => {
  it.each([
    ["legacy", { gasPrice: "0x77359400" }, 0],
    ["access list", { gasPrice: "0x77359400", accessList: [] }, 1],
    ["fee market", { maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "0x1" }, 2],
  ])("gives bytes that ethers reads as the same, and that can be sent (%s)", async (_kind, fees, type) => {
    const node = await aNode();
    const ask = asker(node);
    const call = { from: ALICE, to: BOB, value: "0x5", gas: "0x5208", nonce: "0x0", ...fees };
    const raw = (await ask("eth_signTransaction", call)) as string;
    const read = Transaction.from(raw);
    expect(read).toMatchObject({ type, nonce: 0, value: 5n, gasLimit: 21_000n, chainId: 31_337n });
    expect(read.from?.toLowerCase()).toBe(ALICE);
    expect(await ask("eth_sendRawTransaction", raw)).toBe(read.hash);
  });

  it("does not send, and refuses other accounts", async () => {
    const ask = asker(await aNode());
    await ask("eth_signTransaction", { from: ALICE, to: BOB });
    expect(await ask("eth_blockNumber")).toBe("0x0");
    expect(await ask("txpool_status")).toEqual({ pending: "0x0", queued: "0x0" });
    await expect(ask("eth_signTransaction", { from: NOBODY, to: BOB })).rejects.toMatchObject({ code: -32000 });
  });
});

describe("eth_fillTransaction", () => {
  it("fills in what eth_sendTransaction would, for any sender", async () => {
    const node = await aNode({ mining: "manual" });
    const ask = asker(node);
    await ask("eth_sendTransaction", { from: ALICE, to: BOB });
    const { tx } = (await ask("eth_fillTransaction", { from: ALICE, to: BOB, value: "0x7" })) as { tx: Json };
    expect(tx).toMatchObject({
      type: "0x2",
      nonce: "0x1",
      gas: "0x5208",
      chainId: "0x7a69",
      value: "0x7",
      input: "0x",
    });
    const hash = await ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x7" });
    const sent = (await ask("eth_getTransactionByHash", hash)) as Json;
    expect(sent).toMatchObject(tx);
    expect(await ask("eth_fillTransaction", { from: NOBODY, to: BOB, gas: "0x5208" })).toMatchObject({
      tx: { from: NOBODY, nonce: "0x0" },
    });
  });

  it("has the signature's place in its bytes filled with zeros", async () => {
    const ask = asker(await aNode());
    const { raw } = (await ask("eth_fillTransaction", { to: BOB, gas: "0x5208" })) as { raw: string };
    expect(raw.slice(0, 4)).toBe("0x02");
    expect(raw.endsWith("c0808080")).toBe(true);
  });
});

describe("eth_sendRawTransactionSync", () => {
  const rawOf = async (node: Awaited<ReturnType<typeof aNode>>): Promise<string> =>
    (await asker(node)("eth_signTransaction", { from: ALICE, to: BOB })) as string;

  it("answers with the receipt once somebody mines", async () => {
    const node = await aNode({ mining: "manual" });
    const raw = await rawOf(node);
    const receipt = asker(node)("eth_sendRawTransactionSync", raw, "0x2710");
    const waits = async (): Promise<boolean> => ((await asker(node)("txpool_status")) as Json).pending === "0x1";
    while (!(await waits())) await new Promise(setImmediate);
    await node.mine();
    expect(await receipt).toMatchObject({ status: "0x1", transactionHash: Transaction.from(raw).hash });
  });

  it("answers at once with automine", async () => {
    const node = await aNode();
    expect(await asker(node)("eth_sendRawTransactionSync", await rawOf(node))).toMatchObject({ blockNumber: "0x1" });
  });

  it("gives up after the timeout with code 4 and the hash; the transaction waits on", async () => {
    const node = await aNode({ mining: "manual" });
    const raw = await rawOf(node);
    const { hash } = Transaction.from(raw);
    await expect(asker(node)("eth_sendRawTransactionSync", raw, 20)).rejects.toMatchObject({ code: 4, data: hash });
    expect(await asker(node)("eth_getTransactionByHash", hash)).toMatchObject({ hash });
  });

  it("fails as eth_sendRawTransaction does when the pool refuses", async () => {
    const node = await aNode();
    const raw = await rawOf(node);
    await asker(node)("eth_sendRawTransaction", raw);
    await expect(asker(node)("eth_sendRawTransactionSync", raw)).rejects.toMatchObject({
      code: -32000,
      message: saying("nonce too low: next nonce 1, tx nonce 0"),
    });
  });
});

it("lists what waits of its own and of impersonated accounts, executable or behind a gap", async () => {
  const node = await aNode({ mining: "manual" });
  const ask = asker(node);
  const mine = await ask("eth_sendTransaction", { from: ALICE, to: BOB });
  node.impersonate(new Uint8Array(20).fill(7));
  await node.setBalance(new Uint8Array(20).fill(7), 10n ** 18n);
  const impersonated = await ask("eth_sendTransaction", { from: `0x${"07".repeat(20)}`, to: BOB });
  const queued = await ask("eth_sendTransaction", { from: ALICE, to: BOB, nonce: "0x9", gas: "0x5208" });
  const pending = (await ask("eth_pendingTransactions")) as Json[];
  expect(pending.map(({ hash }) => hash).sort()).toEqual([mine, impersonated, queued].sort());
});
