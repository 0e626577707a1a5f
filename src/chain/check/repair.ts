/** Rebuilds data that a check has found missing or wrong. */
import type { Block } from "../../chainspec/header/block.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import type { Executor } from "../../executor/executor.ts";
import { replayChecks } from "../../executor/transaction-checks.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { StateDatabase } from "../../state/state-database.ts";
import type { ChainStore } from "../../store/chain-store.ts";
import { blockHashOfKey, hashKey, metaKey, readUint64 } from "../../store/codecs/keys.ts";
import { encodeReceipts } from "../../store/codecs/receipt-codec.ts";
import { encodeAddresses } from "../../store/codecs/values.ts";
import { BlockArchive } from "../blocks/block-archive.ts";
import { Chain, DEFAULT_SLOTS_IN_AN_EPOCH } from "../chain.ts";
import { executeBlock } from "../execute-block.ts";
import type { BuiltGenesis } from "../read/genesis-block.ts";
import type { Finding } from "./findings.ts";

/** The chain that is checked and repaired. */
export interface CheckedChain {
  readonly store: ChainStore;
  readonly executor: Executor;
  /** Genesis of the chain that the store was created for. */
  readonly genesis: BuiltGenesis;
}

/**
 * Applies the repairs of the findings. Unreadable blocks are removed first, then entries are written. Blocks are
 * executed only when none of the data that they may read is wrong.
 *
 * @returns whether anything was written
 */
export async function repair(chain: CheckedChain, findings: readonly Finding[]): Promise<boolean> {
  const unreadable = findings.flatMap(({ remedy }) => (remedy?.kind === "remove" ? [remedy.blockHash] : []));
  if (unreadable.length > 0) return removeBlocks(chain.store, unreadable);
  const entries = findings.flatMap(({ remedy }) => (remedy?.kind === "restore" ? remedy.entries : []));
  if (entries.length > 0) {
    const batch = chain.store.batch();
    for (const { key, value } of entries) batch.restore(key, value);
    await batch.write();
    return true;
  }
  const hashes = findings.flatMap(({ remedy }) => (remedy?.kind === "execute" ? [remedy.blockHash] : []));
  return executeAgain(chain, hashes);
}

/**
 * Removes blocks and all that follow them. If the head is among them, the last canonical block before them is the head.
 * The next round of the check removes their entries in the indexes.
 *
 * @returns false if no block would be left
 */
async function removeBlocks(store: ChainStore, hashes: readonly Bytes[]): Promise<boolean> {
  const removed = new Set(hashes.map((hash) => bytesKey(hash)));
  const batch = store.batch();
  // Parents come before their children, since entries are in the order of numbers.
  for await (const { key, value } of store.eachEntry("blocksByNumber")) {
    const hash = blockHashOfKey(key);
    if (removed.has(bytesKey(value))) removed.add(bytesKey(hash));
    if (removed.has(bytesKey(hash))) batch.deleteBlock({ hash, number: readUint64(key, 1) });
  }
  let last: Bytes | undefined;
  for await (const { value } of store.eachEntry("canonicalHashes")) {
    if (removed.has(bytesKey(value))) break;
    last = value;
  }
  if (last === undefined) return false;
  for (const name of ["head", "safe", "finalized"] as const) {
    const named = store.getRaw("meta", metaKey(name));
    if (named === undefined || !removed.has(bytesKey(named))) continue;
    batch.restore(metaKey(name), last.slice());
    if (name === "head") batch.restore(metaKey("editedStateRoot"), undefined);
  }
  await batch.write();
  return true;
}

/** Executes blocks in ascending order and writes the results. Blocks that cannot be executed are left unchanged. */
async function executeAgain(chain: CheckedChain, hashes: readonly Bytes[]): Promise<boolean> {
  const { store, executor, genesis } = chain;
  const states = new StateDatabase(store, { isPermanent: true });
  const archive = new BlockArchive(store, executor);
  const { block: first, commit } = genesis;
  const view = new Chain({
    executor,
    states,
    archive,
    bounds: {
      head: first,
      genesis: first,
      firstStateId: commit.stateRoot,
      headStateId: commit.stateRoot,
      oldestState: archive.oldestState(),
      history: undefined,
    },
    slotsInAnEpoch: DEFAULT_SLOTS_IN_AN_EPOCH,
  });
  let hasWritten = false;
  for (const block of blocksOf(archive, hashes)) {
    try {
      await executeOne(chain, view, block);
      hasWritten = true;
    } catch (error) {
      // Its parent's state is missing, or the results differ from its header. The next check reports it again.
      if (!(error instanceof HindcastError)) throw error;
    }
  }
  return hasWritten;
}

function blocksOf(archive: BlockArchive, hashes: readonly Bytes[]): Block[] {
  const blocks = new Map<string, Block>();
  for (const hash of hashes) {
    const block = archive.getBlock(hash);
    if (block !== undefined) blocks.set(bytesKey(hash), block);
  }
  const number = ({ header }: Block): number => Number(header.number);
  return [...blocks.values()].sort((left, right) => number(left) - number(right));
}

async function executeOne({ store, executor }: CheckedChain, view: Chain, block: Block): Promise<void> {
  const { header, hash } = block;
  const { states } = view;
  const before = states.nodesOfDerived(view.stateIdBefore(block));
  const state = await view.workingStateBefore(block);
  const { commit, receipts, traceAddresses, blockAccessList } = await executeBlock(block, {
    state,
    context: view.contextOf(header),
    rules: view.rulesOf(header),
    executor,
    checksFor: replayChecks,
    mayLackContracts: true,
    isImported: true,
  });
  const batch = store.batch();
  batch.putTrieNodes(before);
  batch.putTrieNodes(commit.trieNodes);
  batch.putCodes(commit.codes);
  batch.putPreimages(commit.preimages ?? []);
  batch.restore(hashKey("derivedStates", header.stateRoot), undefined);
  batch.restore(hashKey("receipts", hash), receipts.length === 0 ? undefined : encodeReceipts(receipts));
  const accounts = traceAddresses.length === 0 ? undefined : encodeAddresses(traceAddresses);
  batch.restore(hashKey("traceAddresses", hash), accounts);
  if (blockAccessList !== undefined) batch.restore(hashKey("blockAccessLists", hash), blockAccessList);
  await batch.write();
  states.settle(commit);
}
