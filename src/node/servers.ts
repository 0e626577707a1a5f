/**
 * The servers of a node. They are loaded at the first `listen`, so that a program that only embeds a chain does not load
 * HTTP.
 */
import { given } from "../primitives/validation/given.ts";
import type { RpcContext } from "../rpc/context.ts";
import type { MethodTable } from "../rpc/method-table.ts";
import type { RequestHandler } from "../server/handler.ts";
import type { RunningIpcServer } from "../server/sockets/start-ipc-server.ts";
import type { RunningServer } from "../server/start-server.ts";
import type { ListenIpcOptions, ListenOptions } from "./options/options.ts";

/** The handler of a server, and the content of its pages. */
export interface Served {
  readonly handler: RequestHandler;
  /** For pages. */
  readonly context: RpcContext;
  readonly methods: MethodTable;
  readonly onError: (error: unknown) => void;
  readonly onNotice: ((notice: string) => void) | undefined;
}

/** Tells methods that the explorer of the server is read-only. */
const readOnly = (handler: RequestHandler): RequestHandler => ({
  handle: (text, context) => handler.handle(text, { ...context, isReadOnly: true }),
  refuse: (reason, limitBytes) => handler.refuse(reason, limitBytes),
  disconnected: () => handler.disconnected?.(),
});

/** Loads the server for HTTP and WebSocket. Returns a function that starts it. */
export async function httpServer(options: ListenOptions, served: Served): Promise<() => Promise<RunningServer>> {
  const [{ startServer }, { Pages }] = await Promise.all([
    import("../server/start-server.ts"),
    import("./pages/pages.ts"),
  ]);
  const { explorer, sourcify = true, ...server } = options;
  const { context, methods, handler, onError, onNotice } = served;
  const pages = await Pages.open({ context, methods, servesSources: sourcify }, explorer ?? true);
  const parts = {
    handler: explorer === "read-only" ? readOnly(handler) : handler,
    onError,
    onRefused: onNotice,
    pageAt: (path: string) => pages.at(path),
  };
  return () => startServer({ ...given(server), ...parts });
}

/** Loads the server at a socket file. Returns a function that starts it. */
export async function ipcServer(options: ListenIpcOptions, served: Served): Promise<() => Promise<RunningIpcServer>> {
  const { startIpcServer } = await import("../server/sockets/start-ipc-server.ts");
  const { handler, onError } = served;
  return () => startIpcServer({ ...given(options), handler, onError });
}
