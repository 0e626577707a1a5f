/**
 * A reader: a copy of a writer's chain, which takes every entry of its stream in its order.
 *
 * It connects, fills or continues the database before the chain is opened, and follows when the chain is there.
 */
import { RemoteError, UnsupportedError } from "../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { fromHexDigits } from "../primitives/platform/encodings.ts";
import { pause } from "../primitives/platform/turns.ts";
import type { Backend } from "../store/backends/backend.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import { collectBase, fillFromBase } from "./base-loading.ts";
import { type ChainDescription, decodeDescription } from "./chain-description.ts";
import { POSITION_KEY, positionEntry } from "./chain-stream.ts";
import { decodeOperations, digestOf } from "./entry-codec.ts";
import { FollowedBackend } from "./followed-backend.ts";
import { type HeadNumbers, headNumbersOf } from "./followed-operations.ts";
import { decodePosition, isSamePosition, positionAfter, type StreamPosition } from "./stream-position.ts";
import { decodePositionJson, encodePositionJson, type StreamJson } from "./wire.ts";
import { type WriterAddress, WriterClient, WriterRefusal } from "./writer-client.ts";

/** A batch of the writer. */
export interface FollowedChange extends HeadNumbers {
  /** The chain's new description, if it has another genesis. */
  readonly description: ChainDescription | undefined;
  write(): Promise<void>;
}

/** The chain that follows. */
export interface FollowingChain {
  /** Applies a batch, and tells listeners how the head moved. */
  follow(change: FollowedChange): Promise<void>;
}

/** Milliseconds that the writer waits for an entry before it answers without one. */
const WAIT_MS = 20_000;
/** Milliseconds to the next attempt: at first, and at most. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** Milliseconds in which the writer has to answer when the reader starts. */
const START_MS = 10_000;

/** How far a reader is. */
export interface FollowerStatus {
  readonly position: StreamPosition;
  /** Number of the writer's entries, as far as it is known. */
  readonly writerSequence: bigint;
  /** The writer's address without secrets. */
  readonly writer: string;
  readonly isConnected: boolean;
  /** Why it does not follow now; undefined if it does. */
  readonly problem: string | undefined;
}

/** One for each node that follows. */
export class Follower {
  readonly client: WriterClient;
  readonly #aborter = new AbortController();
  readonly #onError: (error: unknown) => void;
  readonly #isOnDisk: boolean;
  readonly #waiting = new Set<() => void>();
  description: ChainDescription;
  #database: Backend | undefined;
  #chain: FollowingChain | undefined;
  #position: StreamPosition | undefined;
  #head: StreamPosition;
  #problem: string | undefined;
  #running: Promise<void> | undefined;

  /**
   * Connects to a writer and asks what its chain is.
   *
   * @throws {RemoteError} `WRITER_UNREACHABLE`
   * @throws {UnsupportedError} `FOLLOWING_REFUSED`, by a writer that does not share, or for a wrong token
   */
  static async connect(
    address: WriterAddress,
    options: { readonly onError: (error: unknown) => void; readonly isOnDisk: boolean },
  ): Promise<Follower> {
    const client = new WriterClient(address);
    const signal = new AbortController().signal;
    const end = performance.now() + START_MS;
    for (;;) {
      try {
        const answer = (await client.ask("stream", "hindcast_stream", {}, signal)) as StreamJson;
        return new Follower(client, answer, options);
      } catch (error) {
        const isFinal = !(error instanceof RemoteError) || performance.now() > end;
        if (isFinal) {
          await client.close();
          throw refusalOf(error, client.label);
        }
        await pause(FIRST_PAUSE_MS * 4);
      }
    }
  }

  private constructor(
    client: WriterClient,
    { head, description }: StreamJson,
    options: { readonly onError: (error: unknown) => void; readonly isOnDisk: boolean },
  ) {
    this.client = client;
    this.#head = decodePositionJson(head);
    this.description = decodeDescription(description ?? "{}");
    this.#onError = options.onError;
    this.#isOnDisk = options.isOnDisk;
  }

