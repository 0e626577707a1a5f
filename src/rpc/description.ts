/** Describes the methods of a node as an OpenRPC document. */
import type { SelfDescription } from "./context.ts";
import type { Method } from "./method.ts";
import { describeMethods } from "./openrpc/document.ts";
import type { OpenRpcDocument } from "./openrpc/document-shape.ts";
import { EXAMPLES } from "./openrpc/examples.ts";

/** The registry and the version that the document states. */
export interface DescriptionOptions {
  readonly methods: readonly Method[];
  readonly version: string;
}

/** One for each node; serves `rpc.discover` and `rpc_modules`. */
export class Description implements SelfDescription {
  readonly #options: DescriptionOptions;
  /** Built on first use: building it takes longer than most requests. */
  #document: OpenRpcDocument | undefined;

  constructor(options: DescriptionOptions) {
    this.#options = options;
  }

  /** The OpenRPC document of all methods. */
  document(): OpenRpcDocument {
    this.#document ??= describeMethods({ ...this.#options, examples: EXAMPLES });
    return this.#document;
  }

  /** Namespaces that have at least one method, in alphabetical order. */
  namespaces(): readonly string[] {
    return [...new Set(this.#options.methods.map(({ name }) => name.split(/[_.]/, 1)[0] as string))].sort();
  }
}
