/** Replay files: a transaction with its sources and the storage that it may show, as gzipped JSON. */
import { z } from "zod";
import { InvalidParamsError, LimitError } from "../../errors/hindcast-error.ts";
import { AbiRegistry } from "../../explain/abi/registry.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { FILE_JSON, type JsonLimits } from "../../primitives/json/json-limits.ts";
import { readJsonBytes } from "../../primitives/json/read-json.ts";
import { joinChunks, unzippedChunks, zipped } from "../../primitives/platform/compression.ts";
import { fromUtf8 } from "../../primitives/platform/encodings.ts";
import { readPieces } from "../../primitives/platform/files.ts";
import { readRecording } from "./read-recording.ts";
import { buildsShape, recordingShape, sliceShape, storageShape } from "./recording-shape.ts";
import type { DebuggedTransaction, EarlierStorage } from "./transaction.ts";

/** Parts of a recording as the node answered them, not yet parsed. */
export interface ReplayParts {
  readonly recordings: readonly unknown[];
  readonly slices: readonly unknown[];
  readonly builds: readonly unknown[];
  readonly storage: readonly unknown[];
}

const FORMAT = "hindcast-replay";
const VERSION = 1;
/** Most bytes of a file, packed and unpacked. */
export const MAX_REPLAY_BYTES = 1024 * 1024 * 1024;
const LIMITS: JsonLimits = { ...FILE_JSON, name: "The replay file" };

const replayShape = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  recordings: z.array(recordingShape),
  slices: z.array(sliceShape),
  builds: buildsShape,
  storage: storageShape,
});

/** The bytes of a replay file. */
export function encodeReplay(parts: ReplayParts): Promise<Bytes> {
  return zipped([fromUtf8(JSON.stringify({ format: FORMAT, version: VERSION, ...parts }))]);
}

/**
 * Reads a replay file.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE` for a file that is missing, damaged or something else
 * @throws {LimitError} `UNPACKED_TOO_LARGE`, `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`, `JSON_VALUE_TOO_LONG`
 */
export async function readReplay(path: string): Promise<DebuggedTransaction> {
  try {
    const packed = await joinChunks(boundedPieces(path));
    const json = await readJsonBytes(unzippedChunks(packed, MAX_REPLAY_BYTES), { limits: LIMITS });
    const { recordings, slices, builds, storage } = replayShape.parse(json);
    const transaction = readRecording(recordings, slices);
    const abi = new AbiRegistry();
    for (const { input, output } of builds) abi.addBuild(input, output);
    return { transaction, abi, contracts: await abi.builds.contractsOf([]), storage: new StoredStorage(storage) };
  } catch (cause) {
    if (cause instanceof LimitError) throw cause;
    throw notReadable(path, cause);
  }
}

/** The file in pieces, which are read no further than the limit. */
async function* boundedPieces(path: string): AsyncGenerator<Bytes> {
  let length = 0;
  for (const piece of readPieces(path)) {
    length += piece.length;
    if (length > MAX_REPLAY_BYTES) {
      throw new LimitError({
        code: "UNPACKED_TOO_LARGE",
        what: `${path} has more than ${MAX_REPLAY_BYTES} bytes.`,
        fix: "Debug the transaction on its node.",
        data: { limit: MAX_REPLAY_BYTES, flag: null },
      });
    }
    yield piece;
  }
}

class StoredStorage implements EarlierStorage {
  readonly #values = new Map<string, bigint>();

  constructor(accounts: z.output<typeof storageShape>) {
    for (const { address, slots } of accounts)
      for (const [slot, value] of slots) this.#values.set(`${bytesKey(address)}:${slot}`, value);
  }

  async read(account: Bytes, slots: readonly bigint[]): Promise<readonly (bigint | undefined)[]> {
    return slots.map((slot) => this.#values.get(`${bytesKey(account)}:${slot}`));
  }
}

function notReadable(path: string, cause: unknown): InvalidParamsError {
  if (cause instanceof Error && "syscall" in cause) {
    return new InvalidParamsError({
      code: "FILE_NOT_READABLE",
      what: `Cannot read ${path}: ${cause.message}.`,
      fix: "Check the path. hindcast debug HASH --save-replay FILE writes such a file.",
      cause,
    });
  }
  const reason =
    cause instanceof z.ZodError
      ? (cause.issues[0]?.message ?? "it has another form")
      : cause instanceof Error
        ? cause.message
        : String(cause);
  return new InvalidParamsError({
    code: "FILE_NOT_READABLE",
    what: `${path} is not a replay file, or it is damaged.`,
    where: `${reason}.`,
    fix: "Write it again with hindcast debug HASH --save-replay FILE.",
    cause,
  });
}
