// A code: its bytes, its jump destinations (yellow paper §9.4.3), and its decoded blocks.

import { Word } from "../words/word";
import { Arena, Chunk } from "./arena";
import { BlockPlace, NO_RECORD, Record } from "./records";

/** Members of {@link Code.flags}. */
export namespace CodeFlag {
  export const IS_DELEGATION: u32 = 1;
  export const IS_ANALYSED: u32 = 2;
  /** An open frame runs the code, whose bytes must not be dropped. Set only while others are. */
  export const IS_RUNNING: u32 = 4;
}

/** The object of a code. The host reads the length and the address of the bytes. */
@unmanaged
export class Code {
  length: u32;
  /** Address of the bytes; 0 while they are not loaded. */
  raw: usize;
  /** The next older code of the same kind (new-code.ts); NO_CODE for the oldest. */
  older: Code;
  /** The arena of its bytes, and of its jump destinations. */
  arena: Arena;
  /** The arena of all that is decoded from it. */
  records: Arena;
  /** One bit for each byte of code that is a jump destination. */
  bitmap: usize;
  /** For each 64 bytes the number of destinations before them, 32 bits. */
  ranks: usize;
  destinations: u32;
  /** Tables of decoded blocks by jump destination, for each manner. */
  fastTargets: usize;
  preciseTargets: usize;
  /** The decoded blocks at pc 0. */
  private fastEntry: Record;
  private preciseEntry: Record;
  flags: u32;
  /** The current chunk of its arena when the object was made, and of the arena of records with its first free byte. */
  chunk: Chunk | null;
  recordsChunk: Chunk | null;
  recordsFree: usize;
  private delegateLow: v128;
  private delegateHigh: v128;

  /** True for a delegation: 0xef0100 and an address (EIP-7702). */
  @inline get isDelegation(): bool {
    return (this.flags & CodeFlag.IS_DELEGATION) != 0;
  }

  @inline get isLoaded(): bool {
    return this.raw != 0;
  }

  @inline get isAnalysed(): bool {
    return (this.flags & CodeFlag.IS_ANALYSED) != 0;
  }

  /** The address of a delegation, a word. */
  @inline get delegate(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Code>("delegateLow"));
  }

  /** The decoded block at the beginning of the code. */
  @inline entry(isPrecise: bool): BlockPlace {
    const at = isPrecise ? offsetof<Code>("preciseEntry") : offsetof<Code>("fastEntry");
    return changetype<BlockPlace>(changetype<usize>(this) + at);
  }

  /** Forgets all that is decoded, but for the jump destinations. */
  forgetRecords(): void {
    this.fastTargets = 0;
    this.preciseTargets = 0;
    this.fastEntry = NO_RECORD;
    this.preciseEntry = NO_RECORD;
  }
}

/** Stands for a code that is not there. */
export const NO_CODE: Code = changetype<Code>(0);
