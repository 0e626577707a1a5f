/** Collects the trie nodes and codes of whole states. */
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, bytesKey, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import { decodeNode } from "../trie/node-codec.ts";
import { eachPart } from "../trie/trie-walk.ts";
import type { AccountState, HashedBytes, StateSource } from "../view.ts";

/** Nodes that are visited in one step: some tenths of a millisecond. */
const NODES_A_STEP = 64;

/** Nodes and codes, each listed once. */
export interface CollectedState {
  readonly trieNodes: readonly HashedBytes[];
  readonly codes: readonly HashedBytes[];
}

interface Step {
  readonly hash: Bytes;
  readonly isStorage: boolean;
}

/** A source that can prepare a state before it is read. */
export interface CollectSource extends StateSource {
  prepare(stateRoot: Bytes): void;
}

/** Form of the states. */
export interface CollectForm {
  /** Returns undefined for a leaf without storage and code. */
  readonly decodeLeaf: (leaf: Bytes) => AccountState | undefined;
  /** True if codes may be missing, as those of the forked chain are. */
  readonly mayLackCodes?: boolean;
  /** True if nodes may be missing, as those of the forked chain are. */
  readonly mayLackNodes?: boolean;
}

/**
 * Collects the states with these roots, which must stay as they are until the last step. Shared parts are visited once, so
 * the cost grows with the differences.
 *
 * @throws {StoreError} `STORE_CORRUPT` if a node or a code is missing
 */
export function* collectState(
  source: CollectSource,
  stateRoots: Iterable<Bytes>,
  { decodeLeaf, mayLackCodes = false, mayLackNodes = false }: CollectForm,
): Steps<CollectedState> {
  const trieNodes = new Map<string, HashedBytes>();
  const codes = new Map<string, HashedBytes>();
  const waiting: Step[] = [];
  const go = (hash: Bytes, isStorage: boolean): void => {
    if (!equalBytes(hash, EMPTY_TRIE_ROOT)) waiting.push({ hash, isStorage });
  };
  const visitAccount = (value: Bytes): void => {
    const account = decodeLeaf(value);
    if (account === undefined) return;
    const { storageRoot, codeHash } = account;
    go(storageRoot, true);
    const key = bytesKey(codeHash);
    if (equalBytes(codeHash, EMPTY_CODE_HASH) || codes.has(key)) return;
    const bytes = source.getCode(codeHash);
    if (bytes !== undefined) codes.set(key, { hash: codeHash, bytes });
    else if (!mayLackCodes) missing("code", codeHash);
  };
  for (const root of stateRoots) {
    source.prepare(root);
    yield;
    go(root, false);
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      const key = bytesKey(step.hash);
      if (trieNodes.has(key)) continue;
      const bytes = source.getTrieNode(step.hash);
      if (bytes === undefined && mayLackNodes) continue;
      if (bytes === undefined) missing("trie node", step.hash);
      trieNodes.set(key, { hash: step.hash, bytes });
      const { isStorage } = step;
      eachPart(
        decodeNode(bytes),
        (hash) => go(hash, isStorage),
        (value) => {
          if (!isStorage) visitAccount(value);
        },
      );
      if (trieNodes.size % NODES_A_STEP === 0) yield;
    }
  }
  return { trieNodes: [...trieNodes.values()], codes: [...codes.values()] };
}

function missing(what: string, hash: Bytes): never {
  throw new StoreError({
    code: "STORE_CORRUPT",
    what: `The ${what} ${encodeData(hash)} is missing.`,
    fix: "Restore the folder from a copy, or delete it and import the chain again.",
  });
}
