/** Requests that are sent together with the one for the pinned block. Their answers wait until somebody asks. */
import { encodeData } from "../primitives/bytes/hex.ts";
import { answerKey } from "./cache/cache-keys.ts";
import { storageValuesOf } from "./state/state-fetcher.ts";
import type { RequestOptions, StateKeys, Upstream, UpstreamStats } from "./upstream.ts";

/** The block parameter of a request. */
type BlockParameter = string | { readonly blockHash: string };

interface EarlyRequest {
  readonly method: string;
  /** Without the block. */
  readonly params: readonly unknown[];
  readonly answer: Promise<unknown>;
}

/** Lives while a fork opens. Each answer is used once; later requests are sent. */
export class EarlyAnswers implements Upstream {
  readonly #upstream: Upstream;
  /** Answers by request. */
  readonly #answers = new Map<string, Promise<unknown>>();
  /** Answers about a state whose block is not known yet. */
  #ofState: readonly EarlyRequest[] = [];

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  get label(): string {
    return this.#upstream.label;
  }

  get stats(): UpstreamStats {
    return this.#upstream.stats;
  }

  /** Sends a request whose answer is taken later. */
  ask(method: string, params: readonly unknown[]): void {
    this.#answers.set(answerKey(method, params), this.#send(method, params));
  }

  /** Sends the requests for accounts and slots of a block, as a `PlainFetcher` does. */
  askState(keys: readonly StateKeys[], block: BlockParameter): void {
    const send = (method: string, params: readonly unknown[]): EarlyRequest => ({
      method,
      params,
      answer: this.#send(method, [...params, block]),
    });
    const slots = keys.filter((entry) => entry.slots.length > 0);
    this.#ofState = [
      ...keys.flatMap(({ address }) =>
        ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"].map((method) =>
          send(method, [encodeData(address)]),
        ),
      ),
      ...(slots.length === 0 ? [] : [send("eth_getStorageValues", [storageValuesOf(slots)])]),
    ];
  }

  /** Keeps the answers about the state for a block; without one drops them. */
  settle(blockHash: string | undefined): void {
    for (const { method, params, answer } of blockHash === undefined ? [] : this.#ofState) {
      this.#answers.set(answerKey(method, [...params, { blockHash }]), answer);
    }
    this.#ofState = [];
  }

  #send(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = this.#upstream.request(method, params, { lagMs: 0 });
    // Nobody may ever ask for the answer, so its failure is handled here.
    answer.catch(() => undefined);
    return answer;
  }

  request(method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown> {
    if (this.#answers.size === 0) return this.#upstream.request(method, params, options);
    const key = answerKey(method, params);
    const early = this.#answers.get(key);
    this.#answers.delete(key);
    return early ?? this.#upstream.request(method, params, options);
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}
