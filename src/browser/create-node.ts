/** Creates nodes in browsers. */
import "./jitless.ts";
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { openBackend } from "../node/backend.ts";
import { HindcastNode } from "../node/hindcast-node.ts";
import { type BrowserNodeOptions, browserOptions } from "./options.ts";

/** A node in a browser: what a node in Node has, but for servers and what reads folders. */
export interface BrowserNode extends Omit<HindcastNode, "listen" | "listenIpc" | "hardforkReport" | "branch"> {
  /** A second node that begins with this node's chain: see {@link HindcastNode.branch}. */
  branch(): Promise<BrowserNode>;
}

/**
 * Creates a node with its chain in memory.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`, `INVALID_GENESIS`
 * @throws {UnsupportedError} `UNSUPPORTED` in a service worker
 */
export async function createNode(options: BrowserNodeOptions = {}): Promise<BrowserNode> {
  if ("ServiceWorkerGlobalScope" in globalThis) {
    throw new UnsupportedError({
      code: "UNSUPPORTED",
      what: "A service worker, such as an extension's background, cannot run a node: import() is forbidden there.",
      fix: "Run the node in a worker of a page or of an offscreen document, and connect to it by a port (connectNode).",
    });
  }
  const backend = await openBackend(browserOptions(options));
  return new HindcastNode(backend, backend.options) as unknown as BrowserNode;
}
