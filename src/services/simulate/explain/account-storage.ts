/** Lists the storage of an account by variable, as far as the sources of its contract are known. */

import type { BlockView, BlockViews } from "../../../chain/block-views.ts";
import { type BlockId, LATEST } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import { implementationOf } from "../../../explain/abi/minimal-proxy.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import type { CompilerDocuments, SourceMatch } from "../../../explain/source/build.ts";
import type { FoundContract } from "../../../explain/source/contract-finder.ts";
import type { SourceFile } from "../../../explain/source/source-file.ts";
import { AccountVariables, type SlotVariable } from "../../../explain/storage/account-variables.ts";
import { type Bytes, bigIntToFixedBytes, bytesToBigInt, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../../primitives/hash/hash.ts";
import type { TraceBounds } from "../debug/options.ts";
import type { StateInspector } from "../debug/state.ts";
import { StorageHistories } from "./storage-history.ts";

/** A slot that is not zero. */
export interface StoredSlot {
  /** Hash of the slot's number. */
  readonly hash: Bytes;
  /** Undefined if the preimage of the hash was not stored. */
  readonly slot: bigint | undefined;
  readonly value: bigint;
  /** The variables in it; empty if none is known. */
  readonly variables: readonly SlotVariable[];
}

/** One part of the storage, in the order of the hashes of its slots. */
export interface AccountStorage {
  /** Name of the account's contract; undefined if not known. */
  readonly contract: string | undefined;
  readonly slots: readonly StoredSlot[];
  /** Hash to continue from; undefined at the end. */
  readonly next: Bytes | undefined;
  /** Why slots may be missing or without a name, one sentence each. */
  readonly notes: readonly string[];
}

/** The sources of an account's contract. */
export interface AccountSources {
  readonly contract: string;
  /** How they match the code, if a server gave them. */
  readonly sourceMatch: SourceMatch | undefined;
  /** That of the contract first. */
  readonly files: readonly SourceFile[];
}

/** A contract with all that its build has of it. */
export interface CompiledAccount {
  readonly code: Bytes;
  readonly found: FoundContract;
  readonly documents: CompilerDocuments;
}

/** The first slot by the hash of its number, and the most slots. */
export interface StoragePart {
  readonly start: Bytes;
  readonly count: number;
}

/** Sources of slots, earlier transactions and Solidity files. The time limit is in milliseconds. */
export interface AccountStorageParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly views: BlockViews;
  readonly states: StateInspector;
  readonly abi: AbiRegistry;
  readonly timeoutMs: number;
}

const SLOT_BYTES = 32;

/** Serves `hindcast_getStorage` and `hindcast_getSources`. */
export class AccountStorageService {
  readonly #parts: AccountStorageParts;
  readonly #histories: StorageHistories;

  constructor(parts: AccountStorageParts) {
    this.#parts = parts;
    this.#histories = new StorageHistories(parts.chain);
  }

