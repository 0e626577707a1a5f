/** The faults that a chain in PostgreSQL has to bear: of nodes, of PostgreSQL, of what is between them, and of what is stored. */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { aFolder } from "../support/a-folder.ts";
import { postgresPrograms } from "./cluster.mjs";
import { NodeProcess } from "./processes.ts";
import { TcpProxy } from "./tcp-proxy.ts";
import { LEASE_MS, pause, until, type WatchedChain, type WatchedNode } from "./watched-chain.ts";

const run = promisify(execFile);
/** Milliseconds after which another node has taken over. */
const BEYOND_LEASE_MS = 1.7 * LEASE_MS;
const CODE_BYTES = 900_000;
/** Blocks, of which the client's time is enough for many more. */
const MINED_AT_ONCE = 500;
/** Milliseconds for an answer to what is large. */
const LARGE_MS = 60_000;

/** Sizes of a run. */
export interface FaultSizes {
  /** Blocks that come while a reader is away; each time. */
  readonly awayBlocks: () => number;
  /** Bytes of a large change: more than go into one row of the log. */
  readonly largeBytes: number;
}

type Faults = Readonly<Record<string, () => Promise<void>>>;

/** All of them by their names. @param random - numbers from 0 to 1 */
export function faultsOf(chain: WatchedChain, random: () => number, sizes: FaultSizes): Faults {
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    ...faultsOfNodes(chain, below, sizes),
    ...faultsOfPostgres(chain),
    ...faultsOfConnections(chain, below, sizes),
    ...faultsOfHistory(chain, below),
  };
}

type Below = (bound: number) => number;

function faultsOfNodes(chain: WatchedChain, below: Below, { awayBlocks }: FaultSizes): Faults {
  const restart = async ({ process, dataDir }: WatchedNode, losesFolder = false): Promise<void> => {
    await process.kill();
    if (losesFolder && dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
    await process.start();
  };
  const away = async (leave: () => Promise<void> | void, comeBack: () => Promise<void> | void): Promise<void> => {
    await leave();
    const wanted = awayBlocks();
    for (let mined = 0; mined < wanted; mined += MINED_AT_ONCE)
      await mine(chain, Math.min(MINED_AT_ONCE, wanted - mined));
    await comeBack();
  };
  return {
    "the writer is killed": async () => restart(await chain.writer()),
    "the writer is killed, and its folder is lost": async () => restart(await chain.writer(), true),
    "the writer is stopped beyond its lease, and goes on": async () => {
      const { process } = await chain.writer();
      process.signal("SIGSTOP");
      await pause(BEYOND_LEASE_MS);
      process.signal("SIGCONT");
    },
    "another node takes over by hand": async () => {
      await (await chain.others())[0]?.process.ask("hindcast_takeOver").catch(() => undefined);
    },
    "two nodes take over by hand at the same time, twice": async () => {
      for (let round = 0; round < 2; round++) {
        const others = await chain.others();
        await Promise.allSettled(others.map(({ process }) => process.ask("hindcast_takeOver")));
      }
    },
    "a reader is killed": () => restart(chain.reader),
    "a node that stands by is killed, and begins again with another clock": async () => {
      const others = await chain.others();
      const node = others[below(others.length)] as WatchedNode;
      node.process.clockMs = (below(200) - 100) * 1_000_000;
      await restart(node);
    },
    "a reader's process is away for long": () =>
      away(
        () => chain.reader.process.kill(),
        () => chain.reader.process.start(),
      ),
    "a reader is stopped for long, and goes on": () =>
      away(
        () => chain.reader.process.signal("SIGSTOP"),
        () => chain.reader.process.signal("SIGCONT"),
      ),
  };
}

/** Mines blocks, whoever has to be asked. */
async function mine(chain: WatchedChain, count: number): Promise<void> {
  await until("blocks are mined", async () => {
    const { process } = await chain.writer();
    await process.ask("anvil_mine", `0x${count.toString(16)}`);
    return true;
  });
}

function faultsOfPostgres({ postgres }: WatchedChain): Faults {
  const stop = async (pids: readonly number[]): Promise<void> => {
    const signal = (name: "SIGSTOP" | "SIGCONT"): void => {
      for (const pid of pids) {
        try {
          process.kill(pid, name);
        } catch {
          // It ended by itself.
        }
      }
    };
    signal("SIGSTOP");
    await pause(BEYOND_LEASE_MS);
    signal("SIGCONT");
  };
  const full = async (): Promise<void> => {
    const { disk } = postgres;
    if (disk === undefined) return;
    const count = async (): Promise<number> => (await postgres.log()).split("No space left on device").length;
    const before = await count();
    await disk.fill();
    await until("the disk is full", async () => ((await count()) > before ? true : undefined));
    await pause(LEASE_MS);
    await disk.free();
    // It ends where its own log cannot be written.
    await until("PostgreSQL answers", async () => {
      await postgres.query("select 1").catch(() => postgres.start());
      return true;
    });
  };
  return {
    "PostgreSQL crashes": async () => {
      await postgres.stop("immediate");
      await postgres.start();
    },
    "all processes of PostgreSQL are stopped beyond the lease, and go on": async () => {
      const pid = await postgres.pid();
      const { stdout } = await run("ps", ["-o", "pid=", "--ppid", String(pid)]);
      await stop([pid, ...stdout.trim().split(/\s+/).map(Number)]);
    },
    "PostgreSQL's processes that append are stopped beyond the lease, and go on": async () => {
      const rows = await postgres.query("select pid from pg_stat_activity where query like 'with moved%'");
      await stop(rows.map(({ pid }) => Number(pid)));
    },
    "PostgreSQL ends all connections": async () => {
      await postgres.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hindcast'",
      );
    },
    ...(postgres.disk === undefined ? {} : { "PostgreSQL's disk is full": full }),
  };
}

