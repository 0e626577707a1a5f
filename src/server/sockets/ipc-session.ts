/**
 * One connection of a socket file: requests in, answers and notifications out, each on a line of its own.
 *
 * Requests are answered concurrently, answers leave in the order in which they become ready. Reading stops while
 * answers pile up, and a peer that does not keep up with its notifications is cut off.
 */
import type { Socket } from "node:net";
import type { Answer, AnswerPiece, OnError, RequestHandler, Session } from "../handler.ts";
import { type Message, messageParts, PIECE_LENGTH, toMessage } from "../text-pieces.ts";
import { JsonSplitter } from "./json-splitter.ts";
import { StallTimer } from "./stall-timer.ts";
import type { WaitingAnswers } from "./waiting-answers.ts";

export interface IpcSessionOptions {
  readonly id: number;
  readonly handler: RequestHandler;
  /** Longest request in bytes. */
  readonly maxRequestBytes: number;
  /** Bytes that may wait to be written before reading stops and a notification cuts the peer off. */
  readonly maxBufferBytes: number;
  /** Requests of one connection that may be under way at a time. */
  readonly maxConcurrentRequests: number;
  /** A peer that reads nothing for so long while something waits is cut off. */
  readonly stallTimeoutMs: number;
  /** What waits for all peers of the server. */
  readonly waiting: WaitingAnswers;
  readonly onError: OnError;
}

export class IpcSession implements Session {
  readonly id: number;
  readonly #socket: Socket;
  readonly #options: IpcSessionOptions;
  readonly #splitter: JsonSplitter;
  readonly #work = new AbortController();
  readonly #closeListeners: (() => void)[] = [];
  readonly #backlog: string[] = [];
  /** What is being written: messages must not mix. */
  #writing: Promise<void> = Promise.resolve();
  #waitingMessages = 0;
  #waitingBytes = 0;
  readonly #stall: StallTimer;
  #underWay = 0;
  /** Nothing that comes is read any more. */
  #isDeaf = false;
  #isClosed = false;

  constructor(socket: Socket, options: IpcSessionOptions) {
    this.id = options.id;
    this.#socket = socket;
    this.#options = options;
    this.#stall = new StallTimer(options.stallTimeoutMs, () => this.cutOff());
    this.#splitter = new JsonSplitter(options.maxRequestBytes);
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("drain", () => this.#holdBack());
    // Who has said all may still wait for answers, as a pipe into netcat does.
    socket.on("end", () => this.#peerEnded());
    // A connection that breaks is closed next.
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

  /** Ends the connection because the server goes away; one that does not end in time is dropped. */
  close(graceMs: number): void {
    this.#work.abort(new Error("The server is closing."));
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), graceMs);
    this.onClose(() => clearTimeout(timer));
  }

  #read(chunk: Buffer): void {
    if (this.#isDeaf) return;
    const { values, tooLong } = this.#splitter.push(chunk);
    this.#backlog.push(...values);
    this.#serveBacklog();
    if (!tooLong) return;
    this.#enqueue(this.#options.handler.refuse("bodyTooLarge", this.#options.maxRequestBytes));
    // Where the next request begins is not known.
    this.#hearNoMore();
  }

  #peerEnded(): void {
    this.#hearNoMore();
    // White space between messages: the write fails, and the work is aborted, if the peer does not listen either.
    if (this.#underWay > 0 && this.#waitingMessages === 0) this.#socket.write("\n");
  }

  #hearNoMore(): void {
    this.#isDeaf = true;
    this.#endWhenAnswered();
  }

  /** Ends a connection that nothing more can come from, once everything that came is answered. */
  #endWhenAnswered(): void {
    if (!this.#isDeaf || this.#underWay > 0 || this.#backlog.length > 0) return;
    void this.#writing.then(() => this.#socket.destroySoon());
  }

  #serveBacklog(): void {
    while (this.#underWay < this.#options.maxConcurrentRequests) {
      const text = this.#backlog.shift();
      if (text === undefined) break;
      void this.#serve(text);
    }
    this.#holdBack();
  }

  async #serve(text: string): Promise<void> {
    this.#underWay++;
    try {
      const tasks: (() => void)[] = [];
      let isAnswered = false;
      const answer: Answer = await this.#options.handler.handle(text, {
        responseShape: "standard",
        signal: this.#work.signal,
        session: this,
        afterAnswer: (task) => void (isAnswered ? task() : tasks.push(task)),
      });
      if (answer !== undefined) this.#enqueue(toMessage(answer));
      isAnswered = true;
      for (const task of tasks) task();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#underWay--;
      if (!this.#isClosed) this.#serveBacklog();
      this.#endWhenAnswered();
    }
  }

  /** Ends the connection of a peer that does not keep up. */
  cutOff(): void {
    this.#socket.destroy();
  }

  #bytesWaiting(): number {
    return this.#socket.writableLength + this.#waitingBytes;
  }

  /** Writes at once what is short when nothing waits, else puts the message behind. */
  #enqueue(message: Message): void {
    if (typeof message === "string" && this.#waitingMessages === 0 && this.#fitsAtOnce(message)) {
      void this.#writePiece(`${message}\n`);
      this.#holdBack();
      return;
    }
    const bytes = typeof message === "string" ? Buffer.byteLength(message) : 0;
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

  /** Part of an answer may be out: only the end of the connection says that there is no more of it. */
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

  /** Settles once the piece has left, or the connection is gone. */
  #writePiece(piece: AnswerPiece): Promise<void> {
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
    const { maxConcurrentRequests, maxBufferBytes, waiting } = this.#options;
    const bytes = this.#bytesWaiting();
    waiting.note(this, bytes);
    const isFull = this.#underWay >= maxConcurrentRequests || bytes > maxBufferBytes;
    if (isFull) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #finish(): void {
    this.#isClosed = true;
    this.#stall.stop();
    this.#options.waiting.note(this, 0);
    this.#work.abort(new Error("The client went away."));
    this.#backlog.length = 0;
    for (const listener of this.#closeListeners) listener();
  }
}
