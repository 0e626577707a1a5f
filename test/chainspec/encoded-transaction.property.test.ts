/** Transactions that were read, beside EthereumJS. */
import { RLP } from "@ethereumjs/rlp";
import { createTxFromRLP } from "@ethereumjs/tx";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeTransaction, transactionFromBodyItem } from "../../src/chainspec/transaction/decode-transaction.ts";
import { signTransaction } from "../../src/chainspec/transaction/sign-transaction.ts";
import { Transaction } from "../../src/chainspec/transaction/transaction.ts";
import { signHash } from "../../src/primitives/curves/secp256k1.ts";
import { ethereumjsCommon } from "../support/ethereumjs-common.ts";
import { runs } from "../support/seed.ts";
import { anyTransaction, specOf } from "./any-transaction.ts";

const spec = specOf(1);
const common = ethereumjsCommon(spec, "prague");
const rules = spec.signatureRules("prague");
const KEY = new Uint8Array(32).fill(9);

type Item = Uint8Array | Item[];

/** Something to do to the members of a transaction. */
const change = fc.oneof(
  fc.record({ kind: fc.constant("none" as const) }),
  fc.record({ kind: fc.constant("zeros" as const), member: fc.nat({ max: 13 }) }),
  fc.record({ kind: fc.constant("unsigned" as const) }),
  fc.record({ kind: fc.constant("byte" as const), at: fc.nat(), xor: fc.integer({ min: 1, max: 255 }) }),
);

function changed(bytes: Uint8Array, how: typeof change extends fc.Arbitrary<infer T> ? T : never): Uint8Array {
  const type = (bytes[0] as number) < 0xc0 ? bytes.subarray(0, 1) : new Uint8Array(0);
  const members = RLP.decode(bytes.subarray(type.length)) as Item[];
  if (how.kind === "byte") {
    const at = how.at % bytes.length;
    return bytes.map((byte, index) => (index === at ? byte ^ how.xor : byte));
  }
  const member = how.kind === "zeros" ? members[how.member] : undefined;
  if (how.kind === "zeros" && member instanceof Uint8Array) members[how.member] = Uint8Array.of(0, ...member);
  if (how.kind === "unsigned") members.splice(-3);
  return Uint8Array.of(...type, ...RLP.encode(members));
}

/** The decoded transaction; undefined if the reader refuses it. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

it("is read as EthereumJS reads it, and has one encoding: that which it came in", () => {
  fc.assert(
    fc.property(anyTransaction, change, (fields, how) => {
      const bytes = changed(signTransaction(fields, rules, (hash) => signHash(hash, KEY)).encode(), how);
      const own = attempt(() => decodeTransaction(bytes, rules));
      if (own !== undefined) {
        expect(own.encode()).toEqual(bytes);
        expect(new Transaction(own, rules).encode()).toEqual(bytes);
        const item = own.type === 0 ? RLP.decode(bytes) : bytes;
        expect(transactionFromBodyItem(item, rules).hash).toEqual(own.hash);
      }
      // EthereumJS also reads what is not signed, and chain ids with zeros in front, which it writes without.
      const theirs = attempt(() => createTxFromRLP(bytes, { common }));
      if (theirs === undefined || !theirs.isSigned() || Buffer.compare(theirs.serialize(), bytes) !== 0) return;
      const { nonce, gasLimit, value, data, r, s } = theirs;
      expect(own).toMatchObject({ nonce, gasLimit, value, data, v: theirs.v, r, s, to: theirs.to?.bytes });
      expect(attempt(() => own?.sender)).toEqual(attempt(() => theirs.getSenderAddress().bytes));
    }),
    { numRuns: runs(300) },
  );
});
