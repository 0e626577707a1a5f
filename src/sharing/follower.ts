/**
 * A reader: a copy of a writer's chain, which takes every entry of its stream in its order.
 *
 * It connects, fills or continues the database before the chain is opened, and follows when the chain is there.
 */
import { RemoteError } from "../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { pause } from "../primitives/platform/turns.ts";
import type { Backend } from "../store/backends/backend.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import { bringUpToDate, collectBase } from "./base-loading.ts";
import { type ChainDescription, decodeDescription } from "./chain-description.ts";
import { positionEntry } from "./chain-stream.ts";
import type { ChangeSource, SourceAnswer } from "./change-log.ts";
import { decodeOperations, digestOf } from "./entry-codec.ts";
import { anotherGenesis, FollowedBackend, neverReached } from "./followed-backend.ts";
import { type FollowedChange, type FollowingChain, headNumbersOf } from "./followed-operations.ts";
import { isSamePosition, positionAfter, type StreamPosition } from "./stream-position.ts";
import { untilReached } from "./until-reached.ts";

/** Milliseconds that the writer waits for an entry before it answers without one. */
const WAIT_MS = 20_000;
/** Milliseconds to the next attempt: at first, and at most. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** How far a reader is. */
export interface FollowerStatus {
  readonly position: StreamPosition;
  /** Number of the writer's entries, as far as it is known. */
  readonly writerSequence: bigint;
  /** The writer's address without secrets. */
  readonly writer: string;
  readonly epoch: bigint | undefined;
  /** Why it does not follow now; undefined if it does. */
  readonly problem: string | undefined;
}

/** What a follower needs of its node. */
export interface FollowerOptions {
  readonly onError: (error: unknown) => void;
  /** True for a database in a folder, which stays with its chain. */
  readonly isOnDisk: boolean;
}

/** One for each node that follows. */
export class Follower {
  readonly source: ChangeSource;
  readonly #aborter = new AbortController();
  readonly #onError: (error: unknown) => void;
  readonly #isOnDisk: boolean;
  readonly #waiting = new Set<() => void>();
  description: ChainDescription;
  #database: Backend | undefined;
  #followed: FollowedBackend | undefined;
  #chain: FollowingChain | undefined;
  #position: StreamPosition | undefined;
  #head: StreamPosition;
  #problem: string | undefined;
  /** True if the problem is not that the source cannot be reached. */
  #isRefused = false;
  /** Numbers of the last step that was begun, and of the last that was done. */
  #begun = 0;
  #done = 0;
  /** Times that it began again from a base. */
  #bases = 0;
  #running: Promise<void> | undefined;

