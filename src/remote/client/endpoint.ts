/**
 * One upstream node: its transport, its pace, and its recent failures. It sends messages; retries are decided
 * elsewhere.
 */

import { shortened } from "../remote-errors.ts";
import type { RpcAnswer, RpcRequest, Transport } from "../transport/transport.ts";
import type { UpstreamCall } from "../upstream.ts";
import { type Failure, failureOf, failureOfReply } from "./failures.ts";
import { Pace } from "./pace.ts";

/** Outcome of one call: a result, or a failure. */
export type Outcome =
  | { readonly result: unknown; readonly failure?: undefined }
  | { readonly failure: Failure; readonly result?: undefined };

/** Pace and patience towards one node. Times are in milliseconds. */
export interface EndpointOptions {
  readonly timeoutMs: number;
  /** Consecutive failures after which the node counts as unreachable. */
  readonly retries: number;
  readonly retryBackoffMs: number;
  /** Calls per second. */
  readonly rate?: number | undefined;
  readonly random: () => number;
}

/** Most concurrent HTTP messages to a node; providers in the same process may get more. */
const HTTP_CONCURRENCY = 16;
const PROVIDER_CONCURRENCY = 128;
/** Retries for an address that never answered and refuses connections, because it is most likely wrong. */
const RETRIES_AT_FIRST = 2;

/** Sends messages to one upstream node. One for each URL or provider. */
export class Endpoint {
  readonly transport: Transport;
  readonly #options: EndpointOptions;
  readonly #pace: Pace;
  #inFlight = 0;
  #nextId = 1;
  #hasAnswered = false;
  /** Consecutive messages without an answer. */
  #failures = 0;
  #restsUntil = 0;
  /** Time since which every message was refused for its pace. */
  #refusedSince: number | undefined;
  #lastProblem: Failure | undefined;

  constructor(transport: Transport, options: EndpointOptions) {
    this.transport = transport;
    this.#options = options;
    this.#pace = new Pace({
      rate: options.rate,
      maxBatch: transport.maxBatch,
      maxConcurrency: transport.maxBatch === 1 ? PROVIDER_CONCURRENCY : HTTP_CONCURRENCY,
      random: options.random,
    });
  }

  /** True after the first answer. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Reason why the node is considered dead; undefined if it is not. The next successful message clears it. */
  get deathCause(): Failure | undefined {
    const { timeoutMs, retries } = this.#options;
    const isUnknownAddress =
      !this.#hasAnswered && /ECONNREFUSED|ENOTFOUND|ENOENT/.test(this.#lastProblem?.problem ?? "");
    if (this.#failures > (isUnknownAddress ? Math.min(retries, RETRIES_AT_FIRST) : retries)) return this.#lastProblem;
    if (this.#refusedSince === undefined) return undefined;
    const isLong = (this.#lastProblem?.retryAfterMs ?? 0) >= timeoutMs;
    return isLong || Date.now() - this.#refusedSince > timeoutMs ? this.#lastProblem : undefined;
  }

  /** True during the pause after a message without an answer. */
  get isResting(): boolean {
    return this.#failures > 0 && this.#restsUntil > Date.now();
  }

  /**
   * Milliseconds until the next message may be sent, given the number of waiting calls; undefined if that depends on
   * messages in flight.
   */
  wait(now: number, waiting: number): number | undefined {
    // While the node fails, one message at a time tests whether it is back.
    const most = this.#failures > 0 ? 1 : this.#pace.concurrency;
    if (this.#inFlight >= most) return undefined;
    return Math.max(this.#restsUntil - now, this.#pace.wait(now, waiting), 0);
  }

  /** Number of waiting calls for the next message. */
  take(now: number, waiting: number): number {
    return this.#pace.take(now, waiting);
  }

  /** Lets a dead node be tried again. */
  revive(): void {
    if (this.deathCause === undefined) return;
    this.#failures = 0;
    this.#refusedSince = undefined;
    this.#restsUntil = 0;
  }

  /** Sends calls as one message. Returns their outcomes in the same order. Never rejects. */
  async send(calls: readonly UpstreamCall[], signal: AbortSignal): Promise<readonly Outcome[]> {
    const firstId = this.#nextId;
    this.#nextId += calls.length;
    const requests = calls.map(
      ({ method, params }, index): RpcRequest => ({ jsonrpc: "2.0", id: firstId + index, method, params }),
    );
    const sentAt = Date.now();
    const timeout = new AbortController();
    const timer = setTimeout(
      () => timeout.abort(new Error(`no answer within ${this.#options.timeoutMs} ms`)),
      this.#options.timeoutMs,
    );
    this.#inFlight++;
    try {
      const reply = await this.transport.send(requests, AbortSignal.any([signal, timeout.signal]));
      const failure = failureOfReply(reply, calls.length);
      if (failure !== undefined) return this.#failAll(calls, failure, sentAt);
      return this.#read(requests, reply.answers ?? [], sentAt);
    } catch (error) {
      const reason = timeout.signal.aborted ? timeout.signal.reason : error;
      const problem = shortened(reason instanceof Error ? reason.message : String(reason));
      if (signal.aborted) return calls.map(() => ({ failure: { kind: "broken", problem } }));
      return this.#failAll(calls, { kind: "broken", problem, isSilence: true }, sentAt);
    } finally {
      clearTimeout(timer);
      this.#inFlight--;
    }
  }

  #failAll(calls: readonly UpstreamCall[], failure: Failure, sentAt: number): readonly Outcome[] {
    const now = Date.now();
    if (failure.kind === "pace") this.#slowDown(calls.length, sentAt, failure);
    else if (failure.kind === "batch") this.#pace.tooLong(calls.length, true);
    else {
      this.#lastProblem = failure;
      // If several messages were in flight when the node failed, only one failure counts.
      if (sentAt >= this.#restsUntil) {
        const { retryBackoffMs, random } = this.#options;
        const backoff = retryBackoffMs * 2 ** this.#failures * (0.75 + random() / 2);
        this.#failures++;
        this.#restsUntil = now + Math.max(failure.retryAfterMs ?? 0, backoff);
      }
      if (calls.length > 1) this.#pace.tooLong(calls.length, false);
    }
    return calls.map(() => ({ failure }));
  }

  #slowDown(calls: number, sentAt: number, failure: Failure): void {
    const now = Date.now();
    this.#lastProblem = failure;
    this.#refusedSince ??= now;
    this.#pace.refused(now, calls, sentAt, failure.retryAfterMs);
  }

  #read(requests: readonly RpcRequest[], answers: readonly RpcAnswer[], sentAt: number): readonly Outcome[] {
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    // An error about a message that could not be read has no id.
    const nameless = requests.length === 1 && answers[0]?.error !== undefined ? byId.get(null) : undefined;
    const outcomes = requests.map(({ id }) => outcomeOf(byId.get(id) ?? nameless));
    const refused = outcomes.filter(({ failure }) => failure?.kind === "pace");
    const accepted = outcomes.length - refused.length;
    if (accepted > 0) {
      this.#hasAnswered = true;
      this.#failures = 0;
      this.#refusedSince = undefined;
      this.#pace.accepted(Date.now(), accepted);
    }
    const [first] = refused;
    if (first?.failure !== undefined) this.#slowDown(requests.length, sentAt, first.failure);
    return outcomes;
  }
}

function outcomeOf(answer: RpcAnswer | undefined): Outcome {
  if (answer === undefined) return { failure: { kind: "broken", problem: "an answer to another request" } };
  if (answer.error !== undefined && answer.error !== null) return { failure: failureOf(answer.error) };
  return { result: answer.result };
}
