// An account in the table of accounts (world-state.ts). The host reads and fills it.

import { Code } from "../code/code";
import { FLAG_ALWAYS_WARM, FLAG_EXISTS, FLAG_HAS_CODE, FLAG_LOADED } from "../machine/layout";
import { transaction } from "../machine/machine";
import { Word } from "../words/word";

/** An account of 160 bytes. Marks are numbers of the transaction in which the fact became true. */
@unmanaged
export class Account {
  /** The lowest bytes of its address, as a word without the last eight bytes. */
  keyLow: u64;
  keyMiddle: u64;
  keyHigh: u64;
  flags: u32;
  /** Standard address of the precompile that answers here; 0 for none. */
  precompile: u32;
  nonce: u64;
  /** NO_CODE while it is not loaded. */
  code: Code;
  private balanceLow: v128;
  private balanceHigh: v128;
  private codeHashLow: v128;
  private codeHashHigh: v128;
  warm: u32;
  created: u32;
  destroyed: u32;
  touched: u32;
  dirty: u32;
  /** Increases when the account is deleted, so that its earlier slots no longer belong to it. */
  incarnation: u32;
  /** Mark of the transaction that deleted the account. */
  deleted: u32;
  /** Mark of the transaction that set the code. */
  newCode: u32;
  /** 0 if unknown, otherwise STORAGE_EMPTY or STORAGE_PRESENT. */
  storageFlag: u32;
  /** Mark of the last transaction that accessed it, also in a failed frame (EIP-7928). */
  seen: u32;
  private unused: u64;

  /** The address, as a word whose upper bits must be ignored. */
  @inline get key(): Word {
    return changetype<Word>(this);
  }

  /** Balance in wei, a word. */
  @inline get balance(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Account>("balanceLow"));
  }

  /** Hash of the code, big-endian as hashes are written. */
  @inline get codeHash(): usize {
    return changetype<usize>(this) + offsetof<Account>("codeHashLow");
  }

  @inline get isLoaded(): bool {
    return (this.flags & FLAG_LOADED) != 0;
  }

  @inline get exists(): bool {
    return (this.flags & FLAG_EXISTS) != 0;
  }

  @inline get hasCode(): bool {
    return (this.flags & FLAG_HAS_CODE) != 0;
  }

  /** Warm in this transaction (EIP-2929). */
  @inline get isWarm(): bool {
    return this.warm == transaction || (this.flags & FLAG_ALWAYS_WARM) != 0;
  }

  /** Created by this transaction. */
  @inline get isCreatedNow(): bool {
    return this.created == transaction;
  }

  /** No nonce, no balance, no code (EIP-161); an absent account is empty too. */
  get isEmpty(): bool {
    return this.nonce == 0 && this.balance.isZero && !this.hasCode;
  }
}
