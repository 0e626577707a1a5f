/** A development chain that begins before a hardfork and reaches it. */
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, aNode, BOB, NOW, quantity } from "../support/a-node.ts";

const FROM_BERLIN = { hardfork: "berlin", hardforkAt: { london: 3, paris: 5, prague: 1_000 } };
const pay = (node: HindcastNode) =>
  node.provider.request({ method: "eth_sendTransaction", params: [{ from: ALICE, to: BOB, value: "0x1" }] });

describe("from Berlin over London and Paris to Prague", () => {
  it("gives each block the members of its hardfork, and a fresh node imports them", async () => {
    const node = await aNode(FROM_BERLIN);
    for (let block = 1; block <= 6; block++) await pay(node);
    await node.provider.request({ method: "evm_setNextBlockTimestamp", params: [quantity(NOW + 1_000)] });
    await pay(node);
    const headers = [1n, 2n, 3n, 4n, 5n, 6n, 7n].map((number) => node.getBlock(number)?.header);
    expect(headers.map((header) => header?.baseFeePerGas !== undefined)).toEqual([
      false,
      false,
      ...Array(5).fill(true),
    ]);
    expect(headers.map((header) => header?.difficulty === 0n)).toEqual([...Array(4).fill(false), true, true, true]);
    expect(headers.map((header) => header?.requestsHash !== undefined)).toEqual([...Array(6).fill(false), true]);
    const fresh = await aNode({ ...FROM_BERLIN, mining: "manual" });
    await fresh.importChain(concatBytes(...node.exportChain()));
    expect(encodeData(fresh.head.hash)).toBe(encodeData(node.head.hash));
  });
});

describe("from Osaka to Amsterdam", () => {
  const options = { hardforkAt: { amsterdam: 1_000 } };

  it("has Amsterdam's gas limit from the first block on, and calls have it from the hardfork on", async () => {
    const node = await aNode(options);
    expect(node.getBlock(0n)?.header.gasLimit).toBe(200_000_000n);
    // GAS, returned.
    const state = { [BOB]: { code: "0x5a60005260206000f3" } } as const;
    const gas = () => node.provider.request({ method: "eth_call", params: [{ to: BOB }, "latest", state] });
    expect(BigInt(await gas())).toBe(50_000_000n - 21_000n - 2n);
    await node.mine({ timestamp: BigInt(NOW) + 1_000n });
    // EIP-7825: code has at most 2^24 gas to run, intrinsic gas (12,000 and 3,000) included.
    expect(BigInt(await gas())).toBe(16_777_216n - 15_000n - 2n);
  });

  it("answers eth_config with the coming hardfork", async () => {
    const node = await aNode(options);
    const { current, next } = await node.provider.request({ method: "eth_config", params: [] });
    expect(current?.activationTime).toBe(0);
    expect(next?.activationTime).toBe(NOW + 1_000);
  });

  it("keeps the data folder for chains with the same beginning", async () => {
    const dataDir = await aFolder();
    const open = (start?: number) =>
      aNode({ dataDir, mining: "manual", ...(start === undefined ? {} : { hardforkAt: { amsterdam: start } }) });
    const node = await open(1_000);
    await node.mine({ timestamp: BigInt(NOW) + 1_000n });
    await node.close();
    await expect(open(2_000)).rejects.toThrow("It was made with hardforkAt amsterdam:1000, now amsterdam:2000.");
    await expect(open()).rejects.toThrow("hardforkAt amsterdam:1000, now (none)");
    const again = await open(1_000);
    expect(again.head.header.blockAccessListHash).toHaveLength(32);
  });
});

it.each([
  [
    { genesis: { config: {} }, hardforkAt: { amsterdam: 1 } },
    "hardforkAt is for development chains; a genesis settles",
  ],
  [{ fork: { url: "http://localhost:1" }, hardforkAt: { amsterdam: 1 } }, "not for forks"],
  [{ hardforkAt: { amsterdam: -1 } }, "The option hardforkAt is not valid"],
])("refuses %o", async (options, message) => {
  await expect(aNode(options)).rejects.toThrow(message);
});
