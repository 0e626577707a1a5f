/** WebSockets: upgrades on the port of the HTTP server, and the set of open sessions. */
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { type AccessRules, refuseAccess } from "../access.ts";
import { responseShapeAt } from "../address-forms.ts";
import { WebSocketSession, type WebSocketSessionOptions } from "./web-socket-session.ts";

/** The handler of requests, the allowed clients, and the limits. */
export interface WebSocketsOptions extends Omit<WebSocketSessionOptions, "id" | "responseShape" | "socket"> {
  readonly access: AccessRules;
  /** Longest request in bytes; a longer one closes the connection with code 1009. */
  readonly maxBodyBytes: number;
}

/** All open sessions of one server. */
export interface WebSockets {
  /** Closes every session with code 1001; destroys those that do not answer in time. */
  close(graceMs: number): Promise<void>;
}

/** Makes `server` accept WebSocket connections at every accepted path. */
export function attachWebSockets(server: Server, options: WebSocketsOptions): WebSockets {
  const sessions = new Set<WebSocketSession>();
  let opened: Promise<WebSocketServer> | undefined;
  let isClosed = false;
  let nextId = 1;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== "websocket") return serveAsItIs(server, request, socket, head);
    const responseShape = responseShapeAt(request.url ?? "");
    const refusal = refuseAccess(options.access, request);
    if (refusal !== undefined) return refuseUpgrade(socket, 403, refusal);
    if (responseShape === undefined) return refuseUpgrade(socket, 404, "Nothing is served here.\n");
    if (!(socket instanceof Socket)) return refuseUpgrade(socket, 400, "Not a socket.\n");
    const accept = (webSocket: WebSocket): void => {
      const session = new WebSocketSession(webSocket, { ...options, id: nextId++, responseShape, socket });
      sessions.add(session);
      session.onClose(() => sessions.delete(session));
    };
    const onError = (): void => void socket.destroy();
    socket.on("error", onError);
    opened ??= openProtocol(options.maxBodyBytes);
    void opened.then((protocol) => {
      socket.off("error", onError);
      if (isClosed) socket.destroy();
      else protocol.handleUpgrade(request, socket, head, accept);
    });
  });
  return {
    async close(graceMs) {
      isClosed = true;
      const ended = [...sessions].map((session) => new Promise<void>((resolve) => session.onClose(resolve)));
      for (const session of sessions) session.close(graceMs);
      await Promise.all(ended);
    },
  };
}

/** The library is loaded with the first upgrade, because most nodes never get one. */
async function openProtocol(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import("ws");
  return new WebSocketServer({ noServer: true, maxPayload, clientTracking: false });
}

/**
 * Serves a request that offers an upgrade to another protocol as a plain request, which RFC 9110 §7.8 allows: Java's
 * HTTP client offers HTTP/2 with its first request. Node has detached the socket for the upgrade, so it is passed to
 * the server anew.
 */
function serveAsItIs(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

function refuseUpgrade(socket: Duplex, status: number, text: string): void {
  socket.on("error", () => undefined);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "connection: close",
    "content-type: text/plain",
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  // The socket is detached from the server, so that a client that never ends its side would keep it open.
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}
