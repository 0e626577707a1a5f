// The price of the current instruction, and what its price function finds for the function that runs it.

import { Word } from "../words/word";
import { gas, setGas } from "./machine";
import { growMemory, memorySize } from "./memory";

/** Most bytes of memory with a finite price: 2^32 words cost 2^55 gas. */
const MOST_BYTES: u64 = 1 << 37;
/** An instruction cannot be paid for, or fails: the precise manner finds the reason. */
export const UNPAID: i32 = -2000;
/** A price above any gas limit. */
export const UNPAYABLE: u64 = u64.MAX_VALUE;

/** Gas of so many words of memory (yellow paper (326)). @inline */
function memoryGas(words: u64): u64 {
  return words * 3 + (words * words) / 512;
}

/**
 * A price. Its findings are valid from the price function to the end of the function that runs the instruction, and each
 * for the instructions that set it.
 */
@unmanaged
export class Price {
  /** In gas. */
  gas: u64;
  /** The size of memory after it is paid. */
  private memoryEnd: u64;
  /** Change of the refund counter, in gas. Negative if it cancels an earlier refund. */
  refund: i64;
  /** State gas (EIP-8037): the total, and the part that is paid from the frame's gas and is in the price. */
  stateGas: i64;
  spill: i64;
  /** State gas that is refunded, because a slot is zero again as at the beginning of the transaction. */
  stateRefund: i64;
  /** State gas that a call pays for the account that it creates. */
  accountGas: i64;
  /** Before EIP-150: the price without the requested gas, if only that cannot be paid; otherwise 0. */
  gasWithoutChild: u64;
  /** Number of the account that is accessed, and of the one to which it delegates (EIP-7702). */
  account: u32;
  delegate: u32;
  /** Number of the slot that is accessed. */
  slot: u32;
  isDelegated: bool;
  /** True if a region of memory ends beyond 2^64. */
  isMemoryOverflow: bool;

  @inline begin(amount: u64): void {
    this.gas = amount;
    this.memoryEnd = 0;
    this.isMemoryOverflow = false;
  }

  @inline add(amount: u64): void {
    const total = this.gas + amount;
    this.gas = total < amount ? UNPAYABLE : total;
  }

  setUnpayable(): void {
    this.gas = UNPAYABLE;
  }

  /** Notes that the instruction uses a region; its offset and length are words. */
  useRegion(offset: Word, length: Word): void {
    const bytes = length.saturated;
    if (bytes != 0) this.useBytes(offset.saturated, bytes);
  }

  /** Notes that the instruction uses this many bytes, at least one, from an offset on. */
  @inline useBytes(offset: u64, bytes: u64): void {
    const end = offset + bytes;
    if (end < offset || end > u64.MAX_VALUE - 32) this.isMemoryOverflow = true;
    this.memoryEnd = max<u64>(this.memoryEnd, end < offset ? u64.MAX_VALUE : end);
  }

  /** Adds the price of memory beyond the active part. */
  @inline addMemory(): void {
    if (this.memoryEnd > <u64>memorySize) this.addGrowth();
  }

  private addGrowth(): void {
    if (this.memoryEnd > MOST_BYTES) return this.setUnpayable();
    const words = (this.memoryEnd + 31) >> 5;
    this.add(memoryGas(words) - memoryGas(<u64>memorySize >> 5));
  }

  /** Adds a price per word of this many bytes. */
  @inline addPerWord(length: Word, perWord: u64): void {
    const bytes = length.saturated;
    // Longer regions cannot be paid for, or the instruction fails.
    if (bytes <= MOST_BYTES) this.add(((bytes + 31) >> 5) * perWord);
  }

  /**
   * Charges what a price function found.
   *
   * @param status - of the price function: positive if the host must act, negative if the instruction fails
   * @returns a positive status as it is, {@link UNPAID}, or 0
   */
  @inline charge(status: i32): i32 {
    if (status > 0) return status;
    return status < 0 || !this.pay() ? UNPAID : 0;
  }

  /** Charges the price and grows memory; false, with nothing changed, if there is too little gas. */
  @inline pay(): bool {
    if (this.gas > <u64>gas) return false;
    setGas(gas - <i64>this.gas);
    if (this.memoryEnd > <u64>memorySize) growMemory(this.memoryEnd);
    return true;
  }
}

/** The price of the current instruction. */
export const price: Price = changetype<Price>(memory.data(offsetof<Price>(), 16));
