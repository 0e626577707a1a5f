/**
 * The history below a fork: blocks, receipts and logs of the forked chain up to the pinned block, read on demand.
 *
 * It never changes. Data that was read is cached in memory for a while, and by the client underneath permanently.
 *
 * It has over 300 lines, because its blocks, receipts and logs share the caches and the checks of one upstream chain.
 */
import { LRUCache } from "lru-cache";
import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import { type Block, hashUncles } from "../../chainspec/header/block.ts";
import type { Header } from "../../chainspec/header/header.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import { type Bytes, bytesKey, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { decodeBlockJson, decodeHeaderJson } from "../../remote/decode/block.ts";
import {
  asData,
  data,
  optionalData,
  optionalQuantity,
  requireList,
  requireObject,
} from "../../remote/decode/members.ts";
import { decodeReceiptJson } from "../../remote/decode/receipt.ts";
import { decodeTransactionJson } from "../../remote/decode/transaction.ts";
import { lie, unknownBlock } from "../../remote/remote-errors.ts";
import type { RemoteBlockId, RemoteChain } from "../../remote/upstream.ts";
import type { RemoteState, RemoteStates } from "../../state/fork/remote-state.ts";
import { PrefetchedRuns, PrefetchedState } from "../prefetch/prefetched-state.ts";
import type { RunPlan } from "../prefetch/run-plan.ts";
import type { ChainReader, TransactionLocation } from "./chain-reader.ts";
import { problemOfReceipts, problemOfUncle } from "./check-answers.ts";
import { ProvenHashes } from "./proven-hashes.ts";
import { logsOf, provenLogs } from "./proven-logs.ts";
import { type RemoteLog, type RemoteLogQuery, remoteLogs } from "./remote-logs.ts";

/** Most decoded blocks, and most hashes, in the cache. */
const MAX_BLOCKS = 512;
/** Counted as sizes: a cache with a `max` makes room for all entries at once, which takes longer than to fill it. */
const HASHES = { maxSize: 8_192, sizeCalculation: () => 1 } as const;

/** One for each fork. Blocks above the pinned one do not exist here, even where the other chain has them. */
export class RemoteHistory implements ChainReader, RemoteStates {
  readonly remote: RemoteChain;
  /** The pinned block without its body; the parent of the fork's first block. */
  readonly pin: Block;
  readonly pinned: PrefetchedState;
  readonly #spec: ChainSpec;
  readonly #runs: PrefetchedRuns;
  readonly #blocks = new LRUCache<string, Promise<Block | undefined>>({ max: MAX_BLOCKS });
  readonly #receipts = new WeakMap<Block, Promise<readonly Receipt[]>>();
  readonly #hashes = new LRUCache<bigint, Bytes>(HASHES);
  readonly #ids = new LRUCache<string, RemoteBlockId>(HASHES);
  readonly #proven: ProvenHashes;
  #wholePin: Block | undefined;
  readonly #absent = new LRUCache<string, true>(HASHES);

  /** @throws {RemoteError} `REMOTE_BAD_ANSWER` for a pinned block whose header cannot be read */
  constructor(remote: RemoteChain, spec: ChainSpec) {
    this.remote = remote;
    this.#spec = spec;
    this.pin = bareBlock(remote);
    this.#proven = new ProvenHashes(remote);
    this.#runs = new PrefetchedRuns(remote);
    this.pinned = new PrefetchedState(remote.state, this.#runs);
    this.#note(this.pin);
    this.#noteNumber(this.pin);
  }

  /**
   * Fetches ahead what a run on the state after a block reads. Returns a function to call when the run has ended.
   */
  fetchAhead(plan: RunPlan, { hash, header }: Pick<Block, "hash"> & { header: Pick<Header, "number"> }): () => void {
    const { number } = header;
    const isBelow = number <= this.#pinNumber;
    const id = this.#ids.get(bytesKey(hash)) ?? { number, hash };
    return this.#runs.begin(plan, isBelow ? this.remote.stateAt(id) : this.remote.state);
  }

  get #pinNumber(): bigint {
    return this.pin.header.number;
  }

  /** True for blocks that are read here. */
  has({ header }: Pick<Block, "header">): boolean {
    return header.number <= this.#pinNumber;
  }

