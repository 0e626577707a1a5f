/**
 * What a working state must put back when a checkpoint is reverted: an entry per first change of a thing since the
 * innermost checkpoint. Opening a checkpoint costs nothing, reverting costs what was written since.
 */
import type { Bytes } from "../primitives/bytes.ts";
import type { AccountRecord, Stamp, WorkingAccount, WorkingSlot, WorkingStorage } from "./working-account.ts";

/** One thing as it was before a change. */
export type UndoEntry =
  | { readonly kind: "record"; readonly account: WorkingAccount; readonly before: AccountRecord }
  | { readonly kind: "storage"; readonly account: WorkingAccount; readonly before: WorkingStorage }
  | {
      readonly kind: "slot";
      readonly account: WorkingAccount;
      readonly slot: WorkingSlot;
      readonly before: Bytes | undefined;
    };

interface Checkpoint {
  /** Entries that were there before it. */
  readonly start: number;
}

export class Journal {
  readonly #entries: UndoEntry[] = [];
  readonly #checkpoints: Checkpoint[] = [];

  /**
   * Stamp of the innermost checkpoint; undefined when there is none and nothing need be noted.
   *
   * Each checkpoint has its own, and a parent's comes back when its child ends. So a thing with this stamp has an entry
   * that this checkpoint's revert will find: entries leave the journal only with the checkpoint that made them.
   */
  current: Stamp | undefined;

  get depth(): number {
    return this.#checkpoints.length;
  }

  add(entry: UndoEntry): void {
    this.#entries.push(entry);
  }

  open(): void {
    const checkpoint = { start: this.#entries.length };
    this.#checkpoints.push(checkpoint);
    this.current = checkpoint;
  }

  /**
   * Keeps what the innermost checkpoint noted, for the one around it.
   *
   * @throws {TypeError} if no checkpoint is open
   */
  commit(): void {
    this.#pop("commit");
    if (this.current === undefined) this.#entries.length = 0;
  }

  /**
   * Undoes what the innermost checkpoint noted, last change first.
   *
   * @throws {TypeError} if no checkpoint is open
   */
  revert(undo: (entry: UndoEntry) => void): void {
    const { start } = this.#pop("revert");
    for (let index = this.#entries.length - 1; index >= start; index--) undo(this.#entries[index] as UndoEntry);
    this.#entries.length = start;
  }

  #pop(verb: string): Checkpoint {
    const checkpoint = this.#checkpoints.pop();
    if (checkpoint === undefined) throw new TypeError(`no checkpoint to ${verb}`);
    this.current = this.#checkpoints.at(-1);
    return checkpoint;
  }
}
