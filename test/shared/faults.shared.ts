/** What happens to a chain in PostgreSQL when its parts fail: nothing acknowledged is lost, and no two nodes disagree. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { allTheSame } from "../node/sharing/same-answers.ts";
import { ask, outcome } from "../node/sharing/shared-nodes.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { aCluster, type TestCluster, withCluster } from "./a-postgres.ts";
import { aChainName, aLogNode, LEASE_MS, logStatus } from "./log-nodes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };
let postgres: TestCluster;

beforeAll(async () => {
  postgres = await aCluster();
});
afterAll(() => postgres.close());

type Role = "writer" | "reader" | "standby";
const place = (role: Role, chain: string) => ({ url: postgres.url, role, chain });

/** Sends transfers one after another while something happens. Returns the hashes that were answered. */
async function sendWhile(node: HindcastNode, task: () => Promise<void>): Promise<string[]> {
  let isOver = false;
  const sent: string[] = [];
  const sending = (async () => {
    while (!isOver) sent.push((await ask(node, "eth_sendTransaction", TRANSFER)) as string);
  })();
  const more = (from: number) => expect.poll(() => sent.length - from, { timeout: 60_000 }).toBeGreaterThan(2);
  await more(0);
  await task();
  await more(sent.length);
  isOver = true;
  await sending;
  return sent;
}

