/** Accounts and slots that calls of the same function needed before, perhaps on the state of another block. */
import { LRUCache } from "lru-cache";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import { bytesKey } from "../../primitives/bytes/bytes.ts";
import type { StateKeys } from "../../remote/upstream.ts";

/** Most functions, and most accounts and slots of one: those of longer calls are not kept. */
const MOST_FUNCTIONS = 256;
const MOST_KEYS = 512;

/** Lives as long as the fork. It holds at most 256 functions, and forgets the one that was used longest ago. */
export class EarlierKeys {
  readonly #keys = new LRUCache<string, readonly StateKeys[]>({ max: MOST_FUNCTIONS });

  /** Keys of the last call of the same function of the same contract. */
  of(call: CallRequest): readonly StateKeys[] {
    return this.#keys.get(functionOf(call)) ?? [];
  }

  keep(call: CallRequest, keys: readonly StateKeys[]): void {
    const count = keys.reduce((sum, { slots }) => sum + 1 + slots.length, 0);
    if (count > 0 && count <= MOST_KEYS) this.#keys.set(functionOf(call), keys);
  }
}

/** The recipient and the first four bytes of the data. */
function functionOf({ to, data }: CallRequest): string {
  return `${to === undefined ? "" : bytesKey(to)} ${data === undefined ? "" : bytesKey(data.subarray(0, 4))}`;
}
