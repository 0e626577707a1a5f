/**
 * The client of an upstream: gathers calls into messages, keeps to the pace of each node, sends again what failed, and goes over to
 * another node where one fails. Every call ends: with a result, an error of the upstream's, or one of {@link Upstream.request}'s.
 */
import { type RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { onNextTurn } from "../../primitives/platform/turns.ts";
import {
  badAnswer,
  disagrees,
  methodMissing,
  prunedState,
  rateLimited,
  refused,
  unknownBlock,
  unreachable,
} from "../remote-errors.ts";
import type { RequestOptions, Upstream, UpstreamCall, UpstreamStats } from "../upstream.ts";
import { type Admission, Admissions } from "./admissions.ts";
import type { Endpoint, Outcome } from "./endpoint.ts";
import type { Failure } from "./failures.ts";
import { PendingCall } from "./pending-call.ts";

export interface UpstreamClientOptions {
  /** How often a call that failed is sent again. */
  readonly retries: number;
  /** Milliseconds before the first of them; it doubles. */
  readonly retryBackoffMs: number;
  /** How long a node that lags behind is given to learn of a block, milliseconds. */
  readonly lagMs: number;
}

/** From this attempt on a call goes alone, so that it no longer takes others with it. */
const ALONE_FROM = 2;
/** How often a state that seems pruned is asked for: a load balancer may have nodes that keep it. */
const PRUNED_ATTEMPTS = 2;
/** Questions to a node that lags, while it is given time. */
const LAG_STEPS = 12;
/** A message of 100 calls is down to one after seven halves. */
const MAX_SPLITS = 10;

export class UpstreamClient implements Upstream {
  readonly label: string;
  readonly #endpoints: readonly Endpoint[];
  readonly #options: UpstreamClientOptions;
  readonly #admissions: Admissions;
  readonly #gatherers: (() => void)[] = [];
  readonly #closing = new AbortController();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #stats = { requests: 0, roundTrips: 0, retries: 0, rateLimited: 0 };
  #queue: PendingCall[] = [];
  #isScheduled = false;
  #wakeUp: ReturnType<typeof setTimeout> | undefined;

  /** @param endpoints - the first is asked, the others where it fails */
  constructor(endpoints: readonly Endpoint[], options: UpstreamClientOptions) {
    this.#endpoints = endpoints;
    this.#options = options;
    this.label = endpoints[0]?.transport.label ?? "none";
    this.#admissions = new Admissions(
      endpoints,
      (endpoint, call) => this.#askAlone(endpoint, call),
      () => this.#schedule(),
    );
  }

  get stats(): UpstreamStats {
    return { ...this.#stats };
  }

  request(method: string, params: readonly unknown[], options: RequestOptions = {}): Promise<unknown> {
    const { signal, lagMs = this.#options.lagMs } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    const call = new PendingCall({ method, params }, { signal, lagMs });
    this.#queue.push(call);
    this.#schedule();
    return call.promise;
  }

  /** Runs a function when the calls of this turn go out, before they do: what it requests goes with them. */
  gather(gatherer: () => void): void {
    this.#gatherers.push(gatherer);
    this.#schedule();
  }

  /** From now on a node is asked only once it has been found to hold the same chain. */
  admitOnly(admission: Admission): void {
    this.#admissions.begin(admission);
  }

  /** Asks every node at once: the answers of those that give one. */
  async askEach(call: UpstreamCall): Promise<readonly { readonly label: string; readonly result: unknown }[]> {
    const asked = this.#endpoints.map(async (endpoint) => ({
      label: endpoint.transport.label,
      result: await this.#askAlone(endpoint, call).catch(() => null),
    }));
    return (await Promise.all(asked)).filter(({ result }) => result !== null);
  }

  /** The places among the options' URLs of the nodes that have answered so far. */
  get answered(): readonly number[] {
    return this.#endpoints.flatMap(({ hasAnswered }, index) => (hasAnswered ? [index] : []));
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const what = "The connection to the upstream is closed.";
    const closed = new UnsupportedError({ code: "NODE_CLOSED", what, fix: "Open another one." });
    this.#closing.abort(closed);
    clearTimeout(this.#wakeUp);
    for (const timer of this.#timers) clearTimeout(timer);
    for (const call of this.#queue.splice(0)) call.reject(closed);
    await Promise.all(this.#endpoints.map(({ transport }) => transport.close()));
  }

  #schedule(): void {
    if (this.#isScheduled || this.#closing.signal.aborted) return;
    this.#isScheduled = true;
    onNextTurn(() => {
      this.#isScheduled = false;
      for (const gatherer of this.#gatherers.splice(0)) gatherer();
      this.#sendQueue();
    });
  }

  /** Sends as much as the nodes take, and comes back when they take more. */
  #sendQueue(): void {
    clearTimeout(this.#wakeUp);
    for (;;) {
      this.#queue = this.#queue.filter((call) => !call.isSettled);
      const [first] = this.#queue;
      if (first === undefined || this.#closing.signal.aborted) {
        // The next call finds out whether those that were given up are back.
        for (const endpoint of this.#endpoints) endpoint.revive();
        return;
      }
      const able = this.#endpoints.filter(
        (endpoint) => !first.unable.has(endpoint) && endpoint.deathCause === undefined,
      );
      const admitted = this.#admissions.filter(able);
      if (admitted.length === 0) {
        // Whether it holds the same chain is found out now; that calls this function again.
        if (this.#admissions.isAsking) return;
        this.#giveUp(first);
        continue;
      }
      const now = Date.now();
      const waits = admitted.map((endpoint) => ({ endpoint, wait: endpoint.wait(now, this.#queue.length) }));
      const ready = waits.find(({ wait }) => wait === 0);
      if (ready === undefined) {
        const times = waits.flatMap(({ wait }) => wait ?? []);
        if (times.length > 0) this.#wakeUp = setTimeout(() => this.#sendQueue(), Math.min(...times));
        return;
      }
      void this.#sendMessage(ready.endpoint, this.#takeFor(ready.endpoint, now));
    }
  }

  /** The calls of the next message to a node, out of the queue. */
  #takeFor(endpoint: Endpoint, now: number): readonly PendingCall[] {
    const able = this.#queue.filter((call) => !call.unable.has(endpoint));
    const isAlone = (able[0]?.attempts ?? 0) >= ALONE_FROM;
    const taken = able.slice(0, endpoint.take(now, isAlone ? 1 : able.length));
    const sent = new Set(taken);
    this.#queue = this.#queue.filter((call) => !sent.has(call));
    return taken;
  }

  async #sendMessage(endpoint: Endpoint, calls: readonly PendingCall[]): Promise<void> {
    this.#stats.requests += calls.length;
    this.#stats.retries += calls.filter(({ attempts }) => attempts > 0).length;
    this.#stats.roundTrips++;
    const unneeded = new AbortController();
    for (const call of calls) {
      call.onSettled(() => {
        if (calls.every(({ isSettled }) => isSettled)) unneeded.abort();
      });
    }
    const outcomes = await endpoint.send(calls, AbortSignal.any([unneeded.signal, this.#closing.signal]));
    if (this.#closing.signal.aborted) {
      for (const call of calls) call.reject(this.#closing.signal.reason);
      return;
    }
    const again = calls.filter((call, index) => !call.isSettled && this.#isUnsettled(endpoint, call, outcomes[index]));
    this.#queue.unshift(...again);
    this.#sendQueue();
  }

  /** Settles a call by its outcome, or says by true that it is to be sent again with the next message. */
  #isUnsettled(endpoint: Endpoint, call: PendingCall, outcome: Outcome | undefined): boolean {
    const failure: Failure | undefined = outcome === undefined ? NOTHING : outcome.failure;
    if (failure === undefined) {
      call.resolve(outcome?.result);
      return false;
    }
    if (failure.kind === "pace") {
      this.#stats.rateLimited++;
      return true;
    }
    if (failure.kind === "batch" && ++call.splits <= MAX_SPLITS) return true;
    call.attempts++;
    if (failure.kind !== "broken" || call.attempts > this.#options.retries) {
      return this.#isForAnother(endpoint, call, failure);
    }
    if (endpoint.isResting) return true;
    this.#sendLater(call, this.#options.retryBackoffMs * 2 ** (call.attempts - 1));
    return false;
  }

  /** The same for failures that another node, or this one later, may not have. */
  #isForAnother(endpoint: Endpoint, call: PendingCall, failure: Failure): boolean {
    if (failure.kind === "unknownBlock") {
      call.laggingSince ??= Date.now();
      if (Date.now() - call.laggingSince < call.lagMs) {
        this.#sendLater(call, call.lagMs / LAG_STEPS);
        return false;
      }
    }
    if (failure.kind === "pruned" && call.attempts < PRUNED_ATTEMPTS) return true;
    call.unable.add(endpoint);
    const isItsOwn = failure.kind === "refused" && failure.error !== undefined;
    const isAnotherLeft = this.#endpoints.some((other) => !call.unable.has(other) && other.deathCause === undefined);
    if (!isItsOwn && isAnotherLeft) {
      call.attempts = 0;
      return true;
    }
    call.reject(this.#errorOf(endpoint, call, failure));
    return false;
  }

  #sendLater(call: PendingCall, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#queue.push(call);
      this.#schedule();
    }, delayMs);
    this.#timers.add(timer);
  }

  /** No node is left for the call: nor for any other that waits, where all of them are gone. */
  #giveUp(first: PendingCall): void {
    const dead = this.#endpoints.filter(({ deathCause }) => deathCause !== undefined);
    const { refusals } = this.#admissions;
    const last = dead.at(-1);
    const error =
      last === undefined
        ? disagrees(this.label, refusals[0] ?? "no node is left", "None of the URLs can be used.")
        : this.#errorOf(last, first, last.deathCause ?? NOTHING);
    const isForAll = dead.length + refusals.length >= this.#endpoints.length;
    for (const call of this.#queue.splice(0, isForAll ? this.#queue.length : 1)) call.reject(error);
    // The next call finds out whether they are back.
    for (const endpoint of dead) endpoint.revive();
  }

  /** One call to one node, without any retry. */
  async #askAlone(endpoint: Endpoint, call: UpstreamCall): Promise<unknown> {
    this.#stats.requests++;
    this.#stats.roundTrips++;
    const [outcome] = await endpoint.send([call], this.#closing.signal);
    if (outcome?.failure !== undefined) throw this.#errorOf(endpoint, call, outcome.failure);
    return outcome?.result;
  }

  #errorOf({ transport: { label } }: Endpoint, call: UpstreamCall, failure: Failure): RemoteError {
    const { kind, problem, error } = failure;
    const message = error?.message ?? problem;
    if (kind === "pace") return rateLimited(label, problem);
    if (kind === "pruned") return prunedState(label, message);
    if (kind === "method") return methodMissing(label, call.method, message);
    if (kind === "unknownBlock") return unknownBlock(label, JSON.stringify(call.params.at(-1)));
    if (error !== undefined && kind !== "broken") return refused(label, call, error);
    return failure.isSilence === true ? unreachable(label, problem) : badAnswer(label, call, problem);
  }
}

const NOTHING: Failure = { kind: "broken", problem: "nothing came back" };
