/** Which requests a reader forwards to its writer, and how it answers them: after it has the writer's changes. */
import { catalogue, type ErrorCode } from "../../errors/catalogue.ts";
import { HindcastError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { pause } from "../../primitives/platform/turns.ts";
import type { RpcContext } from "../../rpc/context.ts";
import type { AnsweredBy } from "../../rpc/method.ts";
import type { AnswerRequest } from "../../rpc/requests/answer-request.ts";
import type { ForwardedJson } from "../../rpc/sharing/answers.ts";
import { chainFollows } from "../../sharing/followed-backend.ts";
import type { Follower } from "../../sharing/follower.ts";
import { decodePositionJson, positionParam } from "../../sharing/wire.ts";
import { WriterRefusal } from "../../sharing/writer-client.ts";

/** Methods that wait for a block, which a later request of the same connection may mine. */
const WAITING = /Sync$/;
/** Milliseconds in which a chain with several writers has to have the next one. */
const NEXT_WRITER_MS = 3_000;
/** Milliseconds between two looks whether it is there. */
const LOOK_MS = 50;
/** Codes with which a writer refuses before it runs anything: replaced, not the writer, a token of before; its lease is over. */
const REFUSED_BEFORE: ReadonlySet<number> = new Set([-32_004, -32_002]);
/** The same of the request itself, which may have been begun. */
const REPLACED: ReadonlySet<string> = new Set(["WRITER_FENCED", "WRITER_LEASE_OVER"]);
const SIDECAR_TYPE = 3;

/** An attempt failed, and the next writer may be asked. */
interface Failed {
  readonly error: unknown;
  /** False if the writer may have done what it was asked. */
  readonly isUndone: boolean;
}

/** The part of a follower that forwarding uses. */
type Followed = Pick<Follower, "position" | "reached" | "source" | "isClosed">;

/** One for each reader. */
export class Forwarding {
  readonly #follower: Followed;
  readonly #context: RpcContext;
  readonly #nextWriterMs: number;

  /** @param nextWriterMs - in which a chain with several writers has to have the next one */
  constructor(follower: Followed, context: RpcContext, nextWriterMs = NEXT_WRITER_MS) {
    this.#follower = follower;
    this.#context = context;
    this.#nextWriterMs = nextWriterMs;
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
    if (by === "nobody") throw poolElsewhere(this.#follower.source.writer.label);
    return by === "writer" ? this.#forward(request) : this.#orForward(request);
  }

  async #orForward(request: AnswerRequest): Promise<unknown> {
    const { entry, values, call } = request;
    const here = await entry.call(this.#context, values, call);
    return here === null || here === "0x" ? this.#forward(request) : here;
  }

  /**
   * Asks the next writer if this one was replaced, and certainly has not done what it was asked, or may do it twice. Goes on
   * if its client is gone: the writer's answer has to be waited for, whoever reads it.
   */
  async #forward(request: AnswerRequest): Promise<unknown> {
    const { source } = this.#follower;
    const end = performance.now() + this.#nextWriterMs;
    for (let wasDone = false; ; ) {
      const answer = await this.#attempt(request);
      if (!("isUndone" in answer)) return wasDone ? this.#unlessSent(request, answer) : this.#take(answer);
      const { error, isUndone } = answer;
      const hasNext = source.epoch !== undefined && performance.now() < end && !this.#follower.isClosed;
      if (!hasNext || !(isUndone || isRepeatable(request))) throw error;
      wasDone ||= !isUndone;
      source.wake();
      await pause(LOOK_MS);
    }
  }

  async #attempt(asked: AnswerRequest): Promise<ForwardedJson | Failed> {
    const { method, params, call } = asked;
    const { source, position } = this.#follower;
    const request = { position: positionParam(position), method, params, shape: call.responseShape };
    let isUndone = true;
    try {
      const connecting = source.writer.connect();
      // The writer begins requests in the order in which they are sent.
      if (WAITING.test(method)) call.letNextBegin?.();
      const writer = await connecting;
      isUndone = false;
      const answer = (await writer.ask("hindcast_forward", request, new AbortController().signal)) as ForwardedJson;
      const { error } = answer;
      const isOfNext = error !== undefined && REPLACED.has(error.name) && isRepeatable(asked);
      return isOfNext ? { error: writersError(error), isUndone } : answer;
    } catch (error) {
      if (!(error instanceof WriterRefusal)) return { error, isUndone };
      const refusal = writersError({ name: "WRITER_FAILED", ...error.error });
      if (!REFUSED_BEFORE.has(error.error.code)) throw refusal;
      return { error: refusal, isUndone: true };
    }
  }

  /** @throws {HindcastError} the writer's error */
  async #take({ position, result, error }: ForwardedJson): Promise<unknown> {
    await this.#follower.reached(decodePositionJson(position));
    if (error !== undefined) throw writersError(error);
    return result ?? null;
  }

  /** The answer to a request that may have been done before: then a signed transaction is there, and refused. */
  async #unlessSent(request: AnswerRequest, answer: ForwardedJson): Promise<unknown> {
    const [bytes] = request.values;
    if (answer.error === undefined || !isSignedTransaction(request) || !(bytes instanceof Uint8Array))
      return this.#take(answer);
    const hash = encodeData(keccak256(bytes));
    const lookUp = { ...request, method: "eth_getTransactionByHash", params: [hash], values: [] };
    const found = await this.#attempt(lookUp);
    if ("isUndone" in found || found.result == null) return this.#take(answer);
    await this.#take(found);
    return hash;
  }
}

/** True for a request that may be done twice: it writes nothing, or the chain takes it once. */
function isRepeatable(request: AnswerRequest): boolean {
  return request.entry.writes !== true || isSignedTransaction(request);
}

/** True for a transaction whose bytes have its hash, and so not for one with its blobs. */
function isSignedTransaction({ method, values: [bytes] }: AnswerRequest): boolean {
  return method === "eth_sendRawTransaction" && bytes instanceof Uint8Array && bytes[0] !== SIDECAR_TYPE;
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
