/** The backend of a reader, which writes only what is from the writer's stream; and a reader's errors. */
import { RemoteError, UnsupportedError } from "../errors/hindcast-error.ts";
import { type Backend, WrappedBackend } from "../store/backends/backend.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import type { ForwardTarget } from "./change-log.ts";

/** Reads a database, and refuses to write to it. */
export class FollowedBackend extends WrappedBackend {
  readonly #writer: Pick<ForwardTarget, "label">;
  #stream: Backend | undefined;

  constructor(database: Backend, writer: Pick<ForwardTarget, "label">) {
    super(database);
    this.#writer = writer;
  }

  /** Writes go here from now on: this node has become the writer. */
  succeedBy(stream: Backend): void {
    this.#stream = stream;
  }

  async write(operations: BatchOperation[]): Promise<void> {
    if (this.#stream === undefined) throw chainFollows(this.#writer.label);
    return this.#stream.write(operations);
  }
}

/** The error for whatever would change a chain that follows another one. */
export function chainFollows(writer: string): UnsupportedError {
  return new UnsupportedError({
    code: "CHAIN_FOLLOWS_ANOTHER",
    what: "This node follows another one, and does not change the chain.",
    where: `It follows ${writer}.`,
    fix: "Ask that node, or send a JSON-RPC request here: those that change the chain are forwarded.",
  });
}

/** The error for a request whose effects this node cannot get. */
export function neverReached(problem: string | undefined): RemoteError {
  return new RemoteError({
    code: "WRITER_FAILED",
    what: `The writer answered, but this node cannot follow it to that answer: ${problem ?? "the chain went back behind it"}`,
    fix: "Ask for the state of the chain, and send the request again if it is not there.",
  });
}

/** The error for a folder of a chain that the writer has no more. */
export function anotherGenesis(label: string): UnsupportedError {
  return new UnsupportedError({
    code: "FOLLOWING_REFUSED",
    what: `The writer at ${label} has another chain now, and this node's folder is of the one before.`,
    fix: "Stop this node and start it with an empty folder.",
  });
}
