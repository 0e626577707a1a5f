import type { Transaction } from "ethers";
import { Transaction as EthersTransaction, getCreateAddress, SigningKey } from "ethers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  type Json,
  NOW,
  openNode,
  quantity,
  type ServedNode,
  serve,
} from "../../../support/a-node.ts";
import {
  ACCESS_LIST,
  blobs,
  oneOfEachType,
  signed,
  type TransactionKind,
} from "../../../support/signed-transactions.ts";

const GWEI = 1_000_000_000n;
const BASE_FEE = 875_000_000n;
const UNKNOWN = `0x${"12".repeat(32)}`;

const COMMON = [
  ["blockHash", "blockNumber", "blockTimestamp", "from", "gas", "gasPrice", "hash", "input", "nonce", "to"],
  ["transactionIndex", "value", "type", "v", "r", "s"],
].flat();
const FEE_MARKET = ["chainId", "accessList", "yParity", "maxFeePerGas", "maxPriorityFeePerGas"];
/** Members beside the common ones at the plain address, by kind. */
const MORE: Readonly<Record<TransactionKind, readonly string[]>> = {
  unprotected: [],
  protected: ["chainId"],
  creation: ["chainId"],
  accessList: ["chainId", "accessList", "yParity"],
  feeMarket: FEE_MARKET,
  setCode: [...FEE_MARKET, "authorizationList"],
  blob: [...FEE_MARKET, "maxFeePerBlobGas", "blobVersionedHashes"],
};
const KINDS = Object.keys(MORE) as TransactionKind[];
const TYPES: Readonly<Record<TransactionKind, string>> = {
  unprotected: "0x0",
  protected: "0x0",
  creation: "0x0",
  accessList: "0x1",
  feeMarket: "0x2",
  setCode: "0x4",
  blob: "0x3",
};

/** 27 or 28 without a chain id, 35 or 36 and twice the chain id with one (EIP-155), the parity in typed transactions. */
function wireV(kind: TransactionKind, yParity: number): number {
  if (TYPES[kind] !== "0x0") return yParity;
  return kind === "unprotected" ? 27 + yParity : 35 + 2 * 31_337 + yParity;
}

const sorted = (names: readonly string[]): string[] => [...names].sort();

