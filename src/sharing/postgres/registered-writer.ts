/** The writer of a chain by the address that it registered in the log, which changes with the writer. */
import type { ConnectedWriter, ForwardTarget } from "../change-log.ts";
import { type WriterAddress, WriterClient, writerUnreachable } from "../writer-client.ts";

/** One for each reader. */
export class RegisteredWriter implements ForwardTarget {
  readonly #chain: string;
  #address: WriterAddress | undefined;
  #client: WriterClient | undefined;

  /** @param chain - what is named while there is no writer */
  constructor(chain: string) {
    this.#chain = chain;
  }

  get label(): string {
    return this.#client?.label ?? `unknown, as no writer of ${this.#chain} has registered one`;
  }

  /** Forwards to this address from now on. */
  use(address: WriterAddress | undefined): void {
    if (address?.url === this.#address?.url && address?.token === this.#address?.token) return;
    const before = this.#client;
    this.#address = address;
    this.#client = address === undefined ? undefined : new WriterClient(address);
    before?.close().catch(() => undefined);
  }

  async connect(): Promise<ConnectedWriter> {
    if (this.#client === undefined) throw writerUnreachable(this.label);
    return this.#client.requests.connect();
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }
}