  find(hash: Bytes): RemoteState | undefined {
    if (equalBytes(hash, this.pin.hash)) return this.pinned;
    const id = this.#ids.get(bytesKey(hash));
    return id === undefined ? undefined : new PrefetchedState(this.remote.stateAt(id), this.#runs);
  }

  /** Total difficulty before a block, only precise enough to decide whether the Merge has happened. */
  totalDifficultyBefore({ number, difficulty }: Header): bigint {
    return number > 0n && difficulty === 0n ? (this.#spec.schedule.terminalTotalDifficulty ?? 0n) : 0n;
  }

  /**
   * Total difficulty of the chain that ends with a block: from the upstream node, else only precise enough for
   * hardforks.
   */
  totalDifficultyOf({ hash, header, given }: Block): bigint {
    const json = given ?? (equalBytes(hash, this.pin.hash) ? this.remote.pin.json : {});
    return optionalQuantity(json, "totalDifficulty") ?? this.totalDifficultyBefore(header) + header.difficulty;
  }

  async getBlockByNumber(number: bigint): Promise<Block | undefined> {
    if (number < 0n || number > this.#pinNumber) return undefined;
    const hash = this.#hashes.get(number) ?? (this.#isVerified ? await this.#proven.of(number) : undefined);
    if (hash !== undefined) return this.#requireBlock(hash);
    const json = await this.remote.history("eth_getBlockByNumber", [encodeQuantity(number), true]);
    if (json === null) return undefined;
    const given = requireObject(json, "block");
    const block = await this.#keep(data(given, "hash", 32), () => this.#decode(given));
    if (block !== undefined) this.#noteNumber(block);
    return block;
  }

  /** A block of this chain. The upstream node may serve another chain by now. */
  async #requireBlock(hash: Bytes): Promise<Block> {
    const block = await this.getBlockByHash(hash);
    if (block === undefined) throw unknownBlock(this.remote.upstream.label, encodeData(hash));
    return block;
  }

  getBlockByHash(hash: Bytes): Promise<Block | undefined> {
    return this.#keep(hash, async () => {
      const isPin = equalBytes(hash, this.pin.hash);
      const json = isPin ? this.remote.pin.json : await this.#request("eth_getBlockByHash", [encodeData(hash), true]);
      return json === null ? undefined : this.#decode(requireObject(json, "block"));
    });
  }

  /** The pinned block with its body; at once if it was read before, because every call at `latest` may ask for it. */
  get wholePin(): MaybePromise<Block> {
    return this.#wholePin ?? this.#loadWholePin();
  }

