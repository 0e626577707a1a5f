/** The backend of a reader: what is not from the writer's stream is not written. */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { type Backend, WrappedBackend } from "../store/backends/backend.ts";

/** Reads a database, and refuses to write to it. */
export class FollowedBackend extends WrappedBackend {
  readonly #writer: string;

  /** @param writer - its address, without secrets */
  constructor(database: Backend, writer: string) {
    super(database);
    this.#writer = writer;
  }

  async write(): Promise<void> {
    throw chainFollows(this.#writer);
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
