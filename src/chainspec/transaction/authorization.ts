/** Recovers the signer of an authorization to delegate (EIP-7702). */
import { eoaCode7702RecoverAuthority } from "@ethereumjs/util";
import { type Bytes, bigIntToBytes } from "../../primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../../primitives/bytes/limits.ts";
import type { Authorization } from "./transaction.ts";

const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** The account that signed, or undefined when the authorization is not valid on this chain. */
export function recoverAuthority(authorization: Authorization, chainId: bigint): Bytes | undefined {
  if (authorization.chainId !== 0n && authorization.chainId !== chainId) return undefined;
  if (authorization.nonce >= MAX_UINT64) return undefined;
  return signerOfAuthorization(authorization);
}

/** The account that signed an authorization, valid here or not; undefined for a signature that is none. */
export function signerOfAuthorization(authorization: Authorization): Bytes | undefined {
  if (authorization.s > HALF_CURVE_ORDER || authorization.yParity > 1n) return undefined;
  try {
    return eoaCode7702RecoverAuthority([
      bigIntToBytes(authorization.chainId),
      authorization.address,
      bigIntToBytes(authorization.nonce),
      bigIntToBytes(authorization.yParity),
      bigIntToBytes(authorization.r),
      bigIntToBytes(authorization.s),
    ]).bytes;
  } catch {
    return undefined;
  }
}
