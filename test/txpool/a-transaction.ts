/** Signed transactions for the pool, cheap to make: a spec of one hardfork, keys counted up from 1. */
import { RLP } from "@ethereumjs/rlp";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { devGenesis } from "../../src/chainspec/genesis/dev-genesis.ts";
import { decodeNetworkTransaction } from "../../src/chainspec/transaction/decode-transaction.ts";
import { signTransaction, type UnsignedTransaction } from "../../src/chainspec/transaction/sign-transaction.ts";
import type { Transaction } from "../../src/chainspec/transaction/transaction.ts";
import { accountOf } from "../../src/keyring/keyring.ts";
import { bigIntToFixedBytes, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { signHash } from "../../src/primitives/curves/secp256k1.ts";
import type { SenderAccount } from "../../src/txpool/tx-pool.ts";

const spec = new ChainSpec(
  devGenesis({
    hardfork: "osaka",
    chainId: 31_337n,
    accounts: [],
    gasLimit: 30_000_000n,
    timestamp: 0n,
    create2Deployer: false,
  }),
);

/** Somebody with a key. */
export const sender = (key: number) => accountOf(bigIntToFixedBytes(BigInt(key), 32));

/** An account with money for everything. */
export const rich = (nonce = 0n): SenderAccount => ({ nonce, balance: 10n ** 30n });

/** A transfer of a sender; fee cap and tip in wei. */
export function aTransaction(key: number, nonce: number, fields: Partial<UnsignedTransaction> = {}): Transaction {
  const unsigned: UnsignedTransaction = {
    type: 2,
    to: new Uint8Array(20),
    nonce: BigInt(nonce),
    gasLimit: 21_000n,
    value: 0n,
    data: EMPTY_BYTES,
    maxFeePerGas: 1_000n,
    maxPriorityFeePerGas: 100n,
    accessList: [],
    blobVersionedHashes: [],
    maxFeePerBlobGas: 0n,
    authorizations: [],
    ...fields,
  };
  return signTransaction(unsigned, spec.signatureRules("osaka"), (hash) => signHash(hash, sender(key).privateKey));
}

/** A transaction that came with so many blobs of ones: the pool counts them and does not look into them. */
export function aBlobTransaction(key: number, nonce: number, blobs: number, price: bigint): Transaction {
  const parts = (length: number): Uint8Array[] => Array.from({ length: blobs }, () => new Uint8Array(length).fill(1));
  const tx = aTransaction(key, nonce, {
    ...priced(price),
    type: 3,
    maxFeePerBlobGas: price,
    blobVersionedHashes: parts(32),
  });
  const network = RLP.encode([RLP.decode(tx.encode().subarray(1)), parts(131_072), parts(48), parts(48)]);
  return decodeNetworkTransaction(Buffer.concat([Uint8Array.of(3), network]), spec.signatureRules("osaka"));
}

/** The fee members of a transaction at one price for both. */
export const priced = (price: bigint): Partial<UnsignedTransaction> => ({
  maxFeePerGas: price,
  maxPriorityFeePerGas: price,
});
