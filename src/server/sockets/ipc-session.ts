/**
 * A connection to a socket file: requests, answers and notifications, each on a line of its own.
 *
 * Requests are handled concurrently; answers are sent in the order in which they are ready. Reading pauses while too
 * many answers wait, and a client that does not keep up with its notifications is disconnected.
 */
import type { Socket } from "node:net";
import type { Answer, Session } from "../handler.ts";
import { type Message, messageParts, PIECE_LENGTH, queuedBytes } from "../text-pieces.ts";
import { JsonSplitter } from "./json-splitter.ts";
import { RequestQueue } from "./request-queue.ts";
import { DeferredTasks, type SessionOptions } from "./session.ts";
import { StallTimer } from "./stall-timer.ts";

/** Options of one connection. */
export interface IpcSessionOptions extends SessionOptions {
  /** Longest request in bytes. */
  readonly maxRequestBytes: number;
}

/** Lives until either side closes the connection. */
export class IpcSession implements Session {
  readonly id: number;
  readonly #socket: Socket;
  readonly #options: IpcSessionOptions;
  readonly #splitter: JsonSplitter;
  readonly #work = new AbortController();
  readonly #closeListeners: (() => void)[] = [];
  readonly #requests: RequestQueue;
  /** The current write; messages must not be interleaved. */
  #writing: Promise<void> = Promise.resolve();
  #waitingMessages = 0;
  #waitingBytes = 0;
  readonly #stall: StallTimer;
  /** True if incoming data is no longer read. */
  #isDeaf = false;
  #isClosed = false;

  constructor(socket: Socket, options: IpcSessionOptions) {
    this.id = options.id;
    this.#socket = socket;
    this.#options = options;
    this.#stall = new StallTimer(options.stallTimeoutMs, () => this.cutOff());
    const { maxConcurrentRequests, inHand } = options;
    this.#requests = new RequestQueue({
      maxConcurrentRequests,
      inHand,
      isHeld: () => options.waiting.isCrowded && this.#bytesWaiting() > 0,
      serve: (text) => this.#serve(text),
      onEnd: () => this.#requestEnded(),
    });
    this.#splitter = new JsonSplitter(options.maxRequestBytes);
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("drain", () => this.#holdBack());
    // A client that has finished sending may still wait for answers, like a pipe into netcat.
    socket.on("end", () => this.#peerEnded());
    // A broken connection emits "close" next.
    socket.on("error", () => undefined);
    socket.on("close", () => this.#finish());
  }

  send(text: string): void {
    if (this.#isClosed) return;
    if (this.#bytesWaiting() > this.#options.maxBufferBytes) this.cutOff();
    else this.#enqueue(text);
  }

  onClose(listener: () => void): void {
    if (this.#isClosed) listener();
    else this.#closeListeners.push(listener);
  }

  /** Closes the connection when the server closes; destroys it after `graceMs`. */
  close(graceMs: number): void {
    this.#work.abort(new Error("The server is closing."));
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), graceMs);
    this.onClose(() => clearTimeout(timer));
  }

  #read(chunk: Buffer): void {
    if (this.#isDeaf) return;
    const { values, tooLong } = this.#splitter.push(chunk);
    for (const text of values) this.#requests.push(text);
    this.#holdBack();
    if (!tooLong) return;
    this.#enqueue(this.#options.handler.refuse("bodyTooLarge", this.#options.maxRequestBytes));
    // The start of the next request is unknown.
    this.#hearNoMore();
  }

  #peerEnded(): void {
    this.#hearNoMore();
    // White space between messages: writing it fails if the client is gone, which aborts its requests.
    if (!this.#requests.isEmpty && this.#waitingMessages === 0) this.#socket.write("\n");
  }

  #hearNoMore(): void {
    this.#isDeaf = true;
    this.#endWhenAnswered();
  }

  /** Ends a connection that the client has half-closed, after all of its requests are answered. */
  #endWhenAnswered(): void {
    if (!this.#isDeaf || !this.#requests.isEmpty) return;
    void this.#writing.then(() => this.#socket.destroySoon());
  }

  #requestEnded(): void {
    this.#holdBack();
    this.#endWhenAnswered();
  }

  async #serve(text: string): Promise<void> {
    try {
      const answered = new DeferredTasks();
      const answer: Answer = await this.#options.handler.handle(text, {
        responseShape: "standard",
        signal: this.#work.signal,
        session: this,
        afterAnswer: answered.run,
      });
      if (answer !== undefined) this.#enqueue(answer);
      answered.release();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Disconnects a client that does not keep up. */
  cutOff(): void {
    this.#socket.destroy();
  }

  #bytesWaiting(): number {
    return this.#socket.writableLength + this.#waitingBytes;
  }

  /** Writes a short message at once if nothing waits; otherwise queues it. */
  #enqueue(message: Message): void {
    if (typeof message === "string" && this.#waitingMessages === 0 && this.#fitsAtOnce(message)) {
      void this.#writePiece(`${message}\n`);
      this.#holdBack();
      return;
    }
    const bytes = queuedBytes(message);
    this.#waitingMessages++;
    this.#waitingBytes += bytes;
    this.#writing = this.#writing
      .then(() => this.#write(message))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#waitingMessages--;
        this.#waitingBytes -= bytes;
        this.#holdBack();
      });
    this.#holdBack();
  }

  #fitsAtOnce(text: string): boolean {
    return text.length <= PIECE_LENGTH && this.#socket.writableLength <= PIECE_LENGTH;
  }

  /** Closes the connection, because part of an answer may have been sent. */
  #fail(error: unknown): void {
    const isGivenUp = this.#work.signal.aborted;
    this.#socket.destroy();
    if (!isGivenUp) this.#options.onError(error);
  }

  async #write(message: Message): Promise<void> {
    for await (const piece of messageParts(message)) {
      if (this.#isClosed) return;
      await this.#writePiece(piece);
    }
    await this.#writePiece("\n");
  }

  /** Resolves when the piece is sent or the connection is closed. */
  #writePiece(piece: string): Promise<void> {
    this.#stall.start();
    return new Promise((resolve) => {
      this.#socket.write(piece, () => {
        this.#stall.moved(this.#socket.writableLength > 0);
        resolve();
      });
    });
  }

  #holdBack(): void {
    if (this.#isClosed) return;
    const { maxBufferBytes, waiting } = this.#options;
    const bytes = this.#bytesWaiting();
    waiting.note(this, bytes);
    this.#requests.startNext();
    const isFull = this.#requests.isFull || bytes > maxBufferBytes;
    if (isFull) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #finish(): void {
    this.#isClosed = true;
    this.#stall.stop();
    this.#options.waiting.note(this, 0);
    this.#work.abort(new Error("The client went away."));
    this.#requests.clear();
    for (const listener of this.#closeListeners) listener();
  }
}
