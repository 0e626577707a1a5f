/** Reads of a forked chain that fail while nobody waits for them: the process must not end. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { EarlierKeys } from "../../../src/chain/prefetch/earlier-keys.ts";
import { GuessedState, type ReadableState } from "../../../src/chain/prefetch/guessed-state.ts";
import { PrefetchedRun } from "../../../src/chain/prefetch/prefetched-run.ts";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";
import type { Hints } from "../../../src/remote/hints.ts";
import type { PinnedState } from "../../../src/remote/upstream.ts";
import { BOB, wordText } from "../../support/a-node.ts";

const address = decodeData(BOB);
const word = decodeData(wordText(1));
const failing = (): Promise<never> => Promise.reject(new Error("the upstream is away"));
const state = {
  getAccount: failing,
  getStorage: failing,
  getCode: failing,
  hasStorage: failing,
} as unknown as ReadableState;

/** Rejections that nobody handled while something ran. */
async function unhandled(run: () => unknown): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const note = (reason: unknown): void => void seen.push(reason);
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", note);
  await run();
  await nextTurn();
  process.off("unhandledRejection", note);
  for (const other of others) process.on("unhandledRejection", other);
  return seen;
}

describe("reads that fail while nobody waits for them", () => {
  it("are handled at the end of a run whose recipient was not read", async () => {
    const pinned = {
      block: { number: 1n },
      isKnown: () => true,
      hold: () => () => undefined,
      prefetch: async () => undefined,
    } as unknown as PinnedState;
    const hints = { ofCall: async () => [] } as unknown as Hints;
    const plan = { state, calls: [{ to: address }], repeat: async () => undefined };
    const run = new PrefetchedRun(plan, pinned, { hints, earlier: new EarlierKeys() });
    const seen = await unhandled(async () => {
      run.miss();
      await nextTurn();
      await nextTurn();
      run.end();
    });
    expect(seen).toEqual([]);
  });

  it("are handled in a run on guesses, at the first read and at later ones", async () => {
    const guessed = new GuessedState({
      state,
      mayRead: () => true,
      assumptions: { slots: "zero", accounts: "absent", exceptions: new Map() },
      variant: 0,
      onGuess: () => undefined,
    });
    const seen = await unhandled(() => {
      for (let round = 0; round < 2; round++) {
        expect(guessed.getAccount(address)).toBeUndefined();
        guessed.getStorage(address, word);
        guessed.getCode(word);
        expect(guessed.hasStorage(address)).toBe(false);
      }
    });
    expect(seen).toEqual([]);
  });
});
