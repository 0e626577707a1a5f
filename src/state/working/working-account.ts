/**
 * What a working state keeps of one account: the account record, its slots, and stamps that say what has been noted
 * down already.
 *
 * A stamp is an object compared by identity. "Stamp equals the view's current one" means "already noted since the last
 * root"; to start over, a view takes a new stamp and touches nothing else.
 */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { wordKey } from "../map-keys.ts";
import type { AccountState } from "../view.ts";

/** An identity and nothing else. */
export type Stamp = object;

/** The account record: `null` when there is no such account, `undefined` while nobody has asked the base. */
export type AccountRecord = AccountState | null | undefined;

/** One storage slot. */
export class WorkingSlot {
  readonly slot: Bytes;
  /** Current value; undefined while it is the base's and nobody has read it. */
  value: Bytes | undefined;
  /** Root period in which the slot was noted as changed. */
  period: Stamp | undefined;
  /** Whether it was ever written, so that a trie opened at the base must be given it. */
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
  /** The same in all copies; another one means that the storage was cleared in between. */
  readonly lineage: Stamp;
  /** Whether slots that are not here have the base's value; otherwise they are empty. */
  readonly hasBase: boolean;
  readonly #slots = new Map<string, WorkingSlot>();
  /** Slots of what this is a copy of, none of which is written any more. They are copied when they are asked for. */
  #inherited: ReadonlyMap<string, WorkingSlot> | undefined;
  /** Slots written in the root period {@link period}. */
  changed: WorkingSlot[] = [];
  period: Stamp | undefined;

  constructor(hasBase: boolean, lineage: Stamp = {}) {
    this.hasBase = hasBase;
    this.lineage = lineage;
  }

  /** True when it was cleared and nothing was read or written since. */
  get isUntouched(): boolean {
    return !this.hasBase && this.#slots.size === 0 && this.#inherited === undefined;
  }

  /** The slot, if it was ever read or written. */
  find(slot: Bytes): WorkingSlot | undefined {
    const key = wordKey(slot);
    return this.#slots.get(key) ?? this.#inherited?.get(key);
  }

  /** The slot, made on first sight. */
  slot(slot: Bytes): WorkingSlot {
    const key = wordKey(slot);
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const fresh = this.#inherited?.get(key)?.copy() ?? new WorkingSlot(slot, this.hasBase ? undefined : EMPTY_BYTES);
    this.#slots.set(key, fresh);
    return fresh;
  }

  /** All slots that were ever read or written. */
  *values(): Iterable<WorkingSlot> {
    yield* this.#slots.values();
    for (const [key, slot] of this.#inherited ?? []) if (!this.#slots.has(key)) yield slot;
  }

  /** A copy that can be written, of a storage that nobody writes any more; see {@link WorkingAccount.copy}. */
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
  /** The view that may change this object; undefined when several views share it and a writer must copy it first. */
  readonly owner: Stamp | undefined;
  record: AccountRecord;
  storage: WorkingStorage;
  /** Whether it was ever written. */
  isWritten = false;
  period: Stamp | undefined;

  constructor(key: string, address: Bytes, owner: Stamp | undefined) {
    this.key = key;
    this.address = address;
    this.owner = owner;
    this.storage = new WorkingStorage(true);
  }

  /**
   * A copy that its owner can write, of an account that nobody writes any more.
   *
   * @param period - the current one of the view that takes the copy: what bears another stamp is of no use to it
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
