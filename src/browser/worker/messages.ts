/** Messages between a page and the worker that holds its node. Requests have a port of their own. */
import type { PortError } from "../../rpc/port/messages.ts";
import type { BrowserNodeOptions } from "../options.ts";

/** The page's first message to a worker: it creates the node. */
export interface WorkerStart {
  readonly create: BrowserNodeOptions;
  /** A port to the provider that is forked, if it is one of the page. */
  readonly upstream?: unknown;
}

/** The worker's answers: its node is there, or why it cannot be; a sentence for `onNotice`; its node is closed, or why not. */
export type WorkerReply =
  | { readonly created: true }
  | { readonly failed: PortError }
  | { readonly notice: string }
  | { readonly closed: true | PortError };

/** Later messages of the page: a further port of the node, or its end. */
export type WorkerCommand = { readonly serve: unknown } | { readonly close: true };
