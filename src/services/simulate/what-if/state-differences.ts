/**
 * The accounts and slots in which the changed history differs from the recorded one.
 *
 * Only these stay from block to block: everything else is read from the recorded state before the next block. Memory
 * grows with what differs, not with what the blocks touch.
 */
import type { AccountWrite } from "../../../evm/engine.ts";
import type { StateReader as EvmStateReader } from "../../../evm/state-port.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import type { AccountState, StateReader } from "../../../state/view.ts";
import { isSameAccount } from "../../../state/working/transaction-changes.ts";
import type { NotedState } from "./noted-state.ts";

type StorageReader = Pick<EvmStateReader, "getStorage">;

/** A slot whose value differs, or may differ. */
interface DifferentSlot {
  readonly slot: Bytes;
  readonly value: Bytes;
}

/** An account of the changed history that differs. */
interface DifferentAccount {
  readonly address: Bytes;
  /** Undefined if it is as recorded, null if the account does not exist. */
  record: AccountState | null | undefined;
  /**
   * Holds the slots that are not in {@link slots}, after only one of the two histories has deleted the account's storage.
   * Undefined: they are as recorded.
   */
  storage: StorageReader | undefined;
  readonly slots: Map<string, DifferentSlot>;
}

const NO_STORAGE: StorageReader = { getStorage: () => EMPTY_BYTES };

/** Lives for one run through a range of blocks. */
export class StateDifferences {
  readonly #accounts = new Map<string, DifferentAccount>();
  /** Codes of the records above, by hash. */
  readonly #codes = new Map<string, Bytes>();

  /** True if the changed history is in the state that was recorded. */
  get isEmpty(): boolean {
    return this.#accounts.size === 0;
  }

  /** Accounts that differ, each with the slots that do. */
  *[Symbol.iterator](): Iterator<{ readonly address: Bytes; readonly slots: readonly Bytes[] }> {
    for (const { address, slots } of this.#accounts.values()) {
      yield { address, slots: Array.from(slots.values(), ({ slot }) => slot) };
    }
  }

  /** The state of the changed history over the recorded one. */
  over(base: StateReader): StateReader {
    return {
      getAccount: (address) => {
        const record = this.#accounts.get(bytesKey(address))?.record;
        return record === undefined ? base.getAccount(address) : (record ?? undefined);
      },
      getStorage: (address, slot) => this.#slot(base, address, slot),
      getCode: (codeHash) => this.#codes.get(bytesKey(codeHash)) ?? base.getCode(codeHash),
    };
  }

  #slot(base: StateReader, address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    const account = this.#accounts.get(bytesKey(address));
    return account?.slots.get(bytesKey(slot))?.value ?? (account?.storage ?? base).getStorage(address, slot);
  }

  /** True if a slot of the account that is not zero differs. */
  hasStorage(address: Bytes): boolean {
    const slots = this.#accounts.get(bytesKey(address))?.slots.values() ?? [];
    return Array.from(slots).some(({ value }) => value.length > 0);
  }

  /**
   * Takes over the differences that a block, or a part of one, has made.
   *
   * @param base - the recorded state before it
   */
  async settle(recorded: NotedState, changed: NotedState, base: StateReader): Promise<void> {
    for (const { address, slots } of touchedBy(recorded, changed)) {
      const account = await this.#settleAccount({ address, slots }, recorded, changed, base);
      const isSame = account.record === undefined && account.storage === undefined && account.slots.size === 0;
      if (isSame) this.#accounts.delete(bytesKey(address));
      else this.#accounts.set(bytesKey(address), account);
    }
    this.#dropCodes();
  }

  async #settleAccount(
    { address, slots }: { readonly address: Bytes; readonly slots: Iterable<Bytes> },
    recorded: NotedState,
    changed: NotedState,
    base: StateReader,
  ): Promise<DifferentAccount> {
    const key = bytesKey(address);
    const account = this.#accounts.get(key) ?? { address, record: undefined, storage: undefined, slots: new Map() };
    const [left, right] = [await recorded.getAccount(address), await changed.getAccount(address)];
    account.record = isSameAccount(left, right) ? undefined : (right ?? null);
    if (account.record)
      this.#codes.set(bytesKey(account.record.codeHash), await changed.getCode(account.record.codeHash));
    const existed = (await base.getAccount(address)) !== undefined;
    const isWiped = changed.hasWiped(address);
    if (isWiped) account.storage = recorded.hasWiped(address) || left === undefined ? undefined : NO_STORAGE;
    else if (recorded.hasWiped(address) && existed) account.storage ??= base;
    const written = new Map(Array.from(slots, (slot) => [bytesKey(slot), slot]));
    for (const [slotKey, { slot }] of account.slots) written.set(slotKey, slot);
    for (const [slotKey, slot] of written) {
      const value = await changed.getStorage(address, slot);
      const isSame = account.storage === undefined && equalBytes(value, await recorded.getStorage(address, slot));
      if (isSame) account.slots.delete(slotKey);
      else account.slots.set(slotKey, { slot, value });
    }
    return account;
  }

  /** Drops codes of accounts that no longer differ, once these are many. */
  #dropCodes(): void {
    if (this.#codes.size <= 2 * this.#accounts.size) return;
    const hashes = Array.from(this.#accounts.values(), ({ record }) => record && bytesKey(record.codeHash));
    const used = new Set(hashes);
    for (const hash of this.#codes.keys()) if (!used.has(hash)) this.#codes.delete(hash);
  }
}

/** The accounts that at least one of two states has written, each with its written slots. */
export function touchedBy(
  ...states: readonly Pick<NotedState, "writes">[]
): Iterable<{ readonly address: Bytes; readonly slots: readonly Bytes[] }> {
  const accounts = new Map<string, { readonly address: Bytes; readonly slots: Map<string, Bytes> }>();
  for (const { address, slots } of states.flatMap(({ writes }) => writes) as readonly WrittenSlots[]) {
    const key = bytesKey(address);
    const account = accounts.get(key) ?? { address, slots: new Map<string, Bytes>() };
    accounts.set(key, account);
    for (const { slot } of slots) account.slots.set(bytesKey(slot), slot);
  }
  return Array.from(accounts.values(), ({ address, slots }) => ({ address, slots: [...slots.values()] }));
}

type WrittenSlots = Pick<AccountWrite, "address" | "slots">;
