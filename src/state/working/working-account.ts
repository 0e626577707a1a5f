/**
 * The data of a working state for one account: its record, its slots, and stamps of noted changes.
 *
 * A stamp is an object compared by identity. A stamp equal to the view's current one means that the change is already
 * noted since the last root. To start over, the view only replaces its current stamp.
 */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { wordKey } from "../map-keys.ts";
import type { AccountState } from "../view.ts";

/** An object that only has an identity. */
export type Stamp = object;

/** The account record: `null` if there is no such account, `undefined` if it was not read from the base yet. */
export type AccountRecord = AccountState | null | undefined;

/** One storage slot. */
export class WorkingSlot {
  readonly slot: Bytes;
  /** Current value; undefined if it is the base's and was not read yet. */
  value: Bytes | undefined;
  /** Root period in which the slot was noted as changed. */
  period: Stamp | undefined;
  /** True after a write, so that a trie opened at the base must be updated with it. */
  isWritten = false;

  constructor(slot: Bytes, value: Bytes | undefined) {
    this.slot = slot;
    this.value = value;
  }

  copy(): WorkingSlot {
    const copy = new WorkingSlot(this.slot, this.value);
    copy.period = this.period;
    copy.isWritten = this.isWritten;
    return copy;
  }
}

/** All slots of an account since its storage was last cleared. */
export class WorkingStorage {
  /** Equal in all copies; differs after the storage was cleared. */
  readonly lineage: Stamp;
  /** True if slots that are not here have the base's value, false if they are empty. */
  readonly hasBase: boolean;
  readonly #slots = new Map<string, WorkingSlot>();
  /** Slots of the storage that this is a copy of. They are no longer written, and copied on access. */
  #inherited: ReadonlyMap<string, WorkingSlot> | undefined;
  /** Slots written in the root period {@link period}. */
  changed: WorkingSlot[] = [];
  period: Stamp | undefined;

  constructor(hasBase: boolean, lineage: Stamp = {}) {
    this.hasBase = hasBase;
    this.lineage = lineage;
  }

  /** True if no slot was read or written. */
  get isUnread(): boolean {
    return this.#slots.size === 0 && this.#inherited === undefined;
  }

  /** True if it was cleared and not read or written since. */
  get isUntouched(): boolean {
    return !this.hasBase && this.isUnread;
  }

  /** The slot, if it was read or written before. */
  find(slot: Bytes): WorkingSlot | undefined {
    const key = wordKey(slot);
    return this.#slots.get(key) ?? this.#inherited?.get(key);
  }

  /** The slot, created on first access. */
  slot(slot: Bytes): WorkingSlot {
    const key = wordKey(slot);
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const fresh = this.#inherited?.get(key)?.copy() ?? new WorkingSlot(slot, this.hasBase ? undefined : EMPTY_BYTES);
    this.#slots.set(key, fresh);
    return fresh;
  }

  /** All slots that were read or written. */
  *values(): Iterable<WorkingSlot> {
    yield* this.#slots.values();
    for (const [key, slot] of this.#inherited ?? []) if (!this.#slots.has(key)) yield slot;
  }

  /** A writable copy of a storage that is no longer written; see {@link WorkingAccount.copy}. */
  copy(period: Stamp): WorkingStorage {
    const copy = new WorkingStorage(this.hasBase, this.lineage);
    copy.#inherited = this.#inherited === undefined ? this.#slots : new Map([...this.#inherited, ...this.#slots]);
    if (this.period === period) {
      copy.period = period;
      copy.changed = this.changed.map(({ slot }) => copy.slot(slot));
    }
    return copy;
  }
}

/** One account with its storage. */
export class WorkingAccount {
  readonly key: string;
  readonly address: Bytes;
  /** The view that may change this object; undefined if several views share it and a writer must copy it first. */
  readonly owner: Stamp | undefined;
  record: AccountRecord;
  storage: WorkingStorage;
  /** True after a write. */
  isWritten = false;
  period: Stamp | undefined;

  constructor(key: string, address: Bytes, owner: Stamp | undefined) {
    this.key = key;
    this.address = address;
    this.owner = owner;
    this.storage = new WorkingStorage(true);
  }

  /**
   * A copy that its owner can write. The original must no longer be written.
   *
   * @param period - current stamp of the view that makes the copy; other stamps are not copied
   */
  copy(owner: Stamp, period: Stamp): WorkingAccount {
    const copy = new WorkingAccount(this.key, this.address, owner);
    copy.record = this.record;
    copy.storage = this.storage.copy(period);
    copy.isWritten = this.isWritten;
    copy.period = this.period;
    return copy;
  }
}
