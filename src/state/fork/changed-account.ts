/**
 * Leaves of the trie of changes on a fork: accounts that were written since the fork block.
 *
 * The first byte says whether values of the forked chain still apply. The account's RLP follows; its storage root is
 * that of a trie of only the changed slots. There a slot that was set to zero has an empty value.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeAccount, encodeAccount } from "../trie/account-codec.ts";
import type { AccountState } from "../view.ts";

/** An account that was written on the fork. */
export interface ChangedAccount {
  /** Undefined for a deleted account. */
  readonly account: AccountState | undefined;
  /**
   * True if the account was destroyed or cleared on the fork, so that its storage on the forked chain does not apply.
   */
  readonly isWiped: boolean;
}

const CHANGED = 0;
const WIPED = 1;
const DELETED: Bytes = Uint8Array.of(2);

/** The leaf of a deleted account. */
export function encodeDeletedAccount(): Bytes {
  return DELETED;
}

/** The leaf of an existing account. */
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
