/** Which of several nodes may be asked: those that were found to hold the chain of the fork. */
import type { UpstreamCall } from "../upstream.ts";
import type { Endpoint } from "./endpoint.ts";

/** Finds out, by calls to one node, whether it holds the same chain as the others; if not, it says why. */
export type Admission = (ask: (call: UpstreamCall) => Promise<unknown>) => Promise<string | undefined>;

/** A node that may be asked again this soon, milliseconds, needs no other one in its place. */
const ENOUGH_PATIENCE_MS = 100;

export class Admissions {
  readonly #endpoints: readonly Endpoint[];
  readonly #ask: (endpoint: Endpoint, call: UpstreamCall) => Promise<unknown>;
  readonly #onChange: () => void;
  /** "yes", "asking", or why not. */
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

  /** Until then every node may be asked. Where only one has answered so far, that is the one that the others are held against. */
  begin(admission: Admission): void {
    this.#admission = admission;
    const answered = this.#endpoints.filter(({ hasAnswered }) => hasAnswered);
    const only = answered.length === 1 ? answered[0] : this.#endpoints.length === 1 ? this.#endpoints[0] : undefined;
    if (only !== undefined) this.#answers.set(only, "yes");
  }

  /** True while a node is being asked. */
  get isAsking(): boolean {
    return [...this.#answers.values()].includes("asking");
  }

  /** Why nodes were left out. */
  get refusals(): readonly string[] {
    return [...this.#answers.values()].filter((answer) => answer !== "yes" && answer !== "asking");
  }

  /** The nodes among these that may be asked. Others are looked at once none of them can be asked soon. */
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
      // It failed: it rests, and may be asked again.
      this.#answers.delete(endpoint);
    }
    this.#onChange();
  }
}
