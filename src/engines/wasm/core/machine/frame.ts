// The record of an open frame (yellow paper §9.3, execution environment). The records lie in order of depth.

import { Code } from "../code/code";
import { Operation, Record } from "../code/records";
import { Word } from "../words/word";

/** Members of {@link Frame.flags}. */
export namespace FrameFlag {
  /** The frame must not change the state (EIP-214). */
  export const STATIC: u32 = 1;
  /** The frame runs in the precise manner. */
  export const PRECISE: u32 = 2;
  /** Its instruction was paid for, and waits for state while it runs. */
  export const IS_PAID: u32 = 4;
  /** Its caller paid for the account that it creates, and is refunded if it fails (EIP-8037). */
  export const MAKES_ACCOUNT: u32 = 8;
}

/** An open frame. Places on the stack and in memory are offsets, since both may move. */
@unmanaged
export class Frame {
  /** The next record. */
  ip: Record;
  /** Offset after the top item of the stack. */
  stackTop: u32;
  gas: i64;
  /** Offset of the frame's first item. */
  stackStart: u32;
  /** Offset of its memory, and active size. */
  memoryOffset: u32;
  memorySize: u32;
  code: Code;
  /** Call data: offset in the memory segment, and bytes. */
  input: u32;
  inputLength: u32;
  /** Region of the caller's memory that receives the output of the frame that it opened. */
  output: u32;
  outputLength: u32;
  flags: u32;
  /** A FrameKind. */
  kind: u32;
  /** Sizes of journal and logs, and refund counter at the beginning: a failed frame returns to them. */
  journalMark: u32;
  logMark: u32;
  refundMark: i64;
  /** Number of the account whose storage and balance it uses. */
  self: u32;
  /** Standard address of the precompile that it runs, 0 for none. */
  precompile: u32;
  /** Index among the frames of the transaction. */
  number: u32;
  /** Whether its begin was reported to a recorder, and with its data (trace/events.ts). */
  reported: u32;
  firstGas: i64;
  /** Index plus one of the step that is being recorded, 0 for none. */
  openStep: u32;
  /** State gas that it paid from its regular gas (EIP-8037). */
  spilled: i64;
  /** The transaction's state gas when it began. */
  reservoirMark: i64;
  private addressLow: v128;
  private addressHigh: v128;
  private callerLow: v128;
  private callerHigh: v128;
  private valueLow: v128;
  private valueHigh: v128;
  /** A record of its own; see {@link goOnAt}. */
  private ownRecord: v128;

  /** The account that it acts as, as a word. */
  @inline get address(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Frame>("addressLow"));
  }

  /** The address that CALLER pushes, as a word. */
  @inline get caller(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Frame>("callerLow"));
  }

  /** The value that CALLVALUE pushes, a word in wei. */
  @inline get value(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Frame>("valueLow"));
  }

  /**
   * Makes the frame go on at an instruction, which is decoded when the frame next runs.
   *
   * @param isCounted - true if it is counted already that the instruction runs
   */
  goOnAt(pc: u32, isCounted: bool): void {
    const record = changetype<Record>(changetype<usize>(this) + offsetof<Frame>("ownRecord"));
    record.operation = <u16>Operation.GOTO;
    record.a = <u16>isCounted;
    record.b = 0;
    record.c = pc;
    this.ip = record;
  }

  @inline get isStatic(): bool {
    return (this.flags & FrameFlag.STATIC) != 0;
  }

  @inline get isPrecise(): bool {
    return (this.flags & FrameFlag.PRECISE) != 0;
  }

  @inline get isPaid(): bool {
    return (this.flags & FrameFlag.IS_PAID) != 0;
  }

  @inline get makesAccount(): bool {
    return (this.flags & FrameFlag.MAKES_ACCOUNT) != 0;
  }

  /** The record of the frame that this one opens, or has opened. */
  @inline get opened(): Frame {
    return changetype<Frame>(changetype<usize>(this) + offsetof<Frame>());
  }

  /** The frame that opened this one. */
  @inline get opener(): Frame {
    return changetype<Frame>(changetype<usize>(this) - offsetof<Frame>());
  }
}

/** The outermost frame. Room for 1,024 below it follows, and for one more of a call that is too deep. */
export const outermost: Frame = changetype<Frame>(memory.data(246240, 16));
