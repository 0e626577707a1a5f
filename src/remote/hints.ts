/** Predicts the state that a call will read, so that it can be prefetched. Predictions affect only speed. */
import { RemoteError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { encodeQuantity } from "../primitives/bytes/hex.ts";
import type { RemoteBlockId, RemoteChain, RequestOptions, StateKeys } from "./upstream.ts";
import { readFixedData, readList, readObject } from "./wire.ts";

/** A call in the JSON form of eth_call. */
export type CallJson = Readonly<Record<string, unknown>>;

/** Most accounts and slots in a prediction: within 60 million gas a call can access no more, at 2,100 gas each. */
const MOST_SLOTS = 30_000;

/** Asks an upstream node for predictions; only once if it has none. */
export class Hints {
  readonly #chain: RemoteChain;
  #isServed = true;

  constructor(chain: RemoteChain) {
    this.#chain = chain;
  }

  /**
   * Accounts and slots that a call accesses according to the upstream node (eth_createAccessList), with sender and
   * recipient.
   *
   * The answer is cached. If the node gives none, or an unreadable one, only sender and recipient are returned.
   *
   * @param block - at or below the pinned one
   */
  async ofCall(call: CallJson, block: RemoteBlockId, options: RequestOptions = {}): Promise<readonly StateKeys[]> {
    const named = [call.from, call.to].flatMap(addressIn).map((address): StateKeys => ({ address, slots: [] }));
    if (!this.#isServed) return named;
    try {
      // By number, which every node accepts; a prediction need not be exact.
      const params = [call, encodeQuantity(block.number)];
      return [...named, ...readKeys(await this.#chain.history("eth_createAccessList", params, options))];
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      if (error instanceof RemoteError && error.code === "REMOTE_METHOD_MISSING") this.#isServed = false;
      return named;
    }
  }
}

function addressIn(value: unknown): readonly Bytes[] {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value) ? [readFixedData(value, 20)] : [];
}

function readKeys(answer: unknown): readonly StateKeys[] {
  let left = MOST_SLOTS;
  return readList(readObject(answer).accessList).flatMap((entry) => {
    const { address, storageKeys } = readObject(entry);
    const slots = readList(storageKeys ?? []).slice(0, left);
    left -= slots.length + 1;
    if (left < 0) return [];
    return [{ address: readFixedData(address, 20), slots: slots.map((slot) => readFixedData(slot, 32)) }];
  });
}
