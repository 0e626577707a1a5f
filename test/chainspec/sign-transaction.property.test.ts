/** Signed transactions are, byte for byte, what EthereumJS reads and writes, and their signers who it says they are. */
import { createTxFromRLP } from "@ethereumjs/tx";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis.ts";
import {
  impersonatedTransaction,
  signTransaction,
  type UnsignedTransaction,
} from "../../src/chainspec/sign-transaction.ts";
import { decodeTransaction } from "../../src/chainspec/transaction.ts";
import { accountOf } from "../../src/keyring/keyring.ts";
import { keccak256 } from "../../src/primitives/hash.ts";
import { signHash } from "../../src/primitives/secp256k1.ts";

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
/** Small ones often, since those are encoded as themselves. */
const integer = (bits: number): fc.Arbitrary<bigint> =>
  fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }));
const word = integer(256);
const accessList = fc.array(fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 3 }) }), {
  maxLength: 3,
});
const authorization = fc.record({
  chainId: integer(60),
  address: bytes(20),
  nonce: integer(60),
  yParity: fc.bigInt({ min: 0n, max: 1n }),
  r: word,
  s: word,
});

const anyTransaction: fc.Arbitrary<UnsignedTransaction> = fc
  .record({
    type: fc.integer({ min: 0, max: 4 }),
    nonce: integer(63),
    to: bytes(20),
    isCreation: fc.boolean(),
    gasLimit: integer(40),
    value: word,
    data: fc.uint8Array({ maxLength: 300 }),
    tip: integer(60),
    above: integer(60),
    accessList,
    hashes: fc.array(bytes(31), { minLength: 1, maxLength: 3 }),
    maxFeePerBlobGas: integer(60),
    authorizations: fc.array(authorization, { minLength: 1, maxLength: 3 }),
  })
  .map(({ tip, above, isCreation, hashes, ...fields }) => ({
    ...fields,
    to: isCreation && fields.type < 3 ? undefined : fields.to,
    maxFeePerGas: tip + above,
    maxPriorityFeePerGas: fields.type < 2 ? tip + above : tip,
    accessList: fields.type === 0 ? [] : fields.accessList,
    blobVersionedHashes: fields.type === 3 ? hashes.map((hash) => Uint8Array.of(1, ...hash)) : [],
    authorizations: fields.type === 4 ? fields.authorizations : [],
  }));

const commonOf = (chainId: number, hardfork: "homestead" | "prague") =>
  new ChainSpec(parseGenesis({ config: { chainId }, alloc: {} })).common(hardfork);

it.each([1, 31_337, 2 ** 45])("signs as EthereumJS reads it (chain id %d)", (chainId) => {
  fc.assert(
    fc.property(anyTransaction, fc.integer({ min: 1, max: 255 }), fc.boolean(), (fields, key, isOld) => {
      const common = commonOf(chainId, isOld && fields.type === 0 ? "homestead" : "prague");
      const account = accountOf(new Uint8Array(32).fill(key));
      const tx = signTransaction(fields, common, (hash) => signHash(hash, account.privateKey), account.address);
      const read = createTxFromRLP(tx.encode(), { common });
      expect(read.serialize()).toEqual(tx.encode());
      expect(read.getSenderAddress().bytes).toEqual(account.address);
      expect(read.hash()).toEqual(tx.hash);
      expect([tx.v, tx.r, tx.s, tx.nonce]).toEqual([read.v, read.r, read.s, fields.nonce]);
    }),
    { numRuns: 60 },
  );
});

it("writes an impersonated transaction as it is read back", () => {
  const common = commonOf(1, "prague");
  fc.assert(
    fc.property(anyTransaction, bytes(20), (fields, sender) => {
      const tx = impersonatedTransaction(fields, common, sender);
      const read = decodeTransaction(tx.encode(), common, sender);
      expect(read.toBodyItem()).toEqual(tx.toBodyItem());
      expect(keccak256(createTxFromRLP(tx.encode(), { common }).serialize())).toEqual(tx.hash);
      expect(read.sender).toEqual(sender);
    }),
    { numRuns: 60 },
  );
});
