/** Requests of builders (EIP-8282): the two contracts, and what blocks collect from them. */
import { describe, expect, it } from "vitest";
import {
  BUILDER_DEPOSITS_ADDRESS,
  BUILDER_EXITS_ADDRESS,
  CREATE2_DEPLOYER_ADDRESS,
  SYSTEM_CONTRACTS,
} from "../../src/chainspec/system-contracts.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { type Bytes, concatBytes, equalBytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import { sha256 } from "../../src/primitives/platform/crypto.ts";
import { ALICE, aNode, quantity } from "../support/a-node.ts";
import { send } from "../support/contracts.ts";

const DEPOSITS = encodeData(BUILDER_DEPOSITS_ADDRESS);
const EXITS = encodeData(BUILDER_EXITS_ADDRESS);
const ETHER = 10n ** 18n;
const NONE = encodeData(sha256(new Uint8Array(0)));

const codeAt = (address: Bytes): Bytes => {
  const found = SYSTEM_CONTRACTS.find((contract) => equalBytes(contract.address, address));
  if (found === undefined) throw new Error(`no contract at ${encodeData(address)}`);
  return found.code;
};
/** `requestsHash` of a block with these requests: each its type and its data (EIP-7685). */
const requestsHash = (...requests: readonly (readonly [type: number, ...records: Bytes[]])[]): Hex =>
  encodeData(
    sha256(concatBytes(...requests.map(([type, ...data]) => sha256(concatBytes(Uint8Array.of(type), ...data))))),
  );
const bytes = (length: number, value: number): Bytes => new Uint8Array(length).fill(value);
const gwei = (amount: bigint): Bytes => decodeData(`0x${amount.toString(16).padStart(16, "0")}`);
/** pubkey, withdrawal credentials, amount and signature. */
const deposit = (amount: bigint): Bytes => concatBytes(bytes(48, 1), bytes(32, 2), gwei(amount), bytes(96, 3));
/** As it is collected: the amount with its bytes reversed. */
const record = (amount: bigint): Bytes =>
  concatBytes(bytes(48, 1), bytes(32, 2), gwei(amount).toReversed(), bytes(96, 3));
const exit = (number: number): Bytes => concatBytes(decodeData(ALICE), bytes(48, number));
const hashIn = ({ head }: HindcastNode): Hex => encodeData(head.header.requestsHash ?? new Uint8Array(0));
const statusOf = async (node: HindcastNode, hash: Hex): Promise<string | undefined> =>
  (await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] }))?.status;

describe("the contracts", () => {
  // The salts that the addresses were found by, and the constructors: the second one fills slot 0.
  it.each([
    [
      "deposits",
      BUILDER_DEPOSITS_ADDRESS,
      "0x1f4f2c41c28e816e259b621c58b94b37309c8dec42c8f6e400001a46c9d96bf7",
      "0x61027480600a5f395ff3",
      "0x1dd29c1e0dbc3ab670d229dbd3438003ec9015c1df9058beeb64ff301b60b98d",
    ],
    [
      "exits",
      BUILDER_EXITS_ADDRESS,
      "0x89abb1878437213f971f849327423ed1d9c5cdb03970cd8f0000318b3ff10119",
      `0x7f${"ff".repeat(32)}5f556101ca80602d5f395ff3`,
      "0x90a0b24eb190d6c50f00f6f751dc4c2778658abf3631aceb80586c43f8bd9f2f",
    ],
  ] as const)("of %s have the code from which CREATE2 makes their address", (_, address, salt, creation, hash) => {
    const code = codeAt(address);
    const initCode = concatBytes(decodeData(creation), code);
    const made = keccak256(
      concatBytes(Uint8Array.of(0xff), CREATE2_DEPLOYER_ADDRESS, decodeData(salt), keccak256(initCode)),
    );
    expect(encodeData(made.slice(12))).toBe(encodeData(address));
    expect(encodeData(keccak256(code))).toBe(hash);
  });

  it("are on chains that have or reach Amsterdam, and not on others", async () => {
    for (const options of [{ hardfork: "amsterdam" }, { hardforkAt: { amsterdam: 10 } }]) {
      const node = await aNode(options);
      expect((await node.getCode(EXITS)).length).toBe(458);
    }
    expect((await (await aNode()).getCode(EXITS)).length).toBe(0);
  });

  it("are listed by eth_config", async () => {
    const node = await aNode({ hardfork: "amsterdam" });
    const { current } = await node.provider.request({ method: "eth_config", params: [] });
    expect(current?.systemContracts).toMatchObject({
      BUILDER_DEPOSIT_CONTRACT_ADDRESS: DEPOSITS,
      BUILDER_EXIT_CONTRACT_ADDRESS: EXITS,
    });
  });
});

describe("requests", () => {
  it("of a deposit and an exit are in the block, in the order of their types", async () => {
    const node = await aNode({ hardfork: "amsterdam", mining: "manual" });
    // 1 wei is the fee of either.
    await send(node, { to: EXITS, value: "0x1", data: encodeData(bytes(48, 7)) });
    await send(node, { to: DEPOSITS, value: quantity(ETHER + 1n), data: encodeData(deposit(10n ** 9n)) });
    await node.mine();
    expect(hashIn(node)).toBe(requestsHash([3, record(10n ** 9n)], [4, exit(7)]));
    await node.mine();
    expect(hashIn(node)).toBe(NONE);
  });

  it.each([
    ["a deposit below 1 ETH", DEPOSITS, ETHER, deposit(10n ** 9n - 1n)],
    ["a deposit without the fee", DEPOSITS, ETHER, deposit(10n ** 9n)],
    ["a deposit of 183 bytes", DEPOSITS, 2n * ETHER, deposit(10n ** 9n).slice(1)],
    ["an exit without the fee", EXITS, 0n, bytes(48, 7)],
    ["an exit of 49 bytes", EXITS, 1n, bytes(49, 7)],
  ])("do not include %s, which reverts", async (_, to, value, data) => {
    const node = await aNode({ hardfork: "amsterdam" });
    const hash = await send(node, { to, value: quantity(value), data: encodeData(data), gas: quantity(2_000_000) });
    expect(await statusOf(node, hash)).toBe("0x0");
    expect(hashIn(node)).toBe(NONE);
  });

  it("of exits are 16 a block; the 17th waits for the next", async () => {
    const node = await aNode({ hardfork: "amsterdam", mining: "manual" });
    const numbers = Array.from({ length: 17 }, (_, index) => index + 1);
    for (const number of numbers) {
      await send(node, { to: EXITS, value: "0x64", data: encodeData(bytes(48, number)), gas: quantity(2_000_000) });
    }
    await node.mine();
    expect(hashIn(node)).toBe(requestsHash([4, ...numbers.slice(0, 16).map(exit)]));
    await node.mine();
    expect(hashIn(node)).toBe(requestsHash([4, exit(17)]));
  });
});
