/** A reader's connections to its writer: one for the stream, and one for what it forwards, in its order. */
import { RemoteError } from "../errors/hindcast-error.ts";
import { webSocketTo } from "../remote/transport/connections.ts";
import { redactUrl, secretsOf } from "../remote/transport/redact.ts";
import { SocketTransport } from "../remote/transport/socket-transport.ts";
import type { RpcError, Transport } from "../remote/transport/transport.ts";

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

/** One for each reader. */
export class WriterClient {
  /** The writer's address without secrets. */
  readonly label: string;
  readonly #token: string;
  readonly #connections: Readonly<Record<"stream" | "requests", Transport>>;
  #lastId = 0;

  constructor({ url, token }: WriterAddress) {
    this.label = redactUrl(url);
    this.#token = token;
    const socketUrl = url.replace(/^http/i, "ws");
    const secrets = [...secretsOf(url, {}), token].sort((left, right) => right.length - left.length);
    const open = (): Transport => new SocketTransport(this.label, webSocketTo(socketUrl, {}), secrets);
    this.#connections = { stream: open(), requests: open() };
  }

  /**
   * Asks the writer.
   *
   * @param over - the connection; requests over the same one are begun in their order
   * @throws {RemoteError} `WRITER_UNREACHABLE`
   * @throws {WriterRefusal} if it answers with an error
   * @throws the signal's reason
   */
  async ask(
    over: "stream" | "requests",
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const id = ++this.#lastId;
    const request = { jsonrpc: "2.0", id, method, params: [{ token: this.#token, ...params }] } as const;
    let answer: { readonly result?: unknown; readonly error?: RpcError | undefined } | undefined;
    try {
      const reply = await this.#connections[over].send([request], signal);
      answer = reply.answers?.find((each) => each.id === id);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw this.#unreachable(cause);
    }
    if (answer === undefined) throw this.#unreachable(undefined);
    if (answer.error != null) throw new WriterRefusal(answer.error);
    return answer.result;
  }

  #unreachable(cause: unknown): RemoteError {
    return new RemoteError({
      code: "WRITER_UNREACHABLE",
      what: `The writer that this node follows does not answer${cause instanceof Error ? `: ${cause.message}` : ""}.`,
      where: `Its address: ${this.label}.`,
      fix: "Start the writer, or ask again: this node goes on trying.",
      cause,
    });
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#connections).map((connection) => connection.close()));
  }
}
