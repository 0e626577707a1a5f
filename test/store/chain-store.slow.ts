import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ChainStore } from "../../src/store/chain-store.ts";
import { aFolder } from "../support/a-folder.ts";
import { testSeed } from "../support/seed.ts";
import { anIdentity } from "./a-block.ts";
import { startStoreProcess } from "./a-process.ts";
import { checkWrittenChain } from "./a-written-chain.ts";

const ROUNDS = 20;

describe("a store whose process is killed while it writes", () => {
  it(`holds every acknowledged batch whole, ${ROUNDS} times over on one folder`, async () => {
    const dataDir = await aFolder();
    let head = -1;
    for (let round = 0; round < ROUNDS; round++) {
      const writer = await startStoreProcess("write", dataDir);
      const patienceMs = Math.abs(testSeed * (round + 1) * 7_919) % 400;
      await delay(patienceMs);
      await writer.kill();
      const acknowledged = Number(writer.lines.at(-1)?.replace("open", String(head)));
      const store = await ChainStore.open({ dataDir, identity: anIdentity });
      head = await checkWrittenChain(store);
      await store.close();
      expect(head, `after ${patienceMs} ms`).toBeGreaterThanOrEqual(acknowledged);
      // Batches end at these numbers only: what came after the acknowledged one is whole, too.
      expect(isEndOfBatch(head), `head ${head}`).toBe(true);
    }
    expect(head).toBeGreaterThan(ROUNDS);
  });
});

/** `store-process.ts` writes blocks `number` to `number + number % 3` in one batch, so that batches end where they do. */
function isEndOfBatch(head: number): boolean {
  let number = 0;
  while (number < head + 1) number += (number % 3) + 1;
  return number === head + 1;
}
