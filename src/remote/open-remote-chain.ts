/** Opens a forked chain: finds the block, from the cache if possible, and makes the readers of state and history. */
import { RemoteError } from "../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { decodeData, encodeData, encodeQuantity } from "../primitives/bytes/hex.ts";
import { fromUtf8, toUtf8 } from "../primitives/platform/encodings.ts";
import { onNextTurn } from "../primitives/platform/event-loop.ts";
import { PIN_KEY } from "./cache/cache-keys.ts";
import { openCache } from "./cache/open-cache.ts";
import { type CachedBlockId, makeMemoryCache, type RemoteCache } from "./cache/remote-cache.ts";
import type { Admission } from "./client/admissions.ts";
import { isNearby, lagOf, openClient } from "./client/open-client.ts";
import type { UpstreamClient } from "./client/upstream-client.ts";
import { EarlyAnswers } from "./early-answers.ts";
import { ReportedUpstream } from "./fetch-progress.ts";
import { offlineUpstream } from "./offline-upstream.ts";
import { OpenRemoteChain } from "./remote-chain.ts";
import { disagrees, lie, missingBlockOffline } from "./remote-errors.ts";
import { PinResolver, type ResolvedPin } from "./resolve-pin.ts";
import { allSystemKeys, systemKeys } from "./system-keys.ts";
import type { PinnedBlock, RemoteChain, RemoteOptions, StateKeys, Upstream } from "./upstream.ts";
import { readObject } from "./wire.ts";

