/** Recovers the signer of an authorization to delegate (EIP-7702). */

import { type Bytes, bigIntToBytes, concatBytes } from "../../primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../../primitives/bytes/limits.ts";
import { recoverPublicKey } from "../../primitives/curves/secp256k1.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { encodeByteList } from "../../primitives/rlp/byte-list.ts";
import { type ChosenSigners, chosenSigner } from "./signature-overrides.ts";
import { HALF_CURVE_ORDER } from "./transaction.ts";
import type { Authorization } from "./transaction-fields.ts";

/** Prefix of the signed message, which distinguishes it from a transaction. */
const MAGIC = Uint8Array.of(0x05);

/**
 * The signer; undefined if the authorization is not valid on this chain.
 *
 * @param signers - that were chosen for signatures in the block
 */
export function recoverAuthority(
  authorization: Authorization,
  chainId: bigint,
  signers: ChosenSigners | undefined,
): Bytes | undefined {
  if (authorization.chainId !== 0n && authorization.chainId !== chainId) return undefined;
  if (authorization.nonce >= MAX_UINT64) return undefined;
  return signerOfAuthorization(authorization, signers);
}

/** The signer of an authorization, even if it is not valid on this chain; undefined for an invalid signature. */
export function signerOfAuthorization(
  authorization: Authorization,
  signers: ChosenSigners | undefined,
): Bytes | undefined {
  const { chainId, address, nonce, yParity, r, s } = authorization;
  const chosen = chosenSigner(signers, authorization);
  if (chosen !== undefined) return chosen;
  if (s > HALF_CURVE_ORDER || yParity > 1n) return undefined;
  const message = encodeByteList([bigIntToBytes(chainId), address, bigIntToBytes(nonce)]);
  try {
    const hash = keccak256(concatBytes(MAGIC, message));
    return keccak256(recoverPublicKey(hash, bigIntToBytes(r), bigIntToBytes(s), yParity)).slice(12);
  } catch {
    return undefined;
  }
}
