/** Transactions of all types with random fields, and the rules they are read by. */
import fc from "fast-check";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis/genesis.ts";
import type { UnsignedTransaction } from "../../src/chainspec/transaction/sign-transaction.ts";

export const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });
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

export const anyTransaction: fc.Arbitrary<UnsignedTransaction> = fc
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
    maxFeePerBlobGas: fields.type === 3 ? fields.maxFeePerBlobGas : 0n,
    blobVersionedHashes: fields.type === 3 ? hashes.map((hash) => Uint8Array.of(1, ...hash)) : [],
    authorizations: fields.type === 4 ? fields.authorizations : [],
  }));

export const specOf = (chainId: number): ChainSpec => new ChainSpec(parseGenesis({ config: { chainId }, alloc: {} }));
