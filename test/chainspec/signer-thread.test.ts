import { Transaction as Peer, type TransactionLike } from "ethers";
import { afterAll, describe, expect, it } from "vitest";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis/genesis.ts";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import { SignerThread } from "../../src/chainspec/signer-thread.ts";
import { decodeNetworkTransaction } from "../../src/chainspec/transaction/decode-transaction.ts";
import type { Transaction } from "../../src/chainspec/transaction/transaction.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { aNode, wordText } from "../support/a-node.ts";
import { oneOfEachType } from "../support/signed-transactions.ts";
import { slowIt } from "../support/slow-suite.ts";

const spec = new ChainSpec(parseGenesis({ config: { chainId: 31_337 }, alloc: {} }));
const decode = (raw: string, hardfork: Hardfork = "osaka"): Transaction =>
  decodeNetworkTransaction(decodeData(raw), spec.signatureRules(hardfork));

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const ORDER = 2n * HALF_ORDER + 1n;

/** A transfer with a signature made up of these. */
function withSignature(r: bigint, s: bigint, fields: TransactionLike<string> = {}): string {
  const base = { type: 2, chainId: 31_337, nonce: 0, gasLimit: 21_000, maxFeePerGas: 9, to: `0x${"11".repeat(20)}` };
  const tx = Peer.from({ ...base, ...fields });
  tx.signature = { r: wordText(r), s: wordText(s), yParity: 0 };
  return tx.serialized;
}

describe("a thread for signers", () => {
  const thread = new SignerThread();
  afterAll(() => thread.close());

  it("finds the one that the transaction itself and ethers find, for every type", async () => {
    const node = await aNode();
    const raws = Object.values(oneOfEachType(node)).map(({ serialized }) => serialized);
    const transactions = raws.map((raw) => decode(raw));
    expect(transactions.every(({ openSignature }) => openSignature !== undefined)).toBe(true);
    await thread.recover(transactions);
    expect(transactions.map(({ openSignature }) => openSignature)).toEqual(raws.map(() => undefined));
    expect(transactions.map(({ sender }) => encodeData(sender))).toEqual(
      raws.map((raw) => Peer.from(raw).from?.toLowerCase()),
    );
    expect(transactions.map(({ sender }) => sender)).toEqual(raws.map((raw) => decode(raw).sender));
  });

  it("leaves what nobody can have signed to the transaction, which says so", async () => {
    // No point of the curve has the x coordinate 5.
    const nobodys = [withSignature(5n, 1n), withSignature(ORDER - 1n, 0n), withSignature(0n, 1n)];
    const transactions = nobodys.map((raw) => decode(raw));
    await thread.recover(transactions);
    for (const transaction of transactions) {
      expect(() => transaction.sender).toThrowError(expect.objectContaining({ code: "UNDECODABLE_TRANSACTION" }));
    }
  });

  it("is asked where s is in the upper half before Homestead, and not from there on", async () => {
    const withS = (s: bigint): string => withSignature(1n, s, { type: 0, chainId: 0, maxFeePerGas: null, gasPrice: 9 });
    expect(decode(withS(HALF_ORDER), "chainstart").openSignature).toBeDefined();
    const high = decode(withS(HALF_ORDER + 1n), "chainstart");
    await thread.recover([high]);
    expect(high.openSignature).toBeUndefined();
    expect(high.sender).toEqual(decode(withS(HALF_ORDER + 1n), "chainstart").sender);
    const refused = decode(withS(HALF_ORDER + 1n), "homestead");
    expect(refused.openSignature).toBeUndefined();
    expect(() => refused.sender).toThrow("above half the order");
  });

  it("recovers nothing where the sender is known", async () => {
    const node = await aNode();
    const { feeMarket } = oneOfEachType(node);
    const transaction = decode(feeMarket.serialized);
    transaction.sender;
    expect(transaction.openSignature).toBeUndefined();
    await thread.recover([transaction]);
    await thread.recover([]);
  });

  slowIt("leaves the rest to the transactions once it is closed", async () => {
    const node = await aNode();
    const raw = oneOfEachType(node).protected.serialized;
    const closed = new SignerThread();
    const [before, after] = [decode(raw), decode(raw)];
    await closed.recover([before]);
    await closed.close();
    await expect(closed.recover([after])).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    expect(after.openSignature).toBeDefined();
    expect(after.sender).toEqual(before.sender);
  });
});
