/** JSON-RPC over a connection that stays open: a WebSocket or a socket file. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { answersIn, type RpcAnswer, type RpcRequest, type Transport, type TransportReply } from "./transport.ts";

/** An open connection. */
export interface Connection {
  send(text: string): void;
  close(): void;
}

/** Events of a connection. */
export interface ConnectionEvents {
  /** A whole message was received. */
  onMessage(text: string): void;
  /** Undefined where binary messages are text, too. */
  readonly onBytes?: ((bytes: Bytes) => void) | undefined;
  /** The connection was closed, for this reason. */
  onClose(reason: Error): void;
}

/**
 * Opens a connection.
 *
 * @throws {Error} if that fails; its text has no secrets
 */
export type Connect = (events: ConnectionEvents) => Promise<Connection>;

/** A message that is not answered yet. */
interface Waiting {
  readonly ids: ReadonlySet<unknown>;
  readonly resolve: (reply: TransportReply) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 100;

/** Sends requests over a connection, which is opened for the first message and again after it has ended. */
export class SocketTransport implements Transport {
  readonly label: string;
  readonly maxBatch = MAX_BATCH;
  readonly #connect: Connect;
  readonly #secrets: readonly string[];
  readonly #waiting = new Set<Waiting>();
  readonly #takesBytes: boolean;
  /** Binary messages since the last reply. */
  #binary: Bytes[] = [];
  #connection: Promise<Connection> | undefined;

  /**
   * @param secrets - texts that errors must not show
   * @param takesBytes - whether replies have binary messages before them; only of a node that is trusted, since their
   * number is not bounded
   */
  constructor(label: string, connect: Connect, secrets: readonly string[] = [], takesBytes = false) {
    this.label = label;
    this.#takesBytes = takesBytes;
    this.#connect = connect;
    this.#secrets = secrets;
  }

  /** Connects, unless it is connected. @throws {Error} if that fails; its text has no secrets */
  async connect(): Promise<void> {
    await this.#open();
  }

  async send(requests: readonly RpcRequest[], signal: AbortSignal): Promise<TransportReply> {
    const connection = await this.#open();
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener("abort", stop);
      };
      const waiting: Waiting = {
        ids: new Set(requests.map(({ id }) => id)),
        resolve: (reply) => {
          end();
          resolve(reply);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      const stop = (): void => waiting.reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.add(waiting);
      connection.send(JSON.stringify(requests.length === 1 ? requests[0] : requests));
    });
  }

  #open(): Promise<Connection> {
    this.#connection ??= this.#connect({
      onMessage: (text) => this.#receive(text),
      onBytes: this.#takesBytes ? (bytes) => void this.#binary.push(bytes) : undefined,
      onClose: (reason) => this.#end(reason),
    }).catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  /** Passes a message to the requests that it answers. Notifications are ignored. */
  #receive(text: string): void {
    const answers = parse(text, this.#secrets);
    if (answers === undefined) return;
    const binary = this.#binary;
    this.#binary = [];
    const known = [...this.#waiting].find(({ ids }) => answers.some(({ id }) => ids.has(id)));
    // An error about an unreadable message has no id. It is assigned if only one message is in flight.
    const [only] = this.#waiting;
    const isNameless = answers.length === 1 && (answers[0]?.id ?? null) === null && this.#waiting.size === 1;
    (known ?? (isNameless ? only : undefined))?.resolve({ answers, binary });
  }

  #end(reason: Error): void {
    this.#connection = undefined;
    this.#binary = [];
    for (const waiting of [...this.#waiting]) waiting.reject(reason);
  }

  async close(): Promise<void> {
    const opening = this.#connection;
    this.#connection = undefined;
    const connection = await opening?.catch(() => undefined);
    connection?.close();
    this.#end(new Error("the connection was closed"));
  }
}

function parse(text: string, secrets: readonly string[]): readonly RpcAnswer[] | undefined {
  try {
    return answersIn(JSON.parse(text), secrets);
  } catch {
    return undefined;
  }
}
