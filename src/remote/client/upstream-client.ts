/**
 * The client of upstream nodes: batches calls, paces each node, retries failures, and falls back to other nodes. Every
 * call ends with a result, an error of the upstream node, or an error of {@link Upstream.request}.
 */
import { type RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { onNextTurn } from "../../primitives/platform/event-loop.ts";
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
import { LAG_PAUSES, LaggingCalls } from "./lagging-calls.ts";
import { PendingCall } from "./pending-call.ts";

/** How often and how long a call is repeated. Times are in milliseconds. */
export interface UpstreamClientOptions {
  /** Number of times that a failed call is repeated. */
  readonly retries: number;
  /** Milliseconds before the first repetition; doubled for each further one. */
  readonly retryBackoffMs: number;
  /** Milliseconds that a lagging node gets to learn of a block. */
  readonly lagMs: number;
}

/** From this attempt on a call is sent alone, so that it cannot fail others with it. */
const ALONE_FROM = 2;
/** Number of attempts for a state that seems pruned, because a load balancer may have nodes that keep it. */
const PRUNED_ATTEMPTS = 2;
/** Seven halvings reduce a message of 100 calls to one. */
const MAX_SPLITS = 10;

/** One for each fork. {@link close} rejects calls that wait. */
export class UpstreamClient implements Upstream {
  readonly label: string;
  readonly #endpoints: readonly Endpoint[];
  readonly #options: UpstreamClientOptions;
  readonly #admissions: Admissions;
  readonly #lagging = new LaggingCalls((calls) => this.#sendAgain(calls));
  readonly #gatherers: (() => void)[] = [];
  readonly #closing = new AbortController();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #stats = { requests: 0, roundTrips: 0, retries: 0, rateLimited: 0 };
  #queue: PendingCall[] = [];
  #isScheduled = false;
  #wakeUp: ReturnType<typeof setTimeout> | undefined;

  /** @param endpoints - the first is used, the others if it fails */
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
    const { signal, lagMs = this.#options.lagMs, onAnsweredBy } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    const call = new PendingCall({ method, params }, { signal, lagMs, onAnsweredBy });
    this.#queue.push(call);
    this.#schedule();
    return call.promise;
  }

  /** Calls a function before the calls of this turn are sent: its requests are sent with them. */
  gather(gatherer: () => void): void {
    this.#gatherers.push(gatherer);
    this.#schedule();
  }

  /** From now on a node is used only after a check that it has the same chain. */
  admitOnly(admission: Admission): void {
    this.#admissions.begin(admission);
  }

  /** Asks every node at once; returns the answers received. */
  async askEach(call: UpstreamCall): Promise<readonly { readonly label: string; readonly result: unknown }[]> {
    const asked = this.#endpoints.map(async (endpoint) => ({
      label: endpoint.transport.label,
      result: await this.#askAlone(endpoint, call).catch(() => null),
    }));
    return (await Promise.all(asked)).filter(({ result }) => result !== null);
  }

  /** Indexes of the URLs in the options whose nodes have answered so far. */
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

  /** Sends as many calls as the nodes accept, and continues when they accept more. */
  #sendQueue(): void {
    clearTimeout(this.#wakeUp);
    for (;;) {
      this.#queue = this.#queue.filter((call) => !call.isSettled);
      const [first] = this.#queue;
      if (first === undefined || this.#closing.signal.aborted) {
        // Dead nodes are tried again with the next call.
        for (const endpoint of this.#endpoints) endpoint.revive();
        return;
      }
      const able = this.#endpoints.filter(
        (endpoint) => !first.unable.has(endpoint) && endpoint.deathCause === undefined,
      );
      const admitted = this.#admissions.filter(able);
      if (admitted.length === 0) {
        // The check of a node is running and calls this function again.
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

  /** Removes the calls of the next message to a node from the queue. */
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
    this.#queue = [...again, ...this.#queue];
    this.#sendQueue();
  }

  /** Settles a call by its outcome; returns true if it must be sent again. */
  #isUnsettled(endpoint: Endpoint, call: PendingCall, outcome: Outcome | undefined): boolean {
    const failure: Failure | undefined = outcome === undefined ? NOTHING : outcome.failure;
    if (failure === undefined) {
      call.resolve(outcome?.result, endpoint.transport.label);
      return false;
    }
    if (failure.kind === "pace") {
      this.#stats.rateLimited++;
      return true;
    }
    if (failure.kind === "batch" && ++call.splits <= MAX_SPLITS) return true;
    if (failure.kind === "unknownBlock" && call.lagMs > 0) {
      if (call.lags < LAG_PAUSES.length) {
        const pause = this.#lagging.wait(call);
        if (pause !== undefined) this.#sendLater(call, pause);
        return false;
      }
      const alike = this.#lagging.take(call);
      this.#sendAgain(alike.filter((other) => !other.isSettled && this.#isForAnother(endpoint, other, failure)));
    }
    call.attempts++;
    if (failure.kind !== "broken" || call.attempts > this.#options.retries) {
      return this.#isForAnother(endpoint, call, failure);
    }
    if (endpoint.isResting) return true;
    this.#sendLater(call, this.#options.retryBackoffMs * 2 ** (call.attempts - 1));
    return false;
  }

  /** As above, for failures that a retry or another node may avoid. */
  #isForAnother(endpoint: Endpoint, call: PendingCall, failure: Failure): boolean {
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

  #sendAgain(calls: readonly PendingCall[]): void {
    if (calls.length === 0) return;
    for (const call of calls) this.#queue.push(call);
    this.#schedule();
  }

  #sendLater(call: PendingCall, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#sendAgain([call]);
    }, delayMs);
    this.#timers.add(timer);
  }

  /** Fails a call that no node can answer; if all nodes are dead, fails all waiting calls. */
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
    // The next call tries them again.
    for (const endpoint of dead) endpoint.revive();
  }

  /** Sends one call to one node without retries. */
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
