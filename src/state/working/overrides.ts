/**
 * Account overrides: accounts that a simulation is to find other than they are (geth's state override set).
 *
 * Here are the accounts themselves; which precompile answers where is the executor's business.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_ACCOUNT } from "../empty-account.ts";
import type { WorkingStateView } from "../view.ts";

/** One slot and the value to find there; 32 bytes each. */
export interface SlotOverride {
  readonly slot: Bytes;
  readonly value: Bytes;
}

/** What is to be different about one account; members that are missing stay as they are. */
export interface AccountOverride {
  readonly address: Bytes;
  /** wei */
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Bytes | undefined;
  /** All the storage the account has from now on. Not together with {@link stateDiff}. */
  readonly state?: readonly SlotOverride[] | undefined;
  /** Slots to set; the others stay. */
  readonly stateDiff?: readonly SlotOverride[] | undefined;
  /** Where the precompile at `address` answers instead of there. */
  readonly movePrecompileTo?: Bytes | undefined;
}

/** Slots written between two pauses. */
const SLOTS_AT_A_TIME = 500;

/**
 * Writes overrides into a state, in order.
 *
 * An account that any member is given for exists afterwards, even if it is empty, as geth leaves it: an override happens
 * before the transaction, so that EIP-161 removes it only when the transaction touches it.
 *
 * @param pause - is waited for after each account and, where one has many slots, in between
 */
export async function applyAccountOverrides(
  state: WorkingStateView,
  overrides: readonly AccountOverride[],
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  for (const override of overrides) {
    await applyAccountOverride(state, override);
    const { address } = override;
    const slots = override.state ?? override.stateDiff ?? [];
    for (let start = 0; start < slots.length; start += SLOTS_AT_A_TIME) {
      for (const { slot, value } of slots.slice(start, start + SLOTS_AT_A_TIME)) state.putStorage(address, slot, value);
      await pause();
    }
    await pause();
  }
}

/** Everything of an account but its slots. */
async function applyAccountOverride(state: WorkingStateView, override: AccountOverride): Promise<void> {
  const { address, balance, nonce, code } = override;
  const hasSlots = override.state !== undefined || override.stateDiff !== undefined;
  if (balance === undefined && nonce === undefined && code === undefined && !hasSlots) return;
  const account = (await state.getAccount(address)) ?? EMPTY_ACCOUNT;
  state.putAccount(address, { ...account, balance: balance ?? account.balance, nonce: nonce ?? account.nonce });
  if (code !== undefined) await state.putCode(address, code);
  if (override.state !== undefined) state.clearStorage(address);
}
