/**
 * Runs a script with the V8 code cache of an earlier start, because compiling takes a large part of the start-up time.
 *
 * Node accepts a code cache for scripts, but not for modules, so the command is bundled as a script. Parts of Node are
 * not imported here: an import calls every getter of such a module, which is slow.
 */
const { isAscii } = process.getBuiltinModule("node:buffer");
const {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} = process.getBuiltinModule("node:fs");
const { createRequire } = process.getBuiltinModule("node:module");
const { dirname } = process.getBuiltinModule("node:path");
const { cachedDataVersionTag } = process.getBuiltinModule("node:v8");
const { Script } = process.getBuiltinModule("node:vm");
const { crc32 } = process.getBuiltinModule("node:zlib");

/** A script that has run. */
export interface CompiledScript {
  /** The script's `module.exports`. */
  readonly exports: unknown;
  /**
   * Writes V8's code cache for the next start, which has all functions that were called until then. Once for each
   * extent, and only if there is none that fits with this extent or a larger one. If the folder is not writable, or V8
   * has an option that it did not have at the start, only the next start is slower.
   */
  keep(extent: Extent): void;
}

/** How much had been called when a code cache was made: the functions of a start, or also those of first requests. */
export const Extent = { start: 1, requests: 2 } as const;
/** One of {@link Extent}. */
export type Extent = (typeof Extent)[keyof typeof Extent];

/** A code cache, and its {@link Extent}: 0 for none. */
interface Cached {
  readonly extent: number;
  readonly code: Buffer | undefined;
}

/** Length of a {@link checksum} in bytes. */
const CHECKSUM_BYTES = 8;
const NOTHING: Cached = { extent: 0, code: undefined };

/** Parameters that Node gives to a CommonJS file, and a function for `import()`, which a script cannot use. */
const PARAMETERS = "exports, require, module, __filename, __dirname, importModule";

/**
 * Runs a CommonJS file with its code cache, or without it if there is none that fits. A cache does not fit if it was
 * made from another version of the script, is incomplete, or comes from another version of V8, which V8 detects.
 * Versions of the script are compared by size and date, because hashing megabytes would take time.
 *
 * @param file - path of the script; its `importModule()` takes packages and URLs
 * @param cacheFile - path of the cache: a checksum of size, date and the rest, then the code, then a byte, its extent
 * @throws {Error} if the script cannot be read, and any error that it throws
 */
export function runCompiled(file: string, cacheFile: string): CompiledScript {
  const tag = cachedDataVersionTag();
  const { bytes: source, modifiedMs } = read(file);
  const version = `${source.length} ${modifiedMs}`;
  const { extent: extentRead, code: cachedData } = readCache(cacheFile, version);
  const text = textOf(source);
  const script = new Script(`(function (${PARAMETERS}) {${text}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} as unknown };
  const importModule = (specifier: string): Promise<unknown> => import(specifier);
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file), importModule);
  let stored = script.cachedDataRejected === true ? 0 : extentRead;
  return {
    exports: module.exports,
    keep(extent) {
      if (extent <= stored || cachedDataVersionTag() !== tag) return;
      stored = extent;
      writeCache(cacheFile, version, () => Buffer.concat([script.createCachedData(), Buffer.of(extent)]));
    },
  };
}

/**
 * A file's content, in pages that the system has again, as `mappedBytes()` makes them. Where the C library frees megabytes that
 * it had from the system, it keeps as much of its own heap from then on.
 */
function read(file: string): { readonly bytes: Buffer; readonly modifiedMs: number } {
  const descriptor = openSync(file, "r");
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    const bytes = Buffer.from(new ArrayBuffer(size, { maxByteLength: size }), 0, size);
    let length = 0;
    for (let count = -1; count !== 0 && length < size; length += count) {
      count = readSync(descriptor, bytes, { offset: length });
    }
    return { bytes: bytes.subarray(0, length), modifiedMs: mtimeMs };
  } finally {
    closeSync(descriptor);
  }
}

/** Longest text for which Node makes no room outside of V8's heap. */
const PIECE_LENGTH = 512 * 1024;

function textOf(source: Buffer): string {
  if (!isAscii(source)) return source.toString("utf8");
  let text = "";
  for (let start = 0; start < source.length; start += PIECE_LENGTH) {
    text += source.toString("latin1", start, start + PIECE_LENGTH);
  }
  return text;
}

function readCache(cacheFile: string, version: string): Cached {
  try {
    const { bytes: cached } = read(cacheFile);
    const rest = cached.subarray(CHECKSUM_BYTES);
    if (!checksum(version, rest).equals(cached.subarray(0, CHECKSUM_BYTES))) return NOTHING;
    return { extent: rest.at(-1) ?? 0, code: rest.subarray(0, -1) };
  } catch {
    return NOTHING;
  }
}

/** Written to another name and renamed, because other processes may write and read the file. */
function writeCache(cacheFile: string, version: string, made: () => Buffer): void {
  const draft = `${cacheFile}.${process.pid}`;
  try {
    mkdirSync(dirname(cacheFile), { recursive: true });
    // Checked first, because making the cache takes most of the time.
    accessSync(dirname(cacheFile), constants.W_OK);
    const cache = made();
    writeFileSync(draft, Buffer.concat([checksum(version, cache), cache]));
    renameSync(draft, cacheFile);
  } catch {
    discard(draft);
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The file was not created, so there is nothing to remove.
  }
}

/** Protects against damage only: an attacker who can write here can also write the script. */
function checksum(version: string, cache: Buffer): Buffer {
  const sum = Buffer.alloc(CHECKSUM_BYTES);
  sum.writeUInt32LE(crc32(version), 0);
  sum.writeUInt32LE(crc32(cache), 4);
  return sum;
}
