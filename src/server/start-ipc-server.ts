/** JSON-RPC over a socket file, as geth's and Anvil's `--ipc`: who may open the file may ask. */
import { chmod, lstat, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import type { RequestHandler } from "./handler.ts";
import { IpcSession } from "./ipc-session.ts";

export interface IpcServerOptions {
  readonly handler: RequestHandler;
  /** Path of the socket file; a named pipe on Windows. */
  readonly path: string;
  /** Longest request in bytes; default 10 MiB. */
  readonly maxRequestBytes?: number;
  /** Bytes that may wait for a slow reader before it is cut off; default 16 MiB. */
  readonly maxBufferBytes?: number;
  /** Requests of one connection that may be under way at a time; default 128. */
  readonly maxConcurrentRequests?: number;
}

/** A socket file that is answered at until it is closed. */
export interface RunningIpcServer {
  readonly path: string;
  /** Ends every connection within a moment and removes the file. Idempotent. */
  close(): Promise<void>;
}

const LIMITS = {
  maxRequestBytes: 10 * 1024 * 1024,
  maxBufferBytes: 16 * 1024 * 1024,
  maxConcurrentRequests: 128,
} as const satisfies Omit<IpcServerOptions, "handler" | "path">;

const CLOSE_GRACE_MS = 250;
/** Only the user who started the node may connect: there is no Host or Origin to check here. */
const OWNER_ONLY = 0o600;

/**
 * Starts listening. A file that nobody listens at any more is replaced.
 *
 * @throws {InvalidParamsError} `PORT_IN_USE` if another program listens there, `CANNOT_LISTEN` for any other reason
 */
export async function startIpcServer(options: IpcServerOptions): Promise<RunningIpcServer> {
  const settings = { ...LIMITS, ...options };
  const { path } = settings;
  const sessions = new Set<IpcSession>();
  let nextId = 1;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const session = new IpcSession(socket, { ...settings, id: nextId++ });
    sessions.add(session);
    session.onClose(() => sessions.delete(session));
  });
  await listen(server, path);
  try {
    if (process.platform !== "win32") await chmod(path, OWNER_ONLY);
  } catch (error) {
    // A server that nobody holds would listen for good.
    server.close();
    throw cannotListen(path, error);
  }

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // Node removes the file with the server.
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

async function listen(server: Server, path: string): Promise<void> {
  try {
    await listenOnce(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cannotListen(path, error);
    if (!(await isLeftBehind(path))) throw inUse(path, error);
    await rm(path, { force: true });
    await listenOnce(server, path).catch((again: unknown) => {
      throw cannotListen(path, again);
    });
  }
}

function listenOnce(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Whether a path is a socket that nobody listens at. */
async function isLeftBehind(path: string): Promise<boolean> {
  // On Windows pipes go with their program.
  if (process.platform === "win32") return false;
  const file = await lstat(path).catch(() => undefined);
  // It went with its program a moment ago.
  if (file === undefined) return true;
  if (!file.isSocket()) return false;
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
  });
}

function inUse(path: string, cause: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "PORT_IN_USE",
    what: `Cannot listen on ${path}: another program does, or it is no socket.`,
    fix: "Stop the other program or choose another path.",
    cause,
  });
}

function cannotListen(path: string, cause: unknown): InvalidParamsError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new InvalidParamsError({
    code: "CANNOT_LISTEN",
    what: `Cannot listen on ${path}: ${reason}.`,
    fix: "Choose a path in a folder that you may write to, of at most 100 characters.",
    cause,
  });
}
