/**
 * A script together with what V8 compiled of it at an earlier start.
 *
 * Compiling takes a third of what a start takes beside Node itself. Scripts that are run by hand can be given what an
 * earlier process compiled; modules cannot. Hence a script.
 *
 * Parts of Node are not imported here: for a module's import every getter of theirs is called, which takes 3 ms.
 */
const { isAscii } = process.getBuiltinModule("node:buffer");
const { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } =
  process.getBuiltinModule("node:fs");
const { createRequire } = process.getBuiltinModule("node:module");
const { dirname } = process.getBuiltinModule("node:path");
const { Script } = process.getBuiltinModule("node:vm");
const { crc32 } = process.getBuiltinModule("node:zlib");

export interface KeptScript {
  /** What the script has put into `module.exports`. */
  readonly exports: unknown;
  /**
   * Writes what V8 has compiled by now for the next start, once, and only where there was nothing that fits. Takes some 20
   * ms. A folder that cannot be written to costs the next start its time and nothing else.
   */
  keep(): void;
}

/** Length of a {@link checksum}. */
const CHECKSUM_BYTES = 8;

/** What Node gives a CommonJS file; and as `import()` is out of a script's reach, the same as a function. */
const PARAMETERS = "exports, require, module, __filename, __dirname, importModule";

/**
 * Runs a CommonJS file with the code that is kept for it, or without where none is, or none that fits: of another text
 * of the script, half written, or of another V8, which says so itself. The script's size and date stand for its text:
 * hashing megabytes would cost a part of what is won.
 *
 * @param file - path of the script; its `importModule()` takes packages and URLs
 * @param keptFile - path of what is kept: a checksum of size, date and code, then the code
 * @throws {Error} if the script cannot be read, and whatever it throws
 */
export function runKept(file: string, keptFile: string): KeptScript {
  const source = readFileSync(file);
  const { size, mtimeMs } = statSync(file);
  const version = `${size} ${mtimeMs}`;
  const cachedData = readKept(keptFile, version);
  const text = source.toString(isAscii(source) ? "latin1" : "utf8");
  const script = new Script(`(function (${PARAMETERS}) {${text}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} as unknown };
  const importModule = (specifier: string): Promise<unknown> => import(specifier);
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file), importModule);
  let isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    exports: module.exports,
    keep() {
      if (isKept) return;
      isKept = true;
      writeKept(keptFile, version, () => script.createCachedData());
    },
  };
}

function readKept(keptFile: string, version: string): Buffer | undefined {
  try {
    const kept = readFileSync(keptFile);
    const code = kept.subarray(CHECKSUM_BYTES);
    return checksum(version, code).equals(kept.subarray(0, CHECKSUM_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all: several processes may write, and others read meanwhile. */
function writeKept(keptFile: string, version: string, compiled: () => Buffer): void {
  const draft = `${keptFile}.${process.pid}`;
  try {
    mkdirSync(dirname(keptFile), { recursive: true });
    // Asked first: making what cannot be written takes most of the time.
    accessSync(dirname(keptFile), constants.W_OK);
    const code = compiled();
    writeFileSync(draft, Buffer.concat([checksum(version, code), code]));
    renameSync(draft, keptFile);
  } catch {
    discard(draft);
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where it could not be written there is nothing to remove.
  }
}

/** Against accidents: who can write here can write the script as well. */
function checksum(version: string, code: Buffer): Buffer {
  const sum = Buffer.alloc(CHECKSUM_BYTES);
  sum.writeUInt32LE(crc32(version), 0);
  sum.writeUInt32LE(crc32(code), 4);
  return sum;
}
