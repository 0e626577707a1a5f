/** Predicts the state that a call will read, so that it can be prefetched. Predictions affect only speed. */
import { RemoteError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../primitives/bytes/hex.ts";
import type { RemoteBlockId, RemoteChain, StateKeys } from "./upstream.ts";
import { readFixedData, readList, readObject } from "./wire.ts";

/** A call in the JSON form of eth_call. */
export type CallJson = Readonly<Record<string, unknown>>;

/** Most accounts and slots in a prediction: within 60 million gas a call can access no more, at 2,100 gas each. */
const MOST_SLOTS = 30_000;

/** Asks an upstream node for predictions. A method that the node does not serve is tried only once. */
export class Hints {
  readonly #chain: RemoteChain;
  readonly #missing = new Set<string>();
  /** The method that has predicted a call. */
  #served: string | undefined;

  constructor(chain: RemoteChain) {
    this.#chain = chain;
  }

  /**
   * Accounts and slots that a call accesses according to the upstream node, with sender and recipient: by
   * eth_createAccessList, else by debug_traceCall with prestateTracer. Both are asked until it is known which is served.
   *
   * The answer is cached. If the node gives none, or an unreadable one, only sender and recipient are returned.
   *
   * @param block - at or below the pinned one
   */
  async ofCall(call: CallJson, block: RemoteBlockId): Promise<readonly StateKeys[]> {
    const named = [call.from, call.to].flatMap(addressIn).map((address): StateKeys => ({ address, slots: [] }));
    // By number, which every node accepts; a prediction need not be exact.
    const params = [call, encodeQuantity(block.number)];
    const isWanted = (method: string): boolean => this.#served === undefined || this.#served === method;
    const lists = isWanted(LISTS) ? this.#ask(LISTS, params) : undefined;
    const traces = isWanted(TRACES) ? this.#ask(TRACES, [...params, { tracer: "prestateTracer" }]) : undefined;
    const listed = (await lists) ?? (await traces);
    this.#served ??= listed?.method;
    return [...named, ...(listed?.keys ?? [])];
  }

  /** Accounts and slots in the access list that came with a block (EIP-7928); none if the node does not give it. */
  async ofBlock(hash: Bytes): Promise<readonly StateKeys[]> {
    return (await this.#ask(BLOCK_LISTS, [encodeData(hash)]))?.keys ?? [];
  }

  async #ask(method: Method, params: readonly unknown[]): Promise<ListedKeys | undefined> {
    if (this.#missing.has(method)) return undefined;
    try {
      return { method, keys: limited(READERS[method](await this.#chain.history(method, params))) };
    } catch (error) {
      if (error instanceof RemoteError && error.code === "REMOTE_METHOD_MISSING") this.#missing.add(method);
      return undefined;
    }
  }
}

const LISTS = "eth_createAccessList";
const TRACES = "debug_traceCall";
const BLOCK_LISTS = "eth_getBlockAccessListByBlockHash";
type Method = typeof LISTS | typeof TRACES | typeof BLOCK_LISTS;

interface ListedKeys {
  readonly method: Method;
  readonly keys: readonly StateKeys[];
}

const slotsIn = (list: readonly unknown[]): readonly Bytes[] => list.map((slot) => readFixedData(slot, 32));

/** Readers of the answers. They throw a TypeError for another form. */
const READERS: Readonly<Record<Method, (answer: unknown) => readonly StateKeys[]>> = {
  [LISTS]: (answer) =>
    readList(readObject(answer).accessList).map((entry) => {
      const { address, storageKeys } = readObject(entry);
      return { address: readFixedData(address, 20), slots: slotsIn(readList(storageKeys ?? [])) };
    }),
  [TRACES]: (answer) =>
    Object.entries(readObject(answer)).map(([address, account]) => {
      const { storage } = readObject(account);
      return { address: readFixedData(address, 20), slots: slotsIn(Object.keys(readObject(storage ?? {}))) };
    }),
  [BLOCK_LISTS]: (answer) =>
    readList(answer).map((entry) => {
      const { address, storageChanges, storageReads } = readObject(entry);
      const changed = readList(storageChanges ?? []).map((change) => {
        const { key, slot } = readObject(change);
        return key ?? slot;
      });
      return { address: readFixedData(address, 20), slots: slotsIn([...changed, ...readList(storageReads ?? [])]) };
    }),
};

/** The first keys, up to the most. */
function limited(keys: readonly StateKeys[]): readonly StateKeys[] {
  let left = MOST_SLOTS;
  return keys.flatMap(({ address, slots }) => {
    const taken = slots.slice(0, Math.max(0, left));
    left -= taken.length + 1;
    return left < 0 ? [] : [{ address, slots: taken }];
  });
}

function addressIn(value: unknown): readonly Bytes[] {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value) ? [readFixedData(value, 20)] : [];
}
