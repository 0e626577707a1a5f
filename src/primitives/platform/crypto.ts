/** Cryptography of the platform: random bytes, SHA-2 and what BIP-32 and BIP-39 make of it. */
import { once } from "../once.ts";
import { packages } from "./packages.ts";

/** Loaded when it is first needed, because that takes milliseconds. */
const nodeCrypto = (): typeof import("node:crypto") => process.getBuiltinModule("node:crypto");

/** Bytes that nobody can guess. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/**
 * SHA-256 of a byte string, 32 bytes, by OpenSSL: as fast as in plain JavaScript for 32 bytes, six times for a thousand.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(nodeCrypto().hash("sha256", bytes, "buffer"));
}

/** RIPEMD-160 of a byte string, 20 bytes. */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(nodeCrypto().hash("ripemd160", bytes, "buffer"));
}

/** HMAC with SHA-512, 64 bytes. */
export function hmacSha512(key: Uint8Array, data: Uint8Array): Uint8Array {
  return new Uint8Array(nodeCrypto().createHmac("sha512", key).update(data).digest());
}

/** PBKDF2 with SHA-512. */
export function pbkdf2Sha512(password: string, salt: string, rounds: number, length: number): Uint8Array {
  return new Uint8Array(nodeCrypto().pbkdf2Sync(password, salt, rounds, length, "sha512"));
}

/** Bun's library of cryptography does not have secp256k1. */
const curves = once(() => new Set(nodeCrypto().getCurves()));

/** The public key of a private key on secp256k1: 65 bytes, or 33 where it is compressed. */
export function secp256k1PublicKey(privateKey: Uint8Array, form: "uncompressed" | "compressed"): Uint8Array {
  if (!curves().has("secp256k1")) {
    const { secp256k1 } = packages()("@noble/curves/secp256k1.js") as typeof import("@noble/curves/secp256k1.js");
    return secp256k1.getPublicKey(privateKey, form === "compressed");
  }
  const curve = nodeCrypto().createECDH("secp256k1");
  curve.setPrivateKey(privateKey);
  return new Uint8Array(curve.getPublicKey(null, form));
}
