/** What a transaction changed: accounts and slots then and now, in the order that state diffs list them. */
import { InternalError } from "../errors/hindcast-error.ts";
import { type Bytes, compareBytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes.ts";
import { encodeData } from "../primitives/hex.ts";
import { wordKey } from "./map-keys.ts";
import type { AccountChange, AccountState, MaybePromise, SlotChange, StateReader } from "./view.ts";
import type { AccountRecord, Stamp, WorkingAccount, WorkingStorage } from "./working-account.ts";

/**
 * Accounts that differ from the beginning of a transaction, ascending by address, each with its slots, ascending.
 *
 * Storage that was cleared is listed as far as it was read or written before.
 *
 * @param touched - accounts written in the transaction
 * @param base - answers for what was written without having been read
 */
export function changesOf(
  touched: readonly WorkingAccount[],
  transaction: Stamp,
  base: StateReader,
): readonly AccountChange[] {
  const changes: AccountChange[] = [];
  for (const account of touched) {
    const before = readRecord(account.originalRecord, account.address, base);
    const after = readRecord(account.record, account.address, base);
    const slots = new StorageComparison(account, transaction, base).changes();
    if (slots.length > 0 || !sameRecord(before, after))
      changes.push({ address: account.address, before, after, slots });
  }
  return changes.sort((left, right) => compareBytes(left.address, right.address));
}

/** One account's storage then and now. */
class StorageComparison {
  readonly #address: Bytes;
  readonly #before: WorkingStorage;
  readonly #after: WorkingStorage;
  readonly #transaction: Stamp;
  readonly #base: StateReader;

  constructor(account: WorkingAccount, transaction: Stamp, base: StateReader) {
    this.#address = account.address;
    this.#before = account.originalStorage ?? account.storage;
    this.#after = account.storage;
    this.#transaction = transaction;
    this.#base = base;
  }

  changes(): SlotChange[] {
    const changes: SlotChange[] = [];
    for (const slot of this.#candidates()) {
      const before = this.#valueBefore(slot);
      const after = this.#valueAfter(slot);
      if (!equalBytes(before, after)) changes.push({ slot, before, after });
    }
    return changes.sort((left, right) => compareBytes(left.slot, right.slot));
  }

  #candidates(): readonly Bytes[] {
    const [before, after] = [this.#before, this.#after];
    if (before === after) {
      return after.transaction === this.#transaction ? after.touched.map(({ slot }) => slot) : [];
    }
    const known = new Map<string, Bytes>();
    for (const storage of [before, after]) for (const { slot } of storage.values()) known.set(wordKey(slot), slot);
    return [...known.values()];
  }

  #valueBefore(slot: Bytes): Bytes {
    const known = this.#before.find(slot);
    const value = known?.transaction === this.#transaction ? known.original : known?.value;
    return value ?? this.#valueInBase(this.#before, slot);
  }

  #valueAfter(slot: Bytes): Bytes {
    return this.#after.find(slot)?.value ?? this.#valueInBase(this.#after, slot);
  }

  #valueInBase(storage: WorkingStorage, slot: Bytes): Bytes {
    if (!storage.hasBase) return EMPTY_BYTES;
    return immediate(this.#base.getStorage(this.#address, slot), this.#address);
  }
}

function readRecord(record: AccountRecord, address: Bytes, base: StateReader): AccountState | undefined {
  if (record !== undefined) return record ?? undefined;
  return immediate(base.getAccount(address), address);
}

function immediate<T>(value: MaybePromise<T>, address: Bytes): T {
  if (!(value instanceof Promise)) return value;
  value.catch(() => {}); // The error below says more than an unhandled rejection would.
  throw new InternalError({
    code: "INTERNAL_ERROR",
    what: "Something was written over a remote state without having been read first, so its old value is unknown.",
    where: `Account ${encodeData(address)}.`,
  });
}

function sameRecord(before: AccountState | undefined, after: AccountState | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    before.nonce === after.nonce && before.balance === after.balance && equalBytes(before.codeHash, after.codeHash)
  );
}
