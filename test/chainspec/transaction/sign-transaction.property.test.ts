/** Signed transactions are, byte for byte, what EthereumJS reads and writes, and their signers who it says they are. */
import { createTxFromRLP } from "@ethereumjs/tx";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeTransaction } from "../../../src/chainspec/transaction/decode-transaction.ts";
import { impersonatedTransaction, signTransaction } from "../../../src/chainspec/transaction/sign-transaction.ts";
import { accountOf } from "../../../src/keyring/keyring.ts";
import { signHash } from "../../../src/primitives/curves/secp256k1.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { ethereumjsCommon } from "../../support/ethereumjs-common.ts";
import { runs } from "../../support/seed.ts";
import { anyTransaction, bytes, specOf } from "../any-transaction.ts";

it.each([1, 31_337, 2 ** 45])("signs as EthereumJS reads it (chain id %d)", (chainId) => {
  fc.assert(
    fc.property(anyTransaction, fc.integer({ min: 1, max: 254 }), fc.boolean(), (fields, key, isOld) => {
      const hardfork = isOld && fields.type === 0 ? "homestead" : "prague";
      const spec = specOf(chainId);
      const common = ethereumjsCommon(spec, hardfork);
      const account = accountOf(new Uint8Array(32).fill(key));
      const tx = signTransaction(
        fields,
        spec.signatureRules(hardfork),
        (hash) => signHash(hash, account.privateKey),
        account.address,
      );
      const read = createTxFromRLP(tx.encode(), { common });
      expect(read.serialize()).toEqual(tx.encode());
      expect(read.getSenderAddress().bytes).toEqual(account.address);
      expect(read.hash()).toEqual(tx.hash);
      expect([tx.v, tx.r, tx.s, tx.nonce]).toEqual([read.v, read.r, read.s, fields.nonce]);
    }),
    { numRuns: runs(60) },
  );
});

it("writes an impersonated transaction as it is read back", () => {
  const spec = specOf(1);
  const common = ethereumjsCommon(spec, "prague");
  const rules = spec.signatureRules("prague");
  fc.assert(
    fc.property(anyTransaction, bytes(20), (fields, sender) => {
      const tx = impersonatedTransaction(fields, rules, sender);
      const read = decodeTransaction(tx.encode(), rules, sender);
      expect(read.encode()).toEqual(tx.encode());
      expect(keccak256(createTxFromRLP(tx.encode(), { common }).serialize())).toEqual(tx.hash);
      expect(read.sender).toEqual(sender);
    }),
    { numRuns: runs(60) },
  );
});
