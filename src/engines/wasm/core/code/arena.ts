// Arenas: stacks of memory chunks, for codes and all that is decoded from them (new-code.ts). All arenas share the chunks that
// are free.

import { reserve } from "../machine/heap";

/** The least size of a chunk: its bytes as a power of two. */
const LEAST_CLASS: u32 = 16;
const CLASSES: u32 = 32;
/** Offset of the first byte of a chunk that is given out. */
const CHUNK_START: usize = 16;

/** The beginning of a chunk. */
@unmanaged
export class Chunk {
  /** The chunk below it in its arena, or the next free one of its size; null for the last one. */
  below: Chunk | null;
  size: usize;

  @inline get end(): usize {
    return changetype<usize>(this) + this.size;
  }
}

/** The free chunks of a size. */
@unmanaged
class FreeChunks {
  first: Chunk | null;
}

const freeLists = memory.data(128, 16);

/** Those of 2^sizeClass bytes. @inline */
function freeChunksOf(sizeClass: u32): FreeChunks {
  return changetype<FreeChunks>(freeLists + ((<usize>sizeClass) << 2));
}

/** The exponent of the least power of two that has room for so many bytes. @inline */
function classOf(bytes: usize): u32 {
  return max<u32>(LEAST_CLASS, 32 - clz<u32>(<u32>bytes - 1));
}

/** A chunk of at least this many bytes: a free one, or a new one. */
function takeChunk(bytes: usize): Chunk {
  const least = classOf(bytes);
  for (let sizeClass = least; sizeClass < CLASSES; sizeClass++) {
    const free = freeChunksOf(sizeClass);
    const found = free.first;
    if (found == null) continue;
    free.first = found.below;
    return found;
  }
  const size = max<usize>((<usize>1) << least, bytes);
  const added = changetype<Chunk>(reserve(size));
  added.size = size;
  return added;
}

/** A list of chunks, of which the current one, on top, has free bytes at its end. */
@unmanaged
export class Arena {
  /** Null before anything was taken. */
  current: Chunk | null;
  /** The first free byte. */
  free: usize;
  /** Bytes of the chunks below the current one. */
  filled: usize;
  private unused: u32;

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
    const chunk = this.current;
    if (chunk != null && this.free + bytes <= chunk.end) return;
    const next = takeChunk(CHUNK_START + bytes);
    next.below = chunk;
    if (chunk != null) this.filled += chunk.size;
    this.current = next;
    this.free = changetype<usize>(next) + CHUNK_START;
  }

  /** Frees everything from an address on, which was taken when a chunk was the current one; null for everything. */
  freeFrom(chunk: Chunk | null, at: usize): void {
    let freed = this.current;
    while (freed != null && freed != chunk) {
      const below = freed.below;
      const free = freeChunksOf(31 - clz<u32>(<u32>freed.size));
      freed.below = free.first;
      free.first = freed;
      if (below != null) this.filled -= below.size;
      freed = below;
    }
    this.current = chunk;
    this.free = at;
  }

  /** Frees everything. */
  empty(): void {
    this.freeFrom(null, 0);
  }
}