async function expectAll(node: HindcastNode, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes)
    expect(await ask(node, "eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
}

const isWriter = (node: HindcastNode) =>
  expect.poll(async () => (await logStatus(node)).role, { timeout: 20_000 }).toBe("writer");

describe("the server", () => {
  withCluster.each(["immediate", "fast"] as const)("that stops (%s) and starts again loses nothing", async (how) => {
    const chain = aChainName();
    const writer = await aLogNode({ ...place("writer", chain), leaseMs: 60_000 });
    const reader = await aLogNode(place("reader", chain));
    const sent = await sendWhile(writer, async () => {
      await postgres.stop(how);
      await postgres.start();
    });
    await allTheSame(reader, writer);
    await expectAll(reader, sent);
    expect(await ask(reader, "eth_getTransactionCount", ALICE, "latest")).toBe(`0x${sent.length.toString(16)}`);
  });

  withCluster("that ends connections in the midst of appends loses and doubles nothing", async () => {
    const chain = aChainName();
    const writer = await aLogNode({ ...place("writer", chain), leaseMs: 60_000 });
    const reader = await aLogNode(place("reader", chain));
    const sent = await sendWhile(writer, async () => {
      for (let round = 0; round < 10; round++) {
        await postgres.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hindcast'",
        );
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    });
    await allTheSame(reader, writer);
    await expectAll(reader, sent);
  });

  withCluster("that is frozen makes writes wait, and queries of the writer when its lease is over", async () => {
    const chain = aChainName();
    const writer = await aLogNode(place("writer", chain));
    const reader = await aLogNode(place("reader", chain));
    await ask(writer, "eth_sendTransaction", TRANSFER);
    await allTheSame(reader, writer);
    await postgres.stop("fast");
    const sending = ask(writer, "eth_sendTransaction", TRANSFER);
    await expect
      .poll(() => outcome(writer, "eth_blockNumber"), { timeout: 10_000 })
      .toMatchObject({ error: { code: -32_002, message: expect.stringContaining("has not reached PostgreSQL") } });
    expect((await logStatus(writer)).problem).toContain("has not reached PostgreSQL");
    expect(await ask(reader, "eth_blockNumber")).toBe("0x1");
    await postgres.start();
    await expectAll(writer, [(await sending) as string]);
    await allTheSame(reader, writer);
  });

  withCluster.each([
    ["has not come as far again", 1],
    ["has gone further", 9],
  ])("that was restored from an older backup, and %s, has the truth", async (_, count) => {
    const chain = aChainName();
    const dataDir = await aFolder();
    const before = await aLogNode(place("writer", chain), { dataDir });
    const reader = await aLogNode(place("reader", chain));
    await ask(before, "anvil_mine", "0x2");
    await allTheSame(reader, before);
    for (const table of ["chains", "entries"])
      await postgres.query(`create table public.${table}_copy as select * from hindcast.${table}`);
    for (let block = 0; block < 3; block++) await ask(before, "eth_sendTransaction", TRANSFER);
    await allTheSame(reader, before);
    await before.close();
    const row = "select id from hindcast.chains where name = $1";
    const [{ id } = {}] = await postgres.query(row, [chain]);
    await postgres.query("delete from hindcast.entries where chain = $1", [id]);
    await postgres.query("insert into hindcast.entries select * from public.entries_copy where chain = $1", [id]);
    await postgres.query(
      "update hindcast.chains c set sequence = o.sequence, hash = o.hash from public.chains_copy o where o.id = c.id and c.id = $1",
      [id],
    );
    for (const table of ["chains", "entries"]) await postgres.query(`drop table public.${table}_copy`);
    const notices: string[] = [];
    const after = await aLogNode(place("writer", chain), { dataDir, onNotice: (notice) => notices.push(notice) });
    expect(await ask(after, "eth_blockNumber")).toBe("0x2");
    expect(notices).toEqual([expect.stringContaining("had changes that the log does not have")]);
    for (let block = 0; block < count; block++) await ask(after, "anvil_setBalance", BOB, `0x${block}`);
    await expect.poll(() => ask(reader, "eth_blockNumber"), { timeout: 10_000 }).toBe("0x2");
    await allTheSame(reader, after);
  });
});

describe("of two writers", () => {
  withCluster("the one that was replaced writes nothing more, answers nothing, and says so", async () => {
    const chain = aChainName();
    const fenced: string[] = [];
    const first = await aLogNode({ ...place("standby", chain), onFenced: (error) => fenced.push(error.message) });
    const second = await aLogNode(place("standby", chain));
    expect([(await logStatus(first)).role, (await logStatus(second)).role]).toEqual(["writer", "standby"]);
    const hash = (await ask(second, "eth_sendTransaction", TRANSFER)) as string;
    expect(await ask(second, "hindcast_takeOver")).toBe(true);
    expect(await logStatus(second)).toMatchObject({ role: "writer", epoch: "0x2" });
    const refused = {
      error: { code: -32_004, message: expect.stringContaining("Another node writes this chain now") },
    };
    expect(await outcome(first, "eth_sendTransaction", [TRANSFER])).toMatchObject(refused);
    expect(await outcome(first, "eth_blockNumber")).toMatchObject(refused);
    expect(() => first.getBlock(0n)).toThrow("Another node writes");
    expect(fenced).toHaveLength(1);
    await expectAll(second, [hash, (await ask(second, "eth_sendTransaction", TRANSFER)) as string]);
    await first.close();
    const third = await aLogNode(place("standby", chain));
    await allTheSame(third, second);
    expect(await outcome(second, "hindcast_takeOver")).toMatchObject({
      error: { message: expect.stringContaining("already") },
    });
  });

  withCluster("the next takes over at once when the first is closed, and mines as its options say", async () => {
    const chain = aChainName();
    const first = await aLogNode(place("standby", chain));
    const second = await aLogNode(place("standby", chain), { dataDir: await aFolder() });
    const reader = await aLogNode(place("reader", chain));
    const hash = (await ask(reader, "eth_sendTransaction", TRANSFER)) as string;
    await allTheSame(second, first);
    await first.close();
    await isWriter(second);
    await expect
      .poll(() => outcome(reader, "eth_sendTransaction", [TRANSFER]), { timeout: 10_000 })
      .toHaveProperty("result");
    await allTheSame(reader, second);
    await expectAll(reader, [hash]);
    expect(await logStatus(reader)).toMatchObject({ epoch: "0x2", problem: null });
  });

  withCluster("a second with the role of a writer is refused while the first lives", async () => {
    const chain = aChainName();
    await aLogNode(place("writer", chain));
    await expect(createNode({ shared: { ...place("writer", chain), leaseMs: LEASE_MS } })).rejects.toMatchObject({
      code: "SHARED_LOG_REFUSED",
      message: expect.stringContaining("--role standby"),
    });
  });
});

describe("is refused in words, without the password:", () => {
  const refusal = async (shared: object, options: object = {}): Promise<{ code: string; message: string }> => {
    const error = (await createNode({ ...options, shared: shared as { url: string } }).then(
      async (node) => {
        await node.close();
        throw new Error("it started");
      },
      (thrown: unknown) => thrown,
    )) as { code: string; message: string; cause?: unknown };
    expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(postgres.password);
    return error;
  };

  withCluster(
    "a wrong password, another database, a port where nothing listens, an address of another kind",
    async () => {
      const url = new URL(postgres.url);
      url.password = `not ${postgres.password}`;
      expect(await refusal({ url: url.href })).toMatchObject({ code: "SHARED_LOG_REFUSED" });
      expect(await refusal({ url: `${postgres.url}-that-is-not` })).toMatchObject({
        code: "SHARED_LOG_REFUSED",
        message: expect.stringContaining("3D000"),
      });
      expect(await refusal({ url: postgres.url.replace(/:\d+\//, ":1/") })).toMatchObject({
        code: "SHARED_LOG_UNREACHABLE",
      });
      expect(await refusal({ url: postgres.url.replace("postgres:", "mysql:") })).toMatchObject({
        code: "INVALID_OPTION",
      });
    },
    60_000,
  );

  withCluster("synchronous_commit = off, for whoever it is off", async () => {
    await postgres.query("create role careless login superuser password 'a-password-nobody-sees'");
    await postgres.query("alter role careless set synchronous_commit = off");
    const url = postgres.url.replace("hindcast:", "careless:");
    expect(await refusal({ url })).toMatchObject({
      code: "SHARED_LOG_REFUSED",
      message: expect.stringContaining("synchronous_commit"),
    });
  });

  withCluster("options that make another chain, a fork, and tables of a later program", async () => {
    const chain = aChainName();
    const writer = await aLogNode(place("writer", chain));
    await writer.close();
    expect(await refusal(place("writer", chain), { chainId: 7 })).toMatchObject({
      code: "SHARED_LOG_REFUSED",
      message: expect.stringContaining("chainId 31337, now 7"),
    });
    expect(await refusal(place("writer", chain), { fork: { url: "http://127.0.0.1:1" } })).toMatchObject({
      code: "INVALID_OPTION",
    });
    await postgres.query("update hindcast.versions set version = version + 1");
    try {
      expect(await refusal(place("writer", chain))).toMatchObject({
        message: expect.stringContaining("this program knows versions up to"),
      });
    } finally {
      await postgres.query("update hindcast.versions set version = version - 1");
    }
  });
});
