/**
 * Accounts and slots that earlier calls read, by code and function. A later call of the same function, even of another contract
 * with the same code or at another block, most likely reads them too.
 */
import { LRUCache } from "lru-cache";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import { type Bytes, bytesKey, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import type { StateKeys } from "../../remote/upstream.ts";

/** Most functions, and most recipients whose code is remembered. */
const MOST_FUNCTIONS = 256;
/** Most accounts and slots of one call; those of longer calls are not stored. */
const MOST_KEYS = 512;
/** Most keys of a function, when those of earlier calls are added: many of these depend on arguments that differ. */
const MOST_MERGED = 128;

/** An account, or a slot of it. Without an address it is the recipient, which differs between contracts of the same code. */
interface EarlierKey {
  readonly address: Bytes | undefined;
  readonly slot: Bytes | undefined;
}

/** One for each fork, in memory only. The keys are hints: what a call reads need not be among them. */
export class EarlierKeys {
  readonly #keys = new LRUCache<string, ReadonlyMap<string, EarlierKey>>({ max: MOST_FUNCTIONS });
  /** Codes of recipients: the account may not be known yet at another block. */
  readonly #codes = new LRUCache<string, Bytes>({ max: MOST_FUNCTIONS });

  /** True if a recipient's code is known from an earlier call. */
  knows(address: Bytes): boolean {
    return this.#codes.has(bytesKey(address));
  }

  /**
   * Keys of earlier calls of the same function.
   *
   * @param codeHash - of the recipient; default: the one that it had at an earlier call
   */
  of(call: CallRequest, codeHash?: Bytes): readonly StateKeys[] {
    const { to } = call;
    const code = codeHash ?? (to && this.#codes.get(bytesKey(to)));
    const keys = code === undefined && to !== undefined ? undefined : this.#keys.get(functionOf(call, code));
    return [...(keys?.values() ?? [])].flatMap(({ address = to, slot }) =>
      address === undefined ? [] : [{ address, slots: slot === undefined ? [] : [slot] }],
    );
  }

  /**
   * Adds the keys of a call.
   *
   * @param codeHash - of the recipient; undefined for a creation
   */
  keep(call: CallRequest, codeHash: Bytes | undefined, keys: readonly StateKeys[]): void {
    const { to } = call;
    if (codeHash !== undefined && equalBytes(codeHash, EMPTY_CODE_HASH)) return;
    if (to !== undefined && codeHash !== undefined) this.#codes.set(bytesKey(to), codeHash);
    const name = functionOf(call, codeHash);
    const merged = new Map<string, EarlierKey>();
    for (const { address, slots } of keys) {
      const own = to !== undefined && equalBytes(address, to) ? undefined : address;
      for (const slot of [undefined, ...slots]) merged.set(textOf(own, slot), { address: own, slot });
    }
    if (merged.size === 0 || merged.size > MOST_KEYS) return;
    for (const [text, key] of this.#keys.get(name) ?? []) {
      if (merged.size >= MOST_MERGED) break;
      merged.set(text, key);
    }
    this.#keys.set(name, merged);
  }
}

/** The code and the first four bytes of the data. */
function functionOf({ data }: CallRequest, codeHash: Bytes | undefined): string {
  return textOf(codeHash, data?.subarray(0, 4));
}

const textOf = (first: Bytes | undefined, second: Bytes | undefined): string =>
  `${first === undefined ? "" : bytesKey(first)} ${second === undefined ? "" : bytesKey(second)}`;