  async #loadWholePin(): Promise<Block> {
    this.#wholePin = (await this.getBlockByHash(this.pin.hash)) ?? this.pin;
    return this.#wholePin;
  }

  #keep(hash: Bytes, load: () => Promise<Block | undefined>): Promise<Block | undefined> {
    const key = bytesKey(hash);
    const known = this.#blocks.get(key);
    if (known !== undefined) return known;
    const loading = load();
    this.#blocks.set(key, loading);
    // A missing block may come later from a node that lags, and a failed request is repeated.
    const forget = (): unknown => this.#blocks.delete(key);
    loading.then((block) => block ?? forget(), forget);
    return loading;
  }

  async #decode(given: UpstreamJson): Promise<Block | undefined> {
    const hashes = requireList(given.uncles ?? [], "uncles").map((uncle) => asData(uncle, "uncles", 32));
    const blockHash = encodeData(data(given, "hash", 32));
    const uncles = await Promise.all(
      hashes.map(async (hash, index) => {
        const check = (answer: unknown) => problemOfUncle(answer, hash);
        const json = await this.#request("eth_getUncleByBlockHashAndIndex", [blockHash, encodeQuantity(index)], check);
        return requireObject(json, "uncle");
      }),
    );
    const block = decodeBlockJson(given, uncles, (header) =>
      this.#spec.signatureRules(this.#hardforkOf(header), header.number),
    );
    if (this.#isVerified && !equalBytes(hashUncles(block.uncles), block.header.unclesHash)) {
      throw lie(
        this.remote.upstream.label,
        `the uncles of block ${block.header.number}`,
        "they are not those of sha3Uncles",
      );
    }
    // Blocks above the pin are not part of this chain.
    if (!this.has(block)) return undefined;
    this.#note(block);
    return block;
  }

  #hardforkOf(header: Header) {
    const { number, timestamp } = header;
    return this.#spec.hardforkAt({ number, timestamp, parentTotalDifficulty: this.totalDifficultyBefore(header) });
  }

  #note({ hash, header }: Block): void {
    const { number, stateRoot, timestamp } = header;
    this.#ids.set(bytesKey(hash), { number, hash, stateRoot, timestamp });
  }

  /** Notes the numbers of a block and its parent. Blocks that are read by hash may be side blocks. */
  #noteNumber({ hash, header: { number, parentHash } }: Block): void {
    this.#hashes.set(number, hash);
    if (number > 0n) this.#hashes.set(number - 1n, parentHash);
  }

  getReceipts(block: Block): Promise<readonly Receipt[]> {
    let receipts = this.#receipts.get(block);
    if (receipts === undefined) {
      receipts = this.#loadReceipts(block);
      this.#receipts.set(block, receipts);
      receipts.catch(() => this.#receipts.delete(block));
    }
    return receipts;
  }

  async #loadReceipts(block: Block): Promise<readonly Receipt[]> {
    if (block.transactions.length === 0) return [];
    const list = (await this.#blockReceipts(block)) ?? (await this.#allReceipts(block));
    return list.map((json) => decodeReceiptJson(requireObject(json, "receipt")));
  }

  async #blockReceipts(block: Block): Promise<readonly unknown[] | undefined> {
    try {
      const check = (answer: unknown) => problemOfReceipts(answer, block);
      const list = await this.#request("eth_getBlockReceipts", [encodeData(block.hash)], check);
      return Array.isArray(list) && list.length === block.transactions.length ? list : undefined;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  /** The receipts one by one. Only all together can be checked. */
  async #allReceipts(block: Block): Promise<readonly unknown[]> {
    const isCached = !this.#isVerified;
    const receipts = await Promise.all(
      block.transactions.map(({ hash }) =>
        this.remote.history("eth_getTransactionReceipt", [encodeData(hash)], { isCached }),
      ),
    );
    if (isCached) return receipts;
    const problem = problemOfReceipts(receipts, block);
    const { label } = this.remote.upstream;
    if (problem !== undefined) throw lie(label, `the receipts of block ${block.header.number}`, problem);
    this.remote.keep("eth_getBlockReceipts", [encodeData(block.hash)], receipts);
    return receipts;
  }

  /** True if the forked chain is read with proofs. */
  get #isVerified(): boolean {
    return this.pinned.provenRoot !== undefined;
  }

  async findTransaction(hash: Bytes): Promise<TransactionLocation | undefined> {
    const key = bytesKey(hash);
    if (this.#absent.has(key)) return undefined;
    const json = await this.#request("eth_getTransactionByHash", [encodeData(hash)]);
    const blockHash = json === null ? undefined : optionalData(requireObject(json, "transaction"), "blockHash", 32);
    const block = blockHash === undefined ? undefined : await this.getBlockByHash(blockHash);
    const index = block?.transactions.findIndex((tx) => equalBytes(tx.hash, hash)) ?? -1;
    if (block !== undefined && index >= 0) {
      await this.#checkCanonical(block);
      this.#noteNumber(block);
      return { block, index };
    }
    this.#absent.set(key, true);
    return undefined;
  }

  /** With `verify`: that the block is an ancestor of the pinned one, where that can be proven. */
  async #checkCanonical({ hash, header }: Block): Promise<void> {
    const proven = this.#isVerified ? await this.#proven.of(header.number) : undefined;
    if (proven === undefined || equalBytes(proven, hash)) return;
    const problem = `it is not block ${header.number} of the chain, which is ${encodeData(proven)}`;
    throw lie(this.remote.upstream.label, `block ${encodeData(hash)}`, problem);
  }

  /**
   * For a fork at a transaction: the transactions to mine first, and the header of their block; undefined for a fork at
   * a block.
   */
  get firstTransactions(): { readonly header: Header; readonly transactions: readonly Transaction[] } | undefined {
    const { nextBlock, transactions } = this.remote.pin;
    if (nextBlock === undefined) return undefined;
    const header = decodeHeaderJson(nextBlock);
    const signatureRules = this.#spec.signatureRules(this.#hardforkOf(header), header.number);
    return { header, transactions: transactions.map((json) => decodeTransactionJson(json, signatureRules)) };
  }

  /** Hash of a block by its number; undefined above the pin. */
  blockHash(number: bigint): MaybePromise<Bytes | undefined> {
    if (number < 0n || number > this.#pinNumber) return undefined;
    return this.#hashes.get(number) ?? this.#loadHash(number);
  }

  async #loadHash(number: bigint): Promise<Bytes> {
    const proven = this.#isVerified ? await this.#proven.of(number) : undefined;
    if (proven !== undefined) return proven;
    const json = await this.#request("eth_getBlockByNumber", [encodeQuantity(number), false]);
    const hash = data(requireObject(json, "block"), "hash", 32);
    this.#hashes.set(number, hash);
    return hash;
  }

  /**
   * Logs of blocks at or below the pinned one, from the upstream node; with `verify` from receipts that are proven.
   *
   * @throws {LimitError} `RESULT_LIMIT` with `verify`, for more blocks than can be checked in reasonable time
   */
  async findLogs(query: RemoteLogQuery): Promise<readonly RemoteLog[]> {
    if (!this.#isVerified) return remoteLogs(this.remote, query);
    if (!("blockHash" in query)) return provenLogs(this, this.#proven, query);
    const block = await this.getBlockByHash(query.blockHash);
    return block === undefined ? [] : logsOf(this, block, query);
  }

  #request(
    method: string,
    params: readonly unknown[],
    check?: (answer: unknown) => string | undefined,
  ): Promise<unknown> {
    return this.remote.history(method, params, { check });
  }
}

/** True if the upstream node answered with an error. */
function isRefusal(error: unknown): boolean {
  return error instanceof HindcastError && ["REMOTE_METHOD_MISSING", "REMOTE_REFUSED"].includes(error.code);
}

function bareBlock({ pin }: RemoteChain): Block {
  const header = decodeHeaderJson(pin.json);
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : [];
  return { hash: pin.hash, header, transactions: [], uncles: [], withdrawals };
}
