/**
 * Servers of contract sources: asks them for contracts, one after another, and stores what they answer. Only a chain id and an
 * address are sent.
 *
 * @see https://docs.sourcify.dev/docs/api/
 */

import { checksumAddress } from "../primitives/address.ts";
import { type Bytes, bytesKey } from "../primitives/bytes/bytes.ts";
import type { SourceCache } from "../remote/cache/memory-sources.ts";
import { openSourceCache } from "../remote/cache/source-cache.ts";
import { HttpReader } from "../remote/transport/http-get.ts";

/** A contract by its chain and address of 20 bytes. */
export interface ContractPlace {
  readonly chainId: bigint;
  readonly address: Bytes;
}

/** The servers, and how they are asked. */
export interface SourceServersOptions {
  readonly urls: readonly string[];
  /** The folder of the cache; undefined for a cache in memory. */
  readonly cacheFolder: string | undefined;
  /** Sends no requests: only the cache is read. */
  readonly isOffline: boolean;
  /** Called with a sentence when a server fails; once until it answers again. */
  readonly onNotice: ((notice: string) => void) | undefined;
}

interface Server {
  readonly reader: HttpReader;
  readonly cache: SourceCache;
  /** Time until which it is not asked, after it failed. */
  pausedUntil: number;
  hasFailed: boolean;
}

/** Members of a contract that are asked for. */
const FIELDS = [
  "abi",
  "compilation",
  "sources",
  "sourceIds",
  "storageLayout",
  "transientStorageLayout",
  "runtimeBytecode",
  "creationBytecode",
].join(",");
/** Most bytes of an answer, unpacked. The largest contracts have a few. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Milliseconds in which a server must answer. */
const TIMEOUT_MS = 15_000;
/** Milliseconds for which a server that failed is not asked. */
const PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Milliseconds for which the answer counts that a server does not know a contract. */
export const UNKNOWN_AGE_MS = 86_400_000;
/** Requests that are open at a time. */
const MOST_REQUESTS = 6;

/** One for each node that looks contracts up. */
export class SourceServers {
  readonly #options: SourceServersOptions;
  readonly #servers: readonly Server[];
  readonly #closed = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  constructor(options: SourceServersOptions) {
    this.#options = options;
    this.#servers = options.urls.map((url) => ({
      reader: new HttpReader(url, MAX_ANSWER_BYTES),
      cache: openSourceCache(options.cacheFolder, url),
      pausedUntil: 0,
      hasFailed: false,
    }));
  }

  /**
   * The first answer that is accepted; undefined if no server has one.
   *
   * @param accept - reads an answer's JSON; undefined if the answer is not to be believed
   * @returns `isFinal` is false if a server could not be asked, so that asking again may help
   */
  async find<Found>(
    place: ContractPlace,
    accept: (text: string, server: string) => Promise<Found | undefined>,
  ): Promise<{ readonly found: Found | undefined; readonly isFinal: boolean }> {
    let isFinal = true;
    for (const server of this.#servers) {
      const cached = server.cache.get(place.chainId, place.address);
      const known =
        cached === undefined || cached.text === "" ? undefined : await accept(cached.text, server.reader.label);
      if (known !== undefined) return { found: known, isFinal: true };
      if (this.#options.isOffline || (cached?.text === "" && cached.ageMs < UNKNOWN_AGE_MS)) continue;
      const text = await this.#ask(server, place);
      if (text === undefined) isFinal = false;
      const found = text ? await accept(text, server.reader.label) : undefined;
      if (found !== undefined) return { found, isFinal: true };
    }
    return { found: undefined, isFinal };
  }

  /** The server's answer; empty if it does not know the contract, undefined if it fails or has failed shortly before. */
  async #ask(server: Server, { chainId, address }: ContractPlace): Promise<string | undefined> {
    await this.#turn();
    try {
      if (Date.now() < server.pausedUntil || this.#closed.signal.aborted) return undefined;
      const path = `/v2/contract/${chainId}/${checksumAddress(address)}?fields=${FIELDS}`;
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closed.signal]);
      const { status, text, retryAfterMs } = await server.reader.get(path, signal);
      // 400: the server does not serve this chain.
      if (status !== 200 && status !== 404 && status !== 400) {
        this.#pause(server, `HTTP ${status}`, retryAfterMs);
        return undefined;
      }
      const answer = status === 200 ? text : "";
      server.hasFailed = false;
      server.cache.put(chainId, address, answer);
      return answer;
    } catch (cause) {
      if (!this.#closed.signal.aborted) this.#pause(server, cause instanceof Error ? cause.message : String(cause));
      return undefined;
    } finally {
      this.#open--;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#open >= MOST_REQUESTS) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#open++;
  }

  #pause(server: Server, reason: string, wantedMs = PAUSE_MS): void {
    server.pausedUntil = Date.now() + Math.min(Math.max(wantedMs, PAUSE_MS), LONGEST_PAUSE_MS);
    if (server.hasFailed) return;
    server.hasFailed = true;
    this.#options.onNotice?.(`No sources from ${server.reader.label}: ${reason}. It is asked again later.`);
  }

  /** Ends all requests. */
  close(): void {
    this.#closed.abort();
  }
}

/** A text that identifies a contract. */
export const placeKey = ({ chainId, address }: ContractPlace): string => `${chainId} ${bytesKey(address)}`;
