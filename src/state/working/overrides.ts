/**
 * Account overrides of a simulation (geth's state override set). Overrides of precompiles are handled by the services.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { EMPTY_ACCOUNT, type WorkingStateView } from "../view.ts";

/** A slot and its value, 32 bytes each. */
export interface SlotOverride {
  readonly slot: Bytes;
  readonly value: Bytes;
}

/** Overrides of one account; missing members change nothing. */
export interface AccountOverride {
  readonly address: Bytes;
  /** wei */
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Bytes | undefined;
  /** Replaces the whole storage. Not together with {@link stateDiff}. */
  readonly state?: readonly SlotOverride[] | undefined;
  /** Slots to set; the others stay. */
  readonly stateDiff?: readonly SlotOverride[] | undefined;
  /** Moves the precompile at `address` to this address. */
  readonly movePrecompileTo?: Bytes | undefined;
}

/** Slots written between two pauses. */
const SLOTS_AT_A_TIME = 500;

/**
 * Writes overrides into a state, in order.
 *
 * An account with any override exists afterwards, even if it is empty, as in geth: the override is made before the
 * transaction, so that EIP-161 removes the account only if the transaction touches it.
 *
 * @param pause - awaited after each account, and between parts of many slots; default: yields to the event loop
 */
export async function applyAccountOverrides(
  state: WorkingStateView,
  overrides: readonly AccountOverride[],
  pause: () => Promise<void> | undefined = breaks(),
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

function breaks(): () => Promise<void> | undefined {
  const turns = new Breaks();
  return () => turns.check();
}

/** Writes all members but the slots. */
async function applyAccountOverride(state: WorkingStateView, override: AccountOverride): Promise<void> {
  const { address, balance, nonce, code } = override;
  // An empty `stateDiff` changes nothing. An empty `state` replaces the storage, and makes the account, as in geth.
  const hasSlots = override.state !== undefined || (override.stateDiff ?? []).length > 0;
  if (balance === undefined && nonce === undefined && code === undefined && !hasSlots) return;
  const account = (await state.getAccount(address)) ?? EMPTY_ACCOUNT;
  state.putAccount(address, { ...account, balance: balance ?? account.balance, nonce: nonce ?? account.nonce });
  if (code !== undefined) await state.putCode(address, code);
  if (override.state !== undefined) state.clearStorage(address);
}
