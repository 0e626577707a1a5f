/** eth_getProof, eth_getAccount, eth_getAccountInfo, eth_getStorageValues. Proofs are checked by EthereumJS' verifier. */
import { verifyMerkleProof } from "@ethereumjs/mpt";
import { RLP } from "@ethereumjs/rlp";
import { describe, expect, it } from "vitest";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  type Client,
  type Json,
  NOBODY,
  quantity,
  wordText,
} from "../../../support/a-node.ts";
import { fromHex } from "../../../support/assembler.ts";
import { COUNTER, deploy } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";

const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const EMPTY_HASH = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

interface Proof extends Json {
  readonly accountProof: string[];
  readonly storageHash: string;
  readonly storageProof: { readonly key: string; readonly value: string; readonly proof: string[] }[];
}

/** The leaf that a proof leads to, RLP-decoded; null when it proves absence. Throws when it proves nothing. */
async function proven(root: string, key: string, proof: readonly string[]): Promise<unknown> {
  const leaf = await verifyMerkleProof(keccak256(fromHex(key)), proof.map(fromHex), {
    root: fromHex(root),
    useKeyHashing: false,
  });
  return leaf === null ? null : RLP.decode(leaf);
}

const stateRootOf = async (plain: Client, block: string): Promise<string> =>
  (await plain.ask<Json>("eth_getBlockByNumber", block, false)).stateRoot as string;

describe("eth_getProof", () => {
  it("proves an account with its slots against the block's state root", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    await plain.ask("eth_sendTransaction", { from: ALICE, to: counter });
    const proof = await plain.ask<Proof>("eth_getProof", counter, ["0x0", wordText(1)], "latest");
    expect(proof).toMatchObject({ address: counter, balance: "0x0", nonce: "0x1" });
    expect(proof.codeHash).toBe(encodeData(keccak256(COUNTER)));
    const account = await proven(await stateRootOf(plain, "latest"), counter, proof.accountProof);
    expect(account).toEqual([fromHex("01"), new Uint8Array(0), fromHex(proof.storageHash), keccak256(COUNTER)]);
    const [set, unset] = proof.storageProof;
    expect(set).toMatchObject({ key: "0x0", value: "0x1" });
    expect(await proven(proof.storageHash, wordText(0), set?.proof ?? [])).toEqual(fromHex("01"));
    expect(unset).toMatchObject({ key: wordText(1), value: "0x0" });
    expect(await proven(proof.storageHash, wordText(1), unset?.proof ?? [])).toBeNull();
  });

  it("proves that an account is not there", async () => {
    const { plain } = await aServedNode();
    const proof = await plain.ask<Proof>("eth_getProof", NOBODY, ["0x5"], "latest");
    expect(proof).toMatchObject({ balance: "0x0", nonce: "0x0", codeHash: EMPTY_HASH, storageHash: EMPTY_ROOT });
    expect(proof.storageProof).toEqual([{ key: "0x5", value: "0x0", proof: [] }]);
    expect(await proven(await stateRootOf(plain, "latest"), NOBODY, proof.accountProof)).toBeNull();
  });

  it("answers keys in the form they came in: 32 bytes as DATA, shorter ones as a QUANTITY", async () => {
    const { plain } = await aServedNode();
    const keys = ["0x00", "0x", "0x0", "0x10", "0x1", "ff", wordText(16)];
    const { storageProof } = await plain.ask<Proof>("eth_getProof", ALICE, keys, "latest");
    expect(storageProof.map(({ key }) => key)).toEqual(["0x0", "0x0", "0x0", "0x10", "0x1", "0xff", wordText(16)]);
  });

  it("proves old blocks and the pending one, each against its own root", async () => {
    const { node, plain } = await aServedNode();
    await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
    node.setMiningMode("manual");
    await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
    const nonces: unknown[] = [];
    for (const block of ["0x0", "0x1", "pending"]) {
      const proof = await plain.ask<Proof>("eth_getProof", ALICE, [], block);
      const account = (await proven(await stateRootOf(plain, block), ALICE, proof.accountProof)) as Uint8Array[];
      expect(quantity(BigInt(encodeData(account[1] as Uint8Array)))).toBe(proof.balance);
      nonces.push(proof.nonce);
    }
    expect(nonces).toEqual(["0x0", "0x1", "0x2"]);
  });

  it("proves what was edited since the last block", async () => {
    const { node, plain } = await aServedNode();
    await node.setBalance(fromHex(NOBODY), 7n);
    expect(await plain.ask("eth_getProof", NOBODY, [], "latest")).toMatchObject({ balance: "0x7" });
  });

  it("refuses a key of more than 32 bytes, and more than 1024 keys", async () => {
    const { plain } = await aServedNode();
    const long = await plain.failure("eth_getProof", ALICE, [`${wordText(1)}00`], "latest");
    expect(long).toMatchObject({ code: -32602 });
    expect(long.message).toContain("params[1][0]: expected a storage key: hex of at most 32 bytes");
    const many = await plain.failure("eth_getProof", ALICE, new Array(1025).fill("0x0"), "latest");
    expect(many).toMatchObject({ code: -32602 });
  });

  it("refuses a block that is not there in geth's words", async () => {
    const { plain } = await aServedNode();
    expect(await plain.failure("eth_getProof", ALICE, [], "0x99")).toMatchObject({
      code: -32000,
      message: "header not found",
    });
  });
});

