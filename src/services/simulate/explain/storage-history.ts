/**
 * Collects facts that give names to the slots of an account, from the transactions that used its storage: the contracts
 * whose code ran, and the inputs of hashes, which hold the keys of mappings.
 */
import { LRUCache } from "lru-cache";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { LimitError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { BuildStore } from "../../../explain/source/build-store.ts";
import type { FoundContract } from "../../../explain/source/contract-finder.ts";
import { readWrites } from "../../../explain/storage/storage-writes.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import { inTurns } from "../../../primitives/platform/turns.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import { replayBlock } from "../replay/replay.ts";

/** Facts learnt of an account's storage. */
export interface StorageHistory {
  readonly contracts: readonly FoundContract[];
  /** Inputs of KECCAK256, by hash. */
  readonly preimages: ReadonlyMap<bigint, Bytes>;
  /** False if there were too many transactions to run all of them again in one request. */
  readonly isComplete: boolean;
}

/** Most bytes of recorded steps for one request: about 600,000 steps. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Accounts whose histories are cached. */
const CACHED_ACCOUNTS = 16;
/** Hash inputs that are cached of one account. */
const MOST_PREIMAGES = 100_000;
const REQUEST = { steps: true, memory: true } as const;

interface Learnt {
  /** Version of the builds at that time. */
  readonly version: string;
  /** Hashes of the blocks that have been run again, as keys. */
  readonly blocks: Set<string>;
  readonly contracts: Set<FoundContract>;
  readonly preimages: Map<bigint, Bytes>;
}

interface Reading {
  readonly key: string;
  readonly learnt: Learnt;
  readonly builds: BuildStore;
  readonly clock: ExecutionClock;
}

/** One for each node. Keeps the facts about the accounts that were asked for last. */
export class StorageHistories {
  readonly #chain: ChainBlocks & ChainRules & ChainStates;
  readonly #learnt = new LRUCache<string, Learnt>({ max: CACHED_ACCOUNTS });

  constructor(chain: ChainBlocks & ChainRules & ChainStates) {
    this.#chain = chain;
  }

  /**
   * Runs the blocks again that call an account, newest first. Blocks that were run before are left out.
   *
   * @param until - number of the newest block
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async of(address: Bytes, until: bigint, builds: BuildStore, clock: ExecutionClock): Promise<StorageHistory> {
    await builds.refresh();
    const key = bytesKey(address);
    const learnt = this.#learntOf(key, builds);
    let bytes = 0;
    const range = { address, fromBlock: 0n, toBlock: until, order: "descending" } as const;
    for await (const number of this.#chain.archive.eachBlockTracing(range)) {
      const block = await this.#chain.getBlockByNumber(number);
      if (block === undefined || block.transactions.length === 0) continue;
      const blockKey = bytesKey(block.hash);
      if (learnt.blocks.has(blockKey)) continue;
      if (bytes > MOST_BYTES || learnt.preimages.size > MOST_PREIMAGES) return historyOf(learnt, false);
      bytes += await this.#read(block, { key, learnt, builds, clock });
      learnt.blocks.add(blockKey);
    }
    return historyOf(learnt, true);
  }

  #learntOf(key: string, { version }: BuildStore): Learnt {
    const known = this.#learnt.get(key);
    if (known?.version === version) return known;
    const learnt = {
      version,
      blocks: new Set<string>(),
      contracts: new Set<FoundContract>(),
      preimages: new Map(),
    };
    this.#learnt.set(key, learnt);
    return learnt;
  }

  /** Runs a block again and adds its facts. Returns the bytes of the recordings. */
  async #read(block: Block, into: Reading): Promise<number> {
    const { key, learnt, builds, clock: limits } = into;
    let bytes = 0;
    const recorderFor = (): Recorder => new Recorder({ ...REQUEST, maxBytes: MOST_BYTES });
    try {
      for await (const { recorder } of replayBlock({ chain: this.#chain, block, limits, recorderFor })) {
        if (recorder === undefined) continue;
        bytes += recorder.size;
        const { contracts, preimages } = await inTurns(readWrites(recorder, await builds.contractsIn(recorder.frames)));
        for (const found of contracts.get(key) ?? []) learnt.contracts.add(found);
        for (const [hash, preimage] of preimages) learnt.preimages.set(hash, preimage);
      }
    } catch (error) {
      if (!(error instanceof LimitError) || error.code !== "RECORDING_LIMIT") throw error;
      return bytes + MOST_BYTES;
    }
    return bytes;
  }
}

function historyOf({ contracts, preimages }: Learnt, isComplete: boolean): StorageHistory {
  return { contracts: [...contracts], preimages, isComplete };
}
