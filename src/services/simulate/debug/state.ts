/**
 * debug_* methods on whole states: storage and accounts in the order of the tries, changed accounts, roots after
 * transactions.
 *
 * It has over 300 lines, because its ranges share their order, their limits and their errors.
 */

import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { InvalidParamsError, StoreError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { EMPTY_TRIE_ROOT } from "../../../primitives/hash/hash.ts";
import type { StateDatabase } from "../../../state/state-database.ts";
import type { OwnStateId } from "../../../state/state-id.ts";
import { type AccountInfo, type AccountState, readAccountInfo } from "../../../state/view.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { replayBlock, stateBeforeTransaction } from "../replay/replay.ts";
import { type CallRunnerParts, requireView } from "./calls.ts";
import { endNotFound, genesisNotTraceable, parentNotFound } from "./errors.ts";
import type { TraceBounds } from "./options.ts";

/** Most accounts of one answer, as in geth. */
export const MAX_LISTED_ACCOUNTS = 256;
/** Number of slots or accounts between two checks of the time limit. */
const CHECK_INTERVAL = 1_000;

/** Slots of one account, in ascending order of the hash of the slot number. */
export interface StorageRange {
  readonly slots: readonly NamedSlot[];
  /** Hash to continue from; undefined at the end. */
  readonly next: Bytes | undefined;
}

/** A slot of `debug_storageRangeAt`, in the order of the hashes. */
export interface NamedSlot {
  readonly hash: Bytes;
  /** 32 bytes; undefined if the preimage of the hash was not stored. */
  readonly slot: Bytes | undefined;
  /** Without leading zeros. */
  readonly value: Bytes;
}

/** Accounts of a state, in ascending order of the hash of their address. */
export interface AccountRange {
  readonly stateRoot: Bytes;
  readonly accounts: readonly ListedAccount[];
  /** Hash to continue from; undefined at the end. */
  readonly next: Bytes | undefined;
}

/** An account of `debug_accountRange`, in the order of the hashes. */
export interface ListedAccount {
  readonly hash: Bytes;
  /** Undefined if the preimage of the hash was not stored. */
  readonly address: Bytes | undefined;
  readonly account: AccountState;
  /** Undefined if the request leaves it out. */
  readonly code: Bytes | undefined;
  readonly slots: readonly NamedSlot[] | undefined;
}

/** The parameters of `debug_accountRange` after the block. */
export interface AccountRangeRequest {
  /** Hash to begin at, at most 32 bytes; default: the first. */
  readonly start?: Bytes | undefined;
  /** At most 256, which is also the default. */
  readonly limit?: number | undefined;
  readonly withoutCode?: boolean | undefined;
  readonly withoutStorage?: boolean | undefined;
  /** Also lists accounts whose address is unknown. */
  readonly withUnnamed?: boolean | undefined;
}

/** A part of an account's storage. */
export interface StoragePart {
  readonly address: Bytes;
  /** Hash to begin at, at most 32 bytes. */
  readonly start: Bytes;
  readonly limit: number;
}

/** The parameters of `debug_storageRangeAt` after the block. */
export interface StorageRangeRequest extends StoragePart {
  /** Use the state before this transaction of the block. */
  readonly txIndex: number;
}

/** The parameters of `debug_accountInfoAt` after the block. */
export interface AccountAfterRequest {
  /** Position in the block. */
  readonly txIndex: number;
  readonly address: Bytes;
}

/** Abort signal of a request. */
export type InspectOptions = Pick<TraceBounds, "signal">;

/**
 * Serves `debug_storageRangeAt`, `debug_accountRange` and similar methods, and `node.debug`. Ranges are in the order of the
 * tries and end with the hash at which the next one begins.
 */
export class StateInspector {
  readonly #parts: CallRunnerParts;
  readonly #chain: ChainBlocks & ChainRules & ChainStates;

  /** @internal */
  constructor(parts: CallRunnerParts) {
    this.#parts = parts;
    this.#chain = parts.chain;
  }

  /**
   * Storage of an account before a transaction.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {InvalidParamsError} `INVALID_PARAMS` if the block does not have that transaction
   */
  async storageRange(id: BlockId, request: StorageRangeRequest, options: InspectOptions = {}): Promise<StorageRange> {
    const { block } = await requireView(this.#parts, id);
    const { txIndex } = request;
    // The index behind the last transaction asks for the state after all of them, as in geth.
    if (txIndex > block.transactions.length) throw noSuchTransaction(block, txIndex);
    const clock = this.#clock(options);
    return this.#range(await stateBeforeTransaction(this.#chain, block, txIndex, clock), request, clock);
  }

  /**
   * An account after a transaction of a block; undefined if it does not exist there.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {InvalidParamsError} `INVALID_PARAMS` if the block does not have that transaction
   */
  async accountAfter(
    id: BlockId,
    { txIndex, address }: AccountAfterRequest,
    options: InspectOptions = {},
  ): Promise<AccountInfo | undefined> {
    const { block } = await requireView(this.#parts, id);
    if (txIndex >= block.transactions.length) throw noSuchTransaction(block, txIndex);
    const state = await stateBeforeTransaction(this.#chain, block, txIndex + 1, this.#clock(options));
    return readAccountInfo(state, address);
  }

  /**
   * Storage of an account after a block.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {UnsupportedError} `STATE_NOT_LISTABLE` on a fork
   */
  async storageAfter(id: BlockId, part: StoragePart, options: InspectOptions = {}): Promise<StorageRange> {
    return this.#range((await requireView(this.#parts, id)).state(), part, this.#clock(options));
  }

  #range(state: WorkingState, part: StoragePart, clock: ExecutionClock): Promise<StorageRange> {
    return readable(this.#chain.states, state, async () => {
      const account = await state.getAccount(part.address);
      return this.#slotsOf(account?.storageRoot ?? EMPTY_TRIE_ROOT, part, clock);
    });
  }

  /** The slots of a storage trie, as many as wanted. */
  async #slotsOf(
    storageRoot: Bytes,
    { start, limit }: { readonly start?: Bytes; readonly limit?: number },
    clock: ExecutionClock,
  ): Promise<StorageRange> {
    const { states } = this.#chain;
    const slots: NamedSlot[] = [];
    for (const { hash, value } of states.slotsFrom(storageRoot, firstHash(start))) {
      if (slots.length === limit) return { slots, next: hash };
      slots.push({ hash, slot: states.preimageOf(hash), value });
      if (slots.length % CHECK_INTERVAL === 0) await clock.check();
    }
    return { slots, next: undefined };
  }

  /**
   * Accounts of the state after a block, with code and storage.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async accountRange(
    id: BlockId,
    request: AccountRangeRequest = {},
    options: InspectOptions = {},
  ): Promise<AccountRange> {
    const view = await requireView(this.#parts, id);
    const clock = this.#clock(options);
    const { states } = this.#chain;
    const { limit = 0 } = request;
    const most = limit > 0 ? Math.min(limit, MAX_LISTED_ACCOUNTS) : MAX_LISTED_ACCOUNTS;
    const state = view.state();
    return readable(states, state, async (stateRoot) => {
      const accounts: ListedAccount[] = [];
      for (const { hash, account } of states.accountsFrom(stateRoot, firstHash(request.start))) {
        if (accounts.length === most) return { stateRoot, accounts, next: hash };
        const address = states.preimageOf(hash);
        if (address === undefined && request.withUnnamed !== true) continue;
        const code = request.withoutCode === true ? undefined : await state.getCode(account.codeHash);
        const listed =
          request.withoutStorage === true ? undefined : await this.#slotsOf(account.storageRoot, {}, clock);
        accounts.push({ hash, address, account, code, slots: listed?.slots });
        await clock.check();
      }
      return { stateRoot, accounts, next: undefined };
    });
  }

  /**
   * Addresses of accounts that differ between the states after two blocks, in nonce, balance, code or storage. In
   * ascending order of the hash of the address. Deleted accounts are not listed.
   *
   * @param to - default: the changes of block `from` itself
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`, `STATE_NOT_AVAILABLE`
   * @throws {InvalidParamsError} `INVALID_BLOCK_RANGE` if the second block is not later
   * @throws {StoreError} `PREIMAGE_MISSING` in a folder written before addresses were stored
   */
  async modifiedAccounts(from: BlockId, to?: BlockId, options: InspectOptions = {}): Promise<Bytes[]> {
    const first = this.#require(from, "start");
    const [before, after] = to === undefined ? [this.#parentOf(first), first] : [first, this.#require(to, "end")];
    if (before.header.number >= after.header.number) {
      const numbers = `(${before.header.number}) must be less than end block height (${after.header.number})`;
      throw new InvalidParamsError({
        code: "INVALID_BLOCK_RANGE",
        what: `start block height ${numbers}`,
        fix: "Give the earlier block first.",
        rpcCode: -32000,
      });
    }
    const { states } = this.#chain;
    const ids = [this.#chain.stateIdOf(before), this.#chain.stateIdOf(after)] as const;
    this.#chain.requireState(before, ids[0]);
    this.#chain.requireState(after, ids[1]);
    const clock = this.#clock(options);
    const addresses: Bytes[] = [];
    for (const hash of states.changedAccounts(...ids)) {
      addresses.push(states.preimageOf(hash) ?? missingPreimage(hash));
      if (addresses.length % CHECK_INTERVAL === 0) await clock.check();
    }
    return addresses;
  }

  /**
   * State root after each transaction of a block.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE`
   */
  async intermediateRoots(id: BlockId, options: InspectOptions = {}): Promise<Bytes[]> {
    const { block } = await requireView(this.#parts, id);
    if (block.header.number === this.#chain.spec.firstNumber) throw genesisNotTraceable();
    const roots: Bytes[] = [];
    const limits = this.#clock(options);
    for await (const { state } of replayBlock({ chain: this.#chain, block, limits, recorderFor: () => undefined })) {
      roots.push(state.computeStateRoot());
    }
    return roots;
  }

  #require(id: BlockId, role: "start" | "end"): Block {
    const block =
      "hash" in id
        ? this.#chain.archive.getBlock(id.hash)
        : "number" in id
          ? this.#chain.getStoredBlock(id.number)
          : this.#chain.head;
    if (block === undefined) throw endNotFound(id, role, this.#chain.head);
    return block;
  }

  #parentOf(block: Block): Block {
    const parent = this.#chain.archive.getBlock(block.header.parentHash);
    if (parent === undefined) throw parentNotFound(block.header.number, this.#chain.head);
    return parent;
  }

  #clock({ signal }: InspectOptions): ExecutionClock {
    return this.#chain.executor.clock({ timeoutMs: this.#parts.limits.traceTimeoutMs, signal });
  }
}

/** Writes the tries of a temporary state for as long as `read` takes. */
async function readable<T>(
  states: StateDatabase,
  state: WorkingState,
  read: (stateRoot: OwnStateId) => Promise<T>,
): Promise<T> {
  const commit = state.commitState();
  try {
    return await read(commit.stateRoot);
  } finally {
    states.discard(commit);
  }
}

/** A start padded to a whole hash: missing bytes at its end are zero. */
function firstHash(start?: Bytes): Bytes {
  const hash = new Uint8Array(32);
  if (start !== undefined) hash.set(start.subarray(0, 32));
  return hash;
}

function noSuchTransaction(block: Block, index: number): InvalidParamsError {
  const what = `transaction index ${index} out of range for block ${encodeData(block.hash)}`;
  return new InvalidParamsError({ code: "INVALID_PARAMS", what, rpcCode: -32000 });
}

function missingPreimage(hash: Bytes): never {
  throw new StoreError({
    code: "PREIMAGE_MISSING",
    what: `no preimage found for hash ${encodeData(hash)}.`,
    fix: "Import the chain into a new folder.",
  });
}
