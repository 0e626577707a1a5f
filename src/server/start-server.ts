/**
 * The server: HTTP and WebSocket bytes on one port, to and from the one handler it is given.
 *
 * In: requests of clients. Out: the handler's answers. It knows sizes, hosts, origins and disconnections, and must not
 * know what a request means; it never imports `rpc`.
 */
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { createAccessRules, tellingRefusals } from "./access.ts";
import type { OnError, RequestHandler } from "./handler.ts";
import { createHttpServer, type Page } from "./http/http-server.ts";
import { WaitingAnswers } from "./sockets/waiting-answers.ts";
import { attachWebSockets } from "./sockets/web-sockets.ts";
import type { Work } from "./work.ts";

export interface ServerOptions {
  readonly handler: RequestHandler;
  /** The page that a GET request at a path shows, if there is one; default: none. */
  readonly pageAt?: (path: string) => Page | undefined;
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Default 8545; 0 takes a free one. */
  readonly port?: number;
  /** Host names let in beside localhost and the bound host; `*` lets all in. */
  readonly allowedHosts?: readonly string[];
  /** Browser origins let in beside those on localhost; `*` lets all in. */
  readonly allowedOrigins?: readonly string[];
  /** Whether pages on localhost are let in; default true. */
  readonly allowsLocalOrigins?: boolean;
  /** Largest request, bytes, over HTTP and WebSocket alike; default 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes that may wait for a slow WebSocket reader before it is cut off; default 16 MiB. */
  readonly maxWebSocketBufferBytes?: number;
  /** Bytes that may wait for all WebSocket readers together before the slowest is cut off; default 128 MiB. */
  readonly maxWaitingBytes?: number;
  /** Requests of one WebSocket that may be under way at a time; default 128. */
  readonly maxConcurrentRequests?: number;
  /** A client that reads nothing of what waits for it for so long is cut off; default 30,000. */
  readonly stallTimeoutMs?: number;
  /** Hears once of each Host and Origin that is not let in: a sentence with the flag that helps; default: nobody. */
  readonly onRefused?: ((reason: string) => void) | undefined;
  /** Hears of answers that failed half way, and of bugs; default: ignored. */
  readonly onError?: OnError;
}

/** A server that accepts connections until it is closed. */
export interface RunningServer {
  readonly host: string;
  /** The port in use, also when 0 was asked for. */
  readonly port: number;
  /** `http://host:port` */
  readonly url: string;
  /** Stops accepting, aborts what is under way, and ends every connection within a moment. Idempotent. */
  close(): Promise<void>;
}

/** What holds where an option is left out. */
export const SERVER_DEFAULTS = {
  pageAt: () => undefined,
  host: "127.0.0.1",
  port: 8545,
  allowedHosts: [],
  allowedOrigins: [],
  allowsLocalOrigins: true,
  maxBodyBytes: 10 * 1024 * 1024,
  maxWebSocketBufferBytes: 16 * 1024 * 1024,
  maxWaitingBytes: 128 * 1024 * 1024,
  maxConcurrentRequests: 128,
  stallTimeoutMs: 30_000,
  onError: () => undefined,
} as const satisfies Omit<ServerOptions, "handler" | "onRefused">;

/** What answers and goodbyes get to leave the house once {@link RunningServer.close} is called. */
const CLOSE_GRACE_MS = 250;

/**
 * Starts a server and resolves once it accepts connections.
 *
 * @throws {InvalidParamsError} `PORT_IN_USE`, or `CANNOT_LISTEN` for any other reason the system gives
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const settings = { ...SERVER_DEFAULTS, ...options };
  const rules = createAccessRules({ ...settings, boundHost: settings.host });
  const access = settings.onRefused === undefined ? rules : tellingRefusals(rules, settings.onRefused);
  const pending = new Set<Work>();
  const server = createHttpServer({ ...settings, access, pending });
  const sockets = trackSockets(server);
  const webSockets = attachWebSockets(server, {
    ...settings,
    access,
    maxBufferBytes: settings.maxWebSocketBufferBytes,
    waiting: new WaitingAnswers(settings.maxWaitingBytes),
  });
  const port = await listen(server, settings.host, settings.port);

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    for (const work of pending) work.abort(new Error("The server is closing."));
    const forceTimer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, CLOSE_GRACE_MS);
    await Promise.all([closed, webSockets.close(CLOSE_GRACE_MS)]);
    clearTimeout(forceTimer);
  };
  return {
    host: settings.host,
    port,
    url: `http://${bracketed(settings.host)}:${port}`,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Every open connection, upgraded ones included, which Node's own `closeAllConnections` leaves out. */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(listenError(error, host, port));
    server.once("error", onError);
    server.listen({ host, port }, () => {
      server.off("error", onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): InvalidParamsError {
  const address = `${bracketed(host)}:${port}`;
  if (error.code === "EADDRINUSE") {
    return new InvalidParamsError({
      code: "PORT_IN_USE",
      what: `Cannot listen on ${address}: the port is in use.`,
      fix: "Stop the other program or choose another port (--port 0 takes a free one).",
      cause: error,
    });
  }
  return new InvalidParamsError({
    code: "CANNOT_LISTEN",
    what: `Cannot listen on ${address}: ${error.message}.`,
    fix: "Choose an address of this machine and a port that you may use.",
    cause: error,
  });
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
