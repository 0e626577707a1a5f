/** What is deleted from a chain in memory while it is mined on, edited, taken back, and replaced by state files. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import type { Snapshot } from "../../../src/services/control/snapshots.ts";
import { aNode, NOBODY, NOW } from "../../support/a-node.ts";
import { send } from "../../support/contracts.ts";
import { runs } from "../../support/seed.ts";

const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;
const EDITED: Hex = `0x${"07".repeat(20)}`;

const step = fc.oneof(
  ...(["mine", "transfer", "edit", "hold", "reset", "dump"] as const).map((kind) => fc.constant({ kind, index: 0 })),
  ...(["revert", "release", "load", "roll"] as const).map((kind) =>
    fc.record({ kind: fc.constant(kind), index: fc.nat(9) }),
  ),
);

/** All that a reader can see of the canonical chain. */
async function readings(node: HindcastNode): Promise<unknown> {
  const blocks: unknown[] = [];
  for (let number = 0n; number <= node.head.header.number; number++) {
    const id = `0x${number.toString(16)}`;
    const { hash } = await ask<{ hash: Hex }>(node, "eth_getBlockByNumber", id, true);
    const receipts = await ask(node, "eth_getBlockReceipts", id);
    // A state file has no addresses, so that its accounts are known by their hashes.
    const range = ["0x00", 64, true, true, true];
    const { accounts } = await ask<{ accounts: object }>(node, "debug_accountRange", id, ...range);
    blocks.push({ hash, receipts, accounts: Object.values(accounts).map(({ address, ...account }) => account) });
  }
  return { blocks, edited: await ask(node, "eth_getBalance", EDITED, "latest") };
}

it("nothing that the chain, a snapshot or a state file leads to is missing, whatever replaced it before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await using node = await aNode({ timestamp: NOW, clock: () => NOW });
      await using other = await aNode({ timestamp: NOW, clock: () => NOW + 5 });
      await send(other, { to: NOBODY, value: "0x2" });
      await other.mine({ blocks: 2 });
      const files = [{ file: await ask<Hex>(other, "anvil_dumpState"), seen: await readings(other) }];
      const held: { snapshot: Snapshot; seen: unknown }[] = [];
      let value = 1;
      const take: Record<(typeof steps)[number]["kind"], (index: number) => Promise<unknown>> = {
        mine: () => node.mine(),
        transfer: () => send(node, { to: NOBODY, value: "0x1" }),
        edit: () => ask(node, "anvil_setBalance", EDITED, `0x${(value++).toString(16)}`),
        hold: async () => held.push({ snapshot: await node.snapshot(`${held.length}`), seen: await readings(node) }),
        dump: async () => files.push({ file: await ask(node, "anvil_dumpState"), seen: await readings(node) }),
        reset: () => node.reset(),
        roll: (index) => node.rollback(Math.min(index % 3, Number(node.head.header.number))),
        release: async (index) => void held.splice(index % Math.max(held.length, 1), 1),
        revert: async (index) => {
          const target = held[index % Math.max(held.length, 1)];
          if (target === undefined) return;
          await node.revert(target.snapshot);
          expect(await readings(node)).toEqual(target.seen);
        },
        load: async (index) => {
          const wanted = files[index % files.length];
          await ask(node, "anvil_loadState", wanted?.file);
          expect(await readings(node)).toEqual(wanted?.seen);
        },
      };
      for (const { kind, index } of steps) {
        await take[kind](index);
        await readings(node);
      }
      for (const { snapshot, seen } of held) {
        await node.revert(snapshot);
        expect(await readings(node)).toEqual(seen);
      }
      await node.reset();
      await readings(node);
    }),
    { numRuns: runs(80) },
  );
});
