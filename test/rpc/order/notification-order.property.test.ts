/**
 * Notifications come in the order in which things happened, and before the answer of the request that caused them: in
 * process, over WebSocket and over a socket file, for any mixture of subscriptions. The expected ones are read from the
 * head changes that the node reports to programs, and from the blocks themselves.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import type { Log, Receipt } from "../../../src/rpc/wire-types.generated.ts";
import { ALICE, BOB, type Json, openNode, serve } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { deploy, EMITTER, logCall } from "../../support/contracts.ts";
import { runs } from "../../support/seed.ts";
import { connectToSocketFile } from "./connections.ts";

const KINDS = ["newHeads", "logs", "ownLogs", "newPendingTransactions", "transactionReceipts", "syncing"] as const;
type Kind = (typeof KINDS)[number];

type Step =
  | { readonly do: "subscribe"; readonly kind: Kind }
  | { readonly do: "unsubscribe"; readonly index: number }
  | { readonly do: "send" | "mine" | "reorg" | "rollback"; readonly count: number }
  | { readonly do: "trace"; readonly count: number }
  | { readonly do: "snapshot" }
  | { readonly do: "revert" }
  | { readonly do: "automine" };

/** Some thousand steps. */
const LOOP = encodeData(assemble("200 again: 1 SWAP1 SUB DUP1 @again JUMPI"));

const count = fc.integer({ min: 1, max: 3 });
const write: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom("send", "mine"), count }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("reorg", "rollback"), count }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: "snapshot" }, { do: "revert" }, { do: "automine" }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("subscribe"), kind: fc.constantFrom(...KINDS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("unsubscribe"), index: fc.nat(5) }) },
  { weight: 6, arbitrary: write },
);
/** Read only. Its answer is so long that that of a batch with it is sent in pieces. */
const trace: fc.Arbitrary<Step> = fc.record({ do: fc.constant("trace"), count });
const inBatch = fc.oneof({ weight: 3, arbitrary: write }, trace);
/** One request, or several in one batch: in process those are sent one by one. */
const program = fc.array(
  fc.oneof({ weight: 4, arbitrary: fc.tuple(step) }, fc.array(inBatch, { minLength: 2, maxLength: 4 })),
  {
    minLength: 2,
    maxLength: 14,
  },
);

/** Sends requests as a client does, and shows what it received. */
interface Client {
  /** The results of a single request or a batch; undefined for errors. */
  ask(requests: readonly Request[]): Promise<readonly unknown[]>;
  /** All notifications that had come before the last answer. */
  received(): readonly Notification[];
  close(): void;
}

interface Request {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface Notification {
  readonly subscription: string;
  readonly result: unknown;
}

function inProcess({ provider }: HindcastNode): Client {
  const seen: Notification[] = [];
  let received: readonly Notification[] = [];
  provider.on("message", (message) => seen.push((message as { data: Notification }).data));
  return {
    ask: async (requests) => {
      const results: unknown[] = [];
      for (const { method, params } of requests) {
        results.push(await provider.send(method, params).catch(() => undefined));
        received = [...seen];
      }
      return results;
    },
    received: () => received,
    close: () => undefined,
  };
}

async function overWebSocket(node: HindcastNode): Promise<Client> {
  const { plain } = await serve(node);
  const webSocket = new WebSocket(plain.url.replace(/^http/, "ws"));
  await new Promise((resolve) => webSocket.once("open", resolve));
  const { onText, ...client } = ofMessages((text) => webSocket.send(text));
  webSocket.on("message", (data: Buffer) => onText(data.toString()));
  return { ...client, close: () => webSocket.terminate() };
}

async function overSocketFile(node: HindcastNode): Promise<Client> {
  const { onText, ...client } = ofMessages((text) => socket.write(`${text}\n`));
  const { socket, close } = await connectToSocketFile(node, onText);
  return { ...client, close };
}

/** A client of a connection on which texts are sent and received. */
function ofMessages(send: (text: string) => void): Omit<Client, "close"> & { readonly onText: (text: string) => void } {
  const seen: Notification[] = [];
  let received: readonly Notification[] = [];
  let answer: (results: unknown[]) => void = () => undefined;
  return {
    onText: (text) => {
      const message = JSON.parse(text) as Json | Json[];
      if (!Array.isArray(message) && message.method !== undefined) seen.push(message.params as Notification);
      else {
        received = [...seen];
        answer([message].flat().map(({ result }) => result));
      }
    },
    ask: (requests) =>
      new Promise((resolve) => {
        answer = resolve;
        const sent = requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }));
        send(JSON.stringify(sent.length === 1 ? sent[0] : sent));
      }),
    received: () => received,
  };
}

