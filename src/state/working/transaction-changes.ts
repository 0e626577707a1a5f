/** Changes of a transaction: values of accounts and slots before and after, in the order of state diffs. */
import { InternalError } from "../../errors/hindcast-error.ts";
import type { AccountWrite, SlotWrite } from "../../evm/engine.ts";
import type { EvmAccount } from "../../evm/state-port.ts";
import { type Bytes, compareBytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { wordKey } from "../map-keys.ts";
import type { AccountChange, AccountState, SlotChange, StateBase, StateReader } from "../view.ts";
import type { AccountRecord, WorkingStorage } from "./working-account.ts";

/** An account written by a transaction, and its previous value. */
export interface AppliedWrite {
  readonly write: AccountWrite;
  readonly before: AccountRecord;
  readonly after: AccountState | undefined;
  /** Previous values of the slots in {@link AccountWrite.slots}, in that order; undefined if the base has them. */
  readonly slotsBefore: readonly (Bytes | undefined)[];
  /** The previous storage, if the transaction cleared it; it is no longer written. */
  readonly wiped: WorkingStorage | undefined;
}

/**
 * The changed accounts of a transaction, ascending by address, each with its slots, ascending.
 *
 * Of cleared storage, those slots are listed that were read or written before.
 *
 * @param base - reads values that were written without having been read
 */
export function changesOf(applied: readonly AppliedWrite[], base: StateReader): readonly AccountChange[] {
  const changes: AccountChange[] = [];
  for (const entry of applied) {
    const { after } = entry;
    const { address } = entry.write;
    const before =
      (entry.before === undefined ? immediate(base.getAccount(address), address) : entry.before) ?? undefined;
    const slots = slotChanges(entry, base);
    if (slots.length === 0 && isSameAccount(before, after)) continue;
    const lost = entry.write.isDeleted ? writtenSlots(entry, base) : undefined;
    changes.push({ address, before, after, slots, ...(lost === undefined ? {} : { lost }) });
  }
  return changes.sort((left, right) => compareBytes(left.address, right.address));
}

/** True for accounts that differ at most in their storage. */
export function isSameAccount(left: EvmAccount | undefined, right: EvmAccount | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.nonce === right.nonce && left.balance === right.balance && equalBytes(left.codeHash, right.codeHash);
}

function slotChanges(entry: AppliedWrite, base: StateReader): SlotChange[] {
  const { wiped } = entry;
  const { address, isDeleted, slots } = entry.write;
  const changes = wiped === undefined ? [] : wipedSlots(wiped, address, isDeleted ? [] : slots, base);
  if (!isDeleted) for (const change of writtenSlots(entry, base)) changes.push(change);
  return changes.sort((left, right) => compareBytes(left.slot, right.slot));
}

/** Ascending by slot. Engines give writes in orders of their own. */
function writtenSlots({ write, slotsBefore, wiped }: AppliedWrite, base: StateReader): SlotChange[] {
  const { address, slots } = write;
  // Engines write a new contract's slots without reading them, because a new contract has no storage.
  const isNew = wiped !== undefined && isOverlay(base);
  const changes: SlotChange[] = [];
  slots.forEach(({ slot, value }, index) => {
    const before = slotsBefore[index] ?? (isNew ? EMPTY_BYTES : immediate(base.getStorage(address, slot), address));
    if (!equalBytes(before, value)) changes.push({ slot, before, after: value });
  });
  return changes.sort((left, right) => compareBytes(left.slot, right.slot));
}

/** Slots of the cleared storage, except those that were written since. */
function wipedSlots(
  wiped: WorkingStorage,
  address: Bytes,
  written: readonly SlotWrite[],
  base: StateReader,
): SlotChange[] {
  const changes: SlotChange[] = [];
  const later = new Set(written.map(({ slot }) => wordKey(slot)));
  for (const { slot, value } of wiped.values()) {
    if (later.has(wordKey(slot))) continue;
    const before = value ?? immediate(base.getStorage(address, slot), address);
    if (before.length > 0) changes.push({ slot, before, after: EMPTY_BYTES });
  }
  return changes;
}

function isOverlay(base: StateReader): boolean {
  return (base as Partial<StateBase>).isOverlay === true;
}

function immediate<T>(value: MaybePromise<T>, address: Bytes): T {
  if (!(value instanceof Promise)) return value;
  throw writtenUnread(value, address);
}

/**
 * The error for a write to a value that was not read. Engines read values before they write, so this is a bug of ours.
 */
export function writtenUnread(unread: Promise<unknown>, address: Bytes): InternalError {
  unread.catch(() => {}); // This error is thrown instead; without a handler the rejected read would end the process.
  return new InternalError({
    code: "INTERNAL_ERROR",
    what: "Something was written over a remote state without having been read first, so its old value is unknown.",
    where: `Account ${encodeData(address)}.`,
  });
}