/**
 * Opens the chain for a fork.
 *
 * No request is sent if the cache has a block that is named by its hash. A block that was final under its number is only
 * confirmed.
 *
 * @throws {RemoteError} as {@link Upstream.request}; `REMOTE_DISAGREES` if the chain id is not the given one, or the
 * URLs disagree on the block; `REMOTE_LIE` if `verify` is set and the block does not have its hash; `REMOTE_OFFLINE`
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export async function openRemoteChain(options: RemoteOptions): Promise<RemoteChain> {
  const cache = openCache(options.cache);
  const client = options.offline === true ? undefined : openClient(options);
  try {
    return await new Opening(options, cache, client).run();
  } catch (error) {
    cache.close();
    await client?.close();
    throw error;
  }
}

class Opening {
  readonly #options: RemoteOptions;
  #cache: RemoteCache;
  readonly #client: UpstreamClient | undefined;
  readonly #upstream: Upstream;
  /** Undefined offline. */
  readonly #early: EarlyAnswers | undefined;
  readonly #resolver: PinResolver;
  readonly #verify: boolean;
  readonly #comparesState: boolean;

  constructor(options: RemoteOptions, cache: RemoteCache, client: UpstreamClient | undefined) {
    this.#options = options;
    this.#cache = cache;
    this.#client = client;
    const { onProgress } = options;
    const reported =
      onProgress === undefined || client === undefined ? client : new ReportedUpstream(client, onProgress);
    this.#early = reported && new EarlyAnswers(reported);
    this.#upstream = this.#early ?? offlineUpstream;
    this.#verify = options.verify === true;
    this.#comparesState = client !== undefined && !this.#verify && options.cache !== false && isNearby(options);
    this.#resolver = new PinResolver(this.#upstream, {
      lagMs: lagOf(options),
      verify: this.#verify,
      comparesState: this.#comparesState,
    });
  }

  async run(): Promise<RemoteChain> {
    const cached = await this.#findInCache();
    const resolved = cached ?? (await this.#ask());
    const { chainId, pin, isCommitted } = resolved;
    if (cached === undefined) {
      this.#checkBodies(resolved);
      // The hash of a block says nothing of a state that was edited after it.
      if (isCommitted) this.#keep(resolved);
      else this.#cache = makeMemoryCache();
    }
    this.#client?.admitOnly(admissionTo(chainId, pin));
    const chain = new OpenRemoteChain({
      upstream: this.#upstream,
      gather: (gatherer) => (this.#client === undefined ? onNextTurn(gatherer) : this.#client.gather(gatherer)),
      cache: this.#cache,
      chainId,
      pin,
      verify: this.#verify,
      checkBody: this.#options.checkBody,
      problemOfPin: () => this.#resolver.problemOf(resolved, false),
      isCommitted: this.#comparesState ? (...block) => this.#resolver.isCommitted(...block) : undefined,
      isOffline: this.#client === undefined,
    });
    // Reading it also shows the node's capabilities.
    await chain.state.prefetch([...systemKeys(pin), ...this.#accounts]);
    return chain;
  }

  /** Accounts that are read first. */
  get #accounts(): readonly StateKeys[] {
    return (this.#options.firstAccounts ?? []).map((address) => ({ address, slots: [] }));
  }

  /** The chain and the block, if the cache has both, and the node confirms a number. */
  async #findInCache(): Promise<ResolvedPin | undefined> {
    const { blockHash, blockNumber } = this.#options;
    for (const { chainId, hash } of this.#cachedBlocks()) {
      const pin = this.#pinIn(this.#cache.openBlock(chainId, hash).get(PIN_KEY, this.#verify), { chainId, hash });
      if (pin === undefined) continue;
      // A cache of others may name any block of the chain for a number, and the node would confirm that block.
      if (blockHash === undefined && pin.number !== blockNumber) continue;
      const known: ResolvedPin = { chainId, isCommitted: true, pin };
      // The node at a URL may have been started anew with another chain.
      const isSure = blockHash !== undefined || this.#client === undefined;
      return isSure || (await this.#resolver.problemOf(known, true)) === undefined ? known : undefined;
    }
    return undefined;
  }

  /** A block in the cache; undefined if it is not there, or not the one that its folder is named for. */
  #pinIn(json: Bytes | undefined, { chainId, hash }: CachedBlockId): PinnedBlock | undefined {
    if (json === undefined) return undefined;
    try {
      const { isFinal, block } = readObject(JSON.parse(toUtf8(json)));
      const pin = this.#resolver.pinOf(readObject(block));
      this.#checkBodies({ chainId, pin });
      return equalBytes(pin.hash, hash) ? { ...pin, isFinal: isFinal === true } : undefined;
    } catch {
      // Another program has written it: the block is asked for again.
      return undefined;
    }
  }

  #cachedBlocks(): readonly CachedBlockId[] {
    const { chainId, urls = [], blockHash, transactionHash, blockNumber } = this.#options;
    if (blockHash !== undefined) {
      const hash = decodeData(blockHash);
      return this.#cachedChainIds(hash).map((id) => ({ chainId: id, hash }));
    }
    if (transactionHash !== undefined || typeof blockNumber !== "bigint" || blockNumber < 0n) return [];
    // With `verify` all nodes have to agree on the hash.
    if (this.#client !== undefined && this.#verify && urls.length > 1) return [];
    return urls
      .flatMap((url) => this.#cache.getFinalBlock(url, blockNumber) ?? [])
      .filter((block) => chainId === undefined || block.chainId === chainId)
      .slice(0, 1);
  }

  #cachedChainIds(blockHash: Uint8Array): readonly bigint[] {
    const { chainId, urls = [] } = this.#options;
    const known = urls.flatMap((url) => this.#cache.getChainId(url) ?? []);
    if (chainId !== undefined) return known.some((id) => id !== chainId) ? [] : [chainId];
    if (known.length > 0) return known.slice(0, 1);
    if (this.#client !== undefined) return [];
    // Chains that begin alike may have the same block, with different ids.
    const having = this.#cache.findChains(blockHash);
    return having.length === 1 ? having : [];
  }

  async #ask(): Promise<ResolvedPin> {
    const { chainId, blockHash, transactionHash, blockNumber } = this.#options;
    if (this.#client === undefined) {
      const name = blockHash ?? transactionHash ?? blockNumber ?? "latest";
      throw missingBlockOffline(String(name));
    }
    this.#askEarly();
    const resolved = await this.#resolver.resolve({ blockHash, transactionHash, blockNumber });
    // Another block may have got a number that is not final, between two answers.
    const isSure = blockHash !== undefined || resolved.pin.isFinal;
    this.#early?.settle(isSure ? encodeData(resolved.pin.hash) : undefined);
    if (chainId !== undefined && resolved.chainId !== chainId) {
      throw disagrees(this.#upstream.label, `its id is ${resolved.chainId}`, `The id that was given is ${chainId}.`);
    }
    if (this.#verify && blockHash === undefined) await this.#compareNodes(this.#client, resolved.pin);
    return resolved;
  }

  /** Asks for what is needed next together with the block: of its state only if the block has a name of its own. */
  #askEarly(): void {
    const { blockHash, transactionHash, blockNumber } = this.#options;
    for (const method of ["net_version", "debug_chainConfig", "eth_config"]) this.#early?.ask(method, []);
    if (this.#verify) return;
    const keys = [...allSystemKeys(), ...this.#accounts];
    if (blockHash !== undefined) this.#early?.askState(keys, { blockHash: blockHash.toLowerCase() });
    else if (transactionHash === undefined && typeof blockNumber === "bigint" && blockNumber >= 0n) {
      this.#early?.askState(keys, encodeQuantity(blockNumber));
    }
  }

  /** If the user did not name the hash, all nodes must agree on it. */
  async #compareNodes(client: UpstreamClient, { number, hash }: PinnedBlock): Promise<void> {
    if ((this.#options.urls?.length ?? 0) < 2) return;
    const answers = await client.askEach({ method: "eth_getBlockByNumber", params: [encodeQuantity(number), false] });
    for (const { label, result } of answers) {
      const other = readObject(result).hash;
      if (other !== encodeData(hash)) {
        throw disagrees(label, `its block ${number} has hash ${String(other)}`, `The first has ${encodeData(hash)}.`);
      }
    }
  }

  /** @throws {RemoteError} `REMOTE_LIE` with `verify` */
  #checkBodies({ chainId, pin }: Pick<ResolvedPin, "chainId" | "pin">): void {
    if (!this.#verify) return;
    for (const block of pin.nextBlock === undefined ? [pin.json] : [pin.json, pin.nextBlock]) {
      const problem = this.#options.checkBody?.(block, chainId);
      if (problem !== undefined) throw lie(this.#upstream.label, `block ${String(block.hash)}`, problem);
    }
  }

  #keep({ chainId, pin }: ResolvedPin): void {
    const { urls = [] } = this.#options;
    const answered = this.#client?.answered ?? [];
    const url = answered.length === 1 ? urls[answered[0] ?? 0] : undefined;
    if (url !== undefined) this.#cache.putChainId(url, chainId);
    if (url !== undefined && pin.isFinal) this.#cache.putFinalBlock(url, pin.number, { chainId, hash: pin.hash });
    const value = fromUtf8(JSON.stringify({ isFinal: pin.isFinal, block: pin.json }));
    this.#cache.openBlock(chainId, pin.hash).put([{ key: PIN_KEY, value, isProven: this.#verify }]);
  }
}

/** A node may be used if it has the same chain id and the same pinned block. */
function admissionTo(chainId: bigint, { number, hash }: PinnedBlock): Admission {
  return async (ask) => {
    const [id, block] = await Promise.all([
      ask({ method: "eth_chainId", params: [] }),
      ask({ method: "eth_getBlockByNumber", params: [encodeQuantity(number), false] }),
    ]);
    if (id !== encodeQuantity(chainId)) return `its id is ${String(id)} instead of ${encodeQuantity(chainId)}`;
    // It may lag, so it is checked again later.
    if (block === null) throw new RemoteError({ code: "REMOTE_BLOCK_UNKNOWN", what: `It has no block ${number} yet.` });
    const other = readObject(block).hash;
    return other === encodeData(hash)
      ? undefined
      : `its block ${number} has hash ${String(other)} instead of ${encodeData(hash)}`;
  };
}
