/** Writes the node's chain to a state file, and replaces it by the chain of one. */

import { checkCopy, copyChain, invalidStateFile } from "../../../chain/chain-copy.ts";
import type { ChainWriter } from "../../../chain/chain-writer.ts";
import { writeAlloc } from "../../../chain/read/genesis-block.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import { StepwiseCommit } from "../../../chain/write/stepwise-commit.ts";
import type { GenesisAccount } from "../../../chainspec/genesis/genesis.ts";
import { HindcastError, InvalidParamsError, UnsupportedError } from "../../../errors/hindcast-error.ts";
import type { StateReader } from "../../../evm/state-port.ts";
import type { Clock } from "../../../miner/clock.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { joinChunks, unzippedChunks } from "../../../primitives/platform/compression.ts";
import { inTurns } from "../../../primitives/platform/turns.ts";
import type { TxPool } from "../../../txpool/tx-pool.ts";
import { requireValues } from "../check-values.ts";
import type { Snapshots } from "../snapshots.ts";
import { type AnvilState, copyOfAnvil, readAnvilState } from "./anvil-state.ts";
import { decodeStateFile, encodeStateFile, isStateFile, type SavedState, type StateFileChain } from "./state-file.ts";

/** Parts that are saved and replaced, and the limits of a file's size. */
export interface StateFilesOptions {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly writer: ChainWriter;
  readonly clock: Clock;
  readonly pool: TxPool;
  readonly snapshots: Snapshots;
  /** True if the chain is stored in a folder, which is bound to its first block. */
  readonly isOnDisk: boolean;
  readonly limits: StateFileLimits;
}

/** Limits of state files. */
export interface StateFileLimits {
  /** Most bytes after unpacking. */
  readonly stateFileBytes: number;
  /** Most JSON values or RLP items. */
  readonly stateFileValues: number;
}

/** How a file is loaded. */
export interface LoadStateOptions {
  /** Writes the accounts of Anvil's file into the present state, as Anvil does, instead of replacing the chain; default false. */
  readonly merge?: boolean | undefined;
}

/** Serves `anvil_dumpState` and `anvil_loadState`. A load takes everything or nothing. */
export class StateFiles {
  readonly #options: StateFilesOptions;

  constructor(options: StateFilesOptions) {
    this.#options = options;
  }

  /**
   * The canonical chain with all its states, edits and time. Side blocks and waiting transactions are not included.
   *
   * @throws {UnsupportedError} `UNSUPPORTED` if its blocks have several chain ids, since a file has one
   */
  dump(): Promise<Bytes> {
    const { chain, writer, clock } = this.#options;
    if (chain.spec.changes.chainIds.length > 1) throw severalChainIds();
    return writer.exclusively(async () => {
      const timeOffset = clock.offset;
      return encodeStateFile({ copy: await inTurns(copyChain(chain)), timeOffset }, chain.spec);
    });
  }

  /**
   * Replaces the chain by that of a file. An Anvil file without blocks, or any with `merge`, is applied as an edit of the
   * state at the head instead: its accounts replace those of the same address, but for slots that they do not have.
   *
   * @param bytes - a file of {@link dump} or of Anvil, gzipped or not
   * @throws {InvalidParamsError} `STATE_FILE_INVALID`, `STATE_FILE_MISMATCH`; nothing is changed
   * @throws {LimitError} `UNPACKED_TOO_LARGE`, `TOO_MANY_ITEMS`, `JSON_TOO_DEEP`, `JSON_TOO_MANY_VALUES`,
   * `JSON_VALUE_TOO_LONG`; nothing is changed
   */
  async load(bytes: Bytes, { merge = false }: LoadStateOptions = {}): Promise<void> {
    requireValues({ bytes });
    const { chain, writer, limits } = this.#options;
    const chunks = await readable(unzippedChunks(bytes, limits.stateFileBytes, "--state-file-bytes"));
    if (isStateFile(chunks.first)) {
      if (merge) throw notMergeable();
      return this.#replace(await decodeStateFile(await joinChunks(chunks.all), this.#targetChain(), limits));
    }
    const state = await readAnvilState(chunks.all, chain.spec, limits);
    if (merge) {
      return writer.editState(async (head, steps) => writeAlloc(await withNonces(state.accounts, head), head, steps));
    }
    if (state.blocks.length === 0) return writer.editState((head, steps) => writeAlloc(state.accounts, head, steps));
    return this.#loadAnvil(state);
  }

