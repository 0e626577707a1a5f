/** Authorizations in requests (EIP-7702): the bounds of their members, and the parity under its two names. */
import { describe, expect, it } from "vitest";
import { ALICE, addressText, aNode, BOB, type Json } from "../../../support/a-node.ts";
import { authorization } from "../../../support/signed-transactions.ts";

const TARGET = addressText(0x11);
const GOOD = { chainId: "0x7a69", address: TARGET, nonce: "0x0", yParity: "0x0", r: "0x1", s: "0x1" };
const GAS = "0x30000";

const callOf = (entry: unknown): Json => ({ from: ALICE, to: BOB, gas: GAS, authorizationList: [entry] });

/** Each way into the node for a call, and the path of the call in its params. */
const METHODS: readonly (readonly [method: string, params: (call: Json) => unknown[], path: string])[] = [
  ["eth_sendTransaction", (call) => [call], "params[0]"],
  ["eth_sendUnsignedTransaction", (call) => [call], "params[0]"],
  ["eth_sendTransactionSync", (call) => [call], "params[0]"],
  ["eth_signTransaction", (call) => [call], "params[0]"],
  ["eth_fillTransaction", (call) => [call], "params[0]"],
  ["personal_sendTransaction", (call) => [call, ""], "params[0]"],
  ["personal_signTransaction", (call) => [call, ""], "params[0]"],
  ["eth_call", (call) => [call], "params[0]"],
  ["eth_estimateGas", (call) => [call], "params[0]"],
  ["eth_createAccessList", (call) => [call], "params[0]"],
  ["debug_traceCall", (call) => [call, "latest"], "params[0]"],
  ["trace_call", (call) => [call, ["trace"]], "params[0]"],
  ["trace_callMany", (call) => [[[call, ["trace"]]]], "params[0][0][0]"],
  ["eth_simulateV1", (call) => [{ blockStateCalls: [{ calls: [call] }] }], "params[0].blockStateCalls[0].calls[0]"],
];

const { yParity: _, ...unsigned } = GOOD;
const PARITY = /expected the parity of the signature: yParity "0x0" or "0x1"/;

const WRONG: readonly (readonly [what: string, entry: Json, member: string, text: RegExp])[] = [
  ["a yParity of 2^8", { ...GOOD, yParity: "0x100" }, "yParity", /below 2\^8, got "0x100"/],
  ["a nonce of 2^64", { ...GOOD, nonce: `0x1${"0".repeat(16)}` }, "nonce", /below 2\^64/],
  ["a chain id of 2^256", { ...GOOD, chainId: `0x1${"0".repeat(64)}` }, "chainId", /at most 256 bits/],
  ["an r of 2^256", { ...GOOD, r: `0x1${"0".repeat(64)}` }, "r", /at most 256 bits/],
  ["an s of 2^256", { ...GOOD, s: `0x1${"0".repeat(64)}` }, "s", /at most 256 bits/],
  ["no parity", unsigned, "yParity", PARITY],
  ["a yParity of null", { ...unsigned, yParity: null }, "yParity", PARITY],
  ["a v of EIP-155", { ...unsigned, v: "0x25" }, "v", /yParity "0x0" or "0x1", or v "0x1b" or "0x1c" in its place/],
  ["a v of 29", { ...unsigned, v: "0x1d" }, "v", PARITY],
];

describe("an authorization that no transaction can have", () => {
  it.each(METHODS)("is refused by %s, with the member's path", async (method, params, path) => {
    const node = await aNode();
    for (const [, entry, member, text] of WRONG) {
      const asked = node.provider.send(method, params(callOf(entry)));
      await expect(asked).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(text) });
      await expect(asked).rejects.toThrow(`${path}.authorizationList[0].${member}: `);
    }
    expect(await node.provider.send("eth_blockNumber", [])).toBe("0x0");
  });

  it.each(WRONG)("is refused in a reorg: %s", async (_what, entry) => {
    const node = await aNode();
    await node.mine();
    const head = await node.provider.send("eth_getBlockByNumber", ["latest", false]);
    const asked = node.provider.send("anvil_reorg", [1, [[callOf(entry), 0]]]);
    await expect(asked).rejects.toMatchObject({ code: -32602 });
    expect(await node.provider.send("eth_getBlockByNumber", ["latest", false])).toEqual(head);
  });
});

describe("an authorization within the bounds", () => {
  it.each([
    ["with a parity above 1", { yParity: "0xff" }],
    ["with r and s that sign nothing", { r: "0x0", s: "0x0" }],
    ["with the largest r and s", { r: `0x${"f".repeat(64)}`, s: `0x${"f".repeat(64)}` }],
    ["with the largest nonce", { nonce: `0x${"f".repeat(16)}` }],
    ["of the largest chain id", { chainId: `0x${"f".repeat(64)}` }],
  ])("is mined and skipped, and read back, if it is not valid: %s", async (_what, members) => {
    const node = await aNode();
    const given = { ...GOOD, ...members };
    const hash = await node.provider.send("eth_sendTransaction", [callOf(given)]);
    expect(await node.provider.send("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
    expect(await node.provider.send("eth_getTransactionByHash", [hash])).toMatchObject({ authorizationList: [given] });
    const copy = await aNode();
    await copy.provider.send("anvil_loadState", [await node.provider.send("anvil_dumpState", [])]);
    expect(await copy.provider.send("eth_getTransactionByHash", [hash])).toMatchObject({ authorizationList: [given] });
  });

  it.each(["yParity", "v of an old signature", "v that is the parity"])(
    "delegates, with its parity as %s",
    async (name) => {
      const node = await aNode();
      // Of several nonces, so that both parities occur.
      for (let nonce = 0; nonce < 4; nonce++) {
        const { signature } = authorization(node, 1, addressText(nonce + 1), nonce);
        const parity = { yParity: { yParity: `0x${signature.yParity}` } }[name] ?? {
          v: `0x${(name === "v that is the parity" ? signature.yParity : 27 + signature.yParity).toString(16)}`,
        };
        const [r, s] = [signature.r, signature.s].map((text) => `0x${BigInt(text).toString(16)}`);
        const entry = { chainId: "0x7a69", address: addressText(nonce + 1), nonce: `0x${nonce}`, ...parity, r, s };
        await node.provider.send("eth_sendTransaction", [callOf(entry)]);
        expect(await node.provider.send("eth_getCode", [BOB, "latest"])).toBe(
          `0xef0100${addressText(nonce + 1).slice(2)}`,
        );
      }
    },
  );
});
