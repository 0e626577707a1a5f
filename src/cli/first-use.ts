/** Tells when a node has mined its first transactions and is idle. */
import type { HindcastNode } from "../node/hindcast-node.ts";
import { giveBackOfThread } from "../primitives/platform/give-back.ts";

/** After so long without a block, nobody is likely to be waiting. */
const REST_MS = 2_000;

/** Calls once: when the node has mined transactions and then no block for two seconds, or at its end if that is earlier. */
export class FirstUse {
  readonly #onUsed: () => void;
  readonly #unsubscribe: () => void;
  #resting: NodeJS.Timeout | undefined;

  constructor(node: Pick<HindcastNode, "onHeadChange">, onUsed: () => void) {
    this.#onUsed = onUsed;
    this.#unsubscribe = node.onHeadChange(({ added }) => {
      if (this.#resting !== undefined) this.#resting.refresh();
      else if (added.some(({ transactions }) => transactions.length > 0)) {
        this.#resting = setTimeout(() => this.end(), REST_MS).unref();
      }
    });
  }

  /** Calls now if transactions were mined and it was not called before. */
  end(): void {
    this.#unsubscribe();
    if (this.#resting === undefined) return;
    clearTimeout(this.#resting);
    this.#resting = undefined;
    // A code cache that is made now fits only if V8 has the options of the start.
    giveBackOfThread().growFreely();
    this.#onUsed();
  }
}
