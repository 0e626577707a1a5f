/** EIP-7702: applies a transaction's authorization list to the state. */
import { recoverAuthority } from "../chainspec/transaction/authorization.ts";
import { AUTHORIZATION_REFUND } from "../chainspec/transaction/intrinsic-gas.ts";
import type { TransactionFields } from "../chainspec/transaction/transaction-fields.ts";
import type { EngineSession } from "../evm/engine.ts";
import { concatBytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, ZERO_ADDRESS } from "../primitives/hash/hash.ts";
import { isDelegation } from "./transaction-checks.ts";

const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00);

/**
 * Sets the delegations that are valid and skips the others, as the EIP asks.
 *
 * @returns gas to refund: authorities that existed were overcharged
 */
export async function applyAuthorizations(
  session: EngineSession,
  authorizations: TransactionFields["authorizations"],
  chainId: bigint,
): Promise<bigint> {
  let refund = 0n;
  for (const authorization of authorizations) {
    const authority = recoverAuthority(authorization, chainId);
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
