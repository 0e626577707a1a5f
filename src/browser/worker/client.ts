/** A node in a worker, as the page has it. */
import type { FromNode, MessageEndpoint, PortError } from "../../rpc/port/messages.ts";
import { errorFromPort } from "../../rpc/port/messages.ts";
import { PortProvider } from "../../rpc/port/port-provider.ts";
import { type ServedProvider, servePort } from "../../rpc/port/serve-port.ts";
import type { Eip1193Provider } from "../../rpc/provider.ts";
import type { BrowserNodeOptions } from "../options.ts";
import type { WorkerCommand, WorkerReply, WorkerStart } from "./messages.ts";

/** The members of a Worker that are used. */
export interface NodeWorker extends MessageEndpoint {
  postMessage(message: unknown, transfer?: readonly unknown[]): void;
  terminate?(): void;
}

/** The options of a node in a worker: values that can be sent there, and `onNotice`, which is called in the page. */
export type WorkerNodeOptions = Omit<
  BrowserNodeOptions,
  "clock" | "onRequest" | "onSlowRequest" | "onMiningProgress" | "onError"
>;

/** A node in a worker. */
export interface WorkerNode {
  /** EIP-1193 provider of the node. Errors have the code and the data that they have in the worker. */
  readonly provider: Eip1193Provider;
  /** A port to the node, for another page or worker: see {@link connectNode}. */
  port(): unknown;
  /** Closes the node, and ends its worker. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates a node in a worker that runs the file `hindcast/worker-program`. Requests are answered as soon as it is there.
 *
 * @param options - as for a node in a page; a provider that is forked stays in the page
 * @throws {Error} with the code that `createNode` throws, such as `INVALID_OPTION`
 */
export async function createWorkerNode(worker: NodeWorker, options: WorkerNodeOptions = {}): Promise<WorkerNode> {
  const { port1, port2 } = new MessageChannel();
  const provider = new PortProvider(port1 as unknown as MessageEndpoint);
  const created = replyOf(worker, options.onNotice);
  const { start, transferred } = startOf(options);
  worker.postMessage({ ...start, serve: port2 }, [port2, ...transferred]);
  try {
    await created;
  } catch (error) {
    worker.terminate?.();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    provider: provider as unknown as Eip1193Provider,
    port: () => {
      const channel = new MessageChannel();
      worker.postMessage({ serve: channel.port2 } satisfies WorkerCommand, [channel.port2]);
      return channel.port1;
    },
    close: () => {
      closing ??= end(worker);
      return closing;
    },
  };
}

/** The provider of a node at the other end of a port: one of `node.serveOn`, or {@link WorkerNode.port}. */
export function connectNode(port: unknown): Eip1193Provider & { close(): void } {
  return new PortProvider(port as MessageEndpoint) as unknown as Eip1193Provider & { close(): void };
}

/** A provider of the page cannot be sent to the worker, so that it is served to it. */
function startOf({ fork, onNotice: _, ...options }: WorkerNodeOptions): {
  readonly start: WorkerStart;
  readonly transferred: readonly unknown[];
} {
  if (fork?.provider === undefined)
    return { start: { create: { ...options, ...(fork && { fork }) } }, transferred: [] };
  const { provider, ...rest } = fork;
  const { port1, port2 } = new MessageChannel();
  servePort(provider as ServedProvider, port1 as unknown as MessageEndpoint);
  return { start: { create: { ...options, fork: rest }, upstream: port2 }, transferred: [port2] };
}

/** Settles with the word of the worker that its node is there, or why not. Hands over its notices. */
function replyOf(worker: NodeWorker, onNotice: WorkerNodeOptions["onNotice"]): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (event: unknown): void => {
      const { message = "its file cannot be loaded" } = event as { readonly message?: string };
      reject(new Error(`The worker failed: ${message}`));
    };
    const listener = ({ data }: { readonly data: unknown }): void => {
      const reply = data as WorkerReply | FromNode;
      if ("created" in reply) resolve();
      else if ("failed" in reply) reject(errorFromPort(reply.failed));
      else if ("notice" in reply) onNotice?.(reply.notice);
    };
    worker.addEventListener("message", listener);
    (worker as { addEventListener(type: string, listener: (event: unknown) => void): void }).addEventListener(
      "error",
      onError,
    );
  });
}

/** Settles when all is written, and files can be opened by others. */
function end(worker: NodeWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }) => {
      const { closed } = data as { readonly closed?: true | PortError };
      if (closed === undefined) return;
      worker.terminate?.();
      if (closed === true) resolve();
      else reject(errorFromPort(closed));
    });
    worker.postMessage({ close: true } satisfies WorkerCommand);
  });
}
