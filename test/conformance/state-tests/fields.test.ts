import { beforeAll, describe, expect, it } from "vitest";
import { ChainSpec } from "../../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../../src/chainspec/genesis/genesis.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { word } from "../../support/evm.ts";
import { blockReader, transactionOf } from "./fields.mjs";
import { ALICE, BOB, COINBASE, ENVIRONMENT, fromSource, TRANSFER } from "./hand-made.ts";

const spec = new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} }));
const FIRST = { data: 0, gas: 0, value: 0 };

describe("transactionOf", () => {
  const fees = { gasPrice: undefined, maxFeePerGas: "0x10", maxPriorityFeePerGas: "0x01" };
  const list = [{ address: `0x${"11".repeat(20)}`, storageKeys: [`0x${"00".repeat(31)}02`] }];

  it.each([
    [0, "a gas price", {}],
    [0, "an access list for other data alone", { accessLists: [null] }],
    [1, "an empty access list", { accessLists: [[]] }],
    [1, "an access list", { accessLists: [list] }],
    [2, "a fee cap", fees],
    [2, "a fee cap and an access list", { ...fees, accessLists: [list] }],
    [3, "versioned hashes", { ...fees, maxFeePerBlobGas: "0x01", blobVersionedHashes: [] }],
    [4, "an authorization list", { ...fees, accessLists: [list], authorizationList: [] }],
  ])("takes type %d for %s", (type, _, members) => {
    expect(transactionOf({ ...TRANSFER, ...members }, FIRST)).toMatchObject({ tx: { type } });
  });

  it("reads the fields", () => {
    const members = {
      ...fees,
      accessLists: [[], list],
      data: ["0x", "0x0102"],
      gasLimit: ["0x1", "0xf4240"],
      maxFeePerBlobGas: "0x03",
      blobVersionedHashes: [`0x01${"00".repeat(31)}`],
    };
    expect(transactionOf({ ...TRANSFER, ...members }, { data: 1, gas: 1, value: 0 })).toEqual({
      tx: {
        type: 3,
        sender: ALICE,
        to: BOB,
        nonce: 0n,
        gasLimit: 1_000_000n,
        value: 5n,
        data: Uint8Array.of(1, 2),
        maxFeePerGas: 16n,
        maxPriorityFeePerGas: 1n,
        maxFeePerBlobGas: 3n,
        accessList: [{ address: new Uint8Array(20).fill(0x11), storageKeys: [word(2n)] }],
        blobVersionedHashes: [word(1n << 248n)],
        authorizations: [],
      },
    });
  });

  const authorization = {
    chainId: "0x01",
    address: `0x${"11".repeat(20)}`,
    nonce: "0x02",
    v: "0x01",
    yParity: "0x01",
    r: "0x03",
    s: "0x04",
    signer: `0x${"22".repeat(20)}`,
  };

  it("reads authorizations, and refuses numbers beyond the bounds of EIP-7702", () => {
    const read = (members: object) =>
      transactionOf(
        { ...TRANSFER, ...fees, authorizationList: [authorization, { ...authorization, ...members }] },
        FIRST,
      );
    const expected = { chainId: 1n, address: new Uint8Array(20).fill(0x11), nonce: 2n, yParity: 1n, r: 3n, s: 4n };
    expect(read({})).toMatchObject({ tx: { authorizations: [expected, expected] } });
    const bits = { chainId: 256n, nonce: 64n, yParity: 8n, r: 256n, s: 256n };
    for (const [name, size] of Object.entries(bits)) {
      expect(read({ [name]: `0x${(2n ** size - 1n).toString(16)}` })).toHaveProperty("tx");
      const rejected = `${name} has more bits than a transaction can hold`;
      expect(read({ [name]: `0x${(2n ** size).toString(16)}` })).toEqual({ rejected });
    }
  });

  it("reads a creation", () => {
    expect(transactionOf({ ...TRANSFER, to: "" }, FIRST)).toMatchObject({ tx: { to: undefined } });
  });

  it("takes the largest numbers that a transaction can hold, and refuses larger ones", () => {
    const largest = { nonce: `0x${"f".repeat(16)}`, gasLimit: [`0x${"f".repeat(16)}`], value: [`0x${"f".repeat(64)}`] };
    expect(transactionOf({ ...TRANSFER, ...largest }, FIRST)).toMatchObject({
      tx: { nonce: 2n ** 64n - 1n, gasLimit: 2n ** 64n - 1n, value: 2n ** 256n - 1n },
    });
    const larger = {
      nonce: `0x1${"0".repeat(16)}`,
      gasLimit: [`0x1${"0".repeat(16)}`],
      value: [`0x1${"0".repeat(64)}`],
    };
    for (const [name, value] of Object.entries(larger)) {
      const rejected = `${name} has more bits than a transaction can hold`;
      expect(transactionOf({ ...TRANSFER, [name]: value }, FIRST)).toEqual({ rejected });
    }
  });
});

