/** What a writer that shares its chain gives its readers: the stream, bases, and answers to what they forward. */
import { InvalidParamsError, NotFoundError, UnsupportedError } from "../errors/hindcast-error.ts";
import type { AbortState } from "../primitives/abort-state.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { fromUtf8 } from "../primitives/platform/encodings.ts";
import type { Backend } from "../store/backends/backend.ts";
import { BaseReading } from "./base-reading.ts";
import { ChainStream, continuedPosition } from "./chain-stream.ts";
import type { SourceAnswer } from "./change-log.ts";
import { RecentChanges, type StreamLimits } from "./recent-changes.ts";
import type { StreamPosition } from "./stream-position.ts";

/** Most bytes of the entries in one answer. */
const PART_BYTES = 4 * 1024 * 1024;
/** Most bases that are read at a time; each holds a snapshot. */
const MOST_BASES = 8;
/** Milliseconds that a forwarded request waits until this chain has what its reader has. */
const AHEAD_MS = 10_000;

/** Options of a chain that is shared. */
export interface ShareOptions {
  /** Readers have to give it; at least 16 characters. */
  readonly token: string;
  /** How many entries stay for readers that catch up; default 10,000 of together 64 MiB. */
  readonly recent?: StreamLimits;
}

/** The entries after a place, and how far the stream goes. */
export interface StreamAnswer extends SourceAnswer {
  /** What the chain is, if nothing was said of a place. */
  readonly description: string | undefined;
}

/** A chunk of a base. */
export interface BaseAnswer {
  readonly id: bigint;
  readonly position: StreamPosition;
  /** Empty after the last one. */
  readonly payload: Bytes;
}

/** The answer to a forwarded request, and the place of the stream that it comes after. */
export interface ForwardedAnswer<T> {
  readonly position: StreamPosition;
  readonly answer: T;
}

/** One for each node that shares. */
export class SharedChain {
  readonly #tokenHash: Bytes;
  readonly #recent: StreamLimits | undefined;
  readonly #bases = new Map<bigint, BaseReading>();
  #changes: RecentChanges | undefined;
  #stream: ChainStream | undefined;
  #description: (() => string) | undefined;

  constructor({ token, recent }: ShareOptions) {
    this.#tokenHash = keccak256(fromUtf8(token));
    this.#recent = recent;
  }

  /** Makes entries of all writes of a database. */
  async through(backend: Backend): Promise<Backend> {
    const position = await continuedPosition(backend);
    this.#changes = new RecentChanges(position, this.#recent);
    this.#stream = new ChainStream(backend, this.#changes, position);
    return this.#stream;
  }

  /** Takes a stream whose log readers read elsewhere: this chain only answers what they forward. */
  use(stream: ChainStream): void {
    this.#stream = stream;
  }

  /** @param description - of the chain, for readers */
  describe(description: () => string): void {
    this.#description = description;
  }

  /** @throws {UnsupportedError} `CHAIN_NOT_SHARED` if readers get the stream elsewhere */
  #requireChanges(): RecentChanges {
    if (this.#changes !== undefined) return this.#changes;
    throw new UnsupportedError({
      code: "CHAIN_NOT_SHARED",
      what: "This node gives no stream: its readers read from PostgreSQL.",
      fix: "Start the reader with --shared and the URL of that PostgreSQL.",
    });
  }

  get #open(): ChainStream {
    if (this.#stream === undefined) throw new TypeError("SharedChain: its store is not open");
    return this.#stream;
  }

  /** The last place of the stream. */
  get position(): StreamPosition {
    return this.#open.position;
  }

  /** @throws {UnsupportedError} `SHARE_TOKEN_WRONG` */
  checkToken(token: string): void {
    // Hashes, so that the time does not tell how much of it is right.
    if (equalBytes(keccak256(fromUtf8(token)), this.#tokenHash)) return;
    throw new UnsupportedError({
      code: "SHARE_TOKEN_WRONG",
      what: "The token is not that of this shared chain.",
      fix: "Start the reader with the writer's token: --share-token, or HINDCAST_SHARE_TOKEN.",
    });
  }

  /**
   * The entries after a place. If there are none, waits for them.
   *
   * @param from - undefined for the description of the chain
   */
  async entries(from: StreamPosition | undefined, waitMs: number, signal: AbortState): Promise<StreamAnswer> {
    const changes = this.#requireChanges();
    await this.#giveUpIdle();
    const stream = this.#open;
    if (from === undefined) return { part: undefined, head: stream.position, description: this.#description?.() };
    const after = () => changes.after(from, PART_BYTES);
    if (after() !== undefined) await stream.waitBeyond(from.sequence, waitMs, signal);
    return { part: after(), head: stream.position, description: undefined };
  }

  /**
   * Begins a base.
   *
   * @throws {UnsupportedError} `TOO_MANY_BASES`
   */
  async beginBase(): Promise<BaseAnswer> {
    this.#requireChanges();
    await this.#giveUpIdle();
    const reading = [...this.#bases.values()].filter(({ isFree }) => !isFree).length;
    if (reading >= MOST_BASES) {
      throw new UnsupportedError({
        code: "TOO_MANY_BASES",
        what: `${reading} readers begin at the same time, the most that may.`,
        fix: "Try again later: one that is not read is given up after a minute.",
      });
    }
    const base = new BaseReading(this.#open);
    this.#bases.set(base.id, base);
    return this.#answer(base, 0);
  }

  /**
   * The next chunk of a base, or again the last one.
   *
   * @throws {NotFoundError} `BASE_NOT_FOUND` for one that ended or was given up
   */
  async continueBase(id: bigint, chunk: number): Promise<BaseAnswer> {
    const base = this.#bases.get(id);
    if (base === undefined) throw baseNotFound();
    return this.#answer(base, chunk);
  }

  async #answer(base: BaseReading, chunk: number): Promise<BaseAnswer> {
    const payload = await base.chunk(chunk);
    if (payload === undefined) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `Chunk ${chunk} of the base is neither the next one nor the last one.`,
        fix: "Ask for the chunks in their order.",
      });
    }
    return { id: base.id, position: base.position, payload };
  }

  /** Ends a base before or after its last chunk. */
  async endBase(id: bigint): Promise<void> {
    const base = this.#bases.get(id);
    this.#bases.delete(id);
    await base?.close();
  }

  async #giveUpIdle(): Promise<void> {
    for (const [id, base] of this.#bases) if (base.isIdle) await this.endBase(id);
  }

  /**
   * Answers a forwarded request as soon as this chain has all that its reader has.
   *
   * @param from - the place of the reader
   */
  async answer<T>(from: StreamPosition, run: () => Promise<T>): Promise<ForwardedAnswer<T>> {
    const stream = this.#open;
    const isOurs = equalBytes(from.incarnation, stream.position.incarnation);
    if (isOurs) await stream.waitBeyond(from.sequence - 1n, AHEAD_MS);
    const answer = await run();
    return { position: stream.position, answer };
  }

  /** Ends all waits and bases. */
  async close(): Promise<void> {
    this.#stream?.close();
    for (const id of [...this.#bases.keys()]) await this.endBase(id);
  }
}

function baseNotFound(): NotFoundError {
  return new NotFoundError({
    code: "BASE_NOT_FOUND",
    what: "There is no such base.",
    fix: "It ended, or was not read for a minute. Begin another one.",
  });
}
