/** Cryptography in JavaScript: that of the platform is asynchronous. Counterpart of `primitives/platform/crypto.ts`. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hmac } from "@noble/hashes/hmac.js";
import { ripemd160 as ripemd } from "@noble/hashes/legacy.js";
import { pbkdf2 } from "@noble/hashes/pbkdf2.js";
import { sha256 as sha, sha512 } from "@noble/hashes/sha2.js";

/** Bytes that nobody can guess. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** SHA-256 of a byte string, 32 bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => sha(bytes);

/** RIPEMD-160 of a byte string, 20 bytes. */
export const ripemd160 = (bytes: Uint8Array): Uint8Array => ripemd(bytes);

/** HMAC with SHA-512, 64 bytes. */
export const hmacSha512 = (key: Uint8Array, data: Uint8Array): Uint8Array => hmac(sha512, key, data);

/** PBKDF2 with SHA-512. */
export function pbkdf2Sha512(password: string, salt: string, rounds: number, length: number): Uint8Array {
  return pbkdf2(sha512, password, salt, { c: rounds, dkLen: length });
}

/** The public key of a private key on secp256k1: 65 bytes, or 33 where it is compressed. */
export function secp256k1PublicKey(privateKey: Uint8Array, form: "uncompressed" | "compressed"): Uint8Array {
  return secp256k1.getPublicKey(privateKey, form === "compressed");
}