describe("blockReader", () => {
  let blockOf: Awaited<ReturnType<typeof blockReader>>;
  beforeAll(async () => {
    blockOf = await blockReader(fromSource);
  });
  const block = (hardfork: Parameters<ChainSpec["rules"]>[0], env: object = {}) =>
    blockOf({ ...ENVIRONMENT, ...env }, { spec, rules: spec.rules(hardfork) });

  it("reads the members that the hardfork knows", () => {
    const common = { number: 5n, timestamp: 1_000n, coinbase: COINBASE, gasLimit: 100_000_000n };
    const before = { ...common, difficulty: 0x020000n, prevRandao: word(0n), blobBaseFee: undefined };
    expect(block("berlin")).toMatchObject({ ...before, hardfork: "berlin", baseFeePerGas: undefined });
    expect(block("london")).toMatchObject({ ...before, hardfork: "london", baseFeePerGas: 10n });
    const merged = { ...common, difficulty: 0n, prevRandao: word(0x020000n), baseFeePerGas: 10n };
    expect(block("paris")).toMatchObject({ ...merged, hardfork: "paris", blobBaseFee: undefined });
    expect(block("cancun")).toMatchObject({ ...merged, hardfork: "cancun", blobBaseFee: 1n });
  });

  it("takes the price of blobs from the block's excess, or from its parent's", () => {
    // EIP-4844 with Cancun's fraction: e^(excess / 3,338,477), so that ln 2 times the fraction gives just over 2.
    expect(block("cancun", { currentExcessBlobGas: `0x${(2_314_058).toString(16)}` }).blobBaseFee).toBe(2n);
    expect(block("cancun", { currentExcessBlobGas: `0x${(2_314_056).toString(16)}` }).blobBaseFee).toBe(1n);
    const parent = (blobGasUsed: number, excess: number) => ({
      currentExcessBlobGas: undefined,
      parentBlobGasUsed: `0x${blobGasUsed.toString(16)}`,
      parentExcessBlobGas: `0x${excess.toString(16)}`,
    });
    // The target of three blobs of 131,072 is taken off.
    expect(block("cancun", parent(393_216, 2_314_058)).blobBaseFee).toBe(2n);
    expect(block("cancun", parent(393_215, 2_314_057)).blobBaseFee).toBe(1n);
    expect(block("cancun", { currentExcessBlobGas: undefined }).blobBaseFee).toBe(1n);
  });

  it("hashes the decimal number of an ancestor, of the last 256 blocks", () => {
    const { blockHash } = block("cancun", { currentNumber: "0x012c" });
    const hashOf = (text: string) => keccak256(new TextEncoder().encode(text));
    expect(blockHash(299n)).toEqual(hashOf("299"));
    expect(blockHash(44n)).toEqual(hashOf("44"));
    expect(blockHash(43n)).toBeUndefined();
    expect(blockHash(300n)).toBeUndefined();
  });
});