/** The chain as a program is told of it, and the notifications that follow. */
class Expected {
  readonly notifications: { readonly subscription: string; readonly key: unknown }[] = [];
  /** Nothing of the chain causes them: they come behind the answers to their subscriptions. */
  readonly syncing: Notification[] = [];
  readonly #subscriptions = new Map<string, Kind>();
  /** By the hash of a block, read when it joined the chain: later it may have left. */
  readonly #logs = new Map<string, Promise<unknown>>();
  readonly #address: string;
  readonly #ask: (method: string, ...params: unknown[]) => Promise<unknown>;
  #changes: { readonly hash: string; readonly isRemoved: boolean; readonly txHashes: readonly string[] }[] = [];

  constructor(node: HindcastNode, address: string) {
    this.#address = address;
    this.#ask = (method, ...params) => node.provider.send(method, params);
    node.onHeadChange(({ removed, added }) => {
      for (const { hash } of removed) this.#changes.push({ hash: encodeData(hash), isRemoved: true, txHashes: [] });
      for (const block of added) {
        const hash = encodeData(block.hash);
        this.#logs.set(hash, this.#ask("eth_getLogs", { blockHash: hash }));
        const txHashes = block.transactions.map((tx) => encodeData(tx.hash));
        this.#changes.push({ hash, isRemoved: false, txHashes });
      }
    });
  }

