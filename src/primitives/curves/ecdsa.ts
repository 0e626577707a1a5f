/**
 * ECDSA on secp256k1 by libsecp256k1: compiled for the machine where the package `secp256k1` has it (Linux and Windows on
 * x64, macOS on ARM), else in WASM. Compiled it recovers a signer in 60 µs and signs in 40, in WASM in 250 and 110, in
 * plain JavaScript in 1,400 and 500 (measured). Loaded when first used, so that starting a node does not wait
 * for it; nothing is compiled at install.
 */

import type { Bytes } from "../bytes/bytes.ts";
import type { Load } from "../platform/packages.ts";

/** What is needed of the library. Arrays have the lengths that are said, or a call throws. */
export interface Ecdsa {
  /** Signs 32 bytes by a key of 32, deterministically (RFC 6979): 64 bytes, `s` in the lower half of the order. */
  sign(hash: Bytes, privateKey: Bytes): { readonly signature: Bytes; readonly yParity: number };
  /** The public key, 65 bytes, of whoever made a signature of 64 bytes; undefined where no key can have made it. */
  recover(hash: Bytes, signature: Bytes, yParity: 0 | 1): Bytes | undefined;
}

/** The part of the package `secp256k1` that is used; it has no types of its own. */
interface CompiledLibrary {
  ecdsaSign(hash: Bytes, privateKey: Bytes): { signature: Bytes; recid: number };
  /** @throws where there is none */
  ecdsaRecover(signature: Bytes, recoveryId: number, hash: Bytes, compressed: boolean): Bytes;
}

/** Names nothing outside of itself: threads are given it as text. */
export function openEcdsa(load: Load): Ecdsa {
  try {
    // The bundle has it beside itself: see .ci/bundle.mjs.
    const compiled = load("secp256k1/bindings.js") as CompiledLibrary;
    return {
      sign: (hash, privateKey) => {
        const { signature, recid } = compiled.ecdsaSign(hash, privateKey);
        return { signature, yParity: recid };
      },
      recover: (hash, signature, yParity) => {
        try {
          return compiled.ecdsaRecover(signature, yParity, hash, false);
        } catch {
          return undefined;
        }
      },
    };
  } catch {
    // Not for this platform.
    const portable = load("tiny-secp256k1") as typeof import("tiny-secp256k1");
    return {
      sign: (hash, privateKey) => {
        const { signature, recoveryId } = portable.signRecoverable(hash, privateKey);
        return { signature, yParity: recoveryId };
      },
      recover: (hash, signature, yParity) => {
        try {
          return portable.recover(hash, signature, yParity, false) ?? undefined;
        } catch {
          return undefined;
        }
      },
    };
  }
}
