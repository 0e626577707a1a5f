/**
 * Leaves of a trie of changes: what became of an account above a fork.
 *
 * The first byte says what the account still has to do with the other chain; the account's RLP follows, whose storage
 * root is that of a trie with the changed slots alone. In that trie, a slot that was set to zero has an empty value.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeAccount, encodeAccount } from "../trie/account-codec.ts";
import type { AccountState } from "../view.ts";

/** An account that was written above the fork. */
export interface ChangedAccount {
  /** Undefined for an account that was deleted. */
  readonly account: AccountState | undefined;
  /** The storage it has on the other chain does not count: it was destroyed or cleared above the fork. */
  readonly isWiped: boolean;
}

const CHANGED = 0;
const WIPED = 1;
const DELETED: Bytes = Uint8Array.of(2);

/** The leaf of an account that was deleted. */
export function encodeDeletedAccount(): Bytes {
  return DELETED;
}

/** The leaf of an account that is there. */
export function encodeChangedAccount(account: AccountState, storageRoot: Bytes, isWiped: boolean): Bytes {
  const encoded = encodeAccount(account, storageRoot);
  const leaf = new Uint8Array(1 + encoded.length);
  leaf[0] = isWiped ? WIPED : CHANGED;
  leaf.set(encoded, 1);
  return leaf;
}

/** @throws {TypeError} if the bytes are not such a leaf */
export function decodeChangedAccount(leaf: Bytes): ChangedAccount {
  if (leaf.length === 1 && leaf[0] === DELETED[0]) return { account: undefined, isWiped: true };
  if (leaf[0] !== CHANGED && leaf[0] !== WIPED) throw new TypeError("not the leaf of a changed account");
  return { account: decodeAccount(leaf.subarray(1)), isWiped: leaf[0] === WIPED };
}
