/** The hashes of what a write adds to the store, by table, as the {@link WriteLedger} holds them. */
import type { ByteArena } from "../../primitives/bytes/byte-arena.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import type { StateId } from "../../state/state-id.ts";
import type { StateCommit } from "../../state/view.ts";

/** Tables whose key is the hash of the value. */
export type HashedTable = "trieNodes" | "codes" | "preimages" | "derivedStates";

/** Additions of a write to the store, and the state that results. */
export type LedgerCommit = Omit<StateCommit, "stateRoot"> & { readonly stateRoot: StateId };

/** Hashes of each table to which something was added, concatenated. */
export type JoinedHashes = Partial<Record<HashedTable, Bytes>>;

/** All such tables. */
export const TABLES: readonly HashedTable[] = ["trieNodes", "codes", "preimages", "derivedStates"];
/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** Hashes that are copied or released in a step, which takes about a millisecond. */
export const HASHES_A_STEP = 2_000;

/** An empty list for each table. */
export function noHashes(): Record<HashedTable, Bytes[]> {
  return { trieNodes: [], codes: [], preimages: [], derivedStates: [] };
}

/** Concatenates the hashes of each table, in arrays of the arena. A large edit has hundreds of thousands. */
export function* joinTables(commit: LedgerCommit, arena: ByteArena): Steps<JoinedHashes> {
  const joined: JoinedHashes = {};
  for (const table of TABLES) {
    const records = commit[table] ?? [];
    if (records.length > 0) joined[table] = yield* joinHashes(records, arena);
  }
  return joined;
}

function* joinHashes(records: readonly { readonly hash: Bytes }[], arena: ByteArena): Steps<Bytes> {
  const joined = arena.allocate(records.length * HASH_BYTES);
  for (const [index, { hash }] of records.entries()) {
    joined.set(hash, index * HASH_BYTES);
    if ((index + 1) % HASHES_A_STEP === 0) yield;
  }
  return joined;
}
