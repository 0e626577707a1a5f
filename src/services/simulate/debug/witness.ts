/** debug_executionWitness: everything of the state that a block's execution reads, so that it can be checked without it. */

import type { BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import { executeBlock } from "../../../chain/execute-block.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { Header } from "../../../chainspec/header/header.ts";
import type { BlockContext } from "../../../evm/engine.ts";
import { replayChecks } from "../../../executor/transaction-checks.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import { HashMap } from "../../../primitives/bytes/hash-map.ts";
import { StateDatabase } from "../../../state/state-database.ts";
import type { StateId } from "../../../state/state-id.ts";
import { genesisNotTraceable } from "./errors.ts";

/** The witness of a block, as reth has it. */
export interface ExecutionWitness {
  /** RLP of the trie nodes that were read, also to compute the state root after the block. */
  readonly trieNodes: readonly Bytes[];
  /** Codes of the accounts that were read, and codes that were created. */
  readonly codes: readonly Bytes[];
  /** Addresses and slots whose hashes are the keys of those nodes. */
  readonly keys: readonly Bytes[];
  /** In ascending order: the headers from the oldest whose hash was read, at least the parent's. */
  readonly headers: readonly Header[];
}

/** Serves `debug_executionWitness`. It runs the block again and collects the trie nodes that are read. */
export class WitnessService {
  readonly #chain: ChainBlocks & ChainRules & ChainStates;
  readonly #views: BlockViews;

  constructor(chain: ChainBlocks & ChainRules & ChainStates, views: BlockViews) {
    this.#chain = chain;
    this.#views = views;
  }

  /**
   * The witness of a block. It begins at the state on which the block was executed, edits included.
   *
   * @throws {NotFoundError} `HEADER_NOT_FOUND`, `STATE_NOT_AVAILABLE`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE`; `STATE_NOT_LISTABLE` on a fork, whose tries are not known
   */
  async witness(id: BlockId): Promise<ExecutionWitness> {
    const chain = this.#chain;
    const { block, rules } = await this.#views.require(id);
    if (block.header.number === chain.spec.firstNumber) throw genesisNotTraceable();
    chain.states.requireWhole("The witness of a block");
    // Makes the nodes of the state available, if it is described by changes to another one.
    await chain.workingStateBefore(block);
    const read = new ReadState(chain.states);
    const context = chain.contextOf(block.header);
    const oldest = new OldestRead(block.header.number - 1n, context);
    const state = read.database.working(chain.stateIdBefore(block));
    const { executor } = chain;
    const { commit } = await executeBlock(block, {
      state,
      context: oldest.context,
      rules,
      executor,
      checksFor: replayChecks,
      mayLackContracts: true,
      isImported: chain.isImported(block),
    });
    return {
      trieNodes: read.trieNodes,
      codes: [...(await read.codes(chain.stateIdBefore(block))), ...commit.codes.map(({ bytes }) => bytes)],
      keys: read.keys,
      headers: await this.#headers(block, oldest.number),
    };
  }

  async #headers(block: Block, from: bigint): Promise<readonly Header[]> {
    const headers: Header[] = [];
    let { parentHash } = block.header;
    for (let number = block.header.number - 1n; number >= from; number--) {
      const ancestor = await this.#chain.getBlockByHash(parentHash);
      if (ancestor === undefined) break;
      headers.unshift(ancestor.header);
      parentHash = ancestor.header.parentHash;
    }
    return headers;
  }
}

/** A database without caches of its own over another one, which notes what is read. */
class ReadState {
  readonly database: StateDatabase;
  readonly trieNodes: Bytes[] = [];
  readonly keys: Bytes[] = [];
  readonly #states: StateDatabase;
  readonly #seen = new HashMap<true>();

  constructor(states: StateDatabase) {
    this.#states = states;
    const source = {
      getTrieNode: (hash: Bytes) => this.#note(hash, states.trieNodeOf(hash)),
      getCode: (hash: Bytes) => states.codeOf(hash),
    };
    this.database = new StateDatabase(source, { onKey: (key) => this.keys.push(key.slice()) });
  }

  #note(hash: Bytes, bytes: Bytes | undefined): Bytes | undefined {
    if (bytes === undefined || this.#seen.get(hash) === true) return bytes;
    this.#seen.set(hash.slice(), true);
    this.trieNodes.push(bytes);
    return bytes;
  }

  /** By account and not by read, because an engine does not read codes that it knows from earlier blocks. */
  async codes(id: StateId): Promise<readonly Bytes[]> {
    const reader = this.#states.reader(id);
    const codes = new Map<string, Bytes>();
    for (const key of this.keys) {
      const account = key.length === ADDRESS_BYTES ? await reader.getAccount(key) : undefined;
      const code = account && this.#states.codeOf(account.codeHash);
      if (account !== undefined && code !== undefined && code.length > 0) codes.set(bytesKey(account.codeHash), code);
    }
    return [...codes.values()];
  }
}

const ADDRESS_BYTES = 20;

/** A block's context that notes the oldest block whose hash is read. */
class OldestRead {
  readonly context: BlockContext;
  number: bigint;

  constructor(parentNumber: bigint, context: BlockContext) {
    this.number = parentNumber;
    const blockHash: BlockContext["blockHash"] = (number) => {
      if (number < this.number) this.number = number;
      return context.blockHash(number);
    };
    this.context = { ...context, blockHash };
  }
}
