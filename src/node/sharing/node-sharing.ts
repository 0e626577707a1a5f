/** A node's part among those that share a chain: it is the writer, or one of the readers. */
import type { ChainWriter } from "../../chain/chain-writer.ts";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { RpcContext } from "../../rpc/context.ts";
import type { Sharing, SharingStatus } from "../../rpc/sharing/port.ts";
import type { RequestContext } from "../../server/handler.ts";
import { chainFollows } from "../../sharing/followed-backend.ts";
import type { Follower } from "../../sharing/follower.ts";
import type { JobWorker } from "../../sharing/jobs/job-worker.ts";
import type { WorkingNode } from "../../sharing/jobs/range-work.ts";
import type { SharedChain } from "../../sharing/shared-chain.ts";
import type { Backend } from "../../store/backends/backend.ts";
import { followedSpec } from "./followed-spec.ts";
import { Forwarding } from "./forwarding.ts";
import type { SharedLog, SharedPart } from "./shared-log.ts";

type Run = (method: string, params: unknown, call: RequestContext) => Promise<unknown>;

/** The part of a node in a shared chain. With a log, the node may become the writer, or be replaced. */
export type NodePart = SharedPart & {
  readonly log?: SharedLog;
  /** Of a reader that takes jobs. */
  readonly worker?: JobWorker | undefined;
};

/** Methods that say how the node is, which it answers in any case. */
const ABOUT_ITSELF: ReadonlySet<string> = new Set(["hindcast_status", "hindcast_takeOver", "web3_clientVersion"]);

/** Implements the port of the methods. */
export class NodeSharing implements Sharing {
  readonly #part: NodePart;
  #run: Run | undefined;
  #forwarding: Forwarding | undefined;

  constructor(part: NodePart) {
    this.#part = part;
  }

  get #present(): SharedPart {
    return this.#part.log?.part ?? this.#part;
  }

  get shared(): SharedChain | undefined {
    return this.#present.shared;
  }

  get follower(): Follower | undefined {
    return this.#present.follower;
  }

  /** Stands between the store and its database. */
  readonly through = (database: Backend): Promise<Backend> => {
    const part = this.#part.log ?? this.shared ?? this.follower;
    if (part === undefined) throw new TypeError("NodeSharing: neither shares nor follows");
    return part.through(database);
  };

  get status(): SharingStatus {
    const { log } = this.#part;
    if (this.follower !== undefined) {
      const { status } = this.follower;
      const problem = log?.refusal?.message ?? status.problem;
      return { role: log === undefined ? "reader" : "standby", ...status, problem };
    }
    if (this.shared === undefined) throw new TypeError("NodeSharing: neither shares nor follows");
    const { position } = this.shared;
    const epoch = log?.writing.epoch;
    const problem = log?.problem?.message;
    return { role: "writer", position, writerSequence: position.sequence, writer: undefined, epoch, problem };
  }

  /** @param text - of the chain, for its readers */
  describe(text: string): void {
    this.#part.shared?.describe(() => text);
    this.#part.log?.describe(text);
  }

  /**
   * Makes sure that no other node writes this chain by now.
   *
   * @param method - what is asked for; undefined for a program's own call
   * @throws {UnsupportedError} `WRITER_FENCED`
   * @throws {RemoteError} `WRITER_LEASE_OVER`
   */
  requireLease(method?: string): void {
    if (this.shared === undefined || (method !== undefined && ABOUT_ITSELF.has(method))) return;
    const problem = this.#part.log?.problem;
    if (problem !== undefined) throw problem;
  }

  /** Readers reach this node here. */
  async listening(url: string): Promise<void> {
    await this.#part.log?.listening(url);
  }

  async takeOver(): Promise<void> {
    if (this.#part.log !== undefined) return this.#part.log.takeOver();
    throw new UnsupportedError({
      code: "TAKE_OVER_REFUSED",
      what: "This node cannot become the writer of its chain.",
      fix: "Ask a node that was started with --shared and --role standby.",
    });
  }

  /** @param run - of the dispatcher */
  answerBy(run: Run): void {
    this.#run = run;
  }

  /** Takes jobs from now on, if this node is to. */
  work(node: Omit<WorkingNode, "isUpToDate">): void {
    const { worker, follower } = this.#part;
    if (worker === undefined || follower === undefined) return;
    worker.start({
      ...{ hashAt: node.hashAt, answer: node.answer },
      get headNumber() {
        return node.headNumber;
      },
      get isUpToDate() {
        const { position, writerSequence, problem } = follower.status;
        return problem === undefined && position.sequence >= writerSequence;
      },
    });
  }

  readonly run: Run = (method, params, call) => {
    if (this.#run === undefined) throw new TypeError("NodeSharing: it has no dispatcher");
    return this.#run(method, params, call);
  };

  /** Answers requests of a reader by its writer. */
  forwarding(context: RpcContext): Forwarding {
    if (this.follower === undefined) throw new TypeError("NodeSharing: it does not follow");
    this.#forwarding ??= new Forwarding(this.follower, context);
    return this.#forwarding;
  }

  /**
   * A reader follows from now on.
   *
   * @param onPromoted - called when a chain of several writers has this one
   */
  start(writer: ChainWriter, onPromoted: () => void): void {
    this.follower?.start({
      follow: ({ description, ...batch }) =>
        writer.follow({ ...batch, spec: description === undefined ? undefined : followedSpec(description) }),
    });
    this.#part.log?.start(onPromoted);
  }

  /** @throws {UnsupportedError} `CHAIN_FOLLOWS_ANOTHER` at a reader */
  requireOwnChain(): void {
    if (this.follower !== undefined) throw chainFollows(this.follower.source.writer.label);
  }

  /** Before the chain is closed. */
  async stop(): Promise<void> {
    await this.#part.worker?.close();
    await this.#part.log?.stop();
    await this.follower?.close();
    await this.shared?.close();
  }

  /** After the chain is closed. */
  async close(): Promise<void> {
    await this.#part.log?.close();
  }
}
