/** What a transaction leaves, read from the core's tables after its end. */
import type { AccountAccess, AccountWrite, SlotWrite, TransactionEffects } from "../../evm/engine.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash.ts";
import { addressAt } from "./accounts.ts";
import type { CoreInstance } from "./instance.ts";
import * as Layout from "./layout.ts";

const NO_ACCOUNT = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH, code: undefined };

/** The codes that the transaction set, by the number of their account: the core forgets them at the end. */
export type NewCodes = ReadonlyMap<number, Bytes>;

/** To be called right before the core ends the transaction. */
export function newCodesOf(instance: CoreInstance, transaction: number): NewCodes {
  const codes = new Map<number, Bytes>();
  for (const number of changedAccounts(instance)) {
    const at = instance.core.accountAt(number) >>> 0;
    if (instance.half(at + Layout.ACCOUNT_NEW_CODE) !== transaction) continue;
    const place = instance.half(at + Layout.ACCOUNT_CODE);
    const code = place === 0 ? EMPTY_BYTES : codeAt(instance, place);
    codes.set(number, code);
  }
  return codes;
}

function codeAt(instance: CoreInstance, place: number): Bytes {
  return instance.copy(instance.half(place + Layout.CODE_RAW), instance.half(place + Layout.CODE_LENGTH));
}

function changedAccounts(instance: CoreInstance): readonly number[] {
  const { core } = instance;
  return numbersAt(instance, core.changedAccountList() >>> 0, core.changedAccountCount.value);
}

function numbersAt(instance: CoreInstance, at: number, count: number): readonly number[] {
  return Array.from(instance.halves.subarray(at / 4, at / 4 + count));
}

/** What the transaction wrote and looked at; to be called when the core has ended it, before the next one begins. */
export function effectsOf(instance: CoreInstance, transaction: number, codes: NewCodes): TransactionEffects {
  const slots = changedSlots(instance);
  const writes = changedAccounts(instance).map((number) =>
    accountWrite(instance, number, { transaction, codes, slots: slots.get(number) ?? [] }),
  );
  return { writes, accesses: () => accessesOf(instance, transaction) };
}

/** Slots that differ from before the transaction, by the number of their account. */
function changedSlots(instance: CoreInstance): ReadonlyMap<number, readonly SlotWrite[]> {
  const { core } = instance;
  const byAccount = new Map<number, SlotWrite[]>();
  for (const number of numbersAt(instance, core.changedSlotList() >>> 0, core.changedSlotCount.value)) {
    const at = core.slotAt(number) >>> 0;
    if (isSame(instance, at + Layout.SLOT_VALUE, at + Layout.SLOT_ORIGINAL)) continue;
    const account = instance.half(at + Layout.SLOT_ACCOUNT);
    const write = {
      slot: instance.reversed(at + Layout.SLOT_KEY, 32),
      value: instance.stripped(at + Layout.SLOT_VALUE),
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

interface WriteContext {
  readonly transaction: number;
  readonly codes: NewCodes;
  readonly slots: readonly SlotWrite[];
}

function accountWrite(instance: CoreInstance, number: number, context: WriteContext): AccountWrite {
  const at = instance.core.accountAt(number) >>> 0;
  const address = addressAt(instance, at);
  const flags = instance.half(at + Layout.ACCOUNT_FLAGS);
  const isDeleted = (flags & Layout.FLAG_EXISTS) === 0;
  if (isDeleted) return { address, isDeleted, wipesStorage: true, ...NO_ACCOUNT, slots: [] };
  const hasCode = (flags & Layout.FLAG_HAS_CODE) !== 0;
  return {
    address,
    isDeleted,
    wipesStorage: instance.half(at + Layout.ACCOUNT_CREATED) === context.transaction,
    nonce: instance.long(at + Layout.ACCOUNT_NONCE),
    balance: instance.word(at + Layout.ACCOUNT_BALANCE),
    codeHash: hasCode ? instance.copy(at + Layout.ACCOUNT_CODE_HASH, 32) : EMPTY_CODE_HASH,
    code: context.codes.get(number),
    slots: context.slots,
  };
}

/** Accounts that are warm, each with its warm slots. */
function accessesOf(instance: CoreInstance, transaction: number): readonly AccountAccess[] {
  const { core } = instance;
  const accesses = new Map<number, { readonly address: Bytes; readonly slots: Bytes[] }>();
  for (let number = 0; number < core.accountCount.value; number++) {
    const at = core.accountAt(number) >>> 0;
    if (instance.half(at + Layout.ACCOUNT_WARM) !== transaction) continue;
    accesses.set(number, { address: addressAt(instance, at), slots: [] });
  }
  for (let number = 0; number < core.slotCount.value; number++) {
    const at = core.slotAt(number) >>> 0;
    if (instance.half(at + Layout.SLOT_WARM) !== transaction) continue;
    accesses.get(instance.half(at + Layout.SLOT_ACCOUNT))?.slots.push(instance.reversed(at + Layout.SLOT_KEY, 32));
  }
  return [...accesses.values()];
}
