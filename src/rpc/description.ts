/** Describes the methods of a node as an OpenRPC document. */
import { inTurns } from "../primitives/platform/turns.ts";
import type { SelfDescription } from "./context.ts";
import type { MethodTable } from "./method-table.ts";
import type { OpenRpcDocument } from "./openrpc/document-shape.ts";

/** The methods and the version that the document states. */
export interface DescriptionOptions {
  readonly methods: MethodTable;
  readonly version: string;
}

/** One for each node; serves `rpc.discover` and `rpc_modules`. */
export class Description implements SelfDescription {
  readonly #options: DescriptionOptions;
  #document: Promise<OpenRpcDocument> | undefined;

  constructor(options: DescriptionOptions) {
    this.#options = options;
  }

  /** The OpenRPC document of all methods. Built on first use: loading its parts takes longer than most requests. */
  document(): Promise<OpenRpcDocument> {
    this.#document ??= this.#build();
    return this.#document;
  }

  async #build(): Promise<OpenRpcDocument> {
    const [{ describeInSteps }, { EXAMPLE_ANSWERS }] = await Promise.all([
      import("./openrpc/document.ts"),
      import("./openrpc/example-answers.generated.ts"),
    ]);
    const { methods, version } = this.#options;
    return inTurns(describeInSteps({ methods: await methods.all(), version, answers: EXAMPLE_ANSWERS }));
  }

  /** Namespaces that have at least one method, in alphabetical order. */
  async namespaces(): Promise<readonly string[]> {
    const methods = await this.#options.methods.all();
    return [...new Set(methods.map(({ name }) => name.split(/[_.]/, 1)[0] as string))].sort();
  }
}
