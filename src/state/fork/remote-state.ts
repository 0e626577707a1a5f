/** Ports to the states of a forked chain, on which the changes of a fork are based. */
import type { EvmAccount } from "../../evm/state-port.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";

/** The state after a block of the forked chain. Immutable; answers synchronously if the value is known. */
export interface RemoteState {
  /** The account; undefined if there is none. Its code can be read afterwards. */
  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined>;
  /** Value of a slot without leading zeros. */
  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes>;
  /** Code of an account that was read before. */
  getCode(codeHash: Bytes): MaybePromise<Bytes>;
  /**
   * State root of the block, if all values are proven by it, so that the trie nodes from the roots towards everything
   * that was read are known; undefined otherwise.
   */
  readonly provenRoot: Bytes | undefined;
  /** RLP of a trie node of such a proof; undefined for others. */
  getTrieNode(hash: Bytes): Bytes | undefined;
}

/** The states of the forked chain up to the fork block. A block hash identifies the state after the block. */
export interface RemoteStates {
  /** The state after the fork block. */
  readonly pinned: RemoteState;
  /** The state for a block hash; undefined if no block with this hash was read. */
  find(hash: Bytes): RemoteState | undefined;
}
