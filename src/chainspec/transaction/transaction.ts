/** Signed transactions of types 0 to 4: immutable values that cache hash and sender. */

import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import { recoverPublicKey } from "../../primitives/curves/secp256k1.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import type { BlobSidecar } from "../blob-sidecar.ts";
import type { UpstreamJson } from "../upstream-json.ts";
import { encodeMembers, signedBytes, signingBytes } from "./transaction-bytes.ts";
import { type AccessListEntry, type Authorization, LEGACY_TYPE, type TransactionFields } from "./transaction-fields.ts";

/** A signature whose signer is not recovered yet; 32 bytes each. */
export interface OpenSignature {
  readonly hash: Bytes;
  readonly r: Bytes;
  readonly s: Bytes;
  /** 0 or 1 */
  readonly yParity: number;
}

/** Half the order of secp256k1, which `s` must not exceed (EIP-2). */
export const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** The rules for signatures of a chain and hardfork (EIP-2, EIP-155). */
export interface SignatureRules {
  /** Signatures have a low `s` (EIP-2). */
  readonly hasLowS: boolean;
  /** Signatures of legacy transactions may name the chain (EIP-155). */
  readonly namesChain: boolean;
  readonly chainId: bigint;
}

/** The members of a signed transaction. */
export interface SignedFields extends Omit<TransactionFields, "sender"> {
  /** Chain id in the signed hash; undefined for a legacy transaction without one. */
  readonly chainId: bigint | undefined;
  /** As in the RLP: 27, 28 or EIP-155's value for legacy transactions; the y parity for others. */
  readonly v: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** Values known in advance. */
interface TransactionOptions {
  /** Sender in place of the signature's: an impersonated transaction has no valid signature. */
  readonly sender?: Bytes | undefined;
  /** Signer, if the signature was just made, so that it need not be recovered. */
  readonly signer?: Bytes | undefined;
  readonly sidecar?: BlobSidecar | undefined;
  /** Its EIP-2718 bytes, if known; must not be changed afterwards. */
  readonly encoded?: Bytes | undefined;
  /** Its hash, if that is not the hash of its bytes: on forked chains. */
  readonly hash?: Bytes | undefined;
  readonly given?: UpstreamJson | undefined;
}

/** A signed transaction. */
export class Transaction implements TransactionFields, SignedFields {
  readonly type: number;
  readonly chainId: bigint | undefined;
  readonly to: Bytes | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly value: bigint;
  readonly data: Bytes;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly AccessListEntry[];
  readonly blobVersionedHashes: readonly Bytes[];
  readonly maxFeePerBlobGas: bigint;
  readonly authorizations: readonly Authorization[];
  readonly v: bigint;
  readonly r: bigint;
  readonly s: bigint;
  /** True if the sender was given in place of a signature. */
  readonly isImpersonated: boolean;
  /**
   * Blobs, commitments and proofs, if the transaction came in its network form. They are not verified here and are not
   * part of a block, so they must be stored separately.
   */
  readonly sidecar: BlobSidecar | undefined;
  readonly #rules: SignatureRules;
  #sender: Bytes | undefined;
  #encoded: Bytes | undefined;
  #hash: Bytes | undefined;

  /** JSON of the upstream node, if the transaction belongs to a forked chain. */
  readonly given: UpstreamJson | undefined;

  /** @internal */
  constructor(fields: SignedFields, rules: SignatureRules, options: TransactionOptions = {}) {
    this.type = fields.type;
    this.chainId = fields.chainId;
    this.to = fields.to;
    this.nonce = fields.nonce;
    this.gasLimit = fields.gasLimit;
    this.value = fields.value;
    this.data = fields.data;
    this.maxFeePerGas = fields.maxFeePerGas;
    this.maxPriorityFeePerGas = fields.maxPriorityFeePerGas;
    this.accessList = fields.accessList;
    this.blobVersionedHashes = fields.blobVersionedHashes;
    this.maxFeePerBlobGas = fields.maxFeePerBlobGas;
    this.authorizations = fields.authorizations;
    this.v = fields.v;
    this.r = fields.r;
    this.s = fields.s;
    this.#rules = rules;
    this.#sender = options.sender ?? options.signer;
    this.isImpersonated = options.sender !== undefined;
    this.sidecar = options.sidecar;
    this.#encoded = options.encoded;
    this.#hash = options.hash;
    this.given = options.given;
  }

  /** keccak256 of {@link encode}. */
  get hash(): Bytes {
    this.#hash ??= keccak256(this.encode());
    return this.#hash;
  }

