/** Serves JSON-RPC at a socket file, like geth's and Anvil's `--ipc`. File permissions decide who may connect. */
import { createServer } from "node:net";
import { IPC_DEFAULTS } from "../limits.ts";
import { IpcSession } from "./ipc-session.ts";
import { listenPrivately } from "./private-socket.ts";
import { RequestsInHand } from "./request-queue.ts";
import type { ConnectionOptions } from "./session.ts";
import { WaitingAnswers } from "./waiting-answers.ts";

/** Handler of requests, path of the socket file, and the limits. */
export interface IpcServerOptions extends ConnectionOptions {
  /** Path of the socket file; a named pipe on Windows. */
  readonly path: string;
  /** Longest request in bytes; default 10 MiB. */
  readonly maxRequestBytes?: number;
  /** Most waiting bytes of a slow client before it is disconnected; default 16 MiB. */
  readonly maxBufferBytes?: number;
}

/** A running server. */
export interface RunningIpcServer {
  readonly path: string;
  /** Closes every connection within a second and removes the file. Idempotent. */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 250;

/**
 * Starts listening. Replaces a file on which nobody listens.
 *
 * @throws {InvalidParamsError} `PORT_IN_USE` if another program listens there, `CANNOT_LISTEN` for any other reason
 */
export async function startIpcServer(options: IpcServerOptions): Promise<RunningIpcServer> {
  const settings = { ...IPC_DEFAULTS, ...options };
  const { path } = settings;
  const waiting = new WaitingAnswers(settings.maxWaitingBytes);
  const inHand = new RequestsInHand(settings.maxBytesInHand);
  const sessions = new Set<IpcSession>();
  let nextId = 1;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const session = new IpcSession(socket, { ...settings, waiting, inHand, id: nextId++ });
    sessions.add(session);
    session.onClose(() => {
      sessions.delete(session);
      settings.handler.disconnected?.();
    });
  });
  const removeFile = await listenPrivately(server, path);

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // First, so that a program that reconnects finds no server instead of one that does not answer.
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
