import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../primitives/hash/hash.ts";
import type { AccountState } from "./view.ts";

/** An account before its first change. All callers share the object, so that it must not be changed. */
export const EMPTY_ACCOUNT: AccountState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
};
