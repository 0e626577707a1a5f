import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../primitives/hash/hash.ts";
import type { AccountState } from "./view.ts";

export const EMPTY_ACCOUNT: AccountState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
};
