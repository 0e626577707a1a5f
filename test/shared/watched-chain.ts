/**
 * A chain in PostgreSQL under load: nodes as processes, each behind a proxy, and clients of each that send transactions and
 * look all the time whether nodes agree.
 *
 * ALICE sends one wei to BOB with each transaction. So in each block BOB has as many wei more as ALICE has sent: a node with
 * half a change would show another number, no receipts, or no state.
 */
import { join } from "node:path";
import { aCommand } from "../e2e/a-command.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import type { TestCluster } from "./a-postgres.ts";
import { type Answer, NodeProcess } from "./processes.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** Milliseconds of the nodes' leases. */
export const LEASE_MS = 700;
/** Milliseconds between two transactions of a client. */
const PACE_MS = 60;
/** Milliseconds after which what has to come does not: on a busy machine four nodes begin a long chain in some minutes. */
const IN_TIME_MS = 240_000;
const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };
const FIRST_BALANCE = 10_000n * 10n ** 18n;
/** Codes of a writer that lost its lease, or its chain. */
const LOST = [-32_002, -32_004];
const AT_ONCE = 200;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until there is an answer. @throws {Error} that says what did not come, with the last answer */
export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + IN_TIME_MS;
  let last: unknown;
  for (;;) {
    try {
      const found = await ask();
      if (found !== undefined) return found;
      last = "nothing";
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`not in time: ${what}`, { cause: last });
    await pause(25);
  }
}

/** A node, and what is between it and PostgreSQL. */
export interface WatchedNode {
  readonly process: NodeProcess;
  readonly proxy: TcpProxy;
  /** Undefined for a node in memory. */
  readonly dataDir: string | undefined;
}

interface Status {
  readonly role: string;
  readonly sequence: string;
  readonly incarnation: string;
  readonly problem: string | null;
}

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly transactions: readonly string[];
}

type Requests = readonly (readonly [method: string, params: readonly unknown[]])[];

/** Options of a chain. */
export interface WatchedOptions {
  readonly chain: string;
  readonly baseAfterBytes: number;
  /** Empty folders of two nodes that may write, and of the reader. */
  readonly folders: readonly [string, string, string];
}

/** One for each run. */
export class WatchedChain {
  readonly postgres: TestCluster;
  /** Three that may write, of which the last one has its chain in memory, and a reader. */
  readonly nodes: readonly WatchedNode[];
  /** Transactions that have to be in the chain of every node. */
  acknowledged = new Set<string>();
  /** How often something was acknowledged. */
  count = 0;
  /** How often a node was found at a place of the stream, with a head that is checked. */
  looks = 0;
  /** The head at each place of the stream, whoever answered. */
  readonly #heads = new Map<string, string>();
  #recent: string[] = [];
  #failure: unknown;
  #isOver = false;
  #isPaused = false;
  #busy = 0;
  #clients: Promise<void>[] = [];

  static async start(postgres: TestCluster, { chain, baseAfterBytes, folders }: WatchedOptions): Promise<WatchedChain> {
    const port = Number(new URL(postgres.url).port);
    const [first, second, last] = folders.map((folder) => join(folder, "chain"));
    const nodes: WatchedNode[] = [];
    for (const dataDir of [first, second, undefined, last]) {
      const proxy = await TcpProxy.before(port);
      const role = nodes.length === 3 ? "reader" : "standby";
      const bounds = role === "reader" ? {} : { leaseMs: LEASE_MS, baseAfterBytes };
      const shared = { url: proxy.of(postgres.url), chain, role, ...bounds };
      nodes.push({ process: new NodeProcess({ dataDir, shared }), proxy, dataDir });
    }
    const [hour, day] = [3_600_000, 86_400_000];
    for (const [index, clockMs] of [hour, -day, 0, 10 * day].entries()) {
      (nodes[index] as WatchedNode).process.clockMs = clockMs;
    }
    const watched = new WatchedChain(postgres, nodes);
    await nodes[0]?.process.start();
    await Promise.all(nodes.slice(1).map(({ process }) => process.start()));
    watched.#clients = nodes.map((node) => watched.#client(node));
    return watched;
  }

