/** The pending block: the one that would be mined now. Rebuilt after a change of the head, the pool or a setting. */

import type { PendingBlock } from "../chain/block-views.ts";
import { bytesKey } from "../primitives/bytes/bytes.ts";
import type { StateId } from "../state/state-id.ts";

/** All inputs of a pending block. */
export interface PendingKey {
  readonly headHash: Uint8Array;
  readonly headStateId: StateId;
  readonly poolVersion: number;
  readonly settingsVersion: number;
  readonly timestamp: bigint;
}

/** Caches the last pending block until one of its inputs changes. */
export class PendingBlockCache {
  #key: string | undefined;
  #value: Promise<PendingBlock> | undefined;

  get(key: PendingKey, build: () => Promise<PendingBlock>): Promise<PendingBlock> {
    const text = [
      bytesKey(key.headHash),
      bytesKey(key.headStateId),
      key.poolVersion,
      key.settingsVersion,
      key.timestamp,
    ].join("/");
    if (this.#value === undefined || this.#key !== text) {
      this.#key = text;
      this.#value = build();
      this.#value.catch(() => {
        if (this.#key === text) this.#value = undefined;
      });
    }
    return this.#value;
  }
}
