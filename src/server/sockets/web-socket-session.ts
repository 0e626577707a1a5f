/**
 * A WebSocket connection: requests, answers and notifications.
 *
 * Requests are handled concurrently; answers are sent in the order in which they are ready. Waiting data is limited:
 * reading pauses while too many answers wait, and a client that does not keep up with its notifications, or reads
 * nothing for a while, is disconnected.
 */
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { AbortState } from "../../primitives/abort-state.ts";
import type { ResponseShape } from "../address-forms.ts";
import type { Answer, Session } from "../handler.ts";
import type { ReceivedBodies, ReceivedBody } from "../http/received-bodies.ts";
import { DISCARD_TIMEOUT_MS } from "../limits.ts";
import { byteParts, type Message, messageParts, PIECE_LENGTH, queuedBytes } from "../text-pieces.ts";
import { RequestQueue } from "./request-queue.ts";
import { DeferredTasks, type SessionOptions } from "./session.ts";
import { StallTimer } from "./stall-timer.ts";

/** Options of one connection, with the shape of its answers. */
export interface WebSocketSessionOptions extends SessionOptions {
  readonly responseShape: ResponseShape;
  /** Whose bytes make up the messages. */
  readonly socket: Socket;
  /** All that is being received, over HTTP, too. */
  readonly bodies: ReceivedBodies;
}

/** Close codes of RFC 6455 §7.4 and its IANA registry. */
const CLOSE_CODES = {
  goingAway: 1001,
  unsupportedData: 1003,
  internalError: 1011,
  tryAgainLater: 1013,
} as const;

/** Bytes of a ping or a pong of a client before its content: two of its head, and the mask (RFC 6455 §5.2). */
const CONTROL_HEAD_BYTES = 6;

/** Milliseconds that a disconnected client has to read earlier data and the close code. */
const FAREWELL_MS = 5_000;

/** A message in the queue. Bytes are a binary message. */
type QueuedMessage = Message | Uint8Array;

/** Lives until either side closes the connection. */
export class WebSocketSession implements Session {
  readonly id: number;
  readonly #webSocket: WebSocket;
  readonly #options: WebSocketSessionOptions;
  readonly #work = new AbortController();
  readonly #closeListeners: (() => void)[] = [];
  /** Messages behind an answer that is written in pieces, because frames of two messages must not be interleaved. */
  readonly #queue: QueuedMessage[] = [];
  /** Bytes of the messages in the queue, and of the one being written. */
  #queuedBytes = 0;
  readonly #stall: StallTimer;
  readonly #farewellMs: number;
  readonly #requests: RequestQueue;
  /** The message that is being received, and its bytes so far. */
  #body: ReceivedBody;
  #received = 0;
  #streaming = false;
  #closed = false;

