/** Reads a transaction from a Hindcast node by JSON-RPC. */
import type { z } from "zod";
import { RemoteError } from "../../errors/hindcast-error.ts";
import { AbiRegistry } from "../../explain/abi/registry.ts";
import { type Bytes, bigIntToFixedBytes, bytesKey, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { readRecording } from "./read-recording.ts";
import {
  buildsShape,
  type RecordingPart,
  recordingShape,
  type SlicePart,
  sliceShape,
  wordsShape,
} from "./recording-shape.ts";
import type { DebuggedTransaction, EarlierStorage, RecordedTransaction } from "./transaction.ts";

/** Sends a request and returns its result. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** The node's answers that make up a recording, as a replay file holds them. */
export interface RecordingAnswers {
  readonly recordings: unknown[];
  readonly slices: unknown[];
}

/** A transaction, and the answers that it was read from. */
export interface FetchedTransaction {
  readonly debugged: DebuggedTransaction;
  readonly answers: RecordingAnswers;
}

/** Frames or steps of one answer. */
const PART = 10_000;
/** Most slots of one request. */
const MOST_SLOTS = 1_024;

/**
 * Reads a transaction with its sources.
 *
 * @param abi - contracts that are known here; those of the node are found before them
 * @throws {RemoteError} as `ask` does; `REMOTE_BAD_ANSWER` for an answer that is no recording
 */
export async function fetchTransaction(txHash: Bytes, ask: Ask, abi = new AbiRegistry()): Promise<FetchedTransaction> {
  const hash = encodeData(txHash);
  const answers: RecordingAnswers = { recordings: [], slices: [] };
  const transaction = await fetchRecording(hash, ask, answers);
  const builds = read(buildsShape, await ask("hindcast_getBuilds", [hash]));
  for (const { input, output } of builds) abi.addBuild(input, output);
  const contracts = await abi.builds.contractsIn(transaction.frames);
  return { debugged: { transaction, abi, contracts, storage: new RemoteStorage(hash, ask) }, answers };
}

async function fetchRecording(hash: string, ask: Ask, answers: RecordingAnswers): Promise<RecordedTransaction> {
  const part = async (from: number): Promise<RecordingPart> => {
    const answer = await ask("hindcast_getRecording", [hash, { from, count: PART }]);
    answers.recordings.push(answer);
    return read(recordingShape, answer);
  };
  const parts = [await part(0)];
  const { frameCount, stepCount } = parts[0] as RecordingPart;
  for (let from = PART; from < frameCount; from += PART) parts.push(await part(from));
  const slices: SlicePart[] = [];
  for (let from = 0; from < stepCount; from += PART) {
    const answer = await ask("hindcast_getRecordedSteps", [hash, { from, count: PART }]);
    answers.slices.push(answer);
    slices.push(read(sliceShape, answer));
  }
  try {
    return readRecording(parts, slices);
  } catch (cause) {
    throw badAnswer(cause);
  }
}

/** Asks for each slot once. */
class RemoteStorage implements EarlierStorage {
  readonly #hash: string;
  readonly #ask: Ask;
  readonly #known = new Map<string, bigint>();

  constructor(hash: string, ask: Ask) {
    this.#hash = hash;
    this.#ask = ask;
  }

  async read(account: Bytes, slots: readonly bigint[]): Promise<readonly (bigint | undefined)[]> {
    const key = (slot: bigint): string => `${bytesKey(account)}:${slot}`;
    const missing = [...new Set(slots)].filter((slot) => !this.#known.has(key(slot)));
    for (let start = 0; start < missing.length; start += MOST_SLOTS) {
      const wanted = missing.slice(start, start + MOST_SLOTS);
      const texts = wanted.map((slot) => encodeData(bigIntToFixedBytes(slot, 32)));
      const answer = await this.#ask("hindcast_getRecordedStorage", [this.#hash, encodeData(account), texts]);
      for (const [index, value] of read(wordsShape, answer).entries()) {
        const slot = wanted[index];
        if (slot !== undefined) this.#known.set(key(slot), bytesToBigInt(value));
      }
    }
    return slots.map((slot) => this.#known.get(key(slot)));
  }
}

function read<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.output<Shape> {
  const { data, error } = shape.safeParse(answer);
  if (error !== undefined) throw badAnswer(error);
  return data as z.output<Shape>;
}

function badAnswer(cause: unknown): RemoteError {
  return new RemoteError({
    code: "REMOTE_BAD_ANSWER",
    what: "The node's answer is not a recording.",
    where: cause instanceof Error ? (cause.message.split("\n").join(" ").slice(0, 200) ?? "") : "",
    fix: "Use the same version of Hindcast for the node and for the debugger.",
    cause,
  });
}
