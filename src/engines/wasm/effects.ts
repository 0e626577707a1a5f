/** Reads the effects of a transaction from the core's tables after its end. */
import type { AccountAccess, AccountWrite, SlotWrite, TransactionEffects } from "../../evm/engine.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import { addressAt } from "./accounts.ts";
import * as Layout from "./core/machine/layout.ts";
import { Records } from "./core-exports.generated.ts";
import type { CoreInstance } from "./core-instance.ts";

const { Account, Slot, Code, NumberList, Table } = Records;

const NO_ACCOUNT = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH, code: undefined };
const NO_SLOTS: readonly SlotWrite[] = [];

/** The code with a hash that the running transaction set; undefined if there is none. */
export function newCodeOf(instance: CoreInstance, transaction: number, codeHash: Bytes): Bytes | undefined {
  for (const number of numbersIn(instance, instance.core.changedAccounts)) {
    const at = instance.accountAt(number);
    const code = newCodeAt(instance, at, transaction);
    if (code !== undefined && equalBytes(instance.copy(at + Account.codeHash, 32), codeHash)) return code;
  }
}

/** The numbers in a list of the core. */
function numbersIn(instance: CoreInstance, list: { readonly value: number }): Uint32Array {
  const place = list.value >>> 0;
  const start = instance.half(place + NumberList.at) / 4;
  return instance.halves.subarray(start, start + instance.half(place + NumberList.count));
}

/** The code that a transaction set for an account. */
function newCodeAt(instance: CoreInstance, account: number, transaction: number): Bytes | undefined {
  if (instance.half(account + Account.newCode) !== transaction) return undefined;
  const place = instance.half(account + Account.code);
  if (place === 0) return EMPTY_BYTES;
  return instance.copy(instance.half(place + Code.raw), instance.half(place + Code.length));
}

/**
 * Writes and accesses of a transaction. Must be called when the core has ended it and the next one has not begun.
 */
export function effectsOf(instance: CoreInstance, transaction: number): TransactionEffects {
  const slots = changedSlots(instance);
  const writes = Array.from(numbersIn(instance, instance.core.changedAccounts), (number) =>
    accountWrite(instance, number, transaction, slots?.get(number) ?? NO_SLOTS),
  );
  return { writes, accesses: () => accessesOf(instance, transaction), seen: () => seenBy(instance) };
}

/** Changed slots by account number; undefined if there are none. */
function changedSlots(instance: CoreInstance): ReadonlyMap<number, readonly SlotWrite[]> | undefined {
  const numbers = numbersIn(instance, instance.core.changedSlots);
  if (numbers.length === 0) return undefined;
  const byAccount = new Map<number, SlotWrite[]>();
  for (const number of numbers) {
    const at = instance.slotAt(number);
    if (isSame(instance, at + Slot.value, at + Slot.original)) continue;
    const account = instance.half(at + Slot.account);
    const write = {
      slot: instance.reversed(at + Slot.key, 32),
      value: instance.stripped(at + Slot.value),
    };
    const writes = byAccount.get(account);
    if (writes === undefined) byAccount.set(account, [write]);
    else writes.push(write);
  }
  return byAccount;
}

function isSame(instance: CoreInstance, left: number, right: number): boolean {
  const { halves } = instance;
  for (let index = 0; index < 8; index++) if (halves[left / 4 + index] !== halves[right / 4 + index]) return false;
  return true;
}

function accountWrite(
  instance: CoreInstance,
  number: number,
  transaction: number,
  slots: readonly SlotWrite[],
): AccountWrite {
  const at = instance.accountAt(number);
  const address = addressAt(instance, at);
  const flags = instance.half(at + Account.flags);
  const isDeleted = (flags & Layout.FLAG_EXISTS) === 0;
  if (isDeleted) return { address, isDeleted, wipesStorage: true, ...NO_ACCOUNT, slots };
  const hasCode = (flags & Layout.FLAG_HAS_CODE) !== 0;
  return {
    address,
    isDeleted,
    wipesStorage: instance.half(at + Account.created) === transaction,
    nonce: instance.long(at + Account.nonce),
    balance: instance.word(at + Account.balance),
    codeHash: hasCode ? instance.copy(at + Account.codeHash, 32) : EMPTY_CODE_HASH,
    code: newCodeAt(instance, at, transaction),
    // Destroyed, but its balance remains (EIP-8246).
    slots: instance.half(at + Account.deleted) === transaction ? NO_SLOTS : slots,
  };
}

/** Warm accounts with their warm slots. */
function accessesOf(instance: CoreInstance, transaction: number): readonly AccountAccess[] {
  const { core } = instance;
  const accesses = new Map<number, { readonly address: Bytes; readonly slots: Bytes[] }>();
  for (let number = 0; number < instance.half((core.accounts.value >>> 0) + Table.count); number++) {
    const at = instance.accountAt(number);
    if (instance.half(at + Account.warm) !== transaction) continue;
    accesses.set(number, { address: addressAt(instance, at), slots: [] });
  }
  for (let number = 0; number < instance.half((core.slots.value >>> 0) + Table.count); number++) {
    const at = instance.slotAt(number);
    if (instance.half(at + Slot.warm) !== transaction) continue;
    accesses.get(instance.half(at + Slot.account))?.slots.push(instance.reversed(at + Slot.key, 32));
  }
  return [...accesses.values()];
}

/** Accounts and slots that the transaction accessed, in order of first access. */
function seenBy(instance: CoreInstance): readonly AccountAccess[] {
  const seen = new Map<number, { readonly address: Bytes; readonly slots: Bytes[] }>();
  const see = (number: number): { readonly address: Bytes; readonly slots: Bytes[] } => {
    const known = seen.get(number) ?? { address: addressAt(instance, instance.accountAt(number)), slots: [] };
    seen.set(number, known);
    return known;
  };
  for (const number of numbersIn(instance, instance.core.seenAccounts)) see(number);
  for (const number of numbersIn(instance, instance.core.seenSlots)) {
    const at = instance.slotAt(number);
    see(instance.half(at + Slot.account)).slots.push(instance.reversed(at + Slot.key, 32));
  }
  return [...seen.values()];
}
