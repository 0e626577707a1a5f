/** EIP-7702: applies a transaction's authorization list to the state. */
import { eoaCode7702RecoverAuthority } from "@ethereumjs/util";
import { AUTHORIZATION_REFUND } from "../chainspec/intrinsic-gas.ts";
import type { Authorization } from "../chainspec/transaction.ts";
import { type Bytes, bigIntToBytes, concatBytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH, ZERO_ADDRESS } from "../primitives/hash.ts";
import { MAX_UINT64 } from "../primitives/limits.ts";
import type { TransactionRun } from "./run-transaction.ts";
import { isDelegation } from "./transaction-checks.ts";

const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00);
const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Sets the delegations that are valid and skips the others, as the EIP asks.
 *
 * @returns gas to refund: authorities that existed were overcharged
 */
export async function applyAuthorizations({ spec, session, tx }: TransactionRun): Promise<bigint> {
  let refund = 0n;
  for (const authorization of tx.authorizations) {
    const authority = recoverAuthority(authorization, spec.chainId);
    if (authority === undefined) continue;
    session.warmAddress(authority);
    const account = await session.getAccount(authority);
    if (account !== undefined && !equalBytes(account.codeHash, EMPTY_CODE_HASH)) {
      if (!isDelegation(await session.getCode(account.codeHash))) continue;
    }
    if ((account?.nonce ?? 0n) !== authorization.nonce) continue;
    if (account !== undefined) refund += AUTHORIZATION_REFUND;
    await session.setNonce(authority, authorization.nonce + 1n);
    const clears = equalBytes(authorization.address, ZERO_ADDRESS);
    await session.setCode(authority, clears ? EMPTY_BYTES : concatBytes(DELEGATION_PREFIX, authorization.address));
  }
  return refund;
}

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
