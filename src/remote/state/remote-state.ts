/**
 * The state after one block of an upstream node. Values in memory or in the cache are returned synchronously; others
 * are fetched in batches and cached before they are returned.
 */
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes, keyBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../primitives/hash/hash.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import {
  accountKey,
  decodeCachedAccount,
  encodeCachedAccount,
  nodeKey,
  slotKey,
  storageKey,
} from "../cache/cache-keys.ts";
import type { BlockCache, CacheEntry, RemoteCache } from "../cache/remote-cache.ts";
import { provenAccount, provenSlot } from "../merkle-proof.ts";
import { lie, missingOffline } from "../remote-errors.ts";
import type { PinnedState, RemoteAccount, RemoteBlockId, RequestOptions, StateKeys } from "../upstream.ts";
import { wordOf } from "../wire.ts";
import { BatchedReads } from "./batched-reads.ts";
import type { FetchedAccount, FetchedNode, StateFetcher } from "./state-fetcher.ts";

/** Counts cache hits for all states of a chain. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

/** Source of values, and their cache. */
export interface RemoteStateParts {
  readonly label: string;
  readonly block: RemoteBlockId;
  readonly fetcher: StateFetcher;
  readonly cache: RemoteCache;
  readonly blockCache: BlockCache;
  readonly counts: CacheCounts;
  /** Calls a function before the calls of this turn of the event loop are sent. */
  readonly gather: (gatherer: () => void) => void;
  readonly isOffline: boolean;
}

/** Marks an absent account, in contrast to one that was never requested. */
const ABSENT = Symbol("absent");

/** The state after one block of an upstream node. One for each block that is read. */
export class RemoteState implements PinnedState {
  readonly block: RemoteBlockId;
  readonly #parts: RemoteStateParts;
  readonly #reads: BatchedReads;
  readonly #accounts = new Map<string, RemoteAccount | typeof ABSENT>();
  readonly #slots = new Map<string, Bytes>();
  readonly #codes = new Map<string, Bytes>();
  /** By code hash: an address with that code. */
  readonly #owners = new Map<string, Bytes>();
  readonly #nodes = new Map<string, Bytes>();
  /** Promises of reads in flight, other than the accounts and slots of a batch. */
  readonly #underWay = new Map<string, Promise<Bytes | boolean>>();

