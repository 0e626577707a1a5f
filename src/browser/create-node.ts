/** Creates nodes in browsers. */
import "./jitless.ts";
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
 */
export async function createNode(options: BrowserNodeOptions = {}): Promise<BrowserNode> {
  const backend = await openBackend(browserOptions(options));
  return new HindcastNode(backend, backend.options) as unknown as BrowserNode;
}