  private constructor(postgres: TestCluster, nodes: readonly WatchedNode[]) {
    this.postgres = postgres;
    this.nodes = nodes;
  }

  get reader(): WatchedNode {
    return this.nodes[3] as WatchedNode;
  }

  async #client(node: WatchedNode): Promise<void> {
    while (!this.#isOver) {
      await pause(PACE_MS);
      if (this.#isPaused) continue;
      this.#busy++;
      try {
        const hash = (await node.process.ask("eth_sendTransaction", TRANSFER)) as string;
        this.acknowledged.add(hash);
        this.#recent.push(hash);
        this.count++;
        await this.#look(node);
      } catch (error) {
        // Others come of the faults.
        if (error instanceof Disagreement) this.#failure ??= error;
      } finally {
        this.#busy--;
      }
    }
  }

  /** Looks at the head of a node, and where in the stream it is. */
  async #look({ process }: WatchedNode): Promise<void> {
    const before = (await process.ask("hindcast_status")) as Status;
    const { hash, transactions } = (await process.ask("eth_getBlockByNumber", "latest", false)) as Block;
    const [receipts, balance, nonce, after] = await process.askAll([
      ["eth_getBlockReceipts", [hash]],
      ["eth_getBalance", [BOB, { blockHash: hash }]],
      ["eth_getTransactionCount", [ALICE, { blockHash: hash }]],
      ["hindcast_status", []],
    ]);
    if ((after?.result as Status | undefined)?.sequence !== before.sequence) return;
    const place = `${before.incarnation} ${before.sequence}`;
    const known = this.#heads.get(place) ?? hash;
    if (known !== hash) throw new Disagreement(`two heads at ${place}: ${known}, and ${hash} of a ${before.role}`);
    this.#heads.set(place, hash);
    const answers = [receipts, balance, nonce];
    // It may have lost its lease, or the chain, meanwhile.
    if (answers.some((answer) => LOST.includes(answer?.error?.code ?? 0))) return;
    const [sent, received] = [nonce, balance].map((answer) => BigInt((answer?.result ?? "0x0") as string));
    const isWhole =
      (receipts?.result as unknown[] | null)?.length === transactions.length &&
      received === FIRST_BALANCE + (sent as bigint);
    if (!isWhole) throw new Disagreement(`a ${before.role} shows half of ${hash}: ${JSON.stringify(answers)}`);
    this.looks++;
  }

  /** Ends what is being sent, and does something while nothing is. */
  async quietly<T>(task: () => Promise<T>): Promise<T> {
    this.#isPaused = true;
    await until("the clients end", async () => (this.#busy === 0 ? true : undefined));
    try {
      return await task();
    } finally {
      this.#isPaused = false;
    }
  }

  /** The chain went back: its places have other heads from now on. */
  async wentBack(acknowledged: ReadonlySet<string>): Promise<void> {
    this.acknowledged = new Set(acknowledged);
    this.#recent = [...acknowledged].slice(-20);
    this.#heads.clear();
    await this.settled();
  }

  /** Transactions that need not be in the chain any more. */
  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.acknowledged.delete(hash);
    this.#recent = this.#recent.filter((hash) => this.acknowledged.has(hash));
  }

  /** Waits until all nodes have the same head, while nothing is sent. */
  async settled(): Promise<Block> {
    return until("all nodes have one head", async () => {
      this.#refuseFailures();
      await this.writer();
      const heads = await Promise.all(
        this.nodes.map(({ process }) => process.ask("eth_getBlockByNumber", "latest", false) as Promise<Block>),
      );
      const [head] = heads;
      return heads.every(({ hash }) => hash === head?.hash) ? head : undefined;
    });
  }

  /** The node that writes at present. */
  writer(): Promise<WatchedNode> {
    return until("a node writes", async () => {
      for (const node of this.nodes) {
        const status = (await node.process.ask("hindcast_status").catch(() => undefined)) as Status | undefined;
        if (status?.role === "writer" && status.problem === null) return node;
      }
      return undefined;
    });
  }

  /** Nodes that may write, and do not. */
  async others(): Promise<readonly WatchedNode[]> {
    const present = await this.writer();
    return this.nodes.slice(0, 3).filter((node) => node !== present);
  }

  /** After a fault: transactions are acknowledged again, and all nodes have all of them. */
  async goesOn(): Promise<void> {
    const before = this.count;
    await until("transactions are acknowledged", async () => {
      this.#refuseFailures();
      return this.count - before > 2 ? true : undefined;
    });
    const hashes = this.#recent;
    this.#recent = [];
    await Promise.all(this.nodes.map((node, index) => this.#hasAll(node, index, hashes)));
    this.#refuseFailures();
  }

  async #hasAll({ process }: WatchedNode, index: number, hashes: readonly string[]): Promise<void> {
    await until(`node ${index} has what was acknowledged`, async () => {
      this.#refuseFailures();
      const wanted = hashes.filter((hash) => this.acknowledged.has(hash));
      const receipts = await inParts(process, receiptsOf(wanted));
      const missing = wanted.filter((_, at) => (receipts[at]?.result as { status: string })?.status !== "0x1");
      if (missing.length > 0) throw new Error(`${missing.length} of ${wanted.length} are missing: ${missing[0]}`);
      return true;
    });
  }

  #refuseFailures(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const ended = this.nodes.find(({ process }) => !process.isAsTold);
    if (ended !== undefined) throw new Error(`a node ended by itself: ${ended.process.said}`);
  }

  /** Ends the clients. All nodes have the same blocks, and all that was acknowledged; their folders are in order. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    const head = await this.settled();
    const numbers = Array.from({ length: Number(head.number) + 1 }, (_, number) => `0x${number.toString(16)}`);
    const all = numbers.map((number) => ["eth_getBlockByNumber", [number, false]] as const);
    const hashesOf = ({ process }: WatchedNode): Promise<unknown[]> =>
      until("a node shows its blocks", async () => {
        const answers = await inParts(process, all);
        // A writer may have to renew its lease meanwhile.
        const failed = answers.find(({ error }) => error !== undefined);
        if (failed !== undefined) throw new Error(failed.error?.message);
        return answers.map(({ result }) => (result as Block | null)?.hash);
      });
    const [first, ...rest] = await Promise.all(this.nodes.map(hashesOf));
    for (const hashes of rest) {
      const at = hashes.findIndex((hash, index) => hash === undefined || hash !== first?.[index]);
      if (at >= 0) throw new Disagreement(`block ${at} is ${first?.[at]} and ${hashes[at]}`);
    }
    await Promise.all(this.nodes.map((node, index) => this.#hasAll(node, index, [...this.acknowledged])));
    this.#refuseFailures();
    await this.kill();
    for (const { dataDir } of this.nodes) {
      if (dataDir === undefined) continue;
      const { code, stdout } = await aCommand(["check", "--data-dir", dataDir]).finished;
      if (code !== 0) throw new Error(`${dataDir} is damaged: ${stdout}`);
    }
  }

  /** What each node says of itself, for the error of a run. */
  async describe(): Promise<string> {
    const said = this.nodes.map(async ({ process }, index) => {
      const status = await process.ask("hindcast_status").catch((error: unknown) => String(error));
      const block = await process.ask("eth_blockNumber").catch((error: unknown) => String(error));
      const runs = process.isAsTold ? "runs" : "ended";
      return `node ${index} ${runs}: ${JSON.stringify(status)} ${block} ${process.said.slice(-2_000)}`;
    });
    return (await Promise.all(said)).join("\n");
  }

  async kill(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.nodes.map(({ process }) => process.kill()));
  }

  async close(): Promise<void> {
    await this.kill();
    await Promise.all(this.nodes.map(({ proxy }) => proxy.close()));
  }
}

/** What must never be seen. */
class Disagreement extends Error {}

const receiptsOf = (hashes: readonly string[]): Requests =>
  hashes.map((hash) => ["eth_getTransactionReceipt", [hash]] as const);

async function inParts(process: NodeProcess, requests: Requests): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < requests.length; at += AT_ONCE) {
    answers.push(...(await process.askAll(requests.slice(at, at + AT_ONCE))));
  }
  return answers;
}
