/** A forked chain up to its pinned block: the states of its blocks, and answers about its history. */
import { LRUCache } from "lru-cache";
import { RemoteError } from "../errors/hindcast-error.ts";
import { type Bytes, bytesKey, equalBytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { fromUtf8 } from "../primitives/platform/encodings.ts";
import { problemOfHash } from "./block-hash.ts";
import { answerKey } from "./cache/cache-keys.ts";
import { type BlockCache, makeAwaitedBlock, type RemoteCache } from "./cache/remote-cache.ts";
import { disagrees, lie, missingOffline } from "./remote-errors.ts";
import { BlockReads, type UpstreamTraits } from "./state/block-reads.ts";
import { ProofFetcher } from "./state/proof-fetcher.ts";
import { type CacheCounts, RemoteState } from "./state/remote-state.ts";
import { PlainFetcher } from "./state/state-fetcher.ts";
import type {
  HistoryOptions,
  PinnedBlock,
  PinnedState,
  RemoteBlockId,
  RemoteChain,
  RemoteOptions,
  Upstream,
  UpstreamCall,
} from "./upstream.ts";
import { readFixedData, readJson, readObject, readQuantity } from "./wire.ts";

/** Collaborators and settings of an open fork. */
export interface RemoteChainParts {
  readonly upstream: Upstream;
  /** Calls a function before the calls of this turn of the event loop are sent. */
  readonly gather: (gatherer: () => void) => void;
  /** Closed together with the chain. */
  readonly cache: RemoteCache;
  readonly chainId: bigint;
  readonly pin: PinnedBlock;
  readonly verify: boolean;
  readonly checkBody: RemoteOptions["checkBody"];
  /** Asks the node whether it has the pinned block: the reason if not. */
  readonly problemOfPin: () => Promise<string | undefined>;
  /** Whether the state that the node has after a block is the one of its header; undefined if it is not asked. */
  readonly isCommitted: ((hash: Bytes, stateRoot: Bytes) => Promise<boolean>) | undefined;
  readonly isOffline: boolean;
}

/** Number of states of old blocks that are held in memory. */
const CACHED_STATES = 32;

/** One for each fork of a node; {@link close} ends its connections. */
export class OpenRemoteChain implements RemoteChain {
  readonly upstream: Upstream;
  readonly chainId: bigint;
  readonly pin: PinnedBlock;
  readonly cacheStats: CacheCounts = { hits: 0, misses: 0 };
  readonly state: PinnedState;
  readonly #parts: RemoteChainParts;
  readonly #pinCache: BlockCache;
  readonly #traits: UpstreamTraits = { takesHash: true, hasStorageValues: undefined, hasProofs: undefined };
  readonly #states = new LRUCache<string, PinnedState>({ max: CACHED_STATES });
  readonly #underWay = new Map<string, Promise<unknown>>();
  #confirmation: Promise<void> | undefined;

  constructor(parts: RemoteChainParts) {
    this.upstream = parts.upstream;
    this.chainId = parts.chainId;
    this.pin = parts.pin;
    this.#parts = parts;
    this.#pinCache = parts.cache.openBlock(parts.chainId, parts.pin.hash);
    this.state = this.#makeState(parts.pin);
  }

  stateAt(block: RemoteBlockId): PinnedState {
    const key = bytesKey(block.hash);
    if (key === bytesKey(this.pin.hash)) return this.state;
    const state = this.#states.get(key) ?? this.#makeState(block);
    this.#states.set(key, state);
    return state;
  }

  #makeState(block: RemoteBlockId): PinnedState {
    const { upstream, gather, cache, chainId, verify, isOffline } = this.#parts;
    const reads = new BlockReads(upstream, block, this.#traits);
    return new RemoteState({
      label: upstream.label,
      block,
      fetcher: verify ? new ProofFetcher(reads, () => this.#stateRoot(block)) : new PlainFetcher(reads),
      cache,
      blockCache: this.#blockCache(cache.openBlock(chainId, block.hash), block),
      counts: this.cacheStats,
      gather,
      isOffline,
    });
  }

  /** The states of older blocks may have been edited too, before their child was mined. */
  #blockCache(block: BlockCache, id: RemoteBlockId): BlockCache {
    const { isCommitted, pin } = this.#parts;
    if (isCommitted === undefined || equalBytes(id.hash, pin.hash)) return block;
    const isKnown = this.#stateRoot(id).then((root) => isCommitted(id.hash, root));
    return makeAwaitedBlock(
      block,
      isKnown.catch(() => false),
    );
  }

  /** The state root of a block: the given one, or that of its header after a check of the hash. */
  async #stateRoot({ hash, stateRoot }: RemoteBlockId): Promise<Bytes> {
    if (stateRoot !== undefined) return stateRoot;
    return readFixedData(readObject(await this.history("eth_getBlockByHash", [encodeData(hash), false])).stateRoot, 32);
  }

  history(method: string, params: readonly unknown[], options: HistoryOptions = {}): Promise<unknown> {
    const key = answerKey(method, params);
    const cached = readJson(this.#pinCache.get(key, this.#isChecked(method, options)));
    if (cached !== undefined && this.#isUsable(cached, { method, params }, options)) {
      this.cacheStats.hits++;
      return Promise.resolve(cached);
    }
    if (this.#parts.isOffline) return Promise.reject(missingOffline(`${method} with ${JSON.stringify(params)}`));
    // A caller's signal must abort only its own call.
    if (options.signal !== undefined) return this.#ask(key, method, params, options);
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const asked = this.#ask(key, method, params, options).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asked);
    return asked;
  }

  /** Checks a cached answer as one of the node, because everybody who can write to the cache can call an entry proven. */
  #isUsable(cached: unknown, call: UpstreamCall, options: HistoryOptions): boolean {
    // Only that a node does not serve a method is cached as null.
    if (cached === null && options.mayBeMissing !== true) return false;
    try {
      return !this.#parts.verify || this.#problemOf(cached, call, options) === undefined;
    } catch {
      // It does not have the form of an answer.
      return false;
    }
  }

  async #ask(key: string, method: string, params: readonly unknown[], options: HistoryOptions): Promise<unknown> {
    let { label } = this.upstream;
    const onAnsweredBy = (by: string): void => {
      label = by;
    };
    // With `verify` the answers are proven from the pinned block.
    const confirmed = NEEDS_PIN.test(method) && !this.#parts.verify ? this.#confirm() : undefined;
    const [answer] = await Promise.all([this.#answerTo(method, params, { ...options, onAnsweredBy }), confirmed]);
    if (answer === UNSERVED) this.#pinCache.put([{ key, value: fromUtf8("null"), isProven: false }]);
    if (answer === UNSERVED || answer === null || answer === undefined) return null;
    this.cacheStats.misses++;
    const problem = this.#parts.verify ? this.#problemOf(answer, { method, params }, options) : undefined;
    if (problem !== undefined) throw lie(label, `${method} with ${JSON.stringify(params)}`, problem);
    if (options.isCached === false) return answer;
    const isProven = this.#isChecked(method, options);
    this.#pinCache.put([{ key, value: fromUtf8(JSON.stringify(answer)), isProven }]);
    return answer;
  }

  /**
   * That the node still has the pinned block, because another chain may be served at its URL by now. Once for all
   * requests that are sent together.
   */
  #confirm(): Promise<void> {
    this.#confirmation ??= this.#compare().finally(() => {
      this.#confirmation = undefined;
    });
    return this.#confirmation;
  }

  async #compare(): Promise<void> {
    const problem = await this.#parts.problemOfPin();
    const pinned = `The fork is at block ${this.pin.number} (${encodeData(this.pin.hash)}).`;
    if (problem !== undefined) throw disagrees(this.upstream.label, problem, pinned);
  }

  async #answerTo(method: string, params: readonly unknown[], options: HistoryOptions): Promise<unknown> {
    try {
      return await this.upstream.request(method, params, options);
    } catch (error) {
      const isRefusal = error instanceof RemoteError && REFUSALS.has(error.code);
      if (options.mayBeMissing === true && isRefusal) return UNSERVED;
      throw error;
    }
  }

  /** True if answers are proven by the block's hash. Blocks by number are checked too, but not that they are canonical. */
  #isChecked(method: string, { check }: HistoryOptions): boolean {
    return this.#parts.verify && (method === "eth_getBlockByHash" || check !== undefined);
  }

  #problemOf(answer: unknown, { method, params }: UpstreamCall, { check }: HistoryOptions): string | undefined {
    const isBlock = method === "eth_getBlockByHash" || method === "eth_getBlockByNumber";
    return (isBlock ? this.#problemOfBlock(answer, method, params) : undefined) ?? check?.(answer);
  }

  #problemOfBlock(answer: unknown, method: string, [id, isWhole]: readonly unknown[]): string | undefined {
    const block = readObject(answer);
    const isAnother =
      method === "eth_getBlockByHash"
        ? typeof id === "string" && id.toLowerCase() !== block.hash
        : readQuantity(block.number) !== readQuantity(id);
    if (isAnother) return `it gave block ${String(block.number)} (${String(block.hash)}) instead`;
    const { checkBody, chainId } = this.#parts;
    return problemOfHash(block) ?? (isWhole === true ? checkBody?.(block, chainId) : undefined);
  }

  keep(method: string, params: readonly unknown[], answer: unknown): void {
    const value = fromUtf8(JSON.stringify(answer));
    this.#pinCache.put([{ key: answerKey(method, params), value, isProven: this.#parts.verify }]);
  }

  async close(): Promise<void> {
    this.#parts.cache.close();
    await this.upstream.close();
  }
}

/** Requests whose answer depends on the chain that the node has: their parameters do not name a block by its hash. */
const NEEDS_PIN =
  /^(?:eth_getBlockByNumber|eth_getLogs|eth_getTransaction(?:ByHash|Receipt)|trace_.*|debug_trace(?:Block|Transaction).*)$/;
/** Stands for the answer of a method that the node does not serve. */
const UNSERVED = Symbol("unserved");
const REFUSALS: ReadonlySet<string> = new Set(["REMOTE_METHOD_MISSING", "REMOTE_REFUSED"]);
