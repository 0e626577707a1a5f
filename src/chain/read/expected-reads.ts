/**
 * The state after a pinned block, with prefetching for calls. When a value is missing, the upstream node is asked which
 * state the running calls access, and that is fetched at once instead of one by one. Prefetching affects only speed,
 * never results.
 */
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import type { EvmAccount } from "../../evm/state-port.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { type CallJson, Hints } from "../../remote/hints.ts";
import type { PinnedState, RemoteChain } from "../../remote/upstream.ts";
import type { RemoteState } from "../../state/remote/remote-state.ts";

export class ExpectedReads implements RemoteState {
  readonly #state: PinnedState;
  readonly #hints: Hints;
  /** Running calls that did not miss a value yet. */
  readonly #calls = new Set<CallRequest>();

  constructor(remote: RemoteChain) {
    this.#state = remote.state;
    this.#hints = new Hints(remote);
  }

  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined> {
    return this.#noting(this.#state.getAccount(address));
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    return this.#noting(this.#state.getStorage(address, slot));
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    return this.#state.getCode(codeHash);
  }

  get provenRoot(): Bytes | undefined {
    return this.#state.provenRoot;
  }

  getTrieNode(hash: Bytes): Bytes | undefined {
    return this.#state.getTrieNode(hash);
  }

  /** Registers a running call. Returns a function to call when it ends. */
  expect(call: CallRequest): () => void {
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  #noting<T>(answer: MaybePromise<T>): MaybePromise<T> {
    if (!(answer instanceof Promise) || this.#calls.size === 0) return answer;
    for (const call of this.#calls) this.#prefetch(call);
    this.#calls.clear();
    return answer;
  }

  #prefetch(call: CallRequest): void {
    this.#hints
      .ofCall(jsonOf(call), this.#state.block)
      .then((keys) => this.#state.prefetch(keys))
      // Errors are ignored here, because the reads themselves report them.
      .catch(() => undefined);
  }
}

function jsonOf({ from, to, data, value }: CallRequest): CallJson {
  return {
    ...(from === undefined ? {} : { from: encodeData(from) }),
    ...(to === undefined ? {} : { to: encodeData(to) }),
    ...(data === undefined ? {} : { data: encodeData(data) }),
    ...(value === undefined ? {} : { value: encodeQuantity(value) }),
  };
}
