/** A chain id beyond what a double holds, in everything that mentions it. */
import { Transaction, Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { ALICE, aNode, BOB, type Json } from "../../../support/a-node.ts";
import { signed, signingKey } from "../../../support/signed-transactions.ts";

const CHAIN_ID = 2n ** 60n + 1n;
const HEX = "0x1000000000000001";

const genesisText = (chainId: string): string =>
  `{"config":{"chainId":${chainId},"londonBlock":0,"terminalTotalDifficulty":0,"shanghaiTime":0,"cancunTime":0,"pragueTime":0},` +
  `"gasLimit":"0x1c9c380","difficulty":"0x0","alloc":{"${ALICE.slice(2)}":{"balance":"0xde0b6b3a7640000"}}}`;

describe.each([
  ["a bare number in text", genesisText(`${CHAIN_ID}`)],
  ["a decimal string in text", genesisText(`"${CHAIN_ID}"`)],
  ["a hexadecimal string in text", genesisText(`"${HEX}"`)],
  ["a string in parsed JSON", JSON.parse(genesisText(`"${CHAIN_ID}"`)) as unknown],
])("the id 2^60+1 given as %s", (_form, genesis) => {
  async function aChain() {
    const node = await aNode({ genesis, mining: "auto" });
    return { node, ask: (method: string, ...params: unknown[]) => node.provider.send(method, params) };
  }

  it("is answered with every digit", async () => {
    const { node, ask } = await aChain();
    expect(node.chainId).toBe(CHAIN_ID);
    expect(await ask("eth_chainId")).toBe(HEX);
    expect(await ask("net_version")).toBe(`${CHAIN_ID}`);
    expect(await ask("eth_config")).toMatchObject({ current: { chainId: HEX } });
  });

  it("is what the node signs for, also in a legacy transaction's v", async () => {
    const { ask } = await aChain();
    for (const type of ["0x0", "0x1", "0x2"]) {
      const fees = type === "0x2" ? {} : { gasPrice: "0x77359400" };
      const hash = await ask("eth_sendTransaction", { from: ALICE, to: BOB, type, ...fees });
      const sent = (await ask("eth_getTransactionByHash", hash)) as Json;
      expect(sent).toMatchObject({ chainId: HEX, blockNumber: expect.anything() });
      const read = Transaction.from((await ask("eth_getRawTransactionByHash", hash)) as string);
      expect(read).toMatchObject({ chainId: CHAIN_ID, from: expect.stringMatching(new RegExp(ALICE, "i")) });
      if (type !== "0x0") continue;
      expect([2n * CHAIN_ID + 35n, 2n * CHAIN_ID + 36n]).toContain(BigInt(sent.v as string));
    }
  });

  it("is what it accepts signatures for, and no neighbour of it", async () => {
    const { node, ask } = await aChain();
    const fields = { to: BOB, gasLimit: 21_000n, nonce: 0, gasPrice: 2_000_000_000n, type: 0 };
    const send = (chainId: bigint) =>
      ask("eth_sendRawTransaction", signed(node, { ...fields, chainId }).serialized) as Promise<string>;
    await expect(send(2n ** 60n)).rejects.toMatchObject({ code: -32000 });
    expect(await ask("eth_getTransactionReceipt", await send(CHAIN_ID))).toMatchObject({ status: "0x1", from: ALICE });
  });

  it("is the one that authorizations and calls mean", async () => {
    const { node, ask } = await aChain();
    const target = `0x${"33".repeat(20)}`;
    const authorization = new Wallet(signingKey(node, 1)).authorizeSync({
      address: target,
      nonce: 0,
      chainId: CHAIN_ID,
    });
    const tx = signed(node, {
      type: 4,
      to: BOB,
      chainId: CHAIN_ID,
      nonce: 0,
      gasLimit: 100_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1n,
      authorizationList: [authorization],
    });
    const hash = await ask("eth_sendRawTransaction", tx.serialized);
    expect(await ask("eth_getTransactionByHash", hash)).toMatchObject({ authorizationList: [{ chainId: HEX }] });
    expect(await ask("eth_getCode", BOB)).toBe(`0xef0100${"33".repeat(20)}`);
    // CHAINID, stored and returned.
    expect(await ask("eth_call", { data: "0x4660005260206000f3" })).toBe(`0x${HEX.slice(2).padStart(64, "0")}`);
  });
});

it("a parsed number that has lost digits is refused, not guessed", async () => {
  const genesis = JSON.parse(genesisText(`${CHAIN_ID}`)) as unknown;
  await expect(aNode({ genesis })).rejects.toMatchObject({
    code: "INVALID_GENESIS",
    message: /config\.chainId.*string/,
  });
});