  /** Continues a database from its position, or fills it from a base. Refuses all other writes to it. */
  async through(database: Backend): Promise<Backend> {
    this.#database = database;
    const stored = database.get("settings", POSITION_KEY);
    const known = stored && decodePosition(stored);
    const { signal } = this.#aborter;
    try {
      this.#position =
        known !== undefined && (await this.#isKnown(known)) ? known : await fillFromBase(database, this.client, signal);
    } catch (error) {
      throw refusalOf(error, this.client.label);
    }
    return new FollowedBackend(database, this.client.label);
  }

  async #isKnown(position: StreamPosition): Promise<boolean> {
    return (await this.#ask(position, 0)).position !== null;
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
      writer: this.client.label,
      isConnected: problem === undefined,
      problem,
    };
  }

  get #here(): StreamPosition {
    if (this.#position === undefined) throw new TypeError("Follower: its store is not open");
    return this.#position;
  }

  /** The place up to which this chain has the writer's. */
  get position(): StreamPosition {
    return this.#here;
  }

  async #ask(position: StreamPosition, waitMs: number): Promise<StreamJson> {
    const params = { position: positionParam(position), waitMs };
    return (await this.client.ask("stream", "hindcast_stream", params, this.#aborter.signal)) as StreamJson;
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
        await pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
  }

  async #step(waitMs: number): Promise<void> {
    const { position, entries, head } = await this.#ask(this.#here, waitMs);
    this.#head = decodePositionJson(head);
    if (position === null) return this.#beginAgain();
    if (entries.length === 0) return;
    // Their hashes tell whether they are what the writer sent.
    const payloads = entries.map((entry) => fromHexDigits(entry.slice(2)));
    const positions = await this.#positionsOf(payloads);
    if (!isSamePosition(positions.at(-1) as StreamPosition, decodePositionJson(position))) return this.#beginAgain();
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
    const asked = (await this.client.ask("stream", "hindcast_stream", {}, signal)) as StreamJson;
    const description = decodeDescription(asked.description ?? "{}");
    const isOther = !equalBytes(description.identity.genesisHash, this.description.identity.genesisHash);
    if (isOther && this.#isOnDisk) throw anotherGenesis(this.client.label);
    const { position, operations } = await collectBase(this.#db, this.client, signal);
    await this.#apply(operations, position, isOther ? description : undefined);
    this.description = description;
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
    for (const wake of [...this.#waiting]) wake();
  }

  /** Waits until this chain has all up to a place of the writer, or is closed. */
  async reached({ incarnation, sequence }: StreamPosition): Promise<void> {
    const has = (): boolean => equalBytes(this.#here.incarnation, incarnation) && this.#here.sequence >= sequence;
    while (!has() && !this.#aborter.signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          this.#waiting.delete(end);
          resolve();
        };
        this.#waiting.add(end);
      });
    }
  }

  /** Stops following. */
  async close(): Promise<void> {
    this.#aborter.abort(new Error("the node is closed"));
    for (const wake of [...this.#waiting]) wake();
    await this.client.close();
    await this.#running;
  }
}

/** A place as `hindcast_stream` takes it. */
export function positionParam(position: StreamPosition): Readonly<Record<string, string>> {
  return { ...encodePositionJson(position) };
}

function refusalOf(error: unknown, label: string): unknown {
  if (!(error instanceof WriterRefusal)) return error;
  return new UnsupportedError({
    code: "FOLLOWING_REFUSED",
    what: `The node at ${label} cannot be followed: ${error.message}`,
    fix: "Start it with --share and a token, and this one with the same token.",
    cause: error,
  });
}

function anotherGenesis(label: string): UnsupportedError {
  return new UnsupportedError({
    code: "FOLLOWING_REFUSED",
    what: `The writer at ${label} has another chain now, and this node's folder is of the one before.`,
    fix: "Stop this node and start it with an empty folder.",
  });
}
