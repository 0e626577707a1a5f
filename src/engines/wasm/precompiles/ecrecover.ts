/** The ecrecover precompile (yellow paper, appendix E.1.1). */
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { recoverPublicKey } from "../../../primitives/curves/secp256k1.ts";
import { keccak256 } from "../../../primitives/hash/hash.ts";
import type { PrecompileAnswer } from "./precompile.ts";

/**
 * The signer's address as a word. The input is hash, v, r and s, a word each; v is 27 or 28. The output is empty for an
 * invalid signature.
 */
export function recoverSigner(input: Bytes): PrecompileAnswer {
  const words = new Uint8Array(128);
  words.set(input.subarray(0, 128));
  const v = words[63] as number;
  if ((v !== 27 && v !== 28) || words.subarray(32, 63).some((byte) => byte !== 0)) return { output: EMPTY_BYTES };
  try {
    const publicKey = recoverPublicKey(
      words.subarray(0, 32),
      words.subarray(64, 96),
      words.subarray(96),
      BigInt(v - 27),
    );
    const output = new Uint8Array(32);
    output.set(keccak256(publicKey).slice(12), 12);
    return { output };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { output: EMPTY_BYTES };
  }
}