  constructor(webSocket: WebSocket, options: WebSocketSessionOptions) {
    this.id = options.id;
    this.#webSocket = webSocket;
    this.#options = options;
    this.#farewellMs = Math.min(FAREWELL_MS, options.stallTimeoutMs / 6);
    const stallMs = options.stallTimeoutMs - this.#farewellMs;
    this.#stall = new StallTimer(stallMs, () => this.cutOff("nothing was read for too long"));
    const { maxConcurrentRequests, inHand } = options;
    this.#requests = new RequestQueue({
      maxConcurrentRequests,
      inHand,
      isHeld: () => options.waiting.isCrowded && this.#waitingBytes() > 0,
      serve: (text) => this.#serve(text),
      onEnd: () => this.#holdBack(),
    });
    this.#body = options.bodies.begin(() => this.#refuse());
    // Before the library, which may find the end of a message in them.
    options.socket.prependListener("data", ({ length }: Buffer) => {
      this.#received += length;
      this.#body.note(this.#received);
    });
    const passOver = ({ length }: Buffer): void => {
      this.#received -= CONTROL_HEAD_BYTES + length;
    };
    webSocket.on("ping", passOver).on("pong", passOver);
    webSocket.on("message", (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.#webSocket.close(CLOSE_CODES.unsupportedData, "Send text, not binary data.");
      else this.#accept(data.toString("utf8"));
    });
    webSocket.on("close", () => this.#finish());
    // For protocol errors, ws has already sent the close code.
    webSocket.on("error", () => undefined);
  }

  /** Aborts when the connection is closed or {@link close} is called. */
  get signal(): AbortState {
    return this.#work.signal;
  }

  send(text: string): void {
    if (this.#closed) return;
    if (this.#waitingBytes() > this.#options.maxBufferBytes) this.cutOff("notifications are not read fast enough");
    else this.#enqueue(text);
  }

  /** Part of an answer: it waits as long as answers do. */
  sendBytes(bytes: Uint8Array): void {
    if (!this.#closed) this.#enqueue(bytes);
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#closeListeners.push(listener);
  }

  /** Closes the connection when the server closes; destroys it after `graceMs`. */
  close(graceMs: number): void {
    this.#work.abort(new Error("The server is closing."));
    this.#webSocket.close(CLOSE_CODES.goingAway, "The server is closing.");
    const timer = setTimeout(() => this.#webSocket.terminate(), graceMs);
    this.#webSocket.once("close", () => clearTimeout(timer));
  }

  #accept(text: string): void {
    if (this.#closed) return;
    this.#body.end();
    this.#body = this.#options.bodies.begin(() => this.#refuse());
    this.#received = 0;
    this.#requests.push(text);
    this.#holdBack();
  }

  async #serve(text: string): Promise<void> {
    try {
      const { handler, responseShape } = this.#options;
      const answered = new DeferredTasks();
      const context = { responseShape, signal: this.signal, session: this, afterAnswer: answered.run };
      const answer: Answer = await handler.handle(text, context);
      if (answer !== undefined && !this.#closed) this.#enqueue(answer);
      answered.release();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Writes a short message at once if nothing waits; otherwise queues it. */
  #enqueue(message: QueuedMessage): void {
    if (typeof message === "string" && !this.#streaming && this.#fitsAtOnce(message)) this.#write(message);
    else {
      this.#queue.push(message);
      this.#queuedBytes += bytesOf(message);
      if (!this.#streaming) void this.#writeQueue();
    }
    this.#holdBack();
  }

  #fitsAtOnce(text: string): boolean {
    return text.length <= PIECE_LENGTH && this.#webSocket.bufferedAmount <= PIECE_LENGTH;
  }

  #write(text: string): void {
    this.#stall.start();
    this.#webSocket.send(text, () => this.#written());
  }

  #written(): void {
    this.#stall.moved(this.#webSocket.bufferedAmount > 0);
    this.#holdBack();
  }

  async #writeQueue(): Promise<void> {
    this.#streaming = true;
    for (let message = this.#queue.shift(); message !== undefined; message = this.#queue.shift()) {
      if (message instanceof Uint8Array) await this.#stream(byteParts(message), true);
      else await this.#stream(messageParts(message), false);
      if (this.#closed) break;
      this.#queuedBytes -= bytesOf(message);
      this.#holdBack();
    }
    this.#streaming = false;
  }

  /** Writes one message as a series of frames, each after the one before was sent. */
  async #stream(parts: AsyncIterable<string> | Iterable<string | Uint8Array>, isBinary: boolean): Promise<void> {
    try {
      let ready: string | Uint8Array = "";
      let count = 0;
      for await (const piece of parts) {
        if (this.#closed) return;
        if (count++ > 0) await this.#writeFrame(ready, isBinary, false);
        ready = piece;
      }
      await this.#writeFrame(ready, isBinary, true);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Closes the connection, because part of an answer may have been sent. */
  #fail(error: unknown): void {
    const isGivenUp = this.#work.signal.aborted;
    this.#webSocket.close(CLOSE_CODES.internalError, "Internal error.");
    if (!isGivenUp) this.#options.onError(error);
  }

  #writeFrame(piece: string | Uint8Array, isBinary: boolean, isLast: boolean): Promise<void> {
    this.#stall.start();
    return new Promise((resolve) => {
      // Resolves on errors too; the connection is then closed, which the caller checks.
      this.#webSocket.send(piece, { binary: isBinary, fin: isLast }, () => {
        this.#written();
        resolve();
      });
    });
  }

  #waitingBytes(): number {
    return this.#webSocket.bufferedAmount + this.#queuedBytes;
  }

  /** Pauses or resumes reading, depending on running requests and waiting data. */
  #holdBack(): void {
    if (this.#closed) return;
    const { maxBufferBytes, waiting } = this.#options;
    const bytes = this.#waitingBytes();
    waiting.note(this, bytes);
    this.#requests.startNext();
    const full = this.#requests.isFull || bytes > maxBufferBytes;
    if (full && !this.#webSocket.isPaused) this.#webSocket.pause();
    else if (!full && this.#webSocket.isPaused) this.#webSocket.resume();
  }

  /** Disconnects a client that does not keep up; it may read the reason first. */
  cutOff(reason: string): void {
    if (this.#closed) return;
    this.#leave(`Too slow: ${reason}.`, this.#farewellMs);
    if (this.#webSocket.isPaused) this.#webSocket.resume();
  }

  /** Disconnects a client in the middle of its message, because too much of all clients is being received. */
  #refuse(): void {
    if (this.#closed) return;
    const { handler, bodies } = this.#options;
    // Between the frames of an answer no other message may stand.
    if (!this.#streaming) this.#webSocket.send(handler.refuse("bodiesTooLarge", bodies.mostBytes));
    this.#leave("Too much is being received.", DISCARD_TIMEOUT_MS);
    // The rest of the message is not read.
    this.#webSocket.pause();
  }

  #leave(reason: string, farewellMs: number): void {
    const webSocket = this.#webSocket;
    webSocket.close(CLOSE_CODES.tryAgainLater, reason);
    this.#finish();
    const timer = setTimeout(() => webSocket.terminate(), farewellMs);
    webSocket.once("close", () => clearTimeout(timer));
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#body.end();
    this.#stall.stop();
    this.#options.waiting.note(this, 0);
    this.#work.abort(new Error("The client went away."));
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.#requests.clear();
    for (const listener of this.#closeListeners) listener();
  }
}

function bytesOf(message: QueuedMessage): number {
  return message instanceof Uint8Array ? message.length : queuedBytes(message);
}
