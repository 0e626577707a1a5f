/** Transactions of all types signed by ethers, so that what the node says of them can be compared with somebody else. */
import { readFileSync } from "node:fs";
import { RLP } from "@ethereumjs/rlp";
import {
  type Authorization,
  concat,
  dataSlice,
  getBytes,
  hexlify,
  SigningKey,
  sha256,
  Transaction,
  type TransactionLike,
  Wallet,
} from "ethers";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { addressText, wordText } from "./a-node.ts";

const GWEI = 1_000_000_000n;

/** The key of one of the node's accounts. */
export function signingKey(node: HindcastNode, account = 0): SigningKey {
  const key = node.accounts[account]?.privateKey;
  if (key === undefined) throw new TypeError(`The node has no account ${account}.`);
  return new SigningKey(hexlify(key));
}

/**
 * Signs fields as they are. Blobs are added to what is signed as text: ethers takes 100 ms to read one byte by byte, and as
 * long to write it.
 */
export function signed(node: HindcastNode, fields: TransactionLike<string>, account = 0): Transaction {
  const { blobs: sidecar, blobWrapperVersion: version, ...bare } = fields;
  const blobs = sidecar as readonly Blob[] | null | undefined;
  const hashes = bare.blobVersionedHashes ?? blobs?.map(({ commitment }) => versionedHash(commitment));
  const tx = Transaction.from(hashes === undefined ? bare : { ...bare, blobVersionedHashes: hashes });
  tx.signature = signingKey(node, account).sign(tx.unsignedHash);
  if (blobs) Object.defineProperty(tx, "serialized", { value: networkForm(tx.serialized, blobs, version) });
  return tx;
}

/** A blob as `blobs` gives it. */
interface Blob {
  readonly data: string;
  readonly commitment: string;
  readonly proof: string;
}

/** Of EIP-4844. */
const versionedHash = (commitment: string): string => concat(["0x01", dataSlice(sha256(commitment), 1)]);

/** A blob transaction with its blobs (EIP-4844, since EIP-7594 with the version of its proofs). */
function networkForm(bare: string, blobs: readonly Blob[], version: number | null | undefined): string {
  const proofBytes = 48;
  const proofs = blobs.flatMap(({ proof }) => {
    const bytes = getBytes(proof);
    return Array.from({ length: bytes.length / proofBytes }, (_, cell) =>
      bytes.subarray(cell * proofBytes, (cell + 1) * proofBytes),
    );
  });
  const form = [
    RLP.decode(getBytes(dataSlice(bare, 1))),
    ...(version === null || version === undefined ? [] : [version]),
    blobs.map(({ data }) => new Uint8Array(Buffer.from(data.slice(2), "hex"))),
    blobs.map(({ commitment }) => getBytes(commitment)),
    proofs,
  ];
  return `0x03${Buffer.from(RLP.encode(form)).toString("hex")}`;
}

const TARGET = addressText(0x11);
export const ACCESS_LIST = [{ address: addressText(0x22), storageKeys: [wordText(1), wordText(2)] }];

/** One signed transaction of each type, account 0's nonces from `nonce` on. */
export function oneOfEachType(
  node: HindcastNode,
  { nonce = 0, blobVersion = 1 }: { nonce?: number; blobVersion?: 0 | 1 } = {},
): Readonly<Record<TransactionKind, Transaction>> {
  const base = { chainId: node.chainId, to: TARGET, value: 5n, gasLimit: 100_000n, data: "0x" };
  const fees = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI };
  const of = (offset: number, fields: TransactionLike<string>): Transaction =>
    signed(node, { ...base, nonce: nonce + offset, ...fields });
  return {
    unprotected: of(0, { type: 0, chainId: 0, gasPrice: 2n * GWEI }),
    protected: of(1, { type: 0, gasPrice: 2n * GWEI, data: "0xc0ffee" }),
    creation: of(2, { type: 0, gasPrice: 2n * GWEI, to: null, data: "0x600160005360016000f3" }),
    accessList: of(3, { type: 1, gasPrice: 2n * GWEI, accessList: ACCESS_LIST }),
    feeMarket: of(4, { type: 2, ...fees, accessList: ACCESS_LIST }),
    setCode: of(5, { type: 4, ...fees, authorizationList: [authorization(node, 1, addressText(0x33))] }),
    blob: of(6, { type: 3, ...fees, maxFeePerBlobGas: 7n, ...blobs(blobVersion) }),
  };
}

export type TransactionKind =
  | "unprotected"
  | "protected"
  | "creation"
  | "accessList"
  | "feeMarket"
  | "setCode"
  | "blob";

/** An EIP-7702 authorization signed by one of the node's accounts. */
export function authorization(node: HindcastNode, account: number, address: string, nonce = 0): Authorization {
  return new Wallet(signingKey(node, account)).authorizeSync({ address, nonce, chainId: node.chainId });
}

interface Sidecar {
  readonly text: string;
  readonly commitment: string;
  readonly proof: string;
  readonly cellProofs: readonly string[];
}

/** The blob of fixtures/blobs as ethers wants it: version 1 has cell proofs (EIP-7594), version 0 one proof. */
export function blobs(version: 0 | 1): Pick<TransactionLike<string>, "blobs" | "blobWrapperVersion"> {
  const file = new URL("../../fixtures/blobs/sidecar.json", import.meta.url);
  const { text, commitment, proof, cellProofs } = JSON.parse(readFileSync(file, "utf8")) as Sidecar;
  const bytes = Buffer.alloc(131_072);
  bytes.write(text, 1);
  const data = `0x${bytes.toString("hex")}`;
  return version === 0
    ? { blobs: [{ data, commitment, proof }] }
    : { blobs: [{ data, commitment, proof: concat(cellProofs) }], blobWrapperVersion: 1 };
}
