/** Nodes of a chain in PostgreSQL answer as its writer does, whatever is done to the chain. */
import fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import { aPlannedStep, EACH_STEP } from "../node/sharing/program.ts";
import { allTheSame, anotherDump, runProgram } from "../node/sharing/same-answers.ts";
import { ask } from "../node/sharing/shared-nodes.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { aPostgres, type TestPostgres, withPostgres } from "./a-postgres.ts";
import { aChainName, aLogNode, logStatus } from "./log-nodes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await aPostgres();
});
afterAll(() => postgres.close());

// Leases are no matter of these tests, however busy the machine.
const place = (role: "writer" | "reader", chain: string) => ({ url: postgres.url, role, chain, leaseMs: 60_000 });

withPostgres("after each method that changes the chain, a reader answers as its writer", async () => {
  const chain = aChainName();
  const writer = await aLogNode(place("writer", chain));
  const reader = await aLogNode(place("reader", chain));
  await runProgram(EACH_STEP, { writer, reader, dump: await anotherDump() });
  expect(await logStatus(reader)).toMatchObject({ role: "reader", epoch: "0x1", problem: null });
});

withPostgres("after random programs, too", async () => {
  const dump = await anotherDump();
  await fc.assert(
    fc.asyncProperty(fc.array(aPlannedStep, { minLength: 8, maxLength: 12, size: "max" }), async (steps) => {
      const chain = aChainName();
      const writer = await aLogNode(place("writer", chain));
      const reader = await aLogNode(place("reader", chain), { dataDir: await aFolder() });
      await runProgram(steps, { writer, reader, dump });
      await reader.close();
      await writer.close();
    }),
    { numRuns: 2, endOnFailure: true },
  );
  expect.hasAssertions();
});

withPostgres("a writer without its folder, and a new reader, have the whole chain", async () => {
  const chain = aChainName();
  const first = await aLogNode({ ...place("writer", chain), baseAfterBytes: 20_000 }, { dataDir: await aFolder() });
  for (let round = 0; round < 30; round++) {
    await ask(first, "eth_sendTransaction", TRANSFER);
    await ask(first, "anvil_mine", "0x5");
  }
  const head = await ask(first, "eth_getBlockByNumber", "latest", true);
  const bases = "select count(*) from hindcast.bases b join hindcast.chains c on c.id = b.chain where c.name = $1";
  await expect.poll(() => postgres.query(bases, [chain])).not.toEqual([{ count: "0" }]);
  await first.close();
  const [trimmed] = await postgres.query(
    "select min(e.sequence) > 1 as trimmed from hindcast.entries e join hindcast.chains c on c.id = e.chain where c.name = $1",
    [chain],
  );
  expect(trimmed).toEqual({ trimmed: true });
  const second = await aLogNode(place("writer", chain), { dataDir: await aFolder() });
  expect(await ask(second, "eth_getBlockByNumber", "latest", true)).toEqual(head);
  await ask(second, "eth_sendTransaction", TRANSFER);
  await allTheSame(await aLogNode(place("reader", chain)), second);
});
