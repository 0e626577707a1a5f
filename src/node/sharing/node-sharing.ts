/** A node's part among those that share a chain: it is the writer, or one of the readers. */
import type { ChainWriter } from "../../chain/chain-writer.ts";
import type { RpcContext } from "../../rpc/context.ts";
import type { Sharing, SharingStatus } from "../../rpc/sharing/port.ts";
import type { RequestContext } from "../../server/handler.ts";
import { chainFollows } from "../../sharing/followed-backend.ts";
import type { Follower } from "../../sharing/follower.ts";
import type { SharedChain } from "../../sharing/shared-chain.ts";
import type { Backend } from "../../store/backends/backend.ts";
import { followedSpec } from "./followed-spec.ts";
import { Forwarding } from "./forwarding.ts";

type Run = (method: string, params: unknown, call: RequestContext) => Promise<unknown>;

/** Implements the port of the methods. Exactly one of both is given. */
export class NodeSharing implements Sharing {
  readonly shared: SharedChain | undefined;
  readonly follower: Follower | undefined;
  #run: Run | undefined;
  #forwarding: Forwarding | undefined;

  constructor(shared: SharedChain | undefined, follower: Follower | undefined) {
    this.shared = shared;
    this.follower = follower;
  }

  /** Stands between the store and its database. */
  readonly through = (database: Backend): Promise<Backend> => {
    const part = this.shared ?? this.follower;
    if (part === undefined) throw new TypeError("NodeSharing: neither shares nor follows");
    return part.through(database);
  };

  get status(): SharingStatus {
    if (this.follower !== undefined) return { role: "reader", ...this.follower.status };
    if (this.shared === undefined) throw new TypeError("NodeSharing: neither shares nor follows");
    const { position } = this.shared;
    return { role: "writer", position, writerSequence: position.sequence, writer: undefined, problem: undefined };
  }

  /** @param run - of the dispatcher */
  answerBy(run: Run): void {
    this.#run = run;
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

  /** A reader follows from now on. */
  start(writer: ChainWriter): void {
    this.follower?.start({
      follow: ({ description, ...batch }) =>
        writer.follow({ ...batch, spec: description === undefined ? undefined : followedSpec(description) }),
    });
  }

  /** @throws {UnsupportedError} `CHAIN_FOLLOWS_ANOTHER` at a reader */
  requireOwnChain(): void {
    if (this.follower !== undefined) throw chainFollows(this.follower.client.label);
  }

  async close(): Promise<void> {
    await this.follower?.close();
    await this.shared?.close();
  }
}
