/** Merkle proofs of an account and its slots (EIP-1186). */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../primitives/hash/hash.ts";
import { decodeAccount, decodeStorageValue } from "./trie/account-codec.ts";
import type { TrieKeys } from "./trie/trie-keys.ts";
import type { TrieNodes } from "./trie/trie-nodes.ts";
import type { AccountState } from "./view.ts";

/** Proof of an account and some of its slots (EIP-1186). */
export interface StateProof {
  readonly account: AccountState | undefined;
  /** RLP of the nodes from the state root towards the account. */
  readonly accountProof: readonly Bytes[];
  /** In the order of the request. */
  readonly slots: readonly SlotProof[];
}

/** A slot with its proof; an empty value proves that the slot is zero. */
export interface SlotProof {
  readonly slot: Bytes;
  /** Without leading zeros. */
  readonly value: Bytes;
  /** RLP of the nodes from the storage root towards the slot. */
  readonly proof: readonly Bytes[];
}

/** An account and slots, 20 and 32 bytes each. */
export interface ProvenKeys {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/**
 * Proofs of an account and its slots, or of their absence.
 *
 * @throws {StoreError} `STORE_CORRUPT` if a node is missing
 */
export function proveKeys(
  { nodes, keys }: { readonly nodes: TrieNodes; readonly keys: TrieKeys },
  stateRoot: Bytes,
  { address, slots }: ProvenKeys,
): StateProof {
  const path = keys.ofAddress(address);
  const leaf = nodes.lookUp(stateRoot, path);
  const account = leaf === undefined ? undefined : decodeAccount(leaf);
  const storageRoot = account?.storageRoot ?? EMPTY_TRIE_ROOT;
  return {
    account,
    accountProof: nodes.prove(stateRoot, path),
    slots: slots.map((slot) => {
      const value = nodes.lookUp(storageRoot, keys.ofSlot(slot));
      return {
        slot,
        value: value === undefined ? EMPTY_BYTES : decodeStorageValue(value),
        proof: nodes.prove(storageRoot, keys.ofSlot(slot)),
      };
    }),
  };
}

/** A state on a fork whose root is that of its changes has no proofs. */
export function notProvable(isVerified: boolean): UnsupportedError {
  return new UnsupportedError({
    code: "STATE_NOT_PROVABLE",
    what: "There are no proofs of this state.",
    where: isVerified
      ? "Its root, or that of a block before it, is the root of a trie of what was changed since the fork, because a deletion needed a trie node that no proof had, or a block was mined offline without its proofs (docs/forks.md)."
      : "The other chain's accounts are read without proofs, so that stateRoot above the fork is the root of a trie of what was changed since the fork (docs/forks.md).",
    fix: isVerified
      ? "Ask for the proofs of an earlier block."
      : "Start the fork with `verify` (--fork-verify), or ask the other chain for proofs of its own blocks.",
  });
}