  /**
   * Asks what the chain of a source is. The source is closed if that fails.
   *
   * @throws {RemoteError} `WRITER_UNREACHABLE`, `SHARED_LOG_UNREACHABLE`
   * @throws {UnsupportedError} `FOLLOWING_REFUSED`, by a writer that does not share, or for a wrong token
   */
  static async connect(source: ChangeSource, options: FollowerOptions): Promise<Follower> {
    const { signal } = new AbortController();
    try {
      const { description, head } = await untilReached(() => source.describe(signal), signal);
      return new Follower(source, { description: decodeDescription(description), head }, options);
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  private constructor(
    source: ChangeSource,
    { head, description }: { readonly head: StreamPosition; readonly description: ChainDescription },
    options: FollowerOptions,
  ) {
    this.source = source;
    this.#head = head;
    this.description = description;
    this.#onError = options.onError;
    this.#isOnDisk = options.isOnDisk;
  }

  /** Continues a database from its position, or fills it from a base. Refuses all other writes to it. */
  async through(database: Backend): Promise<Backend> {
    this.#database = database;
    const { signal } = this.#aborter;
    this.#position = (await bringUpToDate(database, this.source, { signal, needsHead: true })).position;
    this.#followed = new FollowedBackend(database, this.source.writer);
    return this.#followed;
  }

  /** Follows from now on. */
  start(chain: FollowingChain): void {
    this.#chain = chain;
    this.#running = this.#run();
  }

  get status(): FollowerStatus {
    const problem = this.#problem;
    return {
      position: this.#here,
      writerSequence: this.#head.sequence,
      writer: this.source.writer.label,
      epoch: this.source.epoch,
      problem,
    };
  }

  /** False if another node may replace the writer. */
  get isWriterAlive(): boolean {
    return this.source.isWriterAlive;
  }

  get #here(): StreamPosition {
    if (this.#position === undefined) throw new TypeError("Follower: its store is not open");
    return this.#position;
  }

  /** The place up to which this chain has the writer's. */
  get position(): StreamPosition {
    return this.#here;
  }

  #after(position: StreamPosition, waitMs: number): Promise<SourceAnswer> {
    return this.source.after(position, waitMs, this.#aborter.signal);
  }

  async #run(): Promise<void> {
    const { signal } = this.#aborter;
    let pauseMs = FIRST_PAUSE_MS;
    // While there was a problem it asks without waiting, so that the status is true again at once.
    while (!signal.aborted) {
      try {
        await this.#step(this.#problem === undefined ? WAIT_MS : 0);
        this.#problem = undefined;
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        if (signal.aborted) return;
        if (this.#problem === undefined && !(error instanceof RemoteError)) this.#onError(error);
        this.#problem = error instanceof Error ? error.message : String(error);
        this.#isRefused = !(error instanceof RemoteError);
        this.#wakeWaiting();
        await pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
  }

  async #step(waitMs: number): Promise<void> {
    const number = ++this.#begun;
    await this.#takeChanges(waitMs);
    this.#done = number;
    this.#wakeWaiting();
  }

  async #takeChanges(waitMs: number): Promise<void> {
    const { part, head } = await this.#after(this.#here, waitMs);
    this.#head = head;
    if (part === undefined) return this.#beginAgain();
    const { payloads, position } = part;
    if (payloads.length === 0) return;
    // Their hashes tell whether they are what the writer sent.
    const positions = await this.#positionsOf(payloads);
    if (!isSamePosition(positions.at(-1) as StreamPosition, position)) return this.#beginAgain();
    for (const [index, payload] of payloads.entries()) {
      await this.#apply(decodeOperations(payload), positions[index] as StreamPosition, undefined);
    }
  }

  /** The places after entries that come next. */
  async #positionsOf(payloads: readonly Bytes[]): Promise<StreamPosition[]> {
    const positions: StreamPosition[] = [];
    let last = this.#here;
    for (const payload of payloads) {
      last = positionAfter(last, await digestOf(payload));
      positions.push(last);
    }
    return positions;
  }

  /** The writer went back, began anew, or is too far ahead. */
  async #beginAgain(): Promise<void> {
    const { signal } = this.#aborter;
    const description = decodeDescription((await this.source.describe(signal)).description);
    const isOther = !equalBytes(description.identity.genesisHash, this.description.identity.genesisHash);
    if (isOther && this.#isOnDisk) throw anotherGenesis(this.source.label);
    const base = await collectBase(this.#db, this.source.base(signal));
    // Replaced while it was read: the next step begins with the one after it.
    if (base === undefined) return;
    const { position, operations } = base;
    await this.#apply(operations, position, isOther ? description : undefined);
    this.description = description;
    this.#bases++;
  }

  get #db(): Backend {
    if (this.#database === undefined) throw new TypeError("Follower: its store is not open");
    return this.#database;
  }

  async #apply(
    operations: BatchOperation[],
    position: StreamPosition,
    description: ChainDescription | undefined,
  ): Promise<void> {
    const change: FollowedChange = {
      ...headNumbersOf(operations),
      description,
      write: () => this.#db.write([...operations, positionEntry(position)]),
    };
    await this.#chain?.follow(change);
    this.#position = position;
    this.#wakeWaiting();
  }

  #wakeWaiting(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /**
   * Waits until this chain has all up to a place of the writer, or is closed.
   *
   * @throws {RemoteError} `WRITER_FAILED` if it never will: the chain went back behind that place, or is refused
   */
  async reached(place: StreamPosition): Promise<void> {
    const begun = this.#begun;
    const bases = this.#bases;
    if (!isPast(this.#here, place)) this.source.wake();
    while (!isPast(this.#here, place) && !this.#aborter.signal.aborted) {
      const isOther = this.#bases !== bases || !equalBytes(this.#head.incarnation, place.incarnation);
      // A head that was asked for before may be an older one.
      const isGone = this.#done > begun && isOther && !isPast(this.#head, place);
      if (isGone || (this.#problem !== undefined && this.#isRefused)) throw neverReached(this.#problem);
      await this.#change();
    }
  }

  /** Waits for the end of a step. */
  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#waiting.delete(end);
        resolve();
      };
      this.#waiting.add(end);
    });
  }

  /**
   * Stops following at the end of the stream, and hands the database over to a writer. If that fails, it goes on following.
   *
   * @param end - the end; no further entries come
   * @param open - makes the stream of the writer
   */
  async endAt(
    end: StreamPosition,
    open: (database: Backend, position: StreamPosition) => Promise<Backend>,
  ): Promise<void> {
    await this.reached(end);
    const stream = await open(this.#db, this.#here);
    this.#aborter.abort(new Error("the node writes from now on"));
    await this.#running;
    this.#followed?.succeedBy(stream);
  }

  /** True since it began to stop. */
  get isClosed(): boolean {
    return this.#aborter.signal.aborted;
  }

  /** Stops following. */
  async close(): Promise<void> {
    this.#aborter.abort(new Error("the node is closed"));
    this.#wakeWaiting();
    await this.source.close();
    await this.#running;
  }
}

/** True if a place is not before another one of the same incarnation. */
function isPast(place: StreamPosition, other: StreamPosition): boolean {
  return equalBytes(place.incarnation, other.incarnation) && place.sequence >= other.sequence;
}
