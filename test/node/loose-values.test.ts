/** Values as people write them: what the node takes beside bytes and bigints. */
import { expect, it } from "vitest";
import { bytesToHex, hexToBytes } from "../../src/index.ts";
import { aNode, BOB, NOW, wordText } from "../support/a-node.ts";

const ETHER = 10n ** 18n;

it.each([ETHER, "1000000000000000000", "0xde0b6b3a7640000"])("setBalance takes %s as wei", async (wei) => {
  const node = await aNode();
  await node.setBalance(BOB, wei);
  expect(await node.provider.request({ method: "eth_getBalance", params: [BOB] })).toBe("0xde0b6b3a7640000");
});

it("edits take hex strings for addresses, codes, slots and values", async () => {
  const node = await aNode();
  await node.setBalance(BOB, 5);
  await node.setNonce(BOB, 7);
  await node.setCode(BOB, "0x00");
  await node.setStorageAt(BOB, wordText(1), "0x2a");
  node.impersonate(BOB);
  node.stopImpersonating(BOB);
  const ask = (method: string): Promise<unknown> => node.provider.send(method, [BOB]);
  expect(await Promise.all(["eth_getBalance", "eth_getTransactionCount", "eth_getCode"].map(ask))).toEqual([
    "0x5",
    "0x7",
    "0x00",
  ]);
  expect(bytesToHex(await node.getCode(BOB))).toBe("0x00");
  expect(await node.provider.send("eth_getStorageAt", [BOB, "0x1"])).toBe(wordText(42));
});

it("what is no such value is refused as before", async () => {
  const node = await aNode();
  await expect(node.setBalance("0x12", 1n)).rejects.toThrow(
    "address: expected 20 bytes in a Uint8Array or as DATA, got 1 byte.",
  );
  await expect(node.setBalance(BOB, 1.5)).rejects.toThrow(
    "balance: expected wei as a bigint, a number or text, below 2^256, got 1.5",
  );
  await expect(node.setBalance(BOB, "all")).rejects.toThrow("balance: expected wei as a bigint");
});

it("time is set by numbers and text, and not to before the head", async () => {
  const node = await aNode();
  await node.time.set(NOW + 100);
  await node.mine();
  expect(node.head.header.timestamp).toBe(BigInt(NOW + 100));
  await expect(node.time.set(NOW)).rejects.toThrow(`Time ${NOW} is before the head's, ${NOW + 100}.`);
  await node.time.increase("10");
  node.time.setNext(NOW + 500);
  await node.mine();
  expect(node.head.header.timestamp).toBe(BigInt(NOW + 500));
});

it("hexToBytes and bytesToHex are each other's inverse, and refuse what they cannot read", () => {
  expect(bytesToHex(hexToBytes("0x00ff10"))).toBe("0x00ff10");
  expect(() => hexToBytes("0x1")).toThrow("hex: expected 0x and two hexadecimal digits for each byte");
  expect(() => bytesToHex("0x12" as never)).toThrow("bytes: expected bytes in a Uint8Array");
});
