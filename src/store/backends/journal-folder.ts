/** The files of a journal in Node. */
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { JournalFile, JournalFolder } from "./journal-file.ts";

/** A folder on disk, which is made with its first file. */
export function journalFolder(path: string): JournalFolder {
  return {
    path,
    flushesEach: false,
    open: async (name) => {
      await mkdir(path, { recursive: true });
      return openFile(join(path, name));
    },
  };
}

function openFile(path: string): JournalFile {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o666);
  return {
    size: () => fstatSync(file).size,
    read: (target, at) => complete(target, at, (...place) => readSync(file, ...place)),
    write: (bytes, at) => {
      const written = complete(bytes, at, (...place) => writeSync(file, ...place));
      if (written < bytes.length) throw new Error(`the system wrote ${written} of ${bytes.length} bytes`);
    },
    truncate: (size) => ftruncateSync(file, size),
    flush: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}

/** The system may read and write less than it is asked for. */
function complete(
  bytes: Bytes,
  at: number,
  act: (bytes: Bytes, offset: number, length: number, position: number) => number,
): number {
  let done = 0;
  while (done < bytes.length) {
    const count = act(bytes, done, bytes.length - done, at + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
