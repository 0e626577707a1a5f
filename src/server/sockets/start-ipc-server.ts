/** JSON-RPC over a socket file, as geth's and Anvil's `--ipc`: who may open the file may ask. */
import { createServer } from "node:net";
import type { OnError, RequestHandler } from "../handler.ts";
import { IpcSession } from "./ipc-session.ts";
import { listenPrivately } from "./private-socket.ts";
import { WaitingAnswers } from "./waiting-answers.ts";

export interface IpcServerOptions {
  readonly handler: RequestHandler;
  /** Path of the socket file; a named pipe on Windows. */
  readonly path: string;
  /** Longest request in bytes; default 10 MiB. */
  readonly maxRequestBytes?: number;
  /** Bytes that may wait for a slow reader before it is cut off; default 16 MiB. */
  readonly maxBufferBytes?: number;
  /** Bytes that may wait for all readers together before the slowest is cut off; default 128 MiB. */
  readonly maxWaitingBytes?: number;
  /** A peer that reads nothing of what waits for it for so long is cut off; default 30,000. */
  readonly stallTimeoutMs?: number;
  /** Requests of one connection that may be under way at a time; default 128. */
  readonly maxConcurrentRequests?: number;
  /** Hears of answers that failed half way, and of bugs; default: ignored. */
  readonly onError?: OnError;
}

/** A socket file that is answered at until it is closed. */
export interface RunningIpcServer {
  readonly path: string;
  /** Ends every connection within a moment and removes the file. Idempotent. */
  close(): Promise<void>;
}

/** What holds where an option is left out. */
export const IPC_DEFAULTS = {
  maxRequestBytes: 10 * 1024 * 1024,
  maxBufferBytes: 16 * 1024 * 1024,
  maxWaitingBytes: 128 * 1024 * 1024,
  stallTimeoutMs: 30_000,
  maxConcurrentRequests: 128,
  onError: () => undefined,
} as const satisfies Omit<IpcServerOptions, "handler" | "path">;

const CLOSE_GRACE_MS = 250;

/**
 * Starts listening. A file that nobody listens at any more is replaced.
 *
 * @throws {InvalidParamsError} `PORT_IN_USE` if another program listens there, `CANNOT_LISTEN` for any other reason
 */
export async function startIpcServer(options: IpcServerOptions): Promise<RunningIpcServer> {
  const settings = { ...IPC_DEFAULTS, ...options };
  const { path } = settings;
  const waiting = new WaitingAnswers(settings.maxWaitingBytes);
  const sessions = new Set<IpcSession>();
  let nextId = 1;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const session = new IpcSession(socket, { ...settings, waiting, id: nextId++ });
    sessions.add(session);
    session.onClose(() => sessions.delete(session));
  });
  const removeFile = await listenPrivately(server, path);

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // First, so that a program which connects anew finds nobody instead of a server that does not answer.
    await removeFile();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const session of sessions) session.close(CLOSE_GRACE_MS);
    await closed;
  };
  return {
    path,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
