/** Connects to the upstream of a fork. */

import { type Bytes, bytesKey, EMPTY_BYTES, stripLeadingZeros } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { decodeData, encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { methodMissing } from "../../remote/remote-errors.ts";
import type { PinnedState, RemoteAccount, RemoteBlockId, RemoteChain, RemoteOptions } from "../../remote/upstream.ts";

/** Provisional: a provider without pace, cache or checks. */
export async function connectRemote(options: RemoteOptions): Promise<RemoteChain> {
  const provider = options.provider;
  if (provider === undefined) throw new TypeError("provisional: provider only");
  let requests = 0;
  const request = async (method: string, params: readonly unknown[]): Promise<any> => {
    requests++;
    try {
      return await provider.request({ method, params });
    } catch (error) {
      throw methodMissing("provider", method, String(error));
    }
  };
  const head = await request("eth_blockNumber", []);
  const wanted =
    typeof options.blockNumber === "bigint"
      ? options.blockNumber < 0n
        ? BigInt(head) + options.blockNumber
        : options.blockNumber
      : BigInt(head);
  const json =
    options.blockHash === undefined
      ? await request("eth_getBlockByNumber", [encodeQuantity(wanted), true])
      : await request("eth_getBlockByHash", [options.blockHash, true]);
  const chainId = BigInt(await request("eth_chainId", []));
  const codes = new HashMap<Bytes>();
  const states = new Map<string, PinnedState>();
  const stateAt = (block: RemoteBlockId): PinnedState => {
    const key = bytesKey(block.hash);
    let state = states.get(key);
    if (state === undefined) states.set(key, (state = make(block)));
    return state;
  };
  const make = (block: RemoteBlockId): PinnedState => {
    const tag = { blockHash: encodeData(block.hash) };
    const accounts = new Map<string, RemoteAccount | undefined>();
    const slots = new Map<string, Bytes>();
    return {
      block,
      getAccount: (address) => {
        const key = bytesKey(address);
        if (accounts.has(key)) return accounts.get(key);
        return (async () => {
          const at = encodeData(address);
          const [nonce, balance, code] = await Promise.all([
            request("eth_getTransactionCount", [at, tag]),
            request("eth_getBalance", [at, tag]),
            request("eth_getCode", [at, tag]),
          ]);
          const bytes = decodeData(code);
          const codeHash = keccak256(bytes);
          codes.set(codeHash, bytes);
          const empty = BigInt(nonce) === 0n && BigInt(balance) === 0n && bytes.length === 0;
          const account = empty ? undefined : { nonce: BigInt(nonce), balance: BigInt(balance), codeHash };
          accounts.set(key, account);
          return account;
        })();
      },
      getStorage: (address, slot) => {
        const key = bytesKey(address) + bytesKey(slot);
        const known = slots.get(key);
        if (known !== undefined) return known;
        return (async () => {
          const value = decodeData(await request("eth_getStorageAt", [encodeData(address), encodeData(slot), tag]));
          const bytes = value[0] === 0 ? stripLeadingZeros(value) : value;
          slots.set(key, bytes);
          return bytes;
        })();
      },
      getCode: (hash) => codes.get(hash) ?? EMPTY_BYTES,
      hasStorage: () => false,
      isKnown: () => false,
      prefetch: async () => {},
      getTrieNode: () => undefined,
    };
  };
  const pin = {
    number: BigInt(json.number),
    hash: decodeData(json.hash),
    stateRoot: decodeData(json.stateRoot),
    timestamp: BigInt(json.timestamp),
    json,
    isFinal: false,
    transactions: [],
    nextBlock: undefined,
  };
  return {
    upstream: {
      label: "provider",
      get stats() {
        return { requests, roundTrips: requests, retries: 0, rateLimited: 0 };
      },
      request,
      close: async () => {},
    },
    chainId,
    pin,
    cacheStats: { hits: 0, misses: 0 },
    state: stateAt(pin),
    stateAt,
    history: request,
    close: async () => {},
  };
}
