import { createBlockFromRLP } from "@ethereumjs/block";
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChainSpec } from "../../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../../src/chainspec/genesis/genesis.ts";
import { encodeBlock, hashUncles, makeBlock, splitBlock } from "../../../src/chainspec/header/block.ts";
import { decodeHeader, type Header, headerToList } from "../../../src/chainspec/header/header.ts";
import { decodeTransaction, transactionFromBodyItem } from "../../../src/chainspec/transaction/decode-transaction.ts";
import { decodeData, encodeData } from "../../../src/primitives/bytes/hex.ts";
import { aNode } from "../../support/a-node.ts";
import { ethereumjsCommon } from "../../support/ethereumjs-common.ts";
import { runs } from "../../support/seed.ts";
import { oneOfEachType } from "../../support/signed-transactions.ts";
import { headerOf, spec, TESTED_HARDFORKS, withdrawals } from "../arbitraries.ts";

const SHANGHAI = TESTED_HARDFORKS.filter((hardfork) => spec.rules(hardfork).has(4895));

describe("a block", () => {
  it("of uncles comes back from its RLP, with the uncles hash that EthereumJS computes (byzantium)", () => {
    const uncles = fc.array(headerOf("byzantium"), { maxLength: 2 });
    fc.assert(
      fc.property(headerOf("byzantium"), uncles, (header, list) => {
        const committed = { ...header, unclesHash: hashUncles(list) };
        const block = makeBlock(committed, { transactions: [], uncles: list, withdrawals: undefined });
        const bytes = encodeBlock(block);
        expect(splitBlock(bytes)).toEqual({
          header: committed,
          body: { transactions: [], uncles: list, withdrawals: undefined },
        });
        const other = createBlockFromRLP(bytes, {
          common: ethereumjsCommon(spec, "byzantium"),
          setHardfork: false,
          skipConsensusFormatValidation: true,
        });
        expect(other.hash()).toEqual(block.hash);
        expect(other.uncleHashIsValid()).toBe(true);
      }),
      { numRuns: runs(12) },
    );
  });

  it.each(SHANGHAI)("of withdrawals comes back from its RLP (%s)", (hardfork) => {
    fc.assert(
      fc.property(headerOf(hardfork), withdrawals, (header, list) => {
        const body = { transactions: [], uncles: [], withdrawals: list };
        expect(splitBlock(encodeBlock(makeBlock(header, body)))).toEqual({ header, body });
      }),
      { numRuns: runs(12) },
    );
  });

  it("that was damaged in one byte is refused or is another block, and never crashes the reader", () => {
    fc.assert(
      fc.property(
        headerOf("prague"),
        withdrawals,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (header, list, at, xor) => {
          const bytes = encodeBlock(makeBlock(header, { transactions: [], uncles: [], withdrawals: list }));
          const damaged = Uint8Array.from(bytes);
          const position = at % damaged.length;
          damaged[position] = (damaged[position] as number) ^ xor;
          try {
            const { header: read, body } = splitBlock(damaged);
            const again = encodeBlock(makeBlock(read, { ...body, transactions: [] }));
            expect(again).not.toEqual(bytes);
          } catch (error) {
            expect(error).toMatchObject({ code: "BLOCK_REJECTED" });
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });

  const text = Uint8Array.of(0xb1, 0x0c);
  const [someHeader] = fc.sample(headerOf("prague"), { numRuns: 1, seed: 1 }) as [Header];
  const aHeader = headerToList(someHeader);
  const one = Uint8Array.of(1);
  const ofWithdrawal = (...items: unknown[]): unknown[] => [aHeader, [], [], [items]];
  const SHAPE = "a block is a list of header, transactions, uncles and, from Shanghai on, withdrawals";
  it.each<[string, unknown, string]>([
    ["is bytes", text, SHAPE],
    ["has two items", [aHeader, []], SHAPE],
    ["has five items", [aHeader, [], [], [], []], SHAPE],
    ["has bytes for transactions", [aHeader, text, []], "transactions and uncles are lists"],
    ["has bytes for uncles", [aHeader, [], text], "transactions and uncles are lists"],
    ["has bytes for withdrawals", [aHeader, [], [], text], "withdrawals are a list"],
    ["has bytes for a withdrawal", [aHeader, [], [], [text]], "a withdrawal has four items"],
    ["has a withdrawal of three items", ofWithdrawal(one, one, new Uint8Array(20)), "a withdrawal has four items"],
    ["has a withdrawal to a list", ofWithdrawal(one, one, [], one), "a withdrawal has four items"],
    ["has a short address", ofWithdrawal(one, one, new Uint8Array(19), one), "a withdrawal's address has 20 bytes"],
    [
      "has an amount that begins with a zero",
      ofWithdrawal(one, one, new Uint8Array(20), Uint8Array.of(0, 1)),
      "a withdrawal's integer has a leading zero byte",
    ],
    [
      "has an amount of 2^64",
      ofWithdrawal(one, one, new Uint8Array(20), Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0)),
      "a withdrawal's integer exceeds 64 bits",
    ],
  ])("that %s is refused with what a block is made of", (_, block, reason) => {
    expect(() => splitBlock(RLP.encode(block as Uint8Array[]))).toThrow(
      expect.objectContaining({ code: "BLOCK_REJECTED", message: `Malformed block: ${reason}.` }),
    );
  });

  it("header reader refuses bytes that are no header", () => {
    for (const bytes of [RLP.encode([]), RLP.encode(Uint8Array.of(1)), RLP.encode(Array(15).fill(new Uint8Array()))]) {
      expect(() => decodeHeader(bytes)).toThrow(/Malformed block header/);
    }
  });
});

it("transactions of every type come back from their bytes and from a body with ethers' hash and sender", async () => {
  const node = await aNode();
  const chain = new ChainSpec(parseGenesis({ config: { chainId: Number(node.chainId) }, alloc: {} }));
  const rules = chain.signatureRules("osaka");
  for (const [kind, tx] of Object.entries(oneOfEachType(node))) {
    const bytes = decodeData(tx.type === 3 ? withoutSidecar(tx.serialized) : tx.serialized);
    const decoded = decodeTransaction(bytes, rules);
    expect(encodeData(decoded.hash), kind).toBe(tx.hash);
    expect(encodeData(decoded.sender), kind).toBe(tx.from?.toLowerCase());
    expect(decoded.encode(), kind).toEqual(bytes);
    const item = tx.type === 0 ? RLP.decode(bytes) : bytes;
    expect(encodeData(transactionFromBodyItem(item, rules).hash), kind).toBe(tx.hash);
  }
});

/** The first item of the network form, which holds the transaction itself. */
function withoutSidecar(serialized: string): string {
  const [transaction = []] = RLP.decode(decodeData(`0x${serialized.slice(4)}`)) as Uint8Array[][];
  return `0x03${encodeData(RLP.encode(transaction)).slice(2)}`;
}
