/** Waits until a transaction is in a block of the canonical chain. */

import type { ChainChanges } from "../../chain/readable-chain.ts";
import { LimitError } from "../../errors/hindcast-error.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";

/** A wait that has begun. The caller must stop it, or await its end. */
export interface Waiting {
  /** Resolves when the transaction is mined; rejects with a {@link LimitError}, or the reason why no block can have it. */
  readonly mined: Promise<void>;
  /** Rejects {@link mined} with that reason. */
  refuse(error: unknown): void;
  /** Stops waiting. */
  stop(): void;
}

/** When to give up; both throw a {@link LimitError}. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal: AbortState;
}

/** How a request that sends a transaction waits for its block. */
export interface WaitingSend {
  /** At most the node's limit; default 20 seconds. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortState;
  /** Called when the transaction is in the pool, mined already with automine on. */
  readonly onAdded?: (() => void) | undefined;
}

/**
 * Begins to wait. Must be called before the transaction is sent, so that its block is not missed.
 *
 * `mined` rejects with `TRANSACTION_NOT_MINED` at the time limit, with the hash as data (EIP-7966), or with
 * `EXECUTION_ABORTED`.
 */
export function waitUntilMined(chain: ChainChanges, hash: Bytes, { timeoutMs, signal }: WaitOptions): Waiting {
  let stop = (): void => undefined;
  let refuse = (_error: unknown): void => undefined;
  const mined = new Promise<void>((resolve, reject) => {
    const unsubscribe = chain.headListeners.add(({ added }) => {
      if (added.some((block) => block.transactions.some((tx) => equalBytes(tx.hash, hash)))) resolve();
    });
    const timer = setTimeout(() => reject(notMined(hash, timeoutMs)), timeoutMs);
    const onAbort = (): void =>
      reject(new LimitError({ code: "EXECUTION_ABORTED", what: "The caller no longer waits for the transaction." }));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    refuse = reject;
    stop = () => {
      unsubscribe();
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
  });
  // If the pool refuses the transaction, nothing awaits this promise.
  mined.catch(() => undefined);
  return { mined, refuse: (error) => refuse(error), stop: () => stop() };
}

function notMined(hash: Bytes, timeoutMs: number): LimitError {
  return new LimitError({
    code: "TRANSACTION_NOT_MINED",
    what: `The transaction was added to the transaction pool but wasn't processed in ${timeoutMs} ms.`,
    data: encodeData(hash),
  });
}
