/** Decides which of several nodes may be used: those that were found to have the chain of the fork. */
import type { UpstreamCall } from "../upstream.ts";
import type { Endpoint } from "./endpoint.ts";

/** Checks by calls to one node whether it has the same chain as the others. Returns the reason if not. */
export type Admission = (ask: (call: UpstreamCall) => Promise<unknown>) => Promise<string | undefined>;

/** If a node is available again within this many milliseconds, no other one is checked in its place. */
const ENOUGH_PATIENCE_MS = 100;

/** One for each client. A node is checked only when calls wait for it. */
export class Admissions {
  readonly #endpoints: readonly Endpoint[];
  readonly #ask: (endpoint: Endpoint, call: UpstreamCall) => Promise<unknown>;
  readonly #onChange: () => void;
  /** "yes", "asking", or the reason of a refusal. */
  readonly #answers = new Map<Endpoint, string>();
  #admission: Admission | undefined;

  constructor(
    endpoints: readonly Endpoint[],
    ask: (endpoint: Endpoint, call: UpstreamCall) => Promise<unknown>,
    onChange: () => void,
  ) {
    this.#endpoints = endpoints;
    this.#ask = ask;
    this.#onChange = onChange;
  }

  /**
   * Starts checking nodes; before, every node may be used. If only one node has answered so far, the others are
   * compared with it.
   */
  begin(admission: Admission): void {
    this.#admission = admission;
    const answered = this.#endpoints.filter(({ hasAnswered }) => hasAnswered);
    const only = answered.length === 1 ? answered[0] : this.#endpoints.length === 1 ? this.#endpoints[0] : undefined;
    if (only !== undefined) this.#answers.set(only, "yes");
  }

  /** True while a node is being checked. */
  get isAsking(): boolean {
    return [...this.#answers.values()].includes("asking");
  }

  /** Reasons of refusals. */
  get refusals(): readonly string[] {
    return [...this.#answers.values()].filter((answer) => answer !== "yes" && answer !== "asking");
  }

  /** The nodes among these that may be used. If none is available soon, further nodes are checked. */
  filter(candidates: readonly Endpoint[]): readonly Endpoint[] {
    const admission = this.#admission;
    if (admission === undefined) return candidates;
    const admitted = candidates.filter((endpoint) => this.#answers.get(endpoint) === "yes");
    const now = Date.now();
    const isOneReady = admitted.some(
      (endpoint) => !endpoint.isResting && (endpoint.wait(now, 1) ?? 0) <= ENOUGH_PATIENCE_MS,
    );
    if (!isOneReady && !this.isAsking) {
      const next = candidates.find((endpoint) => !this.#answers.has(endpoint));
      if (next !== undefined) void this.#admit(next, admission);
    }
    return admitted;
  }

  async #admit(endpoint: Endpoint, admission: Admission): Promise<void> {
    this.#answers.set(endpoint, "asking");
    try {
      this.#answers.set(endpoint, (await admission((call) => this.#ask(endpoint, call))) ?? "yes");
    } catch {
      // The check failed; it is repeated after the node's pause.
      this.#answers.delete(endpoint);
    }
    this.#onChange();
  }
}
