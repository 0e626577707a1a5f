/** Checks that every state can be read completely: all nodes of its tries and all codes, each with the right hash. */

import { bytesToBigInt, equalBytes } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { MissingParts } from "../../state/derived/find-missing.ts";
import type { StateDatabase } from "../../state/state-database.ts";
import { ownStateId, type StateId, storedStateId } from "../../state/state-id.ts";
import type { ChainStore } from "../../store/chain-store.ts";
import { hashKey, metaKey } from "../../store/codecs/keys.ts";
import { OLDEST_STATE } from "../blocks/oldest-state.ts";
import type { BuiltGenesis } from "../read/genesis-block.ts";
import type { KnownBlock, KnownBlocks } from "./check-blocks.ts";
import { attempt, type Findings, type Remedy, readable } from "./findings.ts";

/** Memory in bytes for the nodes of states that are recomputed during the check. */
const COMPUTED_BYTES = 64 * 1024 * 1024;

/** The store to check. Findings are added to `findings`, nothing is repaired. */
export interface StateCheck {
  readonly store: ChainStore;
  readonly states: StateDatabase;
  readonly genesis: BuiltGenesis;
  readonly findings: Findings;
}

/** @returns the number of trie nodes of all states */
export async function checkStates(check: StateCheck, { sorted }: KnownBlocks): Promise<number> {
  const { store, findings } = check;
  for (const table of ["trieNodes", "codes", "preimages"] as const) await checkHashes(check, table);
  const parts = new MissingParts({
    getTrieNode: (hash) => store.getTrieNode(hash),
    getCode: (hash) => store.getCode(hash),
  });
  const first = sorted[0];
  const oldest = attempt(() => store.getSetting(OLDEST_STATE));
  const oldestState = oldest === undefined ? 0n : bytesToBigInt(oldest);
  const breaks = new Breaks();
  const look = (id: StateId, whose: string, remedy: Remedy | undefined): void => {
    checkState(check, parts, { id, whose, remedy });
  };
  for (const block of sorted) {
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    if (block.number < oldestState) continue;
    const { hash, number } = block;
    const stateRoot = ownStateId(block.stateRoot);
    const startStateId = attempt(() => storedStateId(store.getStartStateRoot(hash)));
    if (startStateId !== undefined)
      look(startStateId, `the edits before block ${number}`, genesisRemedy(check, startStateId));
    const remedy = block === first ? genesisRemedy(check, stateRoot) : remedyOf(block);
    look(stateRoot, `block ${number}`, remedy);
  }
  const edited = attempt(() => storedStateId(store.getEditedStateRoot()));
  if (edited !== undefined) look(edited, "the edits after the head", genesisRemedy(check, edited));
  const headRoot = attempt(() => store.getRaw("meta", metaKey("editedStateRoot")));
  if (headRoot !== undefined && edited === undefined) findings.add("meta", metaKey("editedStateRoot"), "is not a hash");
  return parts.nodeCount;
}

function remedyOf({ hash, txHashes }: KnownBlock): Remedy | undefined {
  return txHashes === undefined ? undefined : { kind: "execute", blockHash: hash };
}

/** The first state can be rebuilt from the genesis. */
function genesisRemedy({ genesis: { commit } }: StateCheck, id: StateId): Remedy | undefined {
  if (!equalBytes(commit.stateRoot, id)) return undefined;
  const nodes = commit.trieNodes.map(({ hash, bytes }) => ({ key: hashKey("trieNodes", hash), value: bytes }));
  const codes = commit.codes.map(({ hash, bytes }) => ({ key: hashKey("codes", hash), value: bytes }));
  return { kind: "restore", entries: [...nodes, ...codes] };
}

/** Removes values that do not match the hash in their key. If a state needs one, it is then found missing. */
async function checkHashes({ store, findings }: StateCheck, table: "trieNodes" | "codes" | "preimages"): Promise<void> {
  const breaks = new Breaks();
  for await (const { key, value } of readable(store, table, findings)) {
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    if (equalBytes(keccak256(value), key.subarray(1))) continue;
    const remedy = { kind: "restore", entries: [{ key, value: undefined }] } as const;
    findings.add(table, key, "does not have the hash it stands under", remedy);
  }
}

interface CheckedState {
  readonly id: StateId;
  readonly whose: string;
  readonly remedy: Remedy | undefined;
}

function checkState({ store, states, findings }: StateCheck, parts: MissingParts, state: CheckedState): void {
  const { id, whose, remedy } = state;
  const key = hashKey("derivedStates", id);
  if (attempt(() => store.getRaw("derivedStates", key)) !== undefined) {
    try {
      states.reader(id);
    } catch {
      findings.add("derivedStates", key, `does not lead to the state of ${whose}`, remedy);
    }
    states.trimDerived(COMPUTED_BYTES, []);
    return;
  }
  for (const { table, hash } of parts.of(id)) {
    findings.add(table, hashKey(table, hash), `is not there, and the state of ${whose} needs it`, remedy);
  }
}