  /**
   * Storage of an account after a block, in the order of the trie. On a fork, whose storage cannot be listed, the slots
   * that have a name.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`, `HEADER_NOT_FOUND`, `STATE_NOT_AVAILABLE`
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async storage(address: Bytes, id: BlockId, part: StoragePart, bounds: TraceBounds = {}): Promise<AccountStorage> {
    const { chain, views, states } = this.#parts;
    const view = await views.require(id);
    const found = await this.#contractAt(address, view);
    const { variables, isComplete } = await this.#variablesOf(address, view, found, bounds);
    const notes = isComplete ? [] : ["More transactions called the account than were searched for names."];
    const contract = found?.contract.name;
    if (!chain.states.isWhole) {
      const slots = await namedSlots(address, view, variables, part.count);
      const note = "On a fork storage cannot be listed: these are the slots whose variables are known.";
      return { contract, slots, next: undefined, notes: [note, ...notes] };
    }
    const listed = await states.storageAfter(id, { address, start: part.start, limit: part.count }, bounds);
    const slots = listed.slots.map(({ hash, slot, value }) => {
      const number = slot === undefined ? undefined : bytesToBigInt(slot);
      const word = bytesToBigInt(value);
      return { hash, slot: number, value: word, variables: number === undefined ? [] : variables.at(number, word) };
    });
    return { contract, slots, next: listed.next, notes };
  }

  /**
   * The sources of the contract at an address; undefined if they are not known.
   *
   * @throws {NotFoundError} `HEADER_NOT_FOUND`, `STATE_NOT_AVAILABLE`
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   */
  async sources(address: Bytes, id: BlockId): Promise<AccountSources | undefined> {
    const found = await this.#contractAt(address, await this.#parts.views.require(id));
    if (found === undefined) return undefined;
    const { name, path, lineage, sourceMatch } = found.contract;
    const used = new Set<SourceFile>();
    for (const { range } of lineage) used.add(range.file);
    for (const { range } of found.code.instructions.values()) if (range !== undefined) used.add(range.file);
    const files = found.code.files.filter((file) => file.path === path || used.has(file));
    return { contract: name, sourceMatch, files: files.sort((left, right) => rank(left, path) - rank(right, path)) };
  }

  /**
   * The contract at an address after the newest block, with its code and what its compiler was given and has answered;
   * undefined if it is not known.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   */
  async compiled(address: Bytes): Promise<CompiledAccount | undefined> {
    const state = (await this.#parts.views.require(LATEST)).state();
    const account = await state.getAccount(address);
    const code = account === undefined ? EMPTY_BYTES : await state.getCode(account.codeHash);
    if (code.length === 0) return undefined;
    const ran = { bytes: code, isCreation: false, address, deployed: code };
    const finder = await this.#parts.abi.builds.contractsOf([ran]);
    const found = finder.findRuntime(code);
    const documents = found && (await finder.wholeDocumentsOf(found.contract));
    return found && documents && { code, found, documents };
  }

  /** Of a minimal proxy its implementation. */
  async #contractAt(address: Bytes, view: BlockView): Promise<FoundContract | undefined> {
    const state = view.state();
    const codeAt = async (of: Bytes): Promise<Bytes> => {
      const account = await state.getAccount(of);
      return account === undefined ? EMPTY_BYTES : state.getCode(account.codeHash);
    };
    const code = await codeAt(address);
    const cloned = implementationOf(code);
    const bytes = cloned === undefined ? code : await codeAt(cloned);
    if (bytes.length === 0) return undefined;
    const ran = { bytes, isCreation: false, address: cloned ?? address, deployed: bytes };
    return (await this.#parts.abi.builds.contractsOf([ran])).findRuntime(bytes);
  }

  async #variablesOf(address: Bytes, { block }: BlockView, found: FoundContract | undefined, bounds: TraceBounds) {
    const { chain, abi, timeoutMs: usual } = this.#parts;
    if (abi.builds.isEmpty) return { variables: new AccountVariables([], new Map()), isComplete: true };
    const { timeoutMs = usual, signal } = bounds;
    const clock = chain.executor.clock({ timeoutMs, signal });
    const history = await this.#histories.of(address, block.header.number, abi.builds, clock);
    const contracts = found === undefined ? history.contracts : [found, ...history.contracts];
    return { variables: new AccountVariables(contracts, history.preimages), isComplete: history.isComplete };
  }
}

async function namedSlots(
  address: Bytes,
  view: BlockView,
  variables: AccountVariables,
  count: number,
): Promise<readonly StoredSlot[]> {
  const state = view.state();
  const slots: StoredSlot[] = [];
  for (const slot of variables.slots()) {
    if (slots.length === count) break;
    const key = bigIntToFixedBytes(slot, SLOT_BYTES);
    const value = bytesToBigInt(await state.getStorage(address, key));
    if (value !== 0n) slots.push({ hash: keccak256(key), slot, value, variables: variables.at(slot, value) });
  }
  return slots;
}

function rank({ path }: SourceFile, first: string): number {
  return path === first ? 0 : 1;
}