function faultsOfConnections(chain: WatchedChain, below: Below, { largeBytes }: FaultSizes): Faults {
  return {
    "all connections are slow": async () => {
      for (const { proxy } of chain.nodes) proxy.delayMs = 1 + below(60);
      await pause(2 * LEASE_MS);
      for (const { proxy } of chain.nodes) proxy.heal();
    },
    "all connections break in the midst of messages, five times": async () => {
      for (let round = 0; round < 5; round++) {
        for (const { proxy } of chain.nodes) proxy.cutAfter(below(20_000));
        await pause(150);
      }
      for (const { proxy } of chain.nodes) proxy.heal();
    },
    "what the writer sends is held beyond its lease, and arrives": async () => {
      const { proxy } = await chain.writer();
      proxy.hold();
      await pause(BEYOND_LEASE_MS);
      proxy.release();
    },
    "a reader's folder is lost, and its connections break while it begins": async () => {
      const { process, proxy, dataDir } = chain.reader;
      await process.kill();
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
      const starting = process.start();
      for (let round = 0; round < 5; round++) {
        proxy.cutAfter(below(100_000));
        await pause(200);
      }
      proxy.heal();
      await starting;
    },
    "the writer's connections break in a change of several parts": async () => {
      const code = `0x${(below(200) + 16).toString(16).repeat(largeBytes)}`;
      const address = `0x${"c0de".padStart(40, "0")}`;
      (await chain.writer()).proxy.cutAfter(below(1.5 * largeBytes));
      await until("a large change is acknowledged", async () => {
        const { process } = await chain.writer();
        const [answer] = await process.askAll([["anvil_setCode", [address, code]]], LARGE_MS);
        for (const { proxy } of chain.nodes) proxy.heal();
        return answer?.error === undefined ? true : undefined;
      });
      for (const { process } of chain.nodes) {
        await until("a node has a large change", async () => {
          const [answer] = await process.askAll([["eth_getCode", [address, "latest"]]], LARGE_MS);
          return answer?.result === code ? true : undefined;
        });
      }
    },
    "a base is cut while it is written, and the next one while it is read": () => cutBases(chain, below),
  };
}

