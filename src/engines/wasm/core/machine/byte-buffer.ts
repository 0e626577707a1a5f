// Buffers: blocks that grow, for the journal, for outputs, and for all that is recorded.

import { moved } from "./heap";
import { burn } from "./machine";

const LEAST_BYTES: usize = 16384;

/** A buffer. It moves when it grows, so that its contents are addressed by offsets. The host reads those that are exported. */
@unmanaged
export class ByteBuffer {
  /** Address of the first byte. */
  at: usize;
  /** Bytes in use. */
  length: u32;
  private capacity: usize;
  private unused: u32;

  /** Takes bytes behind those in use, which are not zeroed. Returns their address. */
  @inline add(bytes: usize): usize {
    const start = <usize>this.length;
    this.makeRoom(bytes);
    this.length = <u32>(start + bytes);
    return this.at + start;
  }

  /** Ensures that this many bytes are free behind those in use. */
  @inline makeRoom(bytes: usize): void {
    if (<u64>this.length + <u64>bytes > <u64>this.capacity) this.grow(bytes);
  }

  private grow(bytes: usize): void {
    const length = <usize>this.length;
    const larger = max<usize>(max<usize>(length + bytes, LEAST_BYTES), this.capacity * 2);
    this.at = moved(this.at, length, larger);
    this.capacity = larger;
    burn(length);
  }

  @inline clear(): void {
    this.length = 0;
  }
}
