/** A node that lives through steps, and the record of its edits that its chain can be made again from. */
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { type Bytes, bytesKey } from "../../src/primitives/bytes/bytes.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import type { Snapshot } from "../../src/services/control/snapshots.ts";
import { NOW, quantity } from "../support/a-node.ts";

/** Changes between two blocks. */
export type Edit = (node: HindcastNode) => Promise<void>;

export interface WalkOptions {
  readonly hardfork: string;
  readonly dataDir?: string | undefined;
}

export const nodeOptions = ({ hardfork, dataDir }: WalkOptions): NodeOptions => ({
  hardfork,
  timestamp: NOW,
  clock: () => NOW,
  accounts: 4,
  ...(dataDir === undefined ? {} : { dataDir }),
});

interface Log {
  readonly blockHash: string;
  readonly logIndex: string;
  readonly removed: boolean;
}

interface Taken {
  readonly snapshot: Snapshot;
  readonly pending: readonly Edit[];
}

interface Numbered {
  readonly id: Hex;
  readonly pending: readonly Edit[];
}

const GAS = { gas: quantity(200_000), gasPrice: quantity(50_000_000_000n) };
const SNAPSHOTS_HELD = 5;
const logKey = ({ blockHash, logIndex }: Log): string => `${blockHash} ${logIndex}`;

export class Walk {
  readonly options: WalkOptions;
  node: HindcastNode;
  /** Transactions that were ever sent. */
  readonly sent: Set<Hex>;
  /** Edits before each block that was ever mined. */
  readonly #edits: Map<string, readonly Edit[]>;
  /** Edits since the head. */
  #pending: readonly Edit[] = [];
  #snapshots: readonly Taken[] = [];
  #numbered: readonly Numbered[] = [];
  #isGoingBack = false;
  #filter: Hex = "0x0";
  #watched = new Map<string, Log>();

  static async begin(options: WalkOptions): Promise<Walk> {
    return new Walk(options, await createNode(nodeOptions(options)), new Set(), new Map()).#watch();
  }

  private constructor(options: WalkOptions, node: HindcastNode, sent: Set<Hex>, edits: Map<string, readonly Edit[]>) {
    this.options = options;
    this.node = node;
    this.sent = sent;
    this.#edits = edits;
  }

  /** Goes on with a branch of the node; this one stays as it is. */
  async branch(): Promise<Walk> {
    const walk = new Walk(this.options, await this.node.branch(), this.sent, new Map(this.#edits));
    walk.#pending = this.#pending;
    return walk.#watch();
  }

  /** Closes the node and opens its folder again; snapshots and filters end with a process. */
  async reopen(): Promise<void> {
    await this.node.close();
    this.node = await createNode(nodeOptions(this.options));
    this.#snapshots = [];
    this.#numbered = [];
    await this.#watch();
  }

  /** Listens to the node, and begins to watch logs with those that are there. */
  async #watch(): Promise<this> {
    this.node.onHeadChange(({ removed, added }) => {
      if (removed[0] !== undefined) this.#pending = this.editsBefore(removed[0].hash);
      if (this.#isGoingBack) return;
      for (const { hash } of added) {
        this.#edits.set(bytesKey(hash), this.#pending);
        this.#pending = [];
      }
    });
    this.#filter = await this.ask<Hex>("eth_newFilter", {});
    const logs = await this.ask<Log[]>("eth_getLogs", { fromBlock: "0x0" });
    this.#watched = new Map(logs.map((log) => [logKey(log), log]));
    return this;
  }

  /** Edits between a block and its parent; without a block those since the head. */
  editsBefore(blockHash?: Bytes): readonly Edit[] {
    return blockHash === undefined ? this.#pending : (this.#edits.get(bytesKey(blockHash)) ?? []);
  }

  ask<T = unknown>(method: string, ...params: unknown[]): Promise<T> {
    return this.node.provider.send(method, params) as Promise<T>;
  }

  async edit(edit: Edit): Promise<void> {
    await edit(this.node);
    this.#pending = [...this.#pending, edit];
  }

  /** Sends a transaction. A refusal is right: its sender may have no funds, or too much waiting. */
  async send(method: string, transaction: Record<string, unknown>): Promise<void> {
    try {
      this.sent.add(await this.ask<Hex>(method, { ...GAS, ...transaction }));
    } catch (error) {
      if ((error as { code?: number }).code !== -32000) throw error;
    }
  }

  async snapshot(name?: string): Promise<void> {
    const taken = { snapshot: await this.node.snapshot(name), pending: this.#pending };
    const others = this.#snapshots.filter((other) => name === undefined || other.snapshot.name !== name);
    this.#snapshots = [...others, taken].slice(-SNAPSHOTS_HELD);
  }

  /** Goes back to a snapshot that is held, and goes on holding it. */
  async revert(index: number): Promise<void> {
    const taken = this.#snapshots[index % this.#snapshots.length];
    if (taken === undefined) return;
    await this.#goBack(() => this.node.revert(taken.snapshot.name ?? taken.snapshot), taken.pending);
  }

  async numberedSnapshot(): Promise<void> {
    this.#numbered = [...this.#numbered, { id: await this.ask<Hex>("evm_snapshot"), pending: this.#pending }];
  }

  async numberedRevert(choice: number): Promise<void> {
    const index = choice % this.#numbered.length;
    const taken = this.#numbered[index];
    if (taken === undefined) return;
    await this.#goBack(() => this.ask("evm_revert", taken.id), taken.pending);
    this.#numbered = this.#numbered.slice(0, index);
  }

  async reset(): Promise<void> {
    await this.#goBack(() => this.node.reset(), []);
    this.#numbered = [];
  }

  async #goBack(task: () => Promise<unknown>, pending: readonly Edit[]): Promise<void> {
    this.#isGoingBack = true;
    await task();
    this.#isGoingBack = false;
    this.#pending = pending;
  }

  /** @throws {Error} when a log comes twice, or goes that was not there */
  async poll(): Promise<void> {
    for (const log of await this.ask<Log[]>("eth_getFilterChanges", this.#filter)) {
      const key = logKey(log);
      if (log.removed !== this.#watched.has(key)) {
        throw new Error(`a log ${log.removed ? "went that was not there" : "came twice"}: ${key}`);
      }
      if (log.removed) this.#watched.delete(key);
      else this.#watched.set(key, log);
    }
  }

  /** The logs according to the filter. */
  get watchedLogs(): readonly string[] {
    return [...this.#watched.keys()].sort();
  }

  /** The logs according to the chain. */
  async logs(): Promise<readonly string[]> {
    return (await this.ask<Log[]>("eth_getLogs", { fromBlock: "0x0" })).map(logKey).sort();
  }
}
