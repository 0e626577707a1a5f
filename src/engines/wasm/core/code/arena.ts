// Arenas: lists of memory chunks, for codes and all that is decoded from them. Code that a transaction deploys is freed at
// the next one, init code at the end of its frame: a transaction can run any amount of it.

import { reserve } from "../machine/heap";

const CHUNK_BYTES: usize = 65536;
/** Offset of the first byte of a chunk that is given out. */
const CHUNK_START: usize = 16;

/** The beginning of a chunk. */
@unmanaged
export class Chunk {
  /** The next chunk of the arena; null for the last one. */
  next: Chunk | null;
  size: usize;

  @inline get end(): usize {
    return changetype<usize>(this) + this.size;
  }
}

/** A list of chunks, of which the current one has free bytes at its end. */
@unmanaged
export class Arena {
  private first: Chunk | null;
  /** Null before anything was taken. */
  current: Chunk | null;
  /** The first free byte. */
  free: usize;

  /** End of the current chunk. There must be one. */
  @inline get end(): usize {
    return changetype<Chunk>(this.current).end;
  }

  /** Allocates contiguous bytes, which are not zeroed. */
  take(bytes: usize): usize {
    const rounded = (bytes + 15) & ~15;
    this.makeRoom(rounded);
    const start = this.free;
    this.free = start + rounded;
    return start;
  }

  /** Ensures that this many contiguous bytes are free after those already taken. */
  makeRoom(bytes: usize): void {
    let chunk = this.current;
    if (chunk != null && this.free + bytes <= chunk.end) return;
    while (chunk != null) {
      const next = chunk.next;
      if (next == null) break;
      chunk = next;
      if (CHUNK_START + bytes <= chunk.size) return this.enter(chunk);
    }
    const needed = CHUNK_START + bytes;
    // A power of two, so that init codes of many lengths share few chunks.
    const size = max<usize>(max<usize>(CHUNK_BYTES, needed), (<usize>1) << (32 - clz<u32>(<u32>needed - 1)));
    const added = changetype<Chunk>(reserve(size));
    added.next = null;
    added.size = size;
    if (chunk == null) this.first = added;
    else chunk.next = added;
    this.enter(added);
  }

  private enter(chunk: Chunk): void {
    this.current = chunk;
    this.free = changetype<usize>(chunk) + CHUNK_START;
  }

  /** Frees everything from an address on, which was taken when a chunk was the current one. */
  freeFrom(chunk: Chunk | null, at: usize): void {
    this.current = chunk;
    this.free = at;
  }

  /** Frees everything. */
  empty(): void {
    const first = this.first;
    if (first != null) this.enter(first);
  }
}
