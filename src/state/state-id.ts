/**
 * Names of states: 32 bytes, of one of three kinds. The compiler tells them apart; at run time they are plain bytes, and
 * {@link ForkStates} finds out which kind it was given.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../primitives/hash/hash.ts";

declare const kind: unique symbol;
type Named<Kind extends string> = Bytes & { readonly [kind]: Kind };

/** Root of the trie of all accounts (yellow paper §4.1). On a fork only if the forked chain proves its state. */
export type StateRoot = Named<"state root">;

/** On a fork without proofs: root of the trie of the accounts that were changed since the fork block. */
export type ChangesRoot = Named<"changes root">;

/** Hash of a block of the forked chain, for the state after that block, whose tries are not known here. */
export type ForkedBlockHash = Named<"forked block hash">;

/** The root of a state that this chain has made. A header has it as its state root. */
export type OwnStateId = StateRoot | ChangesRoot;

/** The name of any state that can be read. */
export type StateId = OwnStateId | ForkedBlockHash;

/** The state without accounts; on a fork the state of the fork block, which has no changes. */
export const EMPTY_STATE = EMPTY_TRIE_ROOT as StateRoot & ChangesRoot;

/** The root of a state of this chain, as a header or a commit has it. */
export function ownStateId(root: Bytes): OwnStateId {
  return root as OwnStateId;
}

/** The state after a block of the forked chain, by the block's hash. */
export function stateOfForkedBlock(hash: Bytes): ForkedBlockHash {
  return hash as ForkedBlockHash;
}

/** A name as it was stored: its kind was known when it was written. */
export function storedStateId<Stored extends Bytes | undefined>(stored: Stored): StateId | Exclude<Stored, Bytes> {
  return stored as StateId | Exclude<Stored, Bytes>;
}
