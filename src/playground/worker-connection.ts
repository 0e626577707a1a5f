/** The connection to a node in a worker of this page. */
import { createWorkerNode, type PageProvider, type PageWorker } from "hindcast/worker";
import type { Connection, PageAnswer, PageRequest } from "../viewer/rpc/connection.ts";

/** A program beside the page; the build puts it there. */
const PROGRAM = "./node/worker-program.js";

/** An error of the node, as it arrives from the worker. */
interface NodeError {
  readonly code?: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Starts the node. Requests wait for it; they fail if the browser cannot run it. */
export function startNode(): { readonly connection: Connection; readonly provider: Pick<PageProvider, "request"> } {
  const node = createWorkerNode(new Worker(new URL(PROGRAM, document.baseURI), { type: "module" }) as PageWorker);
  // Each request says so, too.
  node.catch(() => undefined);
  const connection: Connection = {
    url: undefined,

    async send(requests: readonly PageRequest[], signal?: AbortSignal): Promise<readonly PageAnswer[]> {
      const { provider } = await node;
      const answers = Promise.all(requests.map((request) => answerOf(provider, request)));
      return signal === undefined ? answers : Promise.race([answers, abortOf(signal)]);
    },

    watchHeads(onHead: () => void, onEnd: () => void): void {
      node
        .then(async ({ provider }) => {
          provider.on("message", onHead);
          provider.on("disconnect", onEnd);
          await provider.request({ method: "eth_subscribe", params: ["newHeads"] });
        })
        .catch(onEnd);
    },
  };
  return { connection, provider: { request: async (args) => (await node).provider.request(args) } };
}

async function answerOf(provider: PageProvider, { method, params }: PageRequest): Promise<PageAnswer> {
  try {
    return { result: await provider.request({ method, params }) };
  } catch (error) {
    const { code = -32603, message, data } = error as NodeError;
    return { error: { code, message, data } };
  }
}

/** The node goes on: its port has no way to stop a request. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
