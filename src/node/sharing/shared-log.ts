/** A node's part in a chain whose log is PostgreSQL: the writer, or what may become it. */
import { type HindcastError, RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { inBackground, type Timer } from "../../primitives/platform/event-loop.ts";
import type { Follower } from "../../sharing/follower.ts";
import type { PostgresWriting } from "../../sharing/postgres/writing.ts";
import { SharedChain } from "../../sharing/shared-chain.ts";
import type { Backend } from "../../store/backends/backend.ts";

/** Milliseconds between two looks whether the writer lives. */
const WATCH_MS = 250;

/** Options of a node that may write. */
export interface SharedLogOptions {
  readonly writing: PostgresWriting;
  /** Waits until no other node writes, instead of following it. */
  readonly isWriter: boolean;
  /** Connects a follower. Called if another node writes. */
  readonly follow: () => Promise<Follower>;
  /** The URL by which readers reach this node; default: where it listens. */
  readonly address: string | undefined;
  readonly onError: (error: unknown) => void;
}

/** The chain of a node: exactly one of both. */
export interface SharedPart {
  readonly shared?: SharedChain;
  readonly follower?: Follower;
}

/** One for each node with the role `writer` or `standby`. */
export class SharedLog {
  readonly writing: PostgresWriting;
  readonly #options: SharedLogOptions;
  #description = "";
  #address: string | undefined;
  #watch: Timer | undefined;
  #taking: Promise<boolean> | undefined;
  #isClosed = false;
  #refusal: UnsupportedError | undefined;
  part: SharedPart = {};
  /** Called when a node that followed has become the writer. */
  #onPromoted: () => void = () => undefined;

  constructor(options: SharedLogOptions) {
    this.writing = options.writing;
    this.#options = options;
    this.#address = options.address;
  }

  /** @param text - of the chain, for readers */
  describe(text: string): void {
    this.#description = text;
  }

  /** The database as the writer's, or as that of a node that follows. */
  async through(database: Backend): Promise<Backend> {
    const stream = await this.writing.open(database, this.#description, this.#options.isWriter);
    if (stream !== undefined) {
      const shared = new SharedChain({ token: this.writing.token });
      shared.use(stream);
      this.part = { shared };
      return stream;
    }
    const follower = await this.#options.follow();
    this.part = { follower };
    return follower.through(database);
  }

  /** @param onPromoted - called when this node writes: at once, or later */
  start(onPromoted: () => void): void {
    this.#onPromoted = onPromoted;
    if (this.part.follower === undefined) {
      onPromoted();
      return;
    }
    this.#watch = inBackground(setInterval(() => this.#look(), WATCH_MS));
  }

  #look(): void {
    if (this.#taking !== undefined || this.part.follower === undefined) return;
    if (this.part.follower.isWriterAlive) return;
    this.#take(false).catch((error: unknown) => {
      // While PostgreSQL does not answer, the status says so.
      if (error instanceof RemoteError) return;
      if (error instanceof UnsupportedError && error.code === "SHARED_LOG_REFUSED") this.#refuse(error);
      this.#options.onError(error);
    });
  }

  /** Nothing changes that but a person: it is not tried again, unless by hand. */
  #refuse(error: UnsupportedError): void {
    clearInterval(this.#watch);
    this.#refusal = error;
  }

  /** Why this node does not take over, though nobody writes; undefined if it would. */
  get refusal(): UnsupportedError | undefined {
    return this.part.follower === undefined ? undefined : this.#refusal;
  }

  /**
   * Takes the chain over by hand, whether its writer lives or not.
   *
   * @throws {UnsupportedError} `TAKE_OVER_REFUSED` if it writes already
   */
  async takeOver(): Promise<void> {
    await this.#taking;
    if (this.part.follower === undefined) {
      throw new UnsupportedError({ code: "TAKE_OVER_REFUSED", what: "This node writes the chain already." });
    }
    await this.#take(true);
  }

  #take(isForced: boolean): Promise<boolean> {
    this.#taking ??= this.#becomeWriter(isForced).finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  async #becomeWriter(isForced: boolean): Promise<boolean> {
    const { follower } = this.part;
    if (follower === undefined || this.#isClosed || !(await this.writing.take(isForced))) return false;
    try {
      await this.#succeed(follower);
      return true;
    } catch (error) {
      // Otherwise it would hold the chain, which nobody then writes.
      await this.writing.giveUp();
      throw error;
    }
  }

  /** Makes what a node followed its own chain. */
  async #succeed(follower: Follower): Promise<void> {
    await this.writing.describe(this.#description);
    const shared = new SharedChain({ token: this.writing.token });
    await follower.endAt(await this.writing.end(), async (database, position) => {
      const stream = await this.writing.stream(database, position);
      shared.use(stream);
      return stream;
    });
    clearInterval(this.#watch);
    this.part = { shared };
    await follower.close();
    if (this.#address !== undefined) await this.#register(this.#address);
    this.#onPromoted();
  }

  /** Notes the URL at which this node listens, and registers it for readers. */
  async listening(url: string): Promise<void> {
    this.#address ??= url;
    await this.#register(this.#address);
  }

  async #register(address: string): Promise<void> {
    if (this.part.shared !== undefined) await this.writing.lease?.register(address).catch(this.#options.onError);
  }

  /** Why this node may not be believed now. */
  get problem(): HindcastError | undefined {
    return this.writing.lease?.problem;
  }

  /** Before the chain is closed: gives up what waits for PostgreSQL. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    this.writing.stop();
    await this.part.follower?.close();
    await this.#taking?.catch(() => undefined);
  }

  /** After the chain is closed: another node may take over. */
  close(): Promise<void> {
    return this.writing.close();
  }
}