/** A chain of its own, with a base that is large and due after each change. */
async function cutBases({ postgres }: WatchedChain, below: Below): Promise<void> {
  const chain = `bases ${performance.now()}`;
  const proxies = [await TcpProxy.before(Number(new URL(postgres.url).port))];
  proxies.push(await TcpProxy.before(Number(new URL(postgres.url).port)));
  const [toWriter, toReader] = proxies as [TcpProxy, TcpProxy];
  const shared = { url: toWriter.of(postgres.url), chain, role: "writer", leaseMs: 4 * LEASE_MS, baseAfterBytes: 1 };
  const writer = new NodeProcess({ shared });
  const reader = new NodeProcess({
    dataDir: join(await aFolder(), "chain"),
    shared: { url: toReader.of(postgres.url), chain, role: "reader" },
  });
  const codes: string[] = [];
  const addressOf = (index: number): string => `0x${(index + 0xc0de).toString(16).padStart(40, "0")}`;
  const write = async (): Promise<void> => {
    const code = `0x${(below(200) + 16).toString(16).repeat(CODE_BYTES)}`;
    // Its lease may be over meanwhile.
    await until("a change is acknowledged", async () => {
      await writer.ask("anvil_setCode", addressOf(codes.length), code);
      return true;
    });
    codes.push(code);
  };
  const isWriting = async (): Promise<boolean> => {
    const [row] = await postgres.query(
      "select exists (select 1 from hindcast.bases b join hindcast.chains c on c.id = b.chain where c.name = $1 and b.chunks is null) as found",
      [chain],
    );
    return row?.found === true;
  };
  try {
    await writer.start();
    await write();
    await write();
    toWriter.delayMs = 4;
    await until("a base is written", async () => {
      await write();
      return (await isWriting()) ? true : undefined;
    });
    toWriter.cutAfter(below(CODE_BYTES));
    await pause(100);
    toWriter.heal();
    await write();
    if (below(2) === 0) await writer.kill();
    const starting = reader.start();
    for (let round = 0; round < 4; round++) {
      toReader.cutAfter(below(2 * CODE_BYTES));
      await pause(150);
    }
    toReader.heal();
    await starting;
    for (const [index, code] of codes.entries()) {
      if ((await reader.ask("eth_getCode", addressOf(index), "latest")) !== code)
        throw new Error(`code ${index} is lost`);
    }
  } finally {
    await Promise.all([writer.kill(), reader.kill()]);
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await postgres.query("delete from hindcast.chains where name = $1", [chain]);
  }
}

const TABLES = ["chains", "entries", "bases", "base_chunks"];

function faultsOfHistory(chain: WatchedChain, below: Below): Faults {
  const { postgres } = chain;
  const more = async (): Promise<void> => {
    const before = chain.count;
    await until("more is acknowledged", async () => (chain.count > before + 5 ? true : undefined));
  };
  const reorg = (): Promise<void> =>
    chain.quietly(async () => {
      const { process } = await chain.writer();
      const height = Number(await process.ask("eth_blockNumber"));
      const depth = Math.min(height, 1 + below(50));
      for (let number = height - depth + 1; number <= height; number++) {
        const block = await process.ask("eth_getBlockByNumber", `0x${number.toString(16)}`, false);
        chain.forget((block as { transactions: string[] }).transactions);
      }
      await process.ask("anvil_reorg", `0x${depth.toString(16)}`).catch(() => undefined);
    });
  const restoredWhileNodesRun = async (): Promise<void> => {
    const kept = await chain.quietly(async () => {
      // One state of all tables, as a backup is: a request that was given up may still be written.
      const copies = TABLES.map((table) => `create table backup.${table} as table hindcast.${table}`);
      await postgres.query("drop schema if exists backup cascade; create schema backup");
      await postgres.query(["begin isolation level repeatable read", ...copies, "commit"].join(";"));
      return new Set(chain.acknowledged);
    });
    await more();
    await chain.quietly(async () => {
      const back = TABLES.map((table) => `insert into hindcast.${table} overriding system value table backup.${table}`);
      await postgres.query(["begin", "delete from hindcast.chains", ...back, "commit"].join(";"));
      await chain.wentBack(kept);
    });
  };
  const restoredWithoutNodes = async (): Promise<void> => {
    const programs = (await postgresPrograms()) as string;
    const file = join(await aFolder(), "chain.dump");
    const kept = new Set(chain.acknowledged);
    await run(join(programs, "pg_dump"), ["--format", "custom", "--schema", "hindcast", "--file", file, postgres.url]);
    await more();
    await chain.quietly(async () => {
      await Promise.all(chain.nodes.map(({ process }) => process.kill()));
      await run(join(programs, "pg_restore"), ["--clean", "--if-exists", "--dbname", postgres.url, file]);
      await Promise.all(chain.nodes.map(({ process }) => process.start()));
      await chain.wentBack(kept);
    });
  };
  return {
    "a reorg of up to 50 blocks": reorg,
    "a backup is restored while nodes run": restoredWhileNodesRun,
    "a backup of pg_dump is restored": restoredWithoutNodes,
  };
}
