/** Ports to states of another chain: what stands behind the changes that were made above a fork. */
import type { EvmAccount } from "../../evm/state-port.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";

/** The state after one block of the other chain. Never changes; answers at once what it knows already. */
export interface RemoteState {
  /** The account; undefined where there is none. Its code can be read afterwards. */
  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined>;
  /** Value of a slot without leading zeros. */
  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes>;
  /** Code of an account that was read before. */
  getCode(codeHash: Bytes): MaybePromise<Bytes>;
}

/** The states of the other chain up to the fork. The hash of a block stands for the state after it. */
export interface RemoteStates {
  /** The state after the block that the fork goes on from. */
  readonly pinned: RemoteState;
  /** The state that a hash stands for; undefined where it is not the hash of a block that was read. */
  find(hash: Bytes): RemoteState | undefined;
}
