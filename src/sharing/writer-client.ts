/** A reader's connections to its writer: one for the stream, and one for what it forwards, in its order. */
import { RemoteError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { webSocketTo } from "../remote/transport/connections.ts";
import { redactUrl, secretsOf } from "../remote/transport/redact.ts";
import { SocketTransport } from "../remote/transport/socket-transport.ts";
import type { RpcError } from "../remote/transport/transport.ts";
import type { ConnectedWriter, ForwardTarget } from "./change-log.ts";

/** The address of a writer. */
export interface WriterAddress {
  /** http, https, ws or wss; spoken to over WebSocket. */
  readonly url: string;
  readonly token: string;
}

/** The writer answered with an error. */
export class WriterRefusal extends Error {
  readonly error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.error = error;
  }
}

/** Two connections to one writer, so that a forwarded request never waits behind the stream. */
export class WriterClient {
  /** The writer's address without secrets. */
  readonly label: string;
  readonly stream: WriterConnection;
  readonly requests: WriterConnection;

  constructor({ url, token }: WriterAddress) {
    this.label = redactUrl(url);
    const socketUrl = url.replace(/^http/i, "ws");
    const secrets = [...secretsOf(url, {}), token].sort((left, right) => right.length - left.length);
    const open = (takesBytes: boolean): WriterConnection => {
      const transport = new SocketTransport(this.label, webSocketTo(socketUrl, {}), secrets, takesBytes);
      return new WriterConnection(this.label, transport, token);
    };
    this.stream = open(true);
    this.requests = open(false);
  }

  async close(): Promise<void> {
    await Promise.all([this.stream.close(), this.requests.close()]);
  }
}

/** Requests over one connection are begun in their order. */
class WriterConnection implements ForwardTarget, ConnectedWriter {
  readonly label: string;
  readonly #transport: SocketTransport;
  readonly #token: string;
  #lastId = 0;

  constructor(label: string, transport: SocketTransport, token: string) {
    this.label = label;
    this.#transport = transport;
    this.#token = token;
  }

  async connect(): Promise<ConnectedWriter> {
    try {
      await this.#transport.connect();
      return this;
    } catch (cause) {
      throw writerUnreachable(this.label, cause);
    }
  }

  async ask(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    return (await this.askForBytes(method, params, signal)).result;
  }

  /** Asks for an answer that has binary messages before it. One at a time: they are those of the next answer. */
  async askForBytes(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly result: unknown; readonly binary: readonly Bytes[] }> {
    const id = ++this.#lastId;
    const request = { jsonrpc: "2.0", id, method, params: [{ token: this.#token, ...params }] } as const;
    let answer: { readonly result?: unknown; readonly error?: RpcError | undefined } | undefined;
    let binary: readonly Bytes[] = [];
    try {
      const reply = await this.#transport.send([request], signal);
      answer = reply.answers?.find((each) => each.id === id);
      binary = reply.binary ?? [];
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw writerUnreachable(this.label, cause);
    }
    if (answer === undefined) throw writerUnreachable(this.label);
    if (answer.error != null) throw new WriterRefusal(answer.error);
    return { result: answer.result, binary };
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** The error for a writer that gives no answer. @param label - its address without secrets, or why it has none */
export function writerUnreachable(label: string, cause?: unknown): RemoteError {
  return new RemoteError({
    code: "WRITER_UNREACHABLE",
    what: `The writer that this node follows does not answer${cause instanceof Error ? `: ${cause.message}` : ""}.`,
    where: `Its address: ${label}.`,
    fix: "Start the writer, or ask again: this node goes on trying.",
    cause,
  });
}
