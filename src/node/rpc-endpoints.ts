/**
 * Where a node answers JSON-RPC: the provider for the program around it, and servers for others. All hand their requests
 * to one dispatcher.
 *
 * The servers' code is loaded at the first `listen`: a program that only embeds a chain does not load HTTP.
 */
import { given } from "../primitives/shapes/given.ts";
import type { RpcContext } from "../rpc/context.ts";
import { Dispatcher } from "../rpc/dispatch.ts";
import { nodeClosed, Provider } from "../rpc/provider.ts";
import { methodsByName } from "../rpc/registry.ts";
import { SlowRequests } from "../rpc/slow-requests.ts";
import type { RunningIpcServer } from "../server/sockets/start-ipc-server.ts";
import type { RunningServer } from "../server/start-server.ts";
import type { Backend } from "./backend.ts";
import { checkListenIpcOptions, checkListenOptions } from "./options/check-options.ts";
import type { ListenIpcOptions, ListenOptions, NodeOptions } from "./options/options.ts";

/** Requests in one batch, at most. */
export const DEFAULT_MAX_BATCH_LENGTH = 1_000;

interface Closable {
  close(): Promise<void>;
}

export class RpcEndpoints {
  readonly provider: Provider;
  readonly #dispatcher: Dispatcher;
  readonly #context: RpcContext;
  readonly #servers = new Set<Closable>();
  readonly #onError: (error: unknown) => void;
  readonly #onRefused: ((reason: string) => void) | undefined;
  readonly #slow: SlowRequests | undefined;
  #isClosed = false;

  constructor({ context, chain, console }: Backend, options: NodeOptions) {
    this.#context = context;
    this.#onError = options.onError ?? (() => undefined);
    this.#onRefused = options.onRefused;
    const { onSlowRequest } = options;
    this.#slow =
      onSlowRequest &&
      new SlowRequests((method, elapsedMs) => {
        if (context.control.isLogging) onSlowRequest(method, elapsedMs);
      });
    this.#dispatcher = new Dispatcher({
      methods: methodsByName,
      reading: (task) => chain.reading(task),
      slow: this.#slow,
      context,
      maxBatchLength: options.maxBatchLength ?? DEFAULT_MAX_BATCH_LENGTH,
      onRequest: (method, error) => {
        if (!context.control.isLogging) return;
        try {
          options.onRequest?.(method, error);
        } catch (thrown) {
          // What has been done is answered, whatever becomes of the log.
          this.#onError(thrown);
        }
      },
    });
    this.provider = new Provider(this.#dispatcher, options.responseShape ?? "standard", console, this.#onError);
  }

  /** As `HindcastNode.listen`. */
  async listen(options: ListenOptions): Promise<RunningServer> {
    checkListenOptions(options);
    const [{ startServer }, { Pages }] = await Promise.all([
      import("../server/start-server.ts"),
      import("./pages/pages.ts"),
    ]);
    const { explorer, ...server } = options;
    const pages = await Pages.open(this.#context, explorer !== false);
    const parts = {
      handler: this.#dispatcher,
      onError: this.#onError,
      onRefused: this.#onRefused,
      pageAt: (path: string) => pages.at(path),
    };
    return this.#open(() => startServer({ ...given(server), ...parts }));
  }

  /** As `HindcastNode.listenIpc`. */
  async listenIpc(options: ListenIpcOptions): Promise<RunningIpcServer> {
    checkListenIpcOptions(options);
    const { startIpcServer } = await import("../server/sockets/start-ipc-server.ts");
    return this.#open(() => startIpcServer({ ...given(options), handler: this.#dispatcher, onError: this.#onError }));
  }

  /** A server that nobody would close keeps the process alive for good: there is none after {@link close}. */
  async #open<Server extends Closable>(start: () => Promise<Server>): Promise<Server> {
    if (this.#isClosed) throw nodeClosed();
    const server = await start();
    this.#servers.add(server);
    if (!this.#isClosed) return server;
    await server.close();
    throw nodeClosed();
  }

  /** Aborts what runs, and ends every connection within a moment. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.provider.close();
    await Promise.all([...this.#servers].map((server) => server.close()));
  }
}
