/** Guesses of what a call will read, which are worth fetching before it runs. Nothing of them is believed. */
import { RemoteError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { encodeQuantity } from "../primitives/bytes/hex.ts";
import type { RemoteBlockId, RemoteChain, RequestOptions, StateKeys } from "./upstream.ts";
import { readFixedData, readList, readObject } from "./wire.ts";

/** A call as JSON, as eth_call takes it. */
export type CallJson = Readonly<Record<string, unknown>>;

/** Accounts and slots of one hint at most: what a call touches within a gas limit of 60 million costs at least 2,100 each. */
const MOST_SLOTS = 30_000;

/** Asks a remote chain for hints; of a chain that gives none, once. */
export class Hints {
  readonly #chain: RemoteChain;
  #isServed = true;

  constructor(chain: RemoteChain) {
    this.#chain = chain;
  }

  /**
   * The accounts and slots that the upstream says a call touches (eth_createAccessList), sender and receiver among them.
   *
   * The answer is kept in the cache. Where the upstream gives none, or what it gives cannot be read, only sender and receiver.
   *
   * @param block - at or below the pin
   */
  async ofCall(call: CallJson, block: RemoteBlockId, options: RequestOptions = {}): Promise<readonly StateKeys[]> {
    const named = [call.from, call.to].flatMap(addressIn).map((address): StateKeys => ({ address, slots: [] }));
    if (!this.#isServed) return named;
    try {
      // By number: every node takes that, and a hint need not be exact.
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
