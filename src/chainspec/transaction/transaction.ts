/**
 * Signed transactions of types 0 to 4: one immutable value over EthereumJS' transaction, with its hash and sender kept.
 *
 * The codec, the signature rules and the format checks are EthereumJS'; this room gives them one shape, our names and
 * our errors. A sender can be given instead of recovered: an impersonated transaction has no valid signature.
 */
import {
  type AccessList2930Tx,
  type Blob4844Tx,
  Capability,
  type EOACode7702Tx,
  type FeeMarket1559Tx,
  type LegacyTx,
  type TypedTransaction,
} from "@ethereumjs/tx";
import { type Bytes, bigIntToFixedBytes, bytesToBigInt, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import type { BlobSidecar } from "../blobs/blob-sidecar.ts";
import type { Given } from "../given.ts";
import { orUndecodable } from "./undecodable.ts";

export interface AccessListEntry {
  readonly address: Bytes;
  readonly storageKeys: readonly Bytes[];
}

/** One EIP-7702 authorization. */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Bytes;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** What the executor needs of a transaction, signed or not. wei and gas. */
export interface TransactionFields {
  readonly type: number;
  readonly sender: Bytes;
  /** undefined for a contract creation */
  readonly to: Bytes | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly value: bigint;
  readonly data: Bytes;
  /** Types 0 and 1: the gas price; otherwise the fee cap. */
  readonly maxFeePerGas: bigint;
  /** Types 0 and 1: the gas price; otherwise the tip cap. */
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly AccessListEntry[];
  readonly blobVersionedHashes: readonly Bytes[];
  /** Type 3 only, else 0. */
  readonly maxFeePerBlobGas: bigint;
  readonly authorizations: readonly Authorization[];
}

export const LEGACY_TYPE = 0;
export const ACCESS_LIST_TYPE = 1;
export const FEE_MARKET_TYPE = 2;
export const BLOB_TYPE = 3;
export const SET_CODE_TYPE = 4;

/** A signature whose signer is still to be recovered; 32 bytes each. */
export interface OpenSignature {
  readonly hash: Bytes;
  readonly r: Bytes;
  readonly s: Bytes;
  /** 0 or 1 */
  readonly yParity: number;
}

/** Half the order of secp256k1: what `s` must not exceed (EIP-2). */
const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** What is known of a transaction beside its fields. */
interface TransactionOptions {
  readonly sender?: Bytes | undefined;
  readonly signer?: Bytes | undefined;
  readonly sidecar?: BlobSidecar | undefined;
  readonly encoded?: Bytes | undefined;
  readonly hash?: Bytes | undefined;
  readonly given?: Given | undefined;
}

/** A signed transaction. */
export class Transaction implements TransactionFields {
  readonly #tx: TypedTransaction;
  /** True when the sender was given instead of signed for. */
  readonly isImpersonated: boolean;
  #sender: Bytes | undefined;
  #encoded: Bytes | undefined;
  #hash: Bytes | undefined;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizations: readonly Authorization[];

  /**
   * Blobs, commitments and proofs, if the transaction came in its network form. Not verified here, and never part of a
   * block: who keeps the transaction keeps them apart.
   */
  readonly sidecar: BlobSidecar | undefined;

  /** As the node of another chain gave it, if it came from there. */
  readonly given: Given | undefined;

  /**
   * @param options.sender - the sender to believe instead of the signature (impersonation)
   * @param options.signer - whose key has just made the signature: nothing has to be recovered from it
   * @param options.hash - what it goes by, where that is not the hash of its bytes: on other chains
   * @param options.encoded - its EIP-2718 bytes, where they are there already; not to be written to afterwards
   */
  constructor(tx: TypedTransaction, options: TransactionOptions = {}) {
    this.#tx = tx;
    this.#sender = options.sender ?? options.signer;
    this.isImpersonated = options.sender !== undefined;
    this.sidecar = options.sidecar;
    this.#encoded = options.encoded;
    this.#hash = options.hash;
    this.given = options.given;
    this.accessList = tx.type === LEGACY_TYPE ? [] : readAccessList(tx as AccessList2930Tx);
    this.authorizations = tx.type === SET_CODE_TYPE ? readAuthorizations(tx as EOACode7702Tx) : [];
  }

  get type(): number {
    return this.#tx.type;
  }

  /** keccak256 of {@link encode}; also where a signature of zeros stands for none, which EthereumJS refuses to hash. */
  get hash(): Bytes {
    this.#hash ??= keccak256(this.encode());
    return this.#hash;
  }

  /**
   * 20 bytes, recovered from the signature on first use (about a millisecond), then kept.
   *
   * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION` for an invalid signature
   */
  get sender(): Bytes {
    this.#sender ??= orUndecodable(() => this.#tx.getSenderAddress().bytes);
    return this.#sender;
  }

  /**
   * What recovering the signer takes, for who does it elsewhere ({@link takeSigner}). undefined where the sender is known,
   * and for signatures that no valid transaction has: {@link sender} says why.
   */
  get openSignature(): OpenSignature | undefined {
    if (this.#sender !== undefined) return undefined;
    const { r, s, yParity } = this;
    const isLegacy = this.type === LEGACY_TYPE;
    const isProtected = isLegacy && this.#tx.supports(Capability.EIP155ReplayProtection);
    if (isLegacy && !isProtected && this.v !== 27n && this.v !== 28n) return undefined;
    if (r === 0n || s === 0n || s > HALF_CURVE_ORDER || yParity > 1n) return undefined;
    return {
      hash: this.#tx.getMessageToVerifySignature(),
      r: bigIntToFixedBytes(r, 32),
      s: bigIntToFixedBytes(s, 32),
      yParity: Number(yParity),
    };
  }

  /** @param publicKey - recovered from {@link openSignature}: 64 bytes */
  takeSigner(publicKey: Bytes): void {
    this.#sender ??= keccak256(publicKey).subarray(12);
  }

  /** 64 bytes: the sender's uncompressed public key without its prefix; undefined when the sender was given. */
  get publicKey(): Bytes | undefined {
    try {
      return this.#tx.getSenderPublicKey();
    } catch {
      return undefined;
    }
  }

  get to(): Bytes | undefined {
    return this.#tx.to?.bytes;
  }

  get nonce(): bigint {
    return this.#tx.nonce;
  }

  get gasLimit(): bigint {
    return this.#tx.gasLimit;
  }

  get value(): bigint {
    return this.#tx.value;
  }

  get data(): Bytes {
    return this.#tx.data;
  }

  get maxFeePerGas(): bigint {
    return this.type >= FEE_MARKET_TYPE ? (this.#tx as FeeMarket1559Tx).maxFeePerGas : (this.#tx as LegacyTx).gasPrice;
  }

  get maxPriorityFeePerGas(): bigint {
    return this.type >= FEE_MARKET_TYPE
      ? (this.#tx as FeeMarket1559Tx).maxPriorityFeePerGas
      : (this.#tx as LegacyTx).gasPrice;
  }

  get blobVersionedHashes(): readonly Bytes[] {
    return this.type === BLOB_TYPE ? (this.#tx as Blob4844Tx).blobVersionedHashes.map(hexOrBytes) : [];
  }

  get maxFeePerBlobGas(): bigint {
    return this.type === BLOB_TYPE ? (this.#tx as Blob4844Tx).maxFeePerBlobGas : 0n;
  }

  /** Chain id the signature binds to; undefined for an unprotected legacy transaction. */
  get chainId(): bigint | undefined {
    if (this.type !== LEGACY_TYPE) return (this.#tx as FeeMarket1559Tx).chainId;
    const v = this.#tx.v ?? 0n;
    return v >= 35n ? (v - 35n) / 2n : undefined;
  }

  /** Signature value as the RLP holds it: 27/28 or EIP-155 for legacy, the y parity for typed transactions. */
  get v(): bigint {
    return this.#tx.v ?? 0n;
  }

  /** 0 or 1. */
  get yParity(): bigint {
    const v = this.v;
    if (this.type !== LEGACY_TYPE) return v;
    return v >= 35n ? (v - 35n) % 2n : v - 27n;
  }

  get r(): bigint {
    return this.#tx.r ?? 0n;
  }

  get s(): bigint {
    return this.#tx.s ?? 0n;
  }

  /** The same transaction as a block holds it. */
  withoutSidecar(): Transaction {
    if (this.sidecar === undefined) return this;
    const bare = new Transaction(this.#tx);
    bare.#sender = this.#sender;
    return bare;
  }

  /** The EIP-2718 bytes (RLP for legacy, type byte and payload otherwise), without any sidecar. */
  encode(): Bytes {
    this.#encoded ??= this.#tx.serialize();
    return this.#encoded;
  }
}

/** What the sender pays per gas in a block with this base fee, in wei (EIP-1559). */
export function effectiveGasPrice(fees: TransactionFields, baseFeePerGas: bigint | undefined): bigint {
  if (baseFeePerGas === undefined) return fees.maxFeePerGas;
  const tipped = baseFeePerGas + fees.maxPriorityFeePerGas;
  if (tipped < fees.maxFeePerGas) return tipped;
  return fees.maxFeePerGas;
}

function readAccessList(tx: AccessList2930Tx): AccessListEntry[] {
  return tx.accessList.map(([address, storageKeys]) => ({ address, storageKeys }));
}

function readAuthorizations(tx: EOACode7702Tx): Authorization[] {
  return tx.authorizationList.map(([chainId, address, nonce, yParity, r, s]) => ({
    chainId: bytesToBigInt(chainId),
    address,
    nonce: bytesToBigInt(nonce),
    yParity: bytesToBigInt(yParity),
    r: bytesToBigInt(r),
    s: bytesToBigInt(s),
  }));
}

function hexOrBytes(value: string | Bytes): Bytes {
  if (typeof value !== "string") return value;
  const buffer = Buffer.from(value.slice(2), "hex");
  return buffer.length === 0 ? EMPTY_BYTES : new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
