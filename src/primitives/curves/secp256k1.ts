/** Signatures on secp256k1 with bigint members, as transactions have them. */
import {
  type Bytes,
  bigIntToFixedBytes,
  bytesToBigInt,
  concatBytes,
  padBytesLeft,
  stripLeadingZeros,
} from "../bytes/bytes.ts";
import { once } from "../once.ts";
import { packages } from "../platform/packages.ts";
import { openEcdsa } from "./ecdsa.ts";

const ecdsa = once(() => openEcdsa(packages()));

/** A signature of a 32-byte hash, with `s` in the lower half of the order. */
export interface Signature {
  readonly r: bigint;
  readonly s: bigint;
  /** 0 or 1 */
  readonly yParity: number;
}

/** Order of the group (SEC 2). */
const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/** Whether 32 bytes are a private key: a number above 0 and below the group's order. */
export function isPrivateKey(bytes: Bytes): boolean {
  const key = bytesToBigInt(bytes);
  return bytes.length === 32 && key > 0n && key < ORDER;
}

/** Signs a 32-byte hash, deterministically (RFC 6979). */
export function signHash(hash: Bytes, privateKey: Bytes): Signature {
  const { signature, yParity } = ecdsa().sign(hash, privateKey);
  return { r: bytesToBigInt(signature.slice(0, 32)), s: bytesToBigInt(signature.slice(32)), yParity };
}

/**
 * The signer's uncompressed public key without its prefix, 64 bytes.
 *
 * @param r - and `s`: integers of at most 32 bytes, with or without leading zeros
 * @throws {TypeError} if the signature is invalid or no key can have made it
 */
export function recoverPublicKey(hash: Bytes, r: Bytes, s: Bytes, yParity: bigint): Bytes {
  if (yParity !== 0n && yParity !== 1n) throw new TypeError(`recoverPublicKey: y parity ${yParity} is neither 0 nor 1`);
  const signature = concatBytes(word(r), word(s));
  const publicKey = ecdsa().recover(hash, signature, yParity === 0n ? 0 : 1);
  if (publicKey === undefined) throw new TypeError("recoverPublicKey: no key makes this signature");
  return publicKey;
}

/**
 * As {@link recoverPublicKey}, in EthereumJS' form: `v` is 27 or 28, an EIP-155 value for `chainId`, or only the
 * parity.
 *
 * @throws {TypeError} as {@link recoverPublicKey}
 */
export function recoverPublicKeyByV(hash: Bytes, v: bigint, r: Bytes, s: Bytes, chainId?: bigint): Bytes {
  return recoverPublicKey(hash, r, s, parityOf(v, chainId));
}

function parityOf(v: bigint, chainId: bigint | undefined): bigint {
  if (v === 0n || v === 1n) return v;
  return chainId === undefined ? v - 27n : v - (chainId * 2n + 35n);
}

function word(integer: Bytes): Bytes {
  return integer.length > 32
    ? bigIntToFixedBytes(bytesToBigInt(integer), 32)
    : padBytesLeft(stripLeadingZeros(integer), 32);
}
