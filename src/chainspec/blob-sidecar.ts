/**
 * Blobs with their commitments and proofs. They are sent with a type-3 transaction and are not part of a block.
 *
 * Version 0 has one proof per blob (EIP-4844), version 1 one per cell (EIP-7594, from Osaka on).
 */

import { InvalidParamsError, TransactionRejectedError } from "../errors/hindcast-error.ts";
import { type Bytes, concatBytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { sha256 } from "../primitives/platform/crypto.ts";
import { decodeRlp, encodeRlp } from "../primitives/rlp/rlp.ts";
import { headBytes, LIST } from "../primitives/rlp/rlp-head.ts";
import type { Rules } from "./hardforks/rules.ts";
import type { ProofThread } from "./proof-thread.ts";

/** The blobs of one transaction, in the order of its versioned hashes. */
export interface BlobSidecar {
  readonly version: 0 | 1;
  /** 131,072 bytes each */
  readonly blobs: readonly Bytes[];
  /** 48 bytes each */
  readonly commitments: readonly Bytes[];
  /** 48 bytes each; one per blob in version 0, {@link CELLS_PER_BLOB} per blob in version 1 */
  readonly proofs: readonly Bytes[];
}

/** Cells of an extended blob (EIP-7594). */
export const CELLS_PER_BLOB = 128;
const BLOB_BYTES = 131_072;
const BLOB_TRANSACTION_TYPE = 3;
const COMMITMENT_VERSION = 1;

/** True for the network form of a type-3 transaction: its payload's first item is itself a list (EIP-4844). */
export function hasSidecar(bytes: Bytes): boolean {
  if (bytes[0] !== BLOB_TRANSACTION_TYPE || bytes.length < 3) return false;
  const payload = bytes[1] as number;
  const first = bytes[1 + headBytes(Math.max(payload, LIST))];
  return first !== undefined && first >= LIST;
}

/**
 * Splits the network form.
 *
 * @returns the transaction as in a block, and its sidecar
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function splitNetworkForm(bytes: Bytes): { readonly transaction: Bytes; readonly sidecar: BlobSidecar } {
  const items = decodeList(bytes.subarray(1));
  const version = items.length === 5 ? items[1] : undefined;
  const isVersion1 = version instanceof Uint8Array && version.length === 1 && version[0] === 1;
  if (items.length !== 4 && !isVersion1) throw malformed("it has neither four items nor a wrapper version 1 and four");
  const [fields, ...rest] = items;
  const [blobs, commitments, proofs] = rest.slice(isVersion1 ? 1 : 0);
  return {
    transaction: concatBytes(Uint8Array.of(BLOB_TRANSACTION_TYPE), encodeRlp(fields as Uint8Array[])),
    sidecar: {
      version: isVersion1 ? 1 : 0,
      blobs: byteStrings(blobs, "blob", BLOB_BYTES),
      commitments: byteStrings(commitments, "commitment", 48),
      proofs: byteStrings(proofs, "proof", 48),
    },
  };
}

function decodeList(bytes: Bytes): unknown[] {
  try {
    const decoded = decodeRlp(bytes);
    if (Array.isArray(decoded)) return decoded;
  } catch (cause) {
    throw malformed("its bytes are not RLP", cause);
  }
  throw malformed("its payload is not a list");
}

function byteStrings(value: unknown, name: string, size: number): Bytes[] {
  if (!Array.isArray(value)) throw malformed(`its ${name}s are not a list`);
  for (const item of value) {
    if (!(item instanceof Uint8Array) || item.length !== size) throw malformed(`a ${name} has not ${size} bytes`);
  }
  // Copies, because views would keep the whole request in memory.
  return value.map((item: Bytes) => item.slice());
}

function malformed(reason: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "UNDECODABLE_TRANSACTION",
    what: `The network form of the blob transaction is not valid: ${reason}.`,
    cause,
  });
}

/** The versioned hash of a commitment, by which a transaction names its blob (EIP-4844). */
export function versionedHash(commitment: Bytes): Bytes {
  const hash = sha256(commitment);
  hash[0] = COMMITMENT_VERSION;
  return hash;
}

/** The sidecar version for blocks of a hardfork. */
export function sidecarVersion(rules: Pick<Rules, "has">): BlobSidecar["version"] {
  return rules.has(7594) ? 1 : 0;
}

/**
 * Checks that a sidecar has the version of a hardfork, with geth's texts.
 *
 * @throws {TransactionRejectedError} `BLOB_TRANSACTION_INVALID`
 */
export function checkSidecarVersion({ version }: BlobSidecar, rules: Pick<Rules, "has">): void {
  const wanted = sidecarVersion(rules);
  if (version !== wanted) throw rejected(`unexpected sidecar version, want: ${wanted}, got: ${version}`);
}

/**
 * The same blobs with cell proofs. Takes about ten seconds per blob, in another thread.
 *
 * @throws {TransactionRejectedError} `BLOB_TRANSACTION_INVALID` if a blob is invalid
 */
export async function withCellProofs(sidecar: BlobSidecar, thread: ProofThread): Promise<BlobSidecar> {
  if (sidecar.version === 1) return sidecar;
  const proofs = await Promise.all(sidecar.blobs.map((blob) => thread.prove(blob)));
  const wrong = proofs.indexOf(undefined);
  if (wrong >= 0) throw rejected(`blob sidecar conversion failed: blob ${wrong} is not valid`);
  return { ...sidecar, version: 1, proofs: proofs.flatMap((ofBlob) => ofBlob ?? []) };
}

/**
 * Checks that a sidecar belongs to a transaction with these hashes, with geth's texts. {@link verifyProofs} verifies
 * its proofs.
 *
 * @throws {TransactionRejectedError} `BLOB_TRANSACTION_INVALID`
 * @see EIP-4844 "Networking", EIP-7594
 */
export function checkSidecar(sidecar: BlobSidecar, hashes: readonly Bytes[]): void {
  const { version, blobs, commitments, proofs } = sidecar;
  const compared = `compared to ${hashes.length} blob hashes`;
  if (blobs.length !== hashes.length) throw rejected(`invalid number of ${blobs.length} blobs ${compared}`);
  if (commitments.length !== hashes.length) {
    throw rejected(`invalid number of ${commitments.length} blob commitments ${compared}`);
  }
  for (const [index, commitment] of commitments.entries()) {
    const computed = versionedHash(commitment);
    const stated = hashes[index] as Bytes;
    if (equalBytes(computed, stated)) continue;
    throw rejected(
      `blob ${index}: computed hash ${encodeData(computed)} mismatches transaction one ${encodeData(stated)}`,
    );
  }
  const expected = version === 0 ? hashes.length : hashes.length * CELLS_PER_BLOB;
  if (proofs.length !== expected) {
    const wanted = version === 0 ? compared : `expected ${expected}`;
    throw rejected(`invalid number of ${proofs.length} blob proofs ${wanted}`);
  }
}

/**
 * Verifies the proofs of a sidecar in another thread, about half a second per blob. Checks nothing else.
 *
 * @throws {TransactionRejectedError} `BLOB_TRANSACTION_INVALID`
 */
export async function verifyProofs(
  { version, blobs, commitments, proofs }: BlobSidecar,
  thread: ProofThread,
): Promise<void> {
  const proofsPerBlob = version === 0 ? 1 : CELLS_PER_BLOB;
  const verdicts = await Promise.all(
    blobs.map((blob, index) =>
      thread.verify({
        blob,
        commitment: commitments[index] as Bytes,
        proofs: proofs.slice(index * proofsPerBlob, (index + 1) * proofsPerBlob),
      }),
    ),
  );
  const wrong = verdicts.indexOf(false);
  if (wrong >= 0) throw rejected(`invalid blob ${wrong}: can't verify opening proof`);
}

function rejected(what: string): TransactionRejectedError {
  return new TransactionRejectedError({ code: "BLOB_TRANSACTION_INVALID", what });
}
