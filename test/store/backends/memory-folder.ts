/** Files of a journal in memory, whose disk can be full, and that remember each state in which a program may end. */
import type { JournalFile, JournalFolder } from "../../../src/store/backends/journal-file.ts";

/** The content of the files by name. */
export type Contents = ReadonlyMap<string, Uint8Array>;

export class MemoryFolder implements JournalFolder {
  readonly path = "memory";
  readonly flushesEach = false;
  readonly files: Map<string, Uint8Array>;
  /** Bytes that all files may have together. */
  capacity = Number.POSITIVE_INFINITY;
  /** Files take no truncation, as those of a broken disk. */
  isStuck = false;
  /** What was there before and after each change, and amid each write; only if it is given. */
  readonly states: Contents[] | undefined;

  constructor(files: Contents = new Map(), states?: Contents[]) {
    this.files = new Map(files);
    this.states = states;
  }

  async open(name: string): Promise<JournalFile> {
    if (!this.files.has(name)) this.#set(name, new Uint8Array(0));
    const content = (): Uint8Array => this.files.get(name) ?? new Uint8Array(0);
    return {
      size: () => content().length,
      read: (target, at) => {
        const found = content().subarray(at, at + target.length);
        target.set(found);
        return found.length;
      },
      write: (bytes, at) => {
        const others = [...this.files].filter(([other]) => other !== name);
        const taken = others.reduce((sum, [, { length }]) => sum + length, 0);
        const written = Math.max(0, Math.min(bytes.length, this.capacity - taken - at));
        if (this.states !== undefined && written > 1) this.#put(name, bytes.subarray(0, written >> 1), at);
        this.#put(name, bytes.subarray(0, written), at);
        if (written < bytes.length) throw new Error(`the disk took ${written} of ${bytes.length} bytes`);
      },
      truncate: (size) => {
        if (this.isStuck) throw new Error("the disk does not react");
        const next = new Uint8Array(size);
        next.set(content().subarray(0, size));
        this.#set(name, next);
      },
      flush: () => undefined,
      close: () => undefined,
    };
  }

  #put(name: string, bytes: Uint8Array, at: number): void {
    const before = this.files.get(name) ?? new Uint8Array(0);
    const next = new Uint8Array(Math.max(before.length, at + bytes.length));
    next.set(before);
    next.set(bytes, at);
    this.#set(name, next);
  }

  #set(name: string, content: Uint8Array): void {
    this.files.set(name, content);
    this.states?.push(new Map(this.files));
  }
}
