/** The program of a worker that holds a node. It listens before it loads anything, so that no message is lost. */
import { errorForPort, type MessageEndpoint } from "../../rpc/port/messages.ts";
import { PortProvider } from "../../rpc/port/port-provider.ts";
import { servePort } from "../../rpc/port/serve-port.ts";
import type { BrowserNode } from "../create-node.ts";
import type { WorkerCommand, WorkerReply, WorkerStart } from "./messages.ts";

const scope = globalThis as unknown as MessageEndpoint;

/** The node, once it was asked for. */
const state: { node?: Promise<BrowserNode> } = {};

scope.addEventListener("message", ({ data }) => {
  const message = data as Partial<WorkerStart> & Partial<{ serve: unknown; close: true }>;
  if (message.create !== undefined && state.node === undefined) state.node = open(message as WorkerStart);
  const { node } = state;
  if (node === undefined) return;
  if (message.serve !== undefined) serve(node, message as WorkerCommand & { readonly serve: unknown });
  if (message.close === true) void close(node);
});

async function close(node: Promise<BrowserNode>): Promise<void> {
  const closed = await node.then((open) => open.close()).then(() => true as const, errorForPort);
  scope.postMessage({ closed } satisfies WorkerReply);
}

async function open({ create, upstream }: WorkerStart): Promise<BrowserNode> {
  const reply = (message: WorkerReply): void => scope.postMessage(message);
  try {
    const { createNode } = await import("../create-node.ts");
    const provider = upstream === undefined ? undefined : new PortProvider(upstream as MessageEndpoint);
    const fork = provider === undefined ? create.fork : { ...create.fork, provider };
    const onNotice = (notice: string): void => reply({ notice });
    const node = await createNode({ ...create, onNotice, ...(fork === undefined ? {} : { fork }) });
    reply({ created: true });
    return node;
  } catch (error) {
    reply({ failed: errorForPort(error) });
    throw error;
  }
}

/** Requests wait in the port until the node takes it over. */
function serve(node: Promise<BrowserNode>, { serve: port }: { readonly serve: unknown }): void {
  node.then(
    (open) => open.serveOn(port as MessageEndpoint),
    (error) => servePort(Promise.reject(error), port as MessageEndpoint),
  );
}
