/** Which requests a reader forwards to its writer, and how it answers them: after it has the writer's changes. */
import { catalogue, type ErrorCode } from "../../errors/catalogue.ts";
import { HindcastError, UnsupportedError } from "../../errors/hindcast-error.ts";
import type { RpcContext } from "../../rpc/context.ts";
import type { AnsweredBy } from "../../rpc/method.ts";
import type { AnswerRequest } from "../../rpc/requests/answer-request.ts";
import type { ForwardedJson } from "../../rpc/sharing/answers.ts";
import { chainFollows } from "../../sharing/followed-backend.ts";
import { type Follower, positionParam } from "../../sharing/follower.ts";
import { decodePositionJson } from "../../sharing/wire.ts";
import { WriterRefusal } from "../../sharing/writer-client.ts";

/** Methods that wait for a block, which a later request of the same connection may mine. */
const WAITING = /Sync$/;

/** One for each reader. */
export class Forwarding {
  readonly #follower: Follower;
  readonly #context: RpcContext;

  constructor(follower: Follower, context: RpcContext) {
    this.#follower = follower;
    this.#context = context;
  }

  /**
   * The writer's answer to a request; undefined for those that are answered here.
   *
   * @throws {UnsupportedError} `CHAIN_FOLLOWS_ANOTHER` for those that nobody answers
   * @throws {RemoteError} `WRITER_UNREACHABLE`
   */
  answer(request: AnswerRequest): Promise<unknown> | undefined {
    const by = placeOf(request);
    if (by === "reader") return undefined;
    if (by === "nobody") throw poolElsewhere(this.#follower.client.label);
    return by === "writer" ? this.#forward(request) : this.#orForward(request);
  }

  async #orForward(request: AnswerRequest): Promise<unknown> {
    const { entry, values, call } = request;
    const here = await entry.call(this.#context, values, call);
    return here === null || here === "0x" ? this.#forward(request) : here;
  }

  /** Goes on if its client is gone: the writer's answer has to be waited for, whoever reads it. */
  async #forward({ method, params, call }: AnswerRequest): Promise<unknown> {
    const follower = this.#follower;
    const request = { position: positionParam(follower.position), method, params, shape: call.responseShape };
    const { signal } = new AbortController();
    try {
      const asked = follower.client.ask("requests", "hindcast_forward", request, signal);
      // The writer begins requests in the order in which they are sent.
      if (WAITING.test(method)) call.letNextBegin?.();
      const { position, result, error } = (await asked) as ForwardedJson;
      await follower.reached(decodePositionJson(position));
      if (error !== undefined) throw writersError(error);
      return result ?? null;
    } catch (error) {
      if (error instanceof WriterRefusal) throw writersError({ name: "WRITER_FAILED", ...error.error });
      throw error;
    }
  }
}

function placeOf({ entry, values, method }: AnswerRequest): AnsweredBy {
  const { writes, answeredBy = writes === true ? "writer" : "reader" } = entry;
  if (answeredBy !== "reader") return answeredBy;
  if (method === "eth_subscribe") return values[0] === "newPendingTransactions" ? "nobody" : "reader";
  return values.some(namesPending) && writes !== true ? "writer" : "reader";
}

/** True for the pending block, and for objects such as a log filter with it. */
function namesPending(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || Array.isArray(value)) return false;
  return isPending(value) || Object.values(value).some(isPending);
}

function isPending(value: unknown): boolean {
  return typeof value === "object" && value !== null && "tag" in value && value.tag === "pending";
}

/** The writer's error, as if it had come up here. */
function writersError({ name, code, message, data }: ForwardedJson["error"] & object): HindcastError {
  const known: ErrorCode = Object.hasOwn(catalogue, name) ? (name as ErrorCode) : "WRITER_FAILED";
  const details = data === undefined ? {} : { data };
  return new HindcastError({ code: known, what: message, rpcCode: code, ...details }).inWords({
    rpcCode: code,
    message,
    data,
  });
}

function poolElsewhere(writer: string): UnsupportedError {
  const error = chainFollows(writer);
  return new UnsupportedError({
    code: "CHAIN_FOLLOWS_ANOTHER",
    what: "The waiting transactions are with the node that this one follows.",
    where: error.where ?? "",
    fix: "Ask that node for them.",
  });
}