describe("eth_getAccount", () => {
  it("gives the four members of the trie's account", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    const proof = await plain.ask<Proof>("eth_getProof", counter, [], "latest");
    expect(await plain.ask("eth_getAccount", counter, "latest")).toEqual({
      balance: "0x0",
      nonce: "0x1",
      codeHash: proof.codeHash,
      storageRoot: proof.storageHash,
    });
  });

  it("is null for an account that is not there", async () => {
    const { plain } = await aServedNode();
    expect(await plain.ask("eth_getAccount", NOBODY, "latest")).toBeNull();
  });
});

describe("eth_getAccountInfo", () => {
  it("gives balance, nonce and code", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    await node.setBalance(fromHex(counter), 5n);
    expect(await plain.ask("eth_getAccountInfo", counter, "latest")).toEqual({
      balance: "0x5",
      nonce: "0x1",
      code: encodeData(COUNTER),
    });
  });

  it("is zero for an account that is not there", async () => {
    const { plain } = await aServedNode();
    expect(await plain.ask("eth_getAccountInfo", NOBODY)).toEqual({ balance: "0x0", nonce: "0x0", code: "0x" });
  });
});

describe("eth_getStorageValues", () => {
  it("gives the values of each account's slots in order", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    await node.setStorageAt(fromHex(counter), fromHex(wordText(2)), fromHex(wordText(0xabc)));
    const unknown = addressText(0x77);
    const asked = { [counter]: [wordText(2), wordText(0)], [unknown]: [wordText(1)] };
    expect(await plain.ask("eth_getStorageValues", asked, "latest")).toEqual({
      [counter]: [wordText(0xabc), wordText(0)],
      [unknown]: [wordText(0)],
    });
  });

  it("refuses to be asked for nothing, and for more than 1024 slots", async () => {
    const { plain } = await aServedNode();
    expect(await plain.failure("eth_getStorageValues", {})).toMatchObject({ code: -32602, message: "empty request" });
    const slots = { [ALICE]: new Array(1024).fill(wordText(0)), [BOB]: [wordText(0)] };
    const failure = await plain.failure("eth_getStorageValues", slots);
    expect(failure).toMatchObject({ code: -38026, message: saying("too many slots (max 1024)") });
    expect(failure.data).toEqual({ limit: 1024, given: 1025, flag: null });
  });
});
