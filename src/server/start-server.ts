/**
 * The server: HTTP and WebSocket on one port, with a single handler for requests.
 *
 * It handles sizes, hosts, origins and disconnections, but not the meaning of requests: it must not import `rpc`.
 */
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { createAccessRules, reportingRefusals } from "./access.ts";
import { createHttpServer, type Page } from "./http/http-server.ts";
import { ReceivedBodies } from "./http/received-bodies.ts";
import { BODIES_TOGETHER, SERVER_DEFAULTS } from "./limits.ts";
import { RequestsInHand } from "./sockets/request-queue.ts";
import type { ConnectionOptions } from "./sockets/session.ts";
import { WaitingAnswers } from "./sockets/waiting-answers.ts";
import { attachWebSockets } from "./sockets/web-sockets.ts";
import type { Work } from "./work.ts";

/** Address, allowed clients, and the limits (`SECURITY.md`). */
export interface ServerOptions extends ConnectionOptions {
  /** The page at a path for GET requests, if there is one; default: none. */
  readonly pageAt?: (path: string) => Page | undefined;
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Default 8545; 0 takes a free port. */
  readonly port?: number;
  /** Host names allowed in addition to localhost and the bound host; `*` allows all. */
  readonly allowedHosts?: readonly string[];
  /** Browser origins allowed in addition to those on localhost; `*` allows all. */
  readonly allowedOrigins?: readonly string[];
  /** Allows pages on localhost; default true. */
  readonly allowsLocalOrigins?: boolean;
  /** Longest request in bytes, over HTTP and WebSocket; default 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Most waiting bytes of a slow WebSocket client before it is disconnected; default 16 MiB. */
  readonly maxWebSocketBufferBytes?: number;
  /** Called once for each refused Host and Origin, with a sentence that names the flag to allow it. */
  readonly onRefused?: ((reason: string) => void) | undefined;
}

/** A running server. */
export interface RunningServer {
  readonly host: string;
  /** The port in use, even if 0 was given. */
  readonly port: number;
  /** `http://host:port` */
  readonly url: string;
  /** Stops accepting, aborts running requests, and closes every connection within a second. Idempotent. */
  close(): Promise<void>;
}

/** Milliseconds for sending answers and close frames after {@link RunningServer.close}. */
const CLOSE_GRACE_MS = 250;

/**
 * Starts a server and resolves once it accepts connections.
 *
 * @throws {InvalidParamsError} `PORT_IN_USE`, or `CANNOT_LISTEN` for any other reason the system gives
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const settings = { ...SERVER_DEFAULTS, ...options };
  const rules = createAccessRules({ ...settings, boundHost: settings.host });
  const access = settings.onRefused === undefined ? rules : reportingRefusals(rules, settings.onRefused);
  const pending = new Set<Work>();
  const bodies = new ReceivedBodies(settings.maxBodyBytes * BODIES_TOGETHER);
  const server = createHttpServer({ ...settings, access, pending, bodies });
  const sockets = trackSockets(server, () => settings.handler.disconnected?.());
  const webSockets = attachWebSockets(server, {
    ...settings,
    access,
    bodies,
    maxBufferBytes: settings.maxWebSocketBufferBytes,
    waiting: new WaitingAnswers(settings.maxWaitingBytes),
    inHand: new RequestsInHand(settings.maxBytesInHand),
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

/** All open connections, including upgraded ones, which Node's `closeAllConnections` leaves out. */
function trackSockets(server: Server, onClose: () => void): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      onClose();
    });
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
