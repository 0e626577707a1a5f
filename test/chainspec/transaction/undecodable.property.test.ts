/** Errors of malformed raw transactions have texts of our own. */
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ChainSpec } from "../../../src/chainspec/chain-spec.ts";
import { devGenesis } from "../../../src/chainspec/genesis/dev-genesis.ts";
import { HARDFORKS, type Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import {
  decodeNetworkTransaction,
  transactionFromBodyItem,
} from "../../../src/chainspec/transaction/decode-transaction.ts";
import { InvalidParamsError } from "../../../src/errors/hindcast-error.ts";
import { decodeData, encodeData } from "../../../src/primitives/bytes/hex.ts";
import { openNode } from "../../support/a-node.ts";
import { runs } from "../../support/seed.ts";
import { oneOfEachType, type TransactionKind } from "../../support/signed-transactions.ts";

const specOf = (chainId: bigint): ChainSpec =>
  new ChainSpec(
    devGenesis({
      hardfork: "osaka",
      chainId,
      accounts: [],
      gasLimit: 30_000_000n,
      timestamp: 0n,
      create2Deployer: false,
    }),
  );
const SPEC = specOf(31_337n);
const KINDS = ["unprotected", "protected", "creation", "accessList", "feeMarket", "setCode"] as const;

/** Letters, digits and the few signs that our sentences have: no braces, arrows, calls or hex. */
const PLAIN = /^[A-Z][A-Za-z0-9 ,.:^-]*\.$/;

let raws: Readonly<Record<TransactionKind, Uint8Array>>;
beforeAll(async () => {
  const node = await openNode();
  const kinds = Object.entries(oneOfEachType(node)).map(([kind, tx]) => [kind, decodeData(tx.serialized)]);
  raws = Object.fromEntries(kinds) as typeof raws;
  await node.close();
});

/** The refusal's words, or undefined for a transaction that decodes with its sender. */
function refusalOf(bytes: Uint8Array, hardfork: Hardfork = "osaka", spec = SPEC): string | undefined {
  try {
    decodeNetworkTransaction(bytes, spec.signatureRules(hardfork)).sender;
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    expect(error.code).toBe("UNDECODABLE_TRANSACTION");
    return error.message;
  }
}

/** The transaction with items of its list changed. */
function withItems(kind: TransactionKind, changes: Readonly<Record<number, unknown>>, dropped = 0): Uint8Array {
  const raw = raws[kind];
  const isTyped = (raw[0] ?? 0) < 0xc0;
  const items = RLP.decode(isTyped ? raw.subarray(1) : raw) as unknown[];
  for (const [index, item] of Object.entries(changes)) items[Number(index)] = item;
  const list = RLP.encode(items.slice(0, items.length - dropped) as Uint8Array[]);
  return isTyped ? Uint8Array.of(raw[0] ?? 0, ...list) : list;
}

describe("a raw transaction that is none", () => {
  const big = Uint8Array.from({ length: 33 }, () => 1);
  const told: readonly (readonly [string, () => Uint8Array, string])[] = [
    ["no bytes", () => new Uint8Array(), "it has no bytes"],
    ["a type nobody knows", () => Uint8Array.of(0x7f, 0xc0), "the transaction type 127 is unknown"],
    ["cut short", () => raws.feeMarket.subarray(0, 40), "its bytes are not RLP"],
    ["one item less", () => withItems("accessList", {}, 1), "it has not the members of its type"],
    ["no list", () => Uint8Array.of(2, 0x83, 1, 2, 3), "it has not the members of its type"],
    [
      "legacy, of another chain",
      () => withItems("protected", { 6: Uint8Array.of(38) }),
      "it is signed for chain 1, not for 31337",
    ],
    [
      "typed, of another chain",
      () => withItems("feeMarket", { 0: Uint8Array.of(5) }),
      "it is signed for chain 5, not for 31337",
    ],
    [
      "a v that is none",
      () => withItems("protected", { 6: Uint8Array.of(29) }),
      "its v is neither 27 or 28 nor that of a chain",
    ],
    [
      "a nonce with a leading zero",
      () => withItems("feeMarket", { 1: Uint8Array.of(0, 1) }),
      "its nonce has leading zeros",
    ],
    ["a value beyond 256 bits", () => withItems("feeMarket", { 6: big }), "its value is not below 2^256"],
    ["a gas limit that is a list", () => withItems("feeMarket", { 4: [] }), "its gasLimit is a list"],
    [
      "a recipient of three bytes",
      () => withItems("protected", { 3: Uint8Array.of(1, 2, 3) }),
      "its to has 3 bytes instead of 20",
    ],
    [
      "an access list of no pairs",
      () => withItems("feeMarket", { 8: [[Uint8Array.of(1)]] }),
      "its access list is malformed",
    ],
    ["a signature of nobody", () => withItems("feeMarket", { 10: new Uint8Array() }), "its signature is not valid"],
    [
      "a key of 31 bytes",
      () => withItems("feeMarket", { 8: [[new Uint8Array(20), [new Uint8Array(31)]]] }),
      "its access list is malformed",
    ],
    ["without its signature", () => withItems("feeMarket", {}, 3), "it is not signed"],
    ["a malformed authorization", () => withItems("setCode", { 9: [[]] }), "its authorization list is malformed"],
  ];

  it.each(told)("is told so: %s", (_, bytes, reason) => {
    expect(refusalOf(bytes())).toBe(`Transaction is not in valid format: ${reason}.`);
  });

  it("is told so in a block that has it as bytes instead of a list", () => {
    const rules = SPEC.signatureRules("osaka");
    const message = "Transaction is not in valid format: a block has it as a list, not as bytes.";
    expect(() => transactionFromBodyItem(raws.protected, rules)).toThrow(message);
    // The shortest list, and what only looks like one.
    expect(() => transactionFromBodyItem(Uint8Array.of(0xc0), rules)).toThrow(message);
    expect(() => transactionFromBodyItem(Uint8Array.of(0xbf), rules)).toThrow("the transaction type 191 is unknown");
    expect(() => transactionFromBodyItem(new Uint8Array(), rules)).toThrow("it has no bytes");
    expect(transactionFromBodyItem(raws.feeMarket, rules).encode()).toEqual(raws.feeMarket);
  });

  it("is told so by its signature and hardfork", () => {
    expect(refusalOf(raws.protected, "homestead")).toBe(
      "Transaction is not in valid format: its v is neither 27 nor 28, and this hardfork knows no others.",
    );
    expect(refusalOf(raws.unprotected, "homestead")).toBeUndefined();
  });

  it("is told so on a chain whose id is beyond 2^53, too", () => {
    const large = specOf(2n ** 60n);
    expect(refusalOf(raws.protected, "osaka", large)).toMatch(/signed for chain 31337, not for \d+\.$/);
    const v = decodeData(`0x${(2n * 2n ** 61n + 35n).toString(16)}`);
    expect(refusalOf(withItems("protected", { 6: v }), "osaka", large)).toMatch(/signed for chain \d+, not for \d+\.$/);
  });
});

it("a raw transaction with any bytes changed either decodes or is refused in plain words (every hardfork)", () => {
  const change = fc.record({ at: fc.nat({ max: 300 }), byte: fc.nat({ max: 255 }) });
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.option(fc.nat({ max: 200 }), { nil: undefined }),
      fc.constantFrom(...HARDFORKS),
      (kind, changes, end, hardfork) => {
        const bytes = Uint8Array.from(raws[kind].subarray(0, end));
        for (const { at, byte } of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
        const refusal = refusalOf(bytes, hardfork);
        if (refusal !== undefined) expect(refusal, encodeData(bytes)).toMatch(PLAIN);
      },
    ),
    { numRuns: runs(300) },
  );
});

it("a raw transaction with any member replaced either decodes or is refused in plain words", () => {
  const item: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    item: fc.oneof({ maxDepth: 3 }, fc.uint8Array({ maxLength: 40 }), fc.array(tie("item"), { maxLength: 3 })),
  })).item;
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), fc.nat({ max: 13 }), item, (kind, index, replacement) => {
      const refusal = refusalOf(withItems(kind, { [index]: replacement }));
      if (refusal !== undefined) expect(refusal).toMatch(PLAIN);
    }),
    { numRuns: runs(300) },
  );
});
