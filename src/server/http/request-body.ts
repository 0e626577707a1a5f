/** Reads request bodies up to a limit, or drops them. */
import { isAscii, isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { freeBytes } from "../../primitives/platform/give-back.ts";
import type { BodyRefusal } from "../handler.ts";
import type { ReceivedBodies } from "./received-bodies.ts";

/** A part of a body. Node gives each its own memory. */
type Chunk = Buffer<ArrayBuffer>;

/** Receives a body. Neither function is called if the client goes away before its end. */
export interface BodyReader {
  /**
   * Called with the whole body as text; empty if it is not UTF-8, which JSON must be (RFC 8259 §8.1). It counts among all
   * bodies until the promise resolves.
   */
  onText(text: string): Promise<void>;
  /** Called once when it is known that the body is refused. The rest is not read. */
  onRefused(reason: BodyRefusal): void;
}

/** The limits of a body: of it alone, and of all. */
export interface BodyLimits {
  /** Largest request body, bytes. */
  readonly maxBodyBytes: number;
  readonly bodies: ReceivedBodies;
}

/** Reads a body of at most `maxBodyBytes`. */
export function readBody(request: IncomingMessage, { maxBodyBytes, bodies }: BodyLimits, reader: BodyReader): void {
  // Without a content-length this is NaN, which is not above the limit.
  if (Number(request.headers["content-length"]) > maxBodyBytes) return void reader.onRefused("bodyTooLarge");
  const text = new BodyText();
  let length = 0;
  const body = bodies.begin(() => refuse("bodiesTooLarge"));
  const leave = (): void => body.end();
  const refuse = (reason: BodyRefusal): void => {
    request.off("data", onData).off("end", onEnd).off("close", leave);
    text.drop();
    body.end();
    reader.onRefused(reason);
  };
  const onData = (chunk: Chunk): void => {
    length += chunk.length;
    text.add(chunk);
    if (length > maxBodyBytes) refuse("bodyTooLarge");
    else body.note(length);
  };
  const onEnd = (): void => {
    request.off("close", leave);
    body.complete();
    void reader.onText(text.end()).then(leave);
  };
  // The response's close handler deals with broken connections.
  request
    .on("data", onData)
    .on("end", onEnd)
    .on("close", leave)
    .on("error", () => undefined);
}

/**
 * The text of a body that arrives in chunks. Chunks of ASCII become text at once, so that a long body does not fill the C
 * library's heap, which keeps what it once had.
 */
class BodyText {
  #text = "";
  /** From the first chunk on that is not ASCII: it may end within a character. */
  #rest: Chunk[] = [];

  add(chunk: Chunk): void {
    if (this.#rest.length > 0 || !isAscii(chunk)) return void this.#rest.push(chunk);
    this.#text += chunk.toString("latin1");
    freeBytes(chunk);
  }

  drop(): void {
    this.#text = "";
    this.#rest = [];
  }

  /** The whole text; empty if it is not UTF-8. */
  end(): string {
    if (this.#rest.length === 0) return this.#text;
    const rest = Buffer.concat(this.#rest);
    return isUtf8(rest) ? this.#text + rest.toString("utf8") : "";
  }
}

/**
 * Reads and drops the rest of a body, because some clients read the answer only after they have sent everything.
 *
 * Ends when the body ends, or after `limitBytes` or `timeoutMs`.
 */
export function discardBody(request: IncomingMessage, limitBytes: number, timeoutMs: number): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let length = 0;
    const timer = setTimeout(finish, timeoutMs);
    function finish(): void {
      clearTimeout(timer);
      request.off("data", onData).off("end", finish).off("close", finish).off("error", finish);
      resolve();
    }
    function onData(chunk: Buffer): void {
      length += chunk.length;
      if (length > limitBytes) finish();
    }
    request.on("data", onData).on("end", finish).on("close", finish).on("error", finish);
  });
}
