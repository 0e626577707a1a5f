// A slot in the table of slots (world-state.ts). The host reads and fills it.

import { transaction } from "../machine/machine";
import { Word } from "../words/word";

/** A slot of 128 bytes. Marks are numbers of the transaction in which the fact became true. */
@unmanaged
export class Slot {
  private keyLow: v128;
  private keyHigh: v128;
  /** Number of the account. */
  account: u32;
  /** The account's incarnation, or TRANSIENT. */
  incarnation: u32;
  loaded: u32;
  warm: u32;
  /** Mark of the transaction before whose first change the original value was saved. */
  dirty: u32;
  /** Mark of the last transaction that accessed it, also in a failed frame (EIP-7928). */
  seen: u32;
  private valueLow: v128;
  private valueHigh: v128;
  private originalLow: v128;
  private originalHigh: v128;

  /** The key, a word. */
  @inline get key(): Word {
    return changetype<Word>(this);
  }

  /** The present value, a word. */
  @inline get value(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Slot>("valueLow"));
  }

  /** The value before the transaction, a word; valid if the slot is dirty. */
  @inline get original(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Slot>("originalLow"));
  }

  /** Warm in this transaction (EIP-2929). */
  @inline get isWarm(): bool {
    return this.warm == transaction;
  }
}
