/** A transaction that was read has the bytes that EthereumJS would write it in, whether they are the ones it came in or not. */
import { RLP } from "@ethereumjs/rlp";
import { createTxFromBlockBodyData, createTxFromRLP } from "@ethereumjs/tx";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeTransaction, transactionFromBodyItem } from "../../src/chainspec/transaction/decode-transaction.ts";
import { signTransaction } from "../../src/chainspec/transaction/sign-transaction.ts";
import { signHash } from "../../src/primitives/curves/secp256k1.ts";
import { anyTransaction, commonOf } from "./any-transaction.ts";

const common = commonOf(1, "prague");
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

/** What a reader makes of it; undefined where it refuses. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

it("is encoded as EthereumJS encodes it, from its bytes and from a body", () => {
  fc.assert(
    fc.property(anyTransaction, change, (fields, how) => {
      const bytes = changed(signTransaction(fields, common, (hash) => signHash(hash, KEY)).encode(), how);
      const expected = attempt(() => createTxFromRLP(bytes, { common }).serialize());
      expect(attempt(() => decodeTransaction(bytes, common).encode())).toEqual(expected);
      const item = (bytes[0] as number) < 0xc0 ? bytes : (attempt(() => RLP.decode(bytes)) as Uint8Array[] | undefined);
      if (item === undefined) return;
      const ofBody = attempt(() => createTxFromBlockBodyData(item, { common }).serialize());
      expect(attempt(() => transactionFromBodyItem(item, common).encode())).toEqual(ofBody);
    }),
    { numRuns: 200 },
  );
});