describe("transactions of every type", () => {
  let served: ServedNode;
  let sent: Readonly<Record<TransactionKind, Transaction>>;
  let pendingByHash: Json[];
  let pendingByPosition: Json[];
  let pendingParity: Json[];
  let blockHash: string;

  beforeAll(async () => {
    served = await serve(await openNode({ mining: "manual" }));
    const { plain, parity, node } = served;
    sent = oneOfEachType(node);
    for (const kind of KINDS) {
      expect(await plain.ask("eth_sendRawTransaction", sent[kind].serialized), kind).toBe(sent[kind].hash);
    }
    const order = KINDS.map((_, index) => quantity(index));
    pendingByHash = await Promise.all(
      KINDS.map((kind) => plain.ask<Json>("eth_getTransactionByHash", sent[kind].hash)),
    );
    pendingByPosition = await Promise.all(
      order.map((index) => plain.ask<Json>("eth_getTransactionByBlockNumberAndIndex", "pending", index)),
    );
    pendingParity = await Promise.all(
      order.map((index) => parity.ask<Json>("eth_getTransactionByBlockNumberAndIndex", "pending", index)),
    );
    await node.mine();
    blockHash = (await plain.ask<Json>("eth_getBlockByNumber", "0x1", false)).hash as string;
  });
  afterAll(() => served.node.close());

  const mined = (kind: TransactionKind): Promise<Json> => served.plain.ask("eth_getTransactionByHash", sent[kind].hash);
  const minedParity = (kind: TransactionKind): Promise<Json> =>
    served.parity.ask("eth_getTransactionByHash", sent[kind].hash);

  it.each(KINDS)("have exactly the members of execution-apis at the plain address (%s)", async (kind) => {
    expect(sorted(Object.keys(await mined(kind)))).toEqual(sorted([...COMMON, ...MORE[kind]]));
  });

  it.each(KINDS)("have the values that ethers signed (%s)", async (kind) => {
    const tx = sent[kind];
    const shown = await mined(kind);
    const isLegacy = tx.type === 0;
    const { signature } = tx;
    expect(shown).toMatchObject({
      hash: tx.hash,
      type: TYPES[kind],
      nonce: quantity(tx.nonce),
      from: ALICE,
      to: kind === "creation" ? null : addressText(0x11),
      value: "0x5",
      gas: quantity(100_000),
      input: tx.data,
      // From London on the price that was paid: the base fee and the tip, if the cap allows.
      gasPrice: quantity(isLegacy || tx.type === 1 ? 2n * GWEI : BASE_FEE + GWEI),
      v: quantity(wireV(kind, signature?.yParity ?? -1)),
      r: quantity(BigInt(signature?.r ?? 0)),
      s: quantity(BigInt(signature?.s ?? 0)),
    });
    if (!isLegacy) {
      expect(shown.yParity).toBe(quantity(signature?.yParity ?? 0));
      expect(shown.accessList).toEqual(kind === "accessList" || kind === "feeMarket" ? ACCESS_LIST : []);
    }
    if (kind !== "unprotected") expect(shown.chainId).toBe("0x7a69");
    if ((tx.type ?? 0) >= 2) {
      expect(shown).toMatchObject({ maxFeePerGas: quantity(3n * GWEI), maxPriorityFeePerGas: quantity(GWEI) });
    }
  });

  it("show the blob hashes and the blob fee cap (type 3)", async () => {
    expect(await mined("blob")).toMatchObject({
      maxFeePerBlobGas: "0x7",
      blobVersionedHashes: sent.blob.blobVersionedHashes,
    });
  });

  it("show the authorizations as QUANTITIES (type 4)", async () => {
    const [signedOne] = sent.setCode.authorizationList ?? [];
    expect((await mined("setCode")).authorizationList).toEqual([
      {
        chainId: "0x7a69",
        address: addressText(0x33),
        nonce: "0x0",
        yParity: quantity(signedOne?.signature.yParity ?? -1),
        r: quantity(BigInt(signedOne?.signature.r ?? -1)),
        s: quantity(BigInt(signedOne?.signature.s ?? -1)),
      },
    ]);
    expect(await served.plain.ask("eth_getCode", BOB)).toBe(`0xef0100${"33".repeat(20)}`);
  });

  it.each(KINDS)("have the same answer by hash and by both positions (%s)", async (kind) => {
    const index = quantity(KINDS.indexOf(kind));
    for (const client of [served.plain, served.parity]) {
      const byHash = await client.ask<Json>("eth_getTransactionByHash", sent[kind].hash);
      expect(byHash).toMatchObject({ blockHash, blockNumber: "0x1", transactionIndex: index });
      expect(byHash.blockTimestamp).toBe(quantity(NOW + 1));
      expect(await client.ask("eth_getTransactionByBlockNumberAndIndex", "0x1", index)).toEqual(byHash);
      expect(await client.ask("eth_getTransactionByBlockNumberAndIndex", "latest", index)).toEqual(byHash);
      expect(await client.ask("eth_getTransactionByBlockHashAndIndex", blockHash, index)).toEqual(byHash);
    }
  });

  it.each(KINDS)("have at the path form the standard members and the seed's further ones (%s)", async (kind) => {
    const tx = sent[kind];
    const standard = await mined(kind);
    const wide = await minedParity(kind);
    const isTyped = tx.type !== 0;
    const further = ["condition", "creates", "publicKey", "raw", "standardV", ...(isTyped ? ["accesslist"] : [])];
    const chainId = kind === "unprotected" ? ["chainId"] : [];
    expect(sorted(Object.keys(wide))).toEqual(sorted([...Object.keys(standard), ...further, ...chainId]));
    const { r: _r, s: _s, ...shared } = standard;
    expect(wide).toMatchObject(shared);
    expect(wide.condition).toBeNull();
    expect(wide.creates).toBe(
      kind === "creation" ? getCreateAddress({ from: ALICE, nonce: tx.nonce }).toLowerCase() : null,
    );
    expect(wide.standardV).toBe(quantity(tx.signature?.yParity ?? -1));
    // 32 bytes, left-padded, where the plain address has QUANTITIES.
    expect(wide.r).toBe(tx.signature?.r);
    expect(wide.s).toBe(tx.signature?.s);
    if (kind === "unprotected") expect(wide.chainId).toBeNull();
    if (isTyped) expect(wide.accesslist).toEqual(wide.accessList);
  });

  it.each(KINDS)("have at the path form the public key and the EIP-2718 bytes (%s)", async (kind) => {
    const wide = await minedParity(kind);
    const tx = sent[kind];
    const key = SigningKey.recoverPublicKey(tx.unsignedHash, tx.signature ?? "");
    expect(wide.publicKey).toBe(`0x${key.slice(4)}`);
    // Without blobs, commitments and proofs, which are no part of the transaction itself.
    const decoded = EthersTransaction.from(wide.raw as string);
    expect(decoded.blobs ?? null).toBeNull();
    expect(decoded.hash).toBe(tx.hash);
  });

  it.each(KINDS)(
    "have no place in the chain while they wait, by hash and by position in the pending block (%s)",
    (kind) => {
      const index = KINDS.indexOf(kind);
      const nowhere = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };
      for (const shown of [pendingByHash[index], pendingByPosition[index], pendingParity[index]]) {
        expect(shown).toMatchObject({ hash: sent[kind].hash, from: ALICE, ...nowhere });
      }
      expect(sorted(Object.keys(pendingByHash[index] ?? {}))).toEqual(sorted([...COMMON, ...MORE[kind]]));
      expect(pendingParity[index]).toMatchObject({ condition: null, standardV: expect.stringMatching(/^0x[01]$/) });
    },
  );

  it("are null where there are none", async () => {
    for (const { ask } of [served.plain, served.parity]) {
      expect(await ask("eth_getTransactionByHash", UNKNOWN)).toBeNull();
      expect(await ask("eth_getTransactionByBlockHashAndIndex", UNKNOWN, "0x0")).toBeNull();
      expect(await ask("eth_getTransactionByBlockHashAndIndex", blockHash, "0x7")).toBeNull();
      expect(await ask("eth_getTransactionByBlockNumberAndIndex", "0x1", "0x7")).toBeNull();
      expect(await ask("eth_getTransactionByBlockNumberAndIndex", "0x1", quantity(2 ** 40))).toBeNull();
      expect(await ask("eth_getTransactionByBlockNumberAndIndex", "0x2", "0x0")).toBeNull();
      expect(await ask("eth_getTransactionByBlockNumberAndIndex", "earliest", "0x0")).toBeNull();
      expect(await ask("eth_getTransactionByBlockNumberAndIndex", "pending", "0x0")).toBeNull();
      expect(await ask("eth_getTransactionReceipt", UNKNOWN)).toBeNull();
    }
  });
});

describe("a receipt", () => {
  it("of a blob transaction tells blob gas and its price", async () => {
    const { node, plain } = await aServedNode({ hardfork: "prague" });
    const fees = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 1n, maxFeePerBlobGas: 7n };
    const fields = { type: 3, chainId: 31_337, nonce: 0, gasLimit: 21_000, to: BOB, ...fees, ...blobs(0) };
    const blob = signed(node, fields);
    await plain.ask("eth_sendRawTransaction", blob.serialized);
    expect(await plain.ask("eth_getTransactionReceipt", blob.hash)).toMatchObject({
      type: "0x3",
      status: "0x1",
      blobGasUsed: "0x20000",
      blobGasPrice: "0x1",
    });
  });
});
