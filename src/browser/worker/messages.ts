/** Messages between a page and the worker that holds its node. Requests have a port of their own. */
import type { PortError } from "../../rpc/port/messages.ts";
import type { BrowserNodeOptions } from "../options.ts";

/** What the page asks of a worker, which it does once. */
export interface WorkerStart {
  readonly create: BrowserNodeOptions;
  /** A port to the provider that is forked, if it is one of the page. */
  readonly upstream?: unknown;
}

/** What the worker says when its node is there, or cannot be. */
export type WorkerReply = { readonly created: true } | { readonly failed: PortError };

/** What the page asks for a further port of the node, or its end. */
export type WorkerCommand = { readonly serve: unknown } | { readonly close: true };
