/** EIP-7702: applies a transaction's authorization list to the state, at the prices of EIP-8037 where it is in force. */
import type { Rules } from "../chainspec/hardforks/rules.ts";
import { ACCOUNT_BYTES, DELEGATION_BYTES, GAS_PER_STATE_BYTE } from "../chainspec/hardforks/state-gas.ts";
import { recoverAuthority } from "../chainspec/transaction/authorization.ts";
import {
  ACCOUNT_WRITE_GAS,
  AUTHORIZATION_REFUND,
  TRANSACTION_GAS_CAP,
} from "../chainspec/transaction/intrinsic-gas.ts";
import type { ChosenSigners } from "../chainspec/transaction/signature-overrides.ts";
import type { TransactionFields } from "../chainspec/transaction/transaction-fields.ts";
import type { EngineSession } from "../evm/engine.ts";
import type { EvmAccount } from "../evm/state-port.ts";
import { type Bytes, bytesKey, concatBytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { minBigInt } from "../primitives/bytes/limits.ts";
import { EMPTY_CODE_HASH, ZERO_ADDRESS } from "../primitives/hash/hash.ts";
import { isDelegation } from "./transaction-checks.ts";

/** Gas that is left. */
export interface GasBudget {
  /** For all purposes. */
  readonly gas: bigint;
  /** Only for growth of the state; used first. */
  readonly stateGas: bigint;
}

/**
 * Splits the gas after the intrinsic gas: the part above EIP-7825's cap is state gas, even if the cap is not enforced.
 */
export function gasBudget(gasLimit: bigint, intrinsic: bigint, rules: Rules): GasBudget {
  const left = gasLimit - intrinsic;
  const gas = rules.has(8037) ? minBigInt(TRANSACTION_GAS_CAP - intrinsic, left) : left;
  return { gas, stateGas: left - gas };
}

/** The gas left after a charge in both dimensions; undefined if there is too little. */
export function charge(budget: GasBudget, gas: bigint, stateGas: bigint): GasBudget | undefined {
  const spilled = stateGas > budget.stateGas ? stateGas - budget.stateGas : 0n;
  const left = budget.gas - gas - spilled;
  return left < 0n ? undefined : { gas: left, stateGas: budget.stateGas - (stateGas - spilled) };
}

const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00);
const NEW_ACCOUNT_GAS = BigInt(ACCOUNT_BYTES * GAS_PER_STATE_BYTE);
const DELEGATION_GAS = BigInt(DELEGATION_BYTES * GAS_PER_STATE_BYTE);

/** A transaction of type 4 and what it has left to pay for its list. */
export interface AuthorizationsRequest {
  readonly session: EngineSession;
  readonly tx: TransactionFields;
  readonly chainId: bigint;
  /** That were chosen for signatures in the block. */
  readonly signers: ChosenSigners | undefined;
  readonly rules: Rules;
  readonly budget: GasBudget;
}

/** Costs of authorizations, in gas. */
export interface AuthorizationsOutcome {
  /** Gas left; undefined if there was too little. */
  readonly budget: GasBudget | undefined;
  /** State gas used. */
  readonly stateGasUsed: bigint;
  /** Without EIP-8037: refund for authorities that existed. */
  readonly refund: bigint;
}

/** Applies valid authorizations and skips the others (EIP-7702). Stops at one that cannot be paid for. */
export async function applyAuthorizations(request: AuthorizationsRequest): Promise<AuthorizationsOutcome> {
  const { session, tx, chainId, signers, rules } = request;
  const prices = new AuthorityPrices(tx);
  let budget = request.budget;
  let stateGasUsed = 0n;
  let refund = 0n;
  for (const authorization of tx.authorizations) {
    const authority = recoverAuthority(authorization, chainId, signers);
    if (authority === undefined) continue;
    session.warmAddress(authority);
    const account = await session.getAccount(authority);
    const hasCode = account !== undefined && !equalBytes(account.codeHash, EMPTY_CODE_HASH);
    if (hasCode && !isDelegation(await session.getCode(account.codeHash))) continue;
    if ((account?.nonce ?? 0n) !== authorization.nonce) continue;
    const clears = equalBytes(authorization.address, ZERO_ADDRESS);
    if (rules.has(8037)) {
      const { gas, stateGas } = prices.take(authority, account, clears);
      const left = charge(budget, gas, stateGas);
      if (left === undefined) return { budget: undefined, stateGasUsed, refund };
      budget = left;
      stateGasUsed += stateGas;
    } else if (account !== undefined) refund += AUTHORIZATION_REFUND;
    await session.setNonce(authority, authorization.nonce + 1n);
    await session.setCode(authority, clears ? EMPTY_BYTES : concatBytes(DELEGATION_PREFIX, authorization.address));
  }
  return { budget, stateGasUsed, refund };
}

/** Gas of an authority beyond the intrinsic gas. It depends on earlier accesses in the transaction (EIP-2780). */
class AuthorityPrices {
  /** Accounts whose first write is paid for: the sender, a recipient of value, and earlier authorities. */
  readonly #written: Set<string>;
  /** Authorities that have a delegation, or paid for one. */
  readonly #delegated = new Set<string>();

  constructor({ sender, to, value }: TransactionFields) {
    this.#written = new Set([bytesKey(sender), ...(to === undefined || value === 0n ? [] : [bytesKey(to)])]);
  }

  /** @param account - the authority's account, which has no code except a delegation */
  take(authority: Bytes, account: EvmAccount | undefined, clears: boolean): { gas: bigint; stateGas: bigint } {
    const key = bytesKey(authority);
    const isWritten = this.#written.has(key);
    this.#written.add(key);
    if (account !== undefined && !equalBytes(account.codeHash, EMPTY_CODE_HASH)) this.#delegated.add(key);
    const isCovered = clears || this.#delegated.has(key);
    if (!clears) this.#delegated.add(key);
    const growth = (isEmpty(account) ? NEW_ACCOUNT_GAS : 0n) + (isCovered ? 0n : DELEGATION_GAS);
    return { gas: isWritten ? 0n : ACCOUNT_WRITE_GAS, stateGas: growth };
  }
}

/** EIP-161. */
function isEmpty(account: EvmAccount | undefined): boolean {
  if (account === undefined) return true;
  return account.nonce === 0n && account.balance === 0n && equalBytes(account.codeHash, EMPTY_CODE_HASH);
}
