/**
 * BIP-32 private key derivation with Node's crypto, because a JavaScript library would take most of the time of
 * creating a node.
 */
import { type Bytes, bigIntToFixedBytes, bytesToBigInt, concatBytes } from "../primitives/bytes/bytes.ts";
import { hmacSha512, pbkdf2Sha512, secp256k1PublicKey } from "../primitives/platform/crypto.ts";

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HARDENED = 0x8000_0000;

/** A private key and the chain code from which its children are derived. */
export interface HdKey {
  /** 32 bytes */
  readonly privateKey: Bytes;
  /** 32 bytes */
  readonly chainCode: Bytes;
}

/** Seed of a mnemonic without a passphrase, 64 bytes (BIP-39). */
export function mnemonicSeed(mnemonic: string): Bytes {
  return pbkdf2Sha512(mnemonic.normalize("NFKD"), "mnemonic", 2048, 64);
}

/** Master key of a seed (BIP-32). */
export function masterKey(seed: Bytes): HdKey {
  return split(hmacSha512(new TextEncoder().encode("Bitcoin seed"), seed));
}

/**
 * Key at a path such as `m/44'/60'/0'/0`.
 *
 * @throws {TypeError} for an invalid path
 */
export function deriveKey(root: HdKey, path: string): HdKey {
  let key = root;
  for (const part of path.split("/").slice(1)) {
    const match = /^(\d+)('?)$/.exec(part);
    if (match === null) throw new TypeError(`deriveKey: not a derivation path: ${path}`);
    key = deriveChild(key, Number(match[1]) + (match[2] === "'" ? HARDENED : 0));
  }
  return key;
}

/** The child with an index; hardened from 2^31 on. */
export function deriveChild(parent: HdKey, index: number): HdKey {
  const identity =
    index >= HARDENED
      ? concatBytes(Uint8Array.of(0), parent.privateKey)
      : secp256k1PublicKey(parent.privateKey, "compressed");
  return childOf(parent, identity, index);
}

/** The first children, not hardened. The parent's public key is computed once. */
export function deriveChildren(parent: HdKey, count: number): HdKey[] {
  const identity = secp256k1PublicKey(parent.privateKey, "compressed");
  return Array.from({ length: count }, (_, index) => childOf(parent, identity, index));
}

/** @param identity - the part of the parent that is hashed: its compressed public key, or its private key */
function childOf(parent: HdKey, identity: Bytes, index: number): HdKey {
  const data = concatBytes(identity, bigIntToFixedBytes(BigInt(index), 4));
  const child = split(hmacSha512(parent.chainCode, data));
  const key = (bytesToBigInt(child.privateKey) + bytesToBigInt(parent.privateKey)) % CURVE_ORDER;
  return { privateKey: bigIntToFixedBytes(key, 32), chainCode: child.chainCode };
}

/** Uncompressed public key of a private key without its prefix byte, 64 bytes. */
export function publicKeyOf(privateKey: Bytes): Bytes {
  return secp256k1PublicKey(privateKey, "uncompressed").subarray(1);
}

function split(digest: Bytes): HdKey {
  return { privateKey: digest.slice(0, 32), chainCode: digest.slice(32) };
}
