// The mailbox: a record by which the host and the core pass values to each other.

import { Word } from "../words/word";

/** State that is missing: its kind, and the number of the account or slot. */
@unmanaged
export class Need {
  kind: u32;
  number: u32;
}

/** The mailbox. */
@unmanaged
export class Mailbox {
  private fromLow: v128;
  private fromHigh: v128;
  private toLow: v128;
  private toHigh: v128;
  private valueLow: v128;
  private valueHigh: v128;
  private answerLow: v128;
  private answerHigh: v128;
  private initCodeSizeLow: v128;
  private initCodeSizeHigh: v128;
  /** The number of the ancestor whose hash is needed. */
  number: u64;
  /** The missing state, of which there are at most two. */
  private firstNeed: u64;
  private secondNeed: u64;
  needCount: u32;
  /** A precompile to run: its standard address, place and length of the input, and gas. */
  precompile: u32;
  input: u32;
  inputLength: u32;
  gas: i64;
  /** The result of a message: place and length of the output, and the failure as in the event of its end. */
  output: u32;
  outputLength: u32;
  error: i32;
  detail: u32;
  flags: u32;

  /** Sender and callee, or sender and created address, in the first 20 bytes. Functions of accounts and slots take keys here. */
  @inline get from(): usize {
    return changetype<usize>(this);
  }

  /** A word in the place of an address. */
  @inline get word(): Word {
    return changetype<Word>(changetype<usize>(this));
  }

  @inline get to(): usize {
    return changetype<usize>(this) + offsetof<Mailbox>("toLow");
  }

  /** A word. */
  @inline get value(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Mailbox>("valueLow"));
  }

  /** The hash of the ancestor, big-endian. */
  @inline get answer(): usize {
    return changetype<usize>(this) + offsetof<Mailbox>("answerLow");
  }

  /** Bytes of a failed creation's init code, as a word. */
  @inline get initCodeSize(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Mailbox>("initCodeSizeLow"));
  }

  /** Adds to the missing state. */
  addNeed(kind: u32, number: u32): void {
    const needs = changetype<usize>(this) + offsetof<Mailbox>("firstNeed");
    const need = changetype<Need>(needs + <usize>this.needCount * offsetof<Need>());
    need.kind = kind;
    need.number = number;
    this.needCount++;
  }
}

export const mailbox: Mailbox = changetype<Mailbox>(memory.data(offsetof<Mailbox>(), 16));