  /**
   * 20 bytes, recovered from the signature on first use and cached.
   *
   * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION` for an invalid signature, or one for another chain
   */
  get sender(): Bytes {
    if (this.#sender === undefined) this.takeSigner(this.#recover());
    return this.#sender as Bytes;
  }

  /**
   * The input for recovering the signer elsewhere ({@link takeSigner}). Undefined if the sender is known, and for
   * invalid signatures, for which {@link sender} throws the reason.
   */
  get openSignature(): OpenSignature | undefined {
    if (this.#sender !== undefined || this.#signatureFault() !== undefined) return undefined;
    return this.#signature();
  }

  /** @param publicKey - recovered from {@link openSignature}: 64 bytes */
  takeSigner(publicKey: Bytes): void {
    this.#sender ??= keccak256(publicKey).slice(12);
  }

  /** 64 bytes: the sender's uncompressed public key without its prefix; undefined if the sender was given. */
  get publicKey(): Bytes | undefined {
    return this.isImpersonated ? undefined : this.#recover();
  }

  #recover(): Bytes {
    const fault = this.#signatureFault();
    if (fault !== undefined) throw undecodable(fault);
    const { hash, r, s, yParity } = this.#signature();
    try {
      return recoverPublicKey(hash, r, s, BigInt(yParity));
    } catch (cause) {
      throw undecodable("its signature is not valid", cause);
    }
  }

  #signature(): OpenSignature {
    const { type, r, s } = this;
    const chainId = this.chainId ?? this.#rules.chainId;
    return {
      hash: keccak256(signingBytes(type, encodeMembers(this, chainId), this.chainId)),
      r: bigIntToFixedBytes(r, 32),
      s: bigIntToFixedBytes(s, 32),
      yParity: Number(this.yParity),
    };
  }

  /**
   * Completes a sentence with the reason why the signature is invalid, without recovering its signer; undefined if none
   * is found.
   */
  #signatureFault(): string | undefined {
    const { type, chainId, v, r, s, yParity } = this;
    const rules = this.#rules;
    const isBare = type === LEGACY_TYPE && chainId === undefined;
    if (isBare && v !== 27n && v !== 28n) return "its v is neither 27 or 28 nor that of a chain";
    if (type === LEGACY_TYPE && chainId !== undefined && !rules.namesChain) {
      return "its v is neither 27 nor 28, and this hardfork knows no others";
    }
    if (chainId !== undefined && chainId !== rules.chainId) {
      return `it is signed for chain ${chainId}, not for ${rules.chainId}`;
    }
    if (yParity > 1n) return "its y parity is neither 0 nor 1";
    if (rules.hasLowS && s > HALF_CURVE_ORDER) {
      return "the s of its signature is above half the order of the curve";
    }
    return r === 0n || s === 0n ? "its signature is not valid" : undefined;
  }

  /** 0 or 1. */
  get yParity(): bigint {
    const { v } = this;
    if (this.type !== LEGACY_TYPE) return v;
    return v >= 35n ? (v - 35n) % 2n : v - 27n;
  }

  /** The same transaction without its sidecar, as in a block. */
  withoutSidecar(): Transaction {
    if (this.sidecar === undefined) return this;
    return new Transaction(this, this.#rules, { signer: this.#sender, encoded: this.#encoded });
  }

  /** The same transaction from another sender than its signature's; it counts as impersonated. */
  sentBy(sender: Bytes): Transaction {
    const { sidecar } = this;
    return new Transaction(this, this.#rules, { sender, sidecar, encoded: this.#encoded });
  }

  /** The EIP-2718 bytes (RLP for legacy, type byte and payload otherwise), without any sidecar. */
  encode(): Bytes {
    if (this.#encoded === undefined) {
      const members = encodeMembers(this, this.chainId ?? this.#rules.chainId);
      this.#encoded = signedBytes(this.type, members, [this.v, this.r, this.s]);
    }
    return this.#encoded;
  }
}

/** Price that the sender pays per gas in a block with this base fee, in wei (EIP-1559). */
export function effectiveGasPrice(fees: TransactionFields, baseFeePerGas: bigint | undefined): bigint {
  if (baseFeePerGas === undefined) return fees.maxFeePerGas;
  const tipped = baseFeePerGas + fees.maxPriorityFeePerGas;
  if (tipped < fees.maxFeePerGas) return tipped;
  return fees.maxFeePerGas;
}

/** @param reason - completes a sentence about the transaction, such as "its nonce has leading zeros" */
export function undecodable(reason: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "UNDECODABLE_TRANSACTION",
    what: `Transaction is not in valid format: ${reason}.`,
    cause,
  });
}
