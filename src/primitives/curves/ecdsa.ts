/**
 * ECDSA on secp256k1 by libsecp256k1, native code, where the package `secp256k1` has a build for the platform (Linux and
 * Windows on x64, macOS on ARM). Elsewhere noble signs and mcl recovers.
 *
 * Loaded on first use, so that the start of a node does not wait for it. Nothing is compiled at installation.
 */
import { type Bytes, concatBytes } from "../bytes/bytes.ts";
import { once } from "../once.ts";
import { compiledFile, type Load } from "../platform/packages.ts";
import { fetchMcl, Mcl, MclCurve } from "./mcl.ts";
import { SignerRecovery } from "./signer-recovery.ts";

/** The functions that are used. They throw if an array does not have the stated length. */
export interface Ecdsa {
  /**
   * Signs a hash of 32 bytes with a private key of 32, deterministically (RFC 6979). The signature has 64 bytes, with
   * `s` in the lower half of the order.
   */
  sign(hash: Bytes, privateKey: Bytes): { readonly signature: Bytes; readonly yParity: number };
  /**
   * The uncompressed public key without its prefix, 64 bytes, that made a signature of 64 bytes; undefined if no key can have
   * made it.
   */
  recover(hash: Bytes, signature: Bytes, yParity: 0 | 1): Bytes | undefined;
}

/** A binary of the package `secp256k1`; it has no types of its own. */
interface Binary {
  /** Makes libsecp256k1's tables, which takes 10 ms. */
  readonly Secp256k1: new () => CompiledLibrary;
}

/** Its functions that are used. They return 0 if they have written a result, and check the lengths of what they read. */
interface CompiledLibrary {
  ecdsaSign(result: { readonly signature: Bytes; readonly recid: number }, hash: Bytes, privateKey: Bytes): number;
  /** @param key - 65 bytes, which are not checked */
  ecdsaRecover(key: Bytes, signature: Bytes, recoveryId: number, hash: Bytes): number;
}

/** Opens the library of the platform. */
export function openEcdsa(load: Load): Ecdsa {
  try {
    // The bundle has this folder beside itself: see .ci/bundle.mjs. The package's own modules are not used: to look for
    // the binary and to load them takes 3 ms of a process's first signature.
    const { Secp256k1 } = load(compiledFile("secp256k1/prebuilds", "secp256k1")) as Binary;
    const compiled = new Secp256k1();
    // Node-API moves arrays that it is given out of V8's heap, and the hash of a transaction lasts.
    const given = { hash: new Uint8Array(32), signature: new Uint8Array(64) };
    const key = new Uint8Array(65);
    return {
      sign: (hash, privateKey) => {
        const result = { signature: new Uint8Array(64), recid: 0 };
        if (compiled.ecdsaSign(result, hash, privateKey) !== 0) throw new TypeError("sign: not a private key");
        return { signature: result.signature, yParity: result.recid };
      },
      recover: (hash, signature, yParity) => {
        given.hash.set(hash);
        given.signature.set(signature);
        return compiled.ecdsaRecover(key, given.signature, yParity, given.hash) === 0 ? key.slice(1) : undefined;
      },
    };
  } catch {
    // There is no native build for this platform.
    return openPortable(load);
  }
}

/**
 * Signing must take the same time for all keys, as it does in noble. Recovering has no secrets, and mcl is eight times as fast;
 * until it is there, noble recovers, too.
 */
function openPortable(load: Load): Ecdsa {
  const { secp256k1 } = load("@noble/curves/secp256k1.js") as typeof import("@noble/curves/secp256k1.js");
  const recovery = once(() => new SignerRecovery(new Mcl(MclCurve.secp256k1)));
  return {
    sign: (hash, privateKey) => {
      const recovered = secp256k1.sign(hash, privateKey, { prehash: false, format: "recovered" });
      return { signature: recovered.subarray(1), yParity: recovered[0] as number };
    },
    recover: (hash, signature, yParity) => {
      if (fetchMcl() === undefined) return recovery().recover(hash, signature, yParity);
      try {
        const recovered = secp256k1.recoverPublicKey(concatBytes(Uint8Array.of(yParity), signature), hash, {
          prehash: false,
        });
        return secp256k1.Point.fromBytes(recovered).toBytes(false).slice(1);
      } catch {
        return undefined;
      }
    },
  };
}
