/** Opens what a node's chain is based on: a genesis of its own, or a block of another chain. Closes what it opened. */
import { type BuiltGenesis, buildGenesis } from "../../chain/read/genesis-block.ts";
import type { RemoteHistory } from "../../chain/read/remote-history.ts";
import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { RemoteChain } from "../../remote/upstream.ts";
import type { ChainBases, ForkDescription, ForkTarget, OpenedBase } from "../../services/control/fork.ts";
import { StateDatabase } from "../../state/state-database.ts";
import { describeChain, offsetFrom, withStoredTimestamp } from "../chain-description.ts";
import type { ForkOptions } from "../options/fork-options.ts";
import type { NodeOptions } from "../options/options.ts";
import type { ForkRules } from "./fork-schedule.ts";

/** The genesis state has no earlier nodes or codes. */
const EMPTY_SOURCE = { getTrieNode: () => undefined, getCode: () => undefined };

/** The base of a node's chain. */
export interface NodeBase {
  readonly spec: ChainSpec;
  readonly genesis: BuiltGenesis;
  readonly history: RemoteHistory | undefined;
  /** Seconds from the clock to the chain's first timestamp. */
  readonly clockOffset: bigint;
}

/**
 * One for each node. Its {@link close} ends the connections of every fork that the node has had, since readers may
 * still use an earlier one.
 */
export class NodeBases implements ChainBases {
  readonly #options: NodeOptions;
  readonly #keyring: Keyring;
  /** Options of the current fork. */
  #forkOptions: ForkOptions | undefined;
  #remote: RemoteChain | undefined;
  #rules: ForkRules | undefined;
  /** All chains opened so far; readers may still use earlier ones. */
  readonly #opened: RemoteChain[] = [];

  /** @param from - of the node that this node is a branch of */
  constructor(options: NodeOptions, keyring: Keyring, from?: NodeBases) {
    this.#options = options;
    this.#keyring = keyring;
    this.#forkOptions = options.fork;
    if (from === undefined) return;
    this.#forkOptions = from.#forkOptions;
    this.#remote = from.#remote;
    this.#rules = from.#rules;
  }

  /** Opens the base that the options name. */
  async open(): Promise<NodeBase> {
    return this.#forkOptions === undefined ? this.#local() : this.#fork(this.#forkOptions);
  }

  get fork(): ForkDescription | undefined {
    if (this.#remote === undefined || this.#rules === undefined) return undefined;
    const { upstream, chainId, pin, cacheStats } = this.#remote;
    return {
      label: upstream.label,
      chainId,
      networkId: this.#rules.networkId,
      blockNumber: pin.number,
      blockHash: pin.hash,
      scheduleSource: this.#rules.source,
      warning: this.#rules.warning,
      requests: upstream.stats.requests,
      cacheHits: cacheStats.hits,
    };
  }

  /** True if the upstream node is asked for traces of its blocks. */
  get tracesUpstream(): boolean {
    return this.#forkOptions?.traceUpstream === true;
  }

  async openFork({ url, headers, blockNumber }: ForkTarget): Promise<OpenedBase> {
    const { blockNumber: _, blockHash: __, transactionHash: ___, ...before } = this.#forkOptions ?? {};
    const options = {
      ...(url === undefined ? before : withUrl(before, url, headers)),
      ...(blockNumber === undefined ? {} : { blockNumber }),
    };
    const { clockOffset, ...chainBase } = await this.#fork(options);
    return { chainBase, clockOffset };
  }

  async openLocal(): Promise<OpenedBase> {
    const { clockOffset, ...chainBase } = await this.#local();
    this.#remote = undefined;
    this.#forkOptions = undefined;
    return { chainBase, clockOffset };
  }

  async openHistory(url: string): Promise<RemoteHistory> {
    const { blockNumber: _, transactionHash: __, ...before } = this.#forkOptions ?? {};
    const pinned = this.fork;
    const blockHash = pinned === undefined ? {} : { blockHash: encodeData(pinned.blockHash) };
    const options = { ...withUrl(before, url), ...blockHash };
    const { openHistory } = await import("./open-fork.ts");
    const { history, rules } = await openHistory(this.#options, options);
    this.#adopt(history.remote, rules, options);
    return history;
  }

  async #fork(options: ForkOptions): Promise<NodeBase> {
    const { openFork } = await import("./open-fork.ts");
    const { spec, genesis, history, rules } = await openFork(this.#options, options, this.#keyring);
    this.#adopt(history.remote, rules, options);
    return { spec, genesis, history, clockOffset: offsetFrom(this.#options, genesis.block.header.timestamp) };
  }

  #adopt(remote: RemoteChain, rules: ForkRules, options: ForkOptions): void {
    this.#remote = remote;
    this.#rules = rules;
    this.#forkOptions = options;
    this.#opened.push(remote);
  }

  async #local(): Promise<NodeBase> {
    const { spec, clockOffset } = await describeChain(await withStoredTimestamp(this.#options), this.#keyring);
    const genesis = await buildGenesis(spec, new StateDatabase(EMPTY_SOURCE).empty());
    return { spec, genesis, history: undefined, clockOffset };
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((remote) => remote.close()));
  }
}

/** Headers may be secrets of the nodes that they were given for, so another node does not get them. */
function withUrl(
  { urls, provider: _, headers, ...others }: ForkOptions,
  url: string,
  given?: ForkOptions["headers"],
): ForkOptions {
  const isSame = url === others.url || urls?.includes(url) === true;
  const sent = given ?? (isSame ? headers : undefined);
  return { ...others, url, ...(sent === undefined ? {} : { headers: sent }) };
}
