/**
 * Whoever applies what subscriptions and filters say, in order, ends up with what the node says itself: through mining,
 * reorgs of any depth and history taken back.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { Log } from "../../src/rpc/wire-types.generated.ts";
import { type Json, openNode } from "../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";
import { runs } from "../support/seed.ts";

type Step =
  | { readonly kind: "log" | "mine"; readonly count: number }
  | { readonly kind: "reorg" | "rollback"; readonly count: number }
  | { readonly kind: "poll"; readonly count: number };

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("log", "log", "log", "mine", "reorg", "rollback", "poll"),
  count: fc.integer({ min: 1, max: 3 }),
});

async function run(
  node: HindcastNode,
  address: string,
  { kind, count }: Step,
  poll: () => Promise<void>,
): Promise<void> {
  const depth = Math.min(count, Number(node.head.header.number) - 1);
  if (kind === "mine") await node.mine({ blocks: count });
  else if (kind === "rollback") await node.rollback(depth);
  else if (kind === "reorg") await node.reorg({ depth, blocks: count });
  else if (kind === "poll") await poll();
  else {
    for (let index = 0; index < count; index++)
      await send(node, { to: address, data: logCall([index]), gas: "0x30d40" });
    await node.mine();
  }
}

/** The logs of a client that adds reported logs and drops removed ones. */
class LogBook {
  readonly #logs = new Map<string, Log>();

  apply(log: Log): void {
    const key = `${log.blockHash}/${log.logIndex}`;
    // Never the same twice, never away what was not there.
    expect(this.#logs.has(key)).toBe(log.removed);
    if (log.removed) this.#logs.delete(key);
    else this.#logs.set(key, log);
  }

  get logs(): Log[] {
    return [...this.#logs.values()];
  }
}

it("logs, heads and hashes that were told make the chain that is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const node = await openNode();
      try {
        const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
        const address = await deploy(node, EMITTER);
        const told: { subscription: unknown; result: unknown }[] = [];
        node.provider.on("message", (message) => told.push((message as { data: never }).data));
        const logs = await ask("eth_subscribe", "logs", {});
        const heads = await ask("eth_subscribe", "newHeads");
        const filter = await ask("eth_newFilter", {});
        const blockFilter = await ask("eth_newBlockFilter");
        await new Promise(setImmediate);
        const polled: Log[] = [];
        const hashes: unknown[] = [];
        const poll = async (): Promise<void> => {
          polled.push(...((await ask("eth_getFilterChanges", filter)) as Log[]));
          hashes.push(...((await ask("eth_getFilterChanges", blockFilter)) as unknown[]));
        };
        for (const each of steps) await run(node, address, each, poll);
        await poll();

        const toldOf = (id: unknown): unknown[] =>
          told.filter(({ subscription }) => subscription === id).map(({ result }) => result);
        // A filter that is polled and a subscription hear the same.
        expect(polled).toEqual(toldOf(logs));
        expect(hashes).toEqual(toldOf(heads).map((head) => (head as Json).hash));
        const book = new LogBook();
        for (const log of polled) book.apply(log);
        expect(book.logs).toEqual(await ask("eth_getLogs", { fromBlock: "0x2" }).catch(() => []));
        // Each head that was told of follows one that was told of before, or where it began.
        const known = new Set([...toldOf(heads).map((head) => (head as Json).hash)]);
        for (let number = 2n; number <= node.head.header.number; number++) {
          expect(known).toContain(((await ask("eth_getHeaderByNumber", `0x${number.toString(16)}`)) as Json).hash);
        }
      } finally {
        await node.close();
      }
    }),
    { numRuns: runs(12) },
  );
});
