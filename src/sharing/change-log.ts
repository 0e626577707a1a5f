/**
 * The places that keep the changes of a shared chain for its readers: the memory of the writer, read over WebSocket,
 * or a log that outlives it.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import type { StreamPosition } from "./stream-position.ts";

/** One batch of the writer's store. */
export interface Change {
  readonly before: StreamPosition;
  /** The place after it. */
  readonly position: StreamPosition;
  readonly payload: Bytes;
}

/** The writer's side: each of its changes goes through it. */
export interface ChangeLog {
  /**
   * Stores a change, before the writer's store has it. Resolves when it is as safe as anything in the log, however often
   * that has to be tried.
   *
   * @throws {UnsupportedError} `WRITER_FENCED` if another node writes this chain now; then the log does not have it
   */
  append(change: Change): Promise<void>;
  /** Shows a change of the log to readers: the writer's store has it, too. */
  announce(change: Change): void;
}

/** Entries that follow each other. */
export interface StreamPart {
  /** The place after the last of them. */
  readonly position: StreamPosition;
  readonly payloads: readonly Bytes[];
}

/** The entries after a place, and how far the stream goes. */
export interface SourceAnswer {
  /** Undefined if the reader has to begin from a base. */
  readonly part: StreamPart | undefined;
  /** The last place of the stream. */
  readonly head: StreamPosition;
}

/**
 * The chunks of a base: operations, and in the end the place of the stream that it is of. Undefined if the base was replaced
 * by a later one while it was read: then the operations are not all.
 */
export type BaseChunks = AsyncGenerator<BatchOperation[], StreamPosition | undefined, undefined>;

/** The writer of a chain, as far as its readers forward requests to it. */
export interface ForwardTarget {
  /** Its address without secrets, or a description of it. */
  readonly label: string;
  /**
   * Connects to the writer, unless it is connected.
   *
   * @throws {RemoteError} `WRITER_UNREACHABLE`; then nothing was sent
   */
  connect(): Promise<ConnectedWriter>;
}

/** A connection to the writer of a chain. */
export interface ConnectedWriter {
  /**
   * Asks the writer.
   *
   * @throws {RemoteError} `WRITER_UNREACHABLE`; whether it did what it was asked is not known
   * @throws {WriterRefusal} if it answers with an error
   */
  ask(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
}

/**
 * The reader's side: it gives the changes.
 *
 * Its members throw {RemoteError} `WRITER_UNREACHABLE` or `SHARED_LOG_UNREACHABLE` while it cannot be reached, any other
 * error if it refuses, and the signal's reason.
 */
export interface ChangeSource {
  /** Its address without secrets. */
  readonly label: string;
  readonly writer: ForwardTarget;
  /** The term of the writer, where the chain has several writers, one after another. */
  readonly epoch: bigint | undefined;
  /** False if the writer gave no sign for so long that another node may replace it. */
  readonly isWriterAlive: boolean;
  /** The text of a `ChainDescription`, and the last place of the stream. */
  describe(signal: AbortSignal): Promise<{ readonly description: string; readonly head: StreamPosition }>;
  /** The entries after a place. If there are none, waits for them. */
  after(from: StreamPosition, waitMs: number, signal: AbortSignal): Promise<SourceAnswer>;
  /** A base of the chain. */
  base(signal: AbortSignal): BaseChunks;
  /** There is an entry that may not have been announced here. */
  wake(): void;
  close(): Promise<void>;
}