  constructor(parts: RemoteStateParts) {
    this.block = parts.block;
    this.#parts = parts;
    this.#reads = new BatchedReads(parts.fetcher, parts.gather, {
      account: (address, fetched) => this.#keepAccount(address, fetched),
      slot: (address, slot, value) => this.#keepSlot(address, slot, value),
      nodes: (nodes) => this.#keepNodes(nodes),
    });
  }

  get provenRoot(): Bytes | undefined {
    return this.#parts.fetcher.isProven ? this.block.stateRoot : undefined;
  }

  getAccount(address: Bytes): MaybePromise<RemoteAccount | undefined> {
    const key = bytesKey(address);
    const found = this.#findAccount(key);
    if (found !== undefined) return found === ABSENT ? undefined : found;
    if (this.#parts.isOffline) return this.#missing(`account ${encodeData(address)}`);
    return this.#reads.account(key, address);
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    const [key, word] = [bytesKey(address), wordOf(slot)];
    const found = this.#findSlot(key, word);
    if (found !== undefined) return found;
    if (this.#parts.isOffline) return this.#missing(`slot ${encodeData(word)} of account ${encodeData(address)}`);
    return this.#reads.slot(key, address, word);
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    if (equalBytes(codeHash, EMPTY_CODE_HASH)) return EMPTY_BYTES;
    const key = bytesKey(codeHash);
    const found = this.#codes.get(key) ?? this.#readCode(key, codeHash);
    if (found !== undefined) return found;
    if (this.#parts.isOffline) return this.#missing(`code ${encodeData(codeHash)}`);
    return this.#once(`c${key}`, () => this.#fetchCode(key, codeHash));
  }

  hasStorage(address: Bytes): MaybePromise<boolean> {
    const account = this.getAccount(address);
    if (account instanceof Promise) return account.then((found) => this.#hasStorage(address, found));
    return this.#hasStorage(address, account);
  }

  isKnown(address: Bytes, slot?: Bytes): boolean {
    const key = bytesKey(address);
    return (slot === undefined ? this.#findAccount(key) : this.#findSlot(key, wordOf(slot))) !== undefined;
  }

  async prefetch(keys: Iterable<StateKeys>, { signal }: RequestOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    const reads: MaybePromise<unknown>[] = [];
    if (!this.#parts.isOffline) {
      for (const { address, slots } of keys) {
        reads.push(this.getAccount(address));
        for (const slot of slots) reads.push(this.getStorage(address, slot));
      }
    }
    const fetched = Promise.allSettled(reads.filter((read) => read instanceof Promise));
    if (signal === undefined) return void (await fetched);
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      void fetched.then(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
    });
  }

  hold(): () => void {
    return this.#reads.hold();
  }

  getTrieNode(hash: Bytes): Bytes | undefined {
    const key = bytesKey(hash);
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const cached = this.#cached(nodeKey(hash));
    // The folder of the cache may come from others.
    if (cached === undefined || !equalBytes(keccak256(cached), hash)) return undefined;
    this.#nodes.set(key, cached);
    return cached;
  }

  /**
   * The account of a cache entry. If it has to be proven, it is read from the cached trie nodes of its proof, because
   * everybody who can write to the cache can call an entry proven; undefined if those do not lead to it.
   */
  #accountOf(key: string, cached: Bytes): RemoteAccount | typeof ABSENT | undefined {
    if (!this.#parts.fetcher.isProven) return unlessWrong(() => decodeCachedAccount(cached) ?? ABSENT);
    return unlessWrong(() => this.#provenAccount(key) ?? ABSENT);
  }

  /** The value of a slot in a cache entry, as {@link #accountOf}. */
  #slotOf(key: string, word: Bytes, cached: Bytes): Bytes | undefined {
    if (!this.#parts.fetcher.isProven) return cached.length <= word.length ? cached : undefined;
    return unlessWrong(() => {
      const known = this.#accounts.get(key);
      const account = known === undefined || known === ABSENT ? this.#provenAccount(key) : known;
      return provenSlot(account?.storageRoot ?? EMPTY_TRIE_ROOT, word, (hash) => this.getTrieNode(hash));
    });
  }

  /** @throws {RangeError} if the cached trie nodes do not lead to it */
  #provenAccount(key: string): RemoteAccount | undefined {
    const root = this.provenRoot;
    if (root === undefined) throw new RangeError("the state root is not known");
    return provenAccount(root, keyBytes(key), (hash) => this.getTrieNode(hash));
  }

  #cached(key: string): Bytes | undefined {
    return this.#parts.blockCache.get(key, this.#parts.fetcher.isProven);
  }

  #put(entries: readonly (readonly [key: string, value: Bytes])[]): void {
    const { isProven } = this.#parts.fetcher;
    this.#parts.blockCache.put(entries.map(([key, value]): CacheEntry => ({ key, value, isProven })));
  }

  #missing(subject: string): Promise<never> {
    return Promise.reject(missingOffline(`${subject} at block ${this.block.number}`));
  }

  #findAccount(key: string): RemoteAccount | typeof ABSENT | undefined {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const cached = this.#cached(accountKey(key));
    const account = cached === undefined ? undefined : this.#accountOf(key, cached);
    if (account === undefined) return undefined;
    this.#parts.counts.hits++;
    this.#remember(key, account === ABSENT ? undefined : account);
    return account;
  }

  #remember(key: string, account: RemoteAccount | undefined): void {
    this.#accounts.set(key, account ?? ABSENT);
    if (account !== undefined) this.#owners.set(bytesKey(account.codeHash), keyBytes(key));
  }

  #findSlot(key: string, word: Bytes): Bytes | undefined {
    const wordKey = bytesKey(word);
    const known = this.#slots.get(key + wordKey);
    if (known !== undefined) return known;
    // An account without storage needs no request for its slots.
    const account = this.#accounts.get(key);
    if (account === ABSENT) return EMPTY_BYTES;
    if (account?.storageRoot !== undefined && equalBytes(account.storageRoot, EMPTY_TRIE_ROOT)) return EMPTY_BYTES;
    const cached = this.#cached(slotKey(key, wordKey));
    const value = cached === undefined ? undefined : this.#slotOf(key, word, cached);
    if (value === undefined) return undefined;
    this.#parts.counts.hits++;
    this.#slots.set(key + wordKey, value);
    return value;
  }

  #keepAccount(address: Bytes, { account, code }: FetchedAccount): RemoteAccount | undefined {
    const key = bytesKey(address);
    this.#parts.counts.misses++;
    if (code.length > 0) this.#keepCode(keccak256(code), code);
    this.#put([[accountKey(key), encodeCachedAccount(account)]]);
    this.#remember(key, account);
    return account;
  }

  #keepSlot(address: Bytes, slot: Bytes, value: Bytes): void {
    const [key, wordKey] = [bytesKey(address), bytesKey(slot)];
    this.#parts.counts.misses++;
    this.#put([[slotKey(key, wordKey), value]]);
    this.#slots.set(key + wordKey, value);
  }

  #keepNodes(nodes: readonly FetchedNode[]): void {
    const added = nodes.filter(({ hash }) => this.getTrieNode(hash) === undefined);
    this.#put(added.map(({ hash, bytes }) => [nodeKey(hash), bytes]));
    for (const { hash, bytes } of added) this.#nodes.set(bytesKey(hash), bytes);
  }

  #keepCode(codeHash: Bytes, code: Bytes): void {
    const key = bytesKey(codeHash);
    if (this.#codes.has(key)) return;
    this.#parts.cache.putCode(codeHash, code);
    this.#codes.set(key, code);
  }

  #readCode(key: string, codeHash: Bytes): Bytes | undefined {
    const cached = this.#parts.cache.getCode(codeHash);
    if (cached === undefined) return undefined;
    this.#parts.counts.hits++;
    this.#codes.set(key, cached);
    return cached;
  }

  /** Fetches code that the cache has lost, although it has the account. */
  async #fetchCode(key: string, codeHash: Bytes): Promise<Bytes> {
    const owner = this.#owners.get(key);
    if (owner === undefined) throw new TypeError(`no account that was read has code ${encodeData(codeHash)}`);
    const code = await this.#parts.fetcher.code(owner);
    if (!equalBytes(keccak256(code), codeHash)) {
      const problem = `It is not the code with hash ${encodeData(codeHash)}, which the account had before`;
      throw lie(this.#parts.label, `the code of account ${encodeData(owner)}`, problem);
    }
    this.#parts.counts.misses++;
    this.#keepCode(codeHash, code);
    return code;
  }

  #hasStorage(address: Bytes, account: RemoteAccount | undefined): MaybePromise<boolean> {
    if (account === undefined) return false;
    if (account.storageRoot !== undefined) return !equalBytes(account.storageRoot, EMPTY_TRIE_ROOT);
    const key = storageKey(bytesKey(address));
    const cached = this.#cached(key);
    if (cached !== undefined) return cached.length > 0;
    if (this.#parts.isOffline) return this.#missing(`whether account ${encodeData(address)} has storage`);
    return this.#once(key, async () => {
      const answer = await this.#parts.fetcher.hasStorage(address);
      this.#put([[key, answer ? Uint8Array.of(1) : EMPTY_BYTES]]);
      return answer;
    });
  }

  /** Starts a read, or returns the promise of an equal one in flight. */
  #once<T extends Bytes | boolean>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#underWay.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const started = read().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, started);
    return started;
  }
}

/** A cached value; undefined if the cache has something else in its place. */
function unlessWrong<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