  async #loadAnvil(state: AnvilState): Promise<void> {
    const { chain, clock } = this.#options;
    // The file's accounts are the whole state; on a fork, accounts of the other chain would appear beside them.
    chain.states.requireWhole("What Anvil's state with blocks in it would be");
    const working = chain.states.empty();
    const commits = new StepwiseCommit(chain.states, working);
    try {
      await writeAlloc(state.accounts, working, commits);
      const commit = await commits.finish();
      const nodes = {
        trieNodes: commit.trieNodes.map((node) => node.bytes),
        codes: commit.codes.map((code) => code.bytes),
      };
      const copy = copyOfAnvil(state, commit.stateRoot, nodes);
      const headTime = copy.blocks.at(-1)?.block.header.timestamp ?? clock.now();
      await this.#replace({ copy, timeOffset: clock.offset + headTime - clock.now() });
    } finally {
      commits.discard();
    }
  }

  #targetChain(): StateFileChain {
    const { spec, history, genesis } = this.#options.chain;
    return { spec, pinned: history && { block: genesis, totalDifficulty: history.totalDifficultyOf(genesis) } };
  }

  async #replace({ copy, timeOffset }: SavedState): Promise<void> {
    const { chain, writer, clock, pool, snapshots, isOnDisk } = this.#options;
    await checkCopy(copy, chain.spec, this.#targetChain().pinned);
    const first = copy.blocks[0]?.block;
    if (isOnDisk && first !== undefined && !equalBytes(first.hash, chain.genesis.hash)) {
      throw new InvalidParamsError({
        code: "STATE_FILE_MISMATCH",
        what: "The data folder holds a chain with another first block than the file's.",
        where: `The folder's is ${encodeData(chain.genesis.hash)}, the file's is ${encodeData(first.hash)}.`,
        fix: "Load the file into a node without a data folder.",
      });
    }
    pool.clear();
    snapshots.forgetNumbered();
    clock.reset(timeOffset);
    await writer.replaceHistory(copy, () => snapshots.live());
  }
}

/** The chunks of a file. The first one shows its format. */
interface Chunks {
  readonly first: Bytes;
  readonly all: AsyncIterable<Bytes>;
}

/** Bytes that cannot be unzipped are not a state file. */
async function readable(chunks: AsyncGenerator<Bytes>): Promise<Chunks> {
  const next = (): Promise<IteratorResult<Bytes>> =>
    chunks.next().catch((cause: unknown) => {
      if (cause instanceof HindcastError) throw cause;
      throw invalidStateFile(`It cannot be unzipped: ${(cause as Error).message}.`, cause);
    });
  const first = ((await next()).value as Bytes | undefined) ?? EMPTY_BYTES;
  async function* all(): AsyncGenerator<Bytes> {
    try {
      yield first;
      for (let chunk = await next(); chunk.done !== true; chunk = await next()) yield chunk.value;
    } finally {
      await chunks.return(undefined);
    }
  }
  return { first, all: all() };
}

/** No account goes back to a nonce that it has used: Anvil 1.7.1 takes the greater one, too (observed). */
async function withNonces(accounts: readonly GenesisAccount[], head: StateReader): Promise<readonly GenesisAccount[]> {
  const merged: GenesisAccount[] = [];
  for (const account of accounts) {
    const nonce = (await head.getAccount(account.address))?.nonce ?? 0n;
    merged.push(nonce > account.nonce ? { ...account, nonce } : account);
  }
  return merged;
}

/** Its states are tries, which have no addresses. */
function notMergeable(): InvalidParamsError {
  return new InvalidParamsError({
    code: "STATE_FILE_INVALID",
    what: "A file of this node's anvil_dumpState is a whole chain, whose accounts cannot be merged into another one.",
    fix: "Load it without merge, or merge a file of Anvil.",
  });
}

function severalChainIds(): UnsupportedError {
  return new UnsupportedError({
    code: "UNSUPPORTED",
    what: "The chain's id was changed, and a state file has one chain id for all blocks.",
    fix: "Start the node with --chain-id instead of anvil_setChainId.",
  });
}