  get ids(): readonly string[] {
    return [...this.#subscriptions.keys()];
  }

  add(id: string, kind: Kind): void {
    if (kind === "syncing") this.syncing.push({ subscription: id, result: false });
    this.#subscriptions.set(id, kind);
  }

  remove(id: string): void {
    this.#subscriptions.delete(id);
  }

  async follow(): Promise<void> {
    const changes = this.#changes;
    this.#changes = [];
    for (const { hash, isRemoved, txHashes } of changes) {
      const logs = ((await this.#logs.get(hash)) ?? []) as readonly Log[];
      if (!isRemoved) this.#push("newHeads", hash);
      for (const log of logs) {
        const key = [hash, log.logIndex, isRemoved];
        for (const [id, kind] of this.#subscriptions) {
          if (kind === "logs" || (kind === "ownLogs" && log.address === this.#address))
            this.notifications.push({ subscription: id, key });
        }
      }
      if (txHashes.length > 0) this.#push("transactionReceipts", txHashes);
    }
  }

  #push(kind: Kind, key: unknown): void {
    for (const [id, each] of this.#subscriptions) if (each === kind) this.notifications.push({ subscription: id, key });
  }
}

/** What a notification is about, in the words of {@link Expected}. */
function keyOf({ result }: Notification): unknown {
  if (Array.isArray(result)) return (result as Receipt[]).map(({ transactionHash }) => transactionHash);
  const { hash, blockHash, logIndex, removed } = result as Json;
  return logIndex === undefined ? hash : [blockHash, logIndex, removed];
}

class Run {
  readonly #client: Client;
  readonly #expected: Expected;
  readonly #address: string;
  readonly #snapshots: unknown[] = [];
  readonly #pendingIds = new Set<string>();
  #automine = true;
  #sent = 0;

  constructor(client: Client, expected: Expected, address: string) {
    this.#client = client;
    this.#expected = expected;
    this.#address = address;
  }

  async do(steps: readonly Step[], head: bigint): Promise<void> {
    const requests = steps.flatMap((each) => this.#requestsFor(each, head));
    if (requests.length === 0) return;
    const from = this.#client.received().length;
    const results = await this.#client.ask(requests);
    const [first] = steps;
    if (first?.do === "snapshot" && steps.length === 1) this.#snapshots.push(results[0]);
    await this.#expected.follow();
    this.#check(from, requests, results);
    if (first?.do === "subscribe") {
      const id = results[0] as string;
      const own = this.#client.received().filter(({ subscription }) => subscription === id);
      expect(own, "the answer comes before what was subscribed to").toEqual([]);
      this.#expected.add(id, first.kind);
      if (first.kind === "newPendingTransactions") this.#pendingIds.add(id);
    }
    if (first?.do === "unsubscribe") this.#expected.remove(requests[0]?.params[0] as string);
  }

  async end(): Promise<void> {
    await this.#client.ask([{ method: "eth_chainId", params: [] }]);
    expect(this.#client.received().filter(({ result }) => result === false)).toEqual(this.#expected.syncing);
  }

  /** Everything that happened was received before the answer, and nothing else, in that order. */
  #check(from: number, requests: readonly Request[], results: readonly unknown[]): void {
    const received = this.#client.received();
    const told = received.filter(({ subscription, result }) => !this.#pendingIds.has(subscription) && result !== false);
    expect(told.map((each) => ({ subscription: each.subscription, key: keyOf(each) }))).toEqual(
      this.#expected.notifications,
    );
    // A transaction becomes executable before its block is there, and returns to the pool after its block has left.
    const fresh = received.slice(from).filter(({ result }) => result !== false);
    for (const [at, { subscription, result }] of fresh.entries()) {
      if (!this.#pendingIds.has(subscription)) continue;
      const earlier = fresh.slice(0, at).filter((each) => !this.#pendingIds.has(each.subscription));
      const isReorg = requests.every(({ method }) => /reorg|rollback|revert/.test(method));
      const isSent = requests.length === 1 && results.includes(result);
      if (isSent) expect(earlier).toEqual([]);
      if (isReorg) expect(fresh.slice(at).every((each) => this.#pendingIds.has(each.subscription))).toBe(true);
    }
    const isSending = requests.length === 1 && requests[0]?.method === "eth_sendTransaction";
    const ids = [...this.#pendingIds].filter((id) => this.#expected.ids.includes(id));
    if (!isSending) return;
    const pending = fresh.filter(({ subscription }) => ids.includes(subscription));
    expect(pending).toEqual(ids.map((subscription) => ({ subscription, result: results[0] })));
  }

  #requestsFor(each: Step, head: bigint): readonly Request[] {
    if (each.do === "subscribe") {
      if (each.kind === "ownLogs") return [{ method: "eth_subscribe", params: ["logs", { address: this.#address }] }];
      return [{ method: "eth_subscribe", params: [each.kind] }];
    }
    if (each.do === "unsubscribe") {
      const id = this.#expected.ids.filter((known) => !this.#pendingIds.has(known))[each.index];
      return id === undefined ? [] : [{ method: "eth_unsubscribe", params: [id] }];
    }
    if (each.do === "snapshot") return [{ method: "evm_snapshot", params: [] }];
    if (each.do === "revert") {
      const id = this.#snapshots.pop();
      return id === undefined ? [] : [{ method: "evm_revert", params: [id] }];
    }
    if (each.do === "automine") {
      this.#automine = !this.#automine;
      return [{ method: "evm_setAutomine", params: [this.#automine] }];
    }
    const depth = Math.min(each.count, Number(head) - 3);
    if (each.do === "trace") return [{ method: "debug_traceCall", params: [{ data: LOOP }, "latest", {}] }];
    if (each.do === "mine") return [{ method: "anvil_mine", params: [`0x${each.count.toString(16)}`] }];
    if (each.do === "rollback") return depth < 1 ? [] : [{ method: "anvil_rollback", params: [depth] }];
    if (each.do === "reorg") return depth < 1 ? [] : [{ method: "anvil_reorg", params: [depth, []] }];
    const to = this.#sent++ % 3 === 2 ? BOB : this.#address;
    const data = logCall([this.#sent, each.count].slice(0, each.count));
    return [{ method: "eth_sendTransaction", params: [{ from: ALICE, to, data, gas: "0x30d40" }] }];
  }
}

it.each([
  ["in process", inProcess],
  ["over WebSocket", overWebSocket],
  ["over a socket file", overSocketFile],
])("%s, what a request caused is received before its answer, in order", async (_name, open) => {
  await fc.assert(
    fc.asyncProperty(program, async (steps) => {
      const node = await openNode();
      try {
        const address = await deploy(node, EMITTER);
        await node.mine({ blocks: 3 });
        const client = await open(node);
        const run = new Run(client, new Expected(node, address), address);
        for (const each of steps) await run.do(each, node.head.header.number);
        await run.end();
        client.close();
      } finally {
        await node.close();
      }
    }),
    { numRuns: runs(60) },
  );
});
