/**
 * A node: the API for programs.
 *
 * Its members check their arguments and call a service of the backend. After `close()` they throw `NODE_CLOSED`, except
 * those that only return known facts.
 *
 * It has over 300 lines, because it is the list of what a program can do with a node, with a docstring for each member.
 */
import { LATEST, PENDING } from "../chain/blocks/block-id.ts";
import { type ExportOptions, exportChain } from "../chain/files/export-chain.ts";
import { type ImportOptions, type ImportSummary, importChain } from "../chain/files/import-chain.ts";
import type { HeadChange } from "../chain/write/head-change.ts";
import type { Block } from "../chainspec/header/block.ts";
import type { Receipt } from "../chainspec/transaction/receipt.ts";
import type { EngineName } from "../evm/engine.ts";
import type { AbiRegistry } from "../explain/abi/registry.ts";
import type { ConsoleListener } from "../explain/console/console-logs.ts";
import type { Coverage } from "../explain/coverage/coverage.ts";
import type { GasProfile } from "../explain/profile/gas-profile.ts";
import { renderTrace } from "../explain/render/render-trace.ts";
import type { SolidityStack } from "../explain/stack/stack-frame.ts";
import { changesText } from "../explain/storage/changes-text.ts";
import type { DevAccount } from "../keyring/keyring.ts";
import type { MiningMode } from "../miner/miner.ts";
import type { MineOptions } from "../miner/mining-run.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes/bytes.ts";
import type { Hex } from "../primitives/bytes/hex.ts";
import { given } from "../primitives/validation/given.ts";
import { type LooseBytes, type LooseInteger, toBytes, toInteger } from "../primitives/validation/loose.ts";
import { bytes as bytesShape, count, messagePort, requireShape } from "../primitives/validation/shape.ts";
import { encodeExplanation } from "../rpc/encode/source/explanation.ts";
import { encodeStateChanges } from "../rpc/encode/source/state-changes.ts";
import { encodeHistoryComparison, encodeReplayedBlock } from "../rpc/encode/transactions/history-comparison.ts";
import type { MessageEndpoint } from "../rpc/port/messages.ts";
import type { Eip1193Provider } from "../rpc/provider.ts";
import { nodeClosed } from "../rpc/requests/node-closed.ts";
import type { RunningIpcServer } from "../server/sockets/start-ipc-server.ts";
import type { RunningServer } from "../server/start-server.ts";
import { requireValues } from "../services/control/check-values.ts";
import type { ControlService } from "../services/control/control.ts";
import type { ForkDescription } from "../services/control/fork.ts";
import type { ReorgOptions } from "../services/control/history.ts";
import type { SideBlockOptions } from "../services/control/mining.ts";
import type { Snapshot } from "../services/control/snapshots.ts";
import type { LoadStateOptions } from "../services/control/state-file/state-files.ts";
import type { TimeControl } from "../services/control/time.ts";
import type { CallTrace } from "../services/simulate/call/call.ts";
import type { GasEstimate } from "../services/simulate/call/estimate.ts";
import type { Explanation } from "../services/simulate/call/failure-explainer.ts";
import type { ComparisonRequest, HardforkComparison } from "../services/simulate/compare/compare-hardforks.ts";
import type { HardforkReport, ReportOptions } from "../services/simulate/compare/project-report.ts";
import type { DebugService } from "../services/simulate/debug/debug.ts";
import type { TraceBounds } from "../services/simulate/debug/options.ts";
import type { StateInspector } from "../services/simulate/debug/state.ts";
import type { StateChanges } from "../services/simulate/explain/state-changes.ts";
import type { TraceService } from "../services/simulate/trace/trace.ts";
import type { HistoryComparison, ReplayBounds, ReplayedBlock } from "../services/simulate/what-if/what-if.ts";
import {
  exportOptions,
  hashedBlock,
  importOptions,
  loadStateOptions,
  mineOptions,
  type NodeRenderOptions,
  renderOptions,
  reorgOptions,
  sideBlockOptions,
  snapshotName,
  snapshot as snapshotShape,
  traceBounds,
} from "./arguments/chain.ts";
import { artifactFolder, comparisonRequest, reportOptions } from "./arguments/comparison.ts";
import { DEBUG_ARGUMENTS, STATE_ARGUMENTS } from "./arguments/debug.ts";
import { forPrograms, type Guard, iterateWhileReading, type MethodsOf, withJson } from "./arguments/for-programs.ts";
import { hasCall, hashOrCall, type ProfiledCall, profiledCall } from "./arguments/profiled-call.ts";
import { type ReplayRequest, replayBounds, whatIfRequest } from "./arguments/replay.ts";
import { blockName, requireHash } from "./arguments/require-hash.ts";
import { TRACE_ARGUMENTS } from "./arguments/trace.ts";
import { type Backend, branchBackend } from "./backend.ts";
import type { ListenIpcOptions, ListenOptions, NodeOptions } from "./options/options.ts";
import { RpcEndpoints } from "./rpc-endpoints.ts";

/** The forked chain, as it was when it was asked for. */
export interface NodeFork extends ForkDescription {
  /**
   * Moves the fork to the upstream node's newest block, as `anvil_reset` with `forking` does: blocks and edits of this
   * chain are dropped.
   *
   * @throws {RemoteError} if the upstream node cannot be read; the chain then stays as it is
   * @throws {UnsupportedError} `FORK_NOT_SUPPORTED` for a chain in a folder
   */
  refresh(): Promise<void>;
}

/**
 * A running chain, as `createNode()` returns it. Hashes and addresses are bytes; amounts are in wei, times in seconds.
 *
 * The caller owns it: `close()` or `await using` releases its store, servers and timers. Wrong arguments throw
 * {@link InvalidParamsError}.
 */
export class HindcastNode {
  /** ABIs and sources that explain traces; shared with this node's branches. */
  readonly abi: AbiRegistry;
  /** EIP-1193 provider: every JSON-RPC method, typed, without a server. */
  readonly provider: Eip1193Provider;
  /** Traces by re-execution, as plain values; the same code as `trace_*`. */
  readonly trace: MethodsOf<TraceService>;
  /** geth's tracers and whole states, as plain values; the same code as `debug_*`. */
  readonly debug: MethodsOf<DebugService> & MethodsOf<StateInspector>;
  readonly #backend: Backend;
  readonly #endpoints: RpcEndpoints;
  readonly #options: NodeOptions;
  readonly #branches = new Set<HindcastNode>();
  /** The node that this one is a branch of. */
  #origin: HindcastNode | undefined;
  #closing: Promise<void> | undefined;

  /**
   * Use {@link createNode}.
   *
   * @internal
   */
  constructor(backend: Backend, options: NodeOptions) {
    this.abi = backend.abi;
    this.#backend = backend;
    this.#options = options;
    this.#endpoints = new RpcEndpoints(backend, options);
    this.provider = this.#endpoints.provider;
    const { chain, context } = backend;
    const guard: Guard = { requireOpen: () => this.#requireOpen(), reading: (task) => chain.readers.reading(task) };
    this.trace = forPrograms(context.traces, TRACE_ARGUMENTS, guard);
    this.debug = {
      ...forPrograms(context.debug, DEBUG_ARGUMENTS, guard),
      ...forPrograms(context.stateInspector, STATE_ARGUMENTS, guard),
    };
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw nodeClosed();
  }

  /** @throws {UnsupportedError} `NODE_CLOSED` */
  get #open(): Backend {
    this.#requireOpen();
    this.#backend.sharing?.requireLease();
    return this.#backend;
  }

  /** @throws {UnsupportedError} `NODE_CLOSED`; `CHAIN_FOLLOWS_ANOTHER` if the node follows another one */
  get #control(): ControlService {
    return this.#changeable.context.control;
  }

  /** @throws {UnsupportedError} as {@link #control} */
  get #changeable(): Backend {
    this.#open.sharing?.requireOwnChain();
    return this.#backend;
  }

  /**
   * The call tree of a mined transaction as text, with names from {@link abi}.
   *
   * @param hash - 32 bytes, or their DATA
   * @throws {InvalidParamsError} `INVALID_PARAMS`
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async renderTrace(hash: Bytes | Hex, options: NodeRenderOptions = {}): Promise<string> {
    requireShape(renderOptions(), options, "options");
    const { timeoutMs, signal, storage, ...rendering } = given(options);
    const bounds = { timeoutMs, signal };
    const { recording } = await this.debug.recordTransaction(requireHash(hash), { logs: true }, bounds);
    await this.abi.refreshFor(recording.frames);
    const isExplained = recording.frames[0]?.error !== undefined && !this.abi.builds.isEmpty;
    const stack = isExplained ? await this.solidityStack(hash, bounds) : undefined;
    const text = renderTrace(recording, { abi: this.abi, solidityStack: stack, ...rendering });
    const changes = storage === true ? changesText((await this.explain(hash, bounds)).storage) : "";
    return changes === "" ? text : `${text}\n${changes}`;
  }

  /**
   * The Solidity stack trace of a mined transaction, or of a call, with the reason of its failure; undefined if it
   * succeeded. `JSON.stringify` writes it as `hindcast_explainTransaction` does.
   *
   * @param subject - a transaction's hash of 32 bytes, also as DATA, or a call, by default on the latest block
   * @throws {InvalidParamsError} `INVALID_PARAMS`; `FILE_NOT_READABLE` and `INVALID_BUILD` for build files
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {TransactionRejectedError} for a call that cannot even start
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async solidityStack(
    subject: Bytes | Hex | ProfiledCall,
    options: TraceBounds = {},
  ): Promise<SolidityStack | undefined> {
    requireShape(traceBounds(), options, "options");
    const { stack, gaps } = await this.#explanation(subject, given(options));
    return stack && withJson(stack, () => encodeExplanation({ stack, gaps }));
  }

  async #explanation(subject: Bytes | Hex | ProfiledCall, bounds: TraceBounds): Promise<Explanation> {
    const { explain } = await this.#open.context.analysis();
    if (!hasCall(subject)) return explain.transaction(requireHash(subject, "subject", hashOrCall()), bounds);
    requireShape(profiledCall(), subject, "subject");
    const { call, block = LATEST, overrides } = subject;
    return explain.call({ call, id: block, overrides, signal: bounds.signal });
  }

  /**
   * Lists the changes of a mined transaction: storage variables by name with the source lines that wrote them, and the
   * ether and tokens that each account gained or lost. For a failed transaction it also gives the source lines of the
   * failure. `JSON.stringify` writes them as `hindcast_stateChanges` does.
   *
   * @param hash - 32 bytes, also as DATA
   * @throws {InvalidParamsError} `INVALID_PARAMS`; `FILE_NOT_READABLE` and `INVALID_BUILD` for build files
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
   */
  async explain(hash: Bytes | Hex, options: TraceBounds = {}): Promise<StateChanges> {
    requireShape(traceBounds(), options, "options");
    const { context } = this.#open;
    const txHash = requireHash(hash);
    const changes = await (await context.analysis()).stateChanges.transaction(txHash, given(options));
    return withJson(changes, () => encodeStateChanges(changes));
  }

  /**
   * Shows where the gas of a mined transaction, or of a call, was spent: by function, line and opcode.
   *
   * @param subject - a transaction's hash of 32 bytes, also as DATA, or a call, by default on the latest block
   * @throws {InvalidParamsError} `INVALID_PARAMS`; `FILE_NOT_READABLE` and `INVALID_BUILD` for build files
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {TransactionRejectedError} for a call that cannot even start
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
   */
  async gasProfile(subject: Bytes | Hex | ProfiledCall, options: TraceBounds = {}): Promise<GasProfile> {
    requireShape(traceBounds(), options, "options");
    const { gasProfiles } = await this.#open.context.analysis();
    if (!hasCall(subject)) {
      return gasProfiles.transaction(requireHash(subject, "subject", hashOrCall()), given(options));
    }
    requireShape(profiledCall(), subject, "subject");
    const { call, block = LATEST, overrides } = subject;
    return gasProfiles.call({ call, id: block, overrides, signal: options.signal });
  }

  /**
   * The gas limit that a call needs, as eth_estimateGas gives it, with its gas in the two dimensions of Amsterdam, and
   * which of them determines it.
   *
   * @param request - the block is by default the pending one
   * @throws {InvalidParamsError} `INVALID_PARAMS`; `STATE_OVERRIDE_INVALID`, `BLOCK_OVERRIDE_UNSUPPORTED`
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   * @throws {RevertError} `EXECUTION_REVERTED` if it reverts with all available gas
   * @throws {ExecutionError} `GAS_REQUIRED_EXCEEDS_ALLOWANCE` if no allowed gas limit is enough
   */
  async estimateGas(request: ProfiledCall): Promise<GasEstimate> {
    requireShape(profiledCall(), request, "request");
    const { call, block = PENDING, overrides } = request;
    const { chain, context } = this.#open;
    return chain.readers.reading(() => context.calls.estimate({ call, id: block, overrides }));
  }

  /**
   * Runs calls, or the transactions of a mined block, under two hardforks and lists what differs: status, gas by cause,
   * logs and writes. Nothing is stored.
   *
   * @param request - default: the transactions of the latest block, under its hardfork and the newest one that there
   *   is; where these are the same, under Osaka and the newest
   * @throws {InvalidParamsError} `INVALID_PARAMS`; `STATE_OVERRIDE_INVALID`, `BLOCK_OVERRIDE_UNSUPPORTED`
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE` for the transactions of the first block
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async compareHardforks(request: ComparisonRequest = {}, options: TraceBounds = {}): Promise<HardforkComparison> {
    requireShape(comparisonRequest(), request, "request");
    requireShape(traceBounds(), options, "options");
    const { chain, context } = this.#open;
    return chain.readers.reading(async () => (await context.analysis()).comparisons.compare(request, given(options)));
  }

  /**
   * Runs mined transactions again with other code, storage or transactions, and lists what differs from the history: status,
   * logs, lines of console.log, storage by name, gas and balances. Nothing is stored. `JSON.stringify` writes the answer as
   * `hindcast_replay` does.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for changes that contradict themselves, or that do not fit the history
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`, `HEADER_NOT_FOUND`, `STATE_NOT_AVAILABLE`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE`; `FOREIGN_RULES` for blocks of a forked chain with rules of its own
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async replay(request: ReplayRequest, options: ReplayBounds = {}): Promise<HistoryComparison> {
    const { chain, context } = this.#open;
    const wanted = whatIfRequest(request);
    requireShape(replayBounds(), options, "options");
    const { whatIf } = await context.analysis();
    const comparison = await chain.readers.reading(() => whatIf.replay(wanted, given(options)));
    return withJson(comparison, () => encodeHistoryComparison(comparison));
  }

  /**
   * The blocks of {@link replay} one by one, each as soon as it has run: for long ranges. Blocks in which nothing differs
   * come too, so that they show the progress. The time limit is for each block.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS`
   */
  eachReplayedBlock(request: ReplayRequest, options: TraceBounds = {}): AsyncGenerator<ReplayedBlock, void, undefined> {
    const { chain, context } = this.#open;
    const wanted = whatIfRequest(request);
    requireShape(traceBounds(), options, "options");
    const blocks = async function* (): AsyncGenerator<ReplayedBlock, void, undefined> {
      const { whatIf } = await context.analysis();
      for await (const block of whatIf.eachBlock(wanted, given(options)))
        yield withJson(block, () => encodeReplayedBlock(block));
    };
    return iterateWhileReading(blocks(), { reading: (task) => chain.readers.reading(task) });
  }

  /**
   * Reports what a hardfork changes for a project: the gas of each contract's deployment, deployments that are no longer
   * possible, and gas in the sources that pays for less.
   *
   * @param folder - artifacts of Hardhat (`artifacts`) or Foundry (`out`)
   * @throws {InvalidParamsError} `INVALID_PARAMS`; `FILE_NOT_READABLE`, `INVALID_ABI`, `NO_ARTIFACTS` for the folder
   * @throws {LimitError} at the time limit
   */
  async hardforkReport(folder: string, options: ReportOptions = {}): Promise<HardforkReport> {
    const { context } = this.#open;
    requireShape(artifactFolder(), folder, "folder");
    requireShape(reportOptions(), options, "options");
    const { hardforkReport } = await import("../services/simulate/compare/project-report.ts");
    return hardforkReport((await context.analysis()).comparisons, folder, given(options));
  }

  /** Which lines, functions and branches of contracts run: mined transactions, calls, and estimates that fail. */
  get coverage(): Coverage {
    return this.#open.context.coverage;
  }

  get chainId(): bigint {
    return this.#backend.chain.spec.chainId;
  }

  /** Name of the engine. */
  get engine(): EngineName {
    return this.#backend.chain.executor.engineName;
  }

  /** The forked chain, the fork block, and statistics of requests; undefined if the node is not a fork. */
  get fork(): NodeFork | undefined {
    const { fork } = this.#backend.bases;
    return fork && { ...fork, refresh: () => this.#control.forks.reset({}) };
  }

  get head(): Block {
    return this.#backend.chain.head;
  }

  /** Accounts the node signs for, with their keys. */
  get accounts(): readonly DevAccount[] {
    return this.#backend.keyring.accounts;
  }

  get miningMode(): MiningMode {
    return this.#backend.schedule.mode;
  }

  setMiningMode(mode: MiningMode): void {
    this.#control.mining.setMode(mode);
  }

  /**
   * A block by number (canonical) or hash (also side blocks; 32 bytes or their DATA), or undefined. On a fork the first
   * block is the pinned one, without its body; the provider reads the blocks below it.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS`
   */
  getBlock(id: bigint | Bytes | Hex): Block | undefined {
    const { chain } = this.#open;
    return typeof id === "bigint"
      ? chain.getStoredBlock(id)
      : chain.archive.getBlock(requireHash(id, "id", blockName()));
  }

  /**
   * Receipts of a block's transactions, in order; none if the chain does not have the block.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS`
   */
  getReceipts(of: Pick<Block, "hash">): readonly Receipt[] {
    const { chain } = this.#open;
    requireShape(hashedBlock(), of, "block");
    const block = chain.archive.getBlock(requireHash(of.hash));
    return block === undefined ? [] : chain.archive.getReceipts(block.hash);
  }

  /**
   * Code of an account after the head block; empty if it has none.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS`
   */
  async getCode(of: LooseBytes): Promise<Bytes> {
    const { chain } = this.#open;
    const address = toBytes(of);
    requireValues({ address });
    return chain.readers.reading(async () => {
      const state = chain.states.reader(chain.headStateId);
      const account = await state.getAccount(address);
      return account === undefined ? EMPTY_BYTES : state.getCode(account.codeHash);
    });
  }

  /** Mines blocks. Returns the new ones after they are written. */
  async mine(options: MineOptions = {}): Promise<readonly Block[]> {
    const { mining } = this.#control;
    requireShape(mineOptions(), options, "options");
    return mining.mine(options);
  }

  /**
   * Mines a valid side block, which can be included as an uncle with `mine({ uncles: [side.header] })`.
   *
   * @param options.parent - hash of its parent; default the head's parent
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {UnsupportedError} `UNCLES_NOT_ALLOWED` after the Merge
   */
  async mineSideBlock(options: SideBlockOptions = {}): Promise<Block> {
    const { mining } = this.#control;
    requireShape(sideBlockOptions(), options, "options");
    return mining.mineSideBlock(options);
  }

  /** Replaces the last `depth` blocks. Returns the new blocks. */
  async reorg(options: ReorgOptions): Promise<readonly Block[]> {
    const { history } = this.#control;
    requireShape(reorgOptions(), options, "options");
    return history.reorg(options);
  }

  /** Removes the last `depth` blocks. */
  async rollback(depth: number): Promise<HeadChange> {
    const { history } = this.#control;
    requireShape(count(), depth, "depth");
    return history.rollback(depth);
  }

  /**
   * Takes a snapshot of head, edits, time and settings. It copies nothing.
   *
   * @param name - for {@link revert}; if it is in use, it moves to the new snapshot
   */
  async snapshot(name?: string): Promise<Snapshot> {
    const { snapshots } = this.#control;
    requireShape(snapshotName(), name, "name");
    return snapshots.take(name);
  }

  /**
   * Restores a snapshot, on this branch or another. This can be repeated any number of times.
   *
   * Transactions of removed blocks are dropped; the pool keeps its own.
   *
   * @throws {NotFoundError} `SNAPSHOT_NOT_FOUND`
   */
  async revert(snapshot: Snapshot | string): Promise<HeadChange> {
    const { snapshots } = this.#control;
    requireShape(snapshotShape(), snapshot, "snapshot");
    return snapshots.revert(snapshot);
  }

  /**
   * A second node in memory that begins with this node's chain, edits, time and settings. It shares the history, but
   * changes of either do not affect the other. Closing this node closes its branches.
   */
  async branch(): Promise<HindcastNode> {
    const branch = new HindcastNode(await branchBackend(this.#options, this.#changeable), this.#options);
    if (this.#closing !== undefined) await branch.close();
    this.#requireOpen();
    branch.#origin = this;
    this.#branches.add(branch);
    return branch;
  }

  /** The chain with its blocks, receipts, states, edits and time, as a gzipped file. */
  async dumpState(): Promise<Bytes> {
    return (await this.#control.stateFiles()).dump();
  }

  /**
   * Replaces the chain by that of a file; with `merge` its accounts are written into the present state instead, which is
   * for files of Anvil.
   *
   * @param bytes - a file of {@link dumpState} or of Anvil's `--dump-state`
   * @throws {InvalidParamsError} `STATE_FILE_INVALID`, `STATE_FILE_MISMATCH`, `INVALID_PARAMS`; nothing is changed
   */
  async loadState(bytes: Bytes, options: LoadStateOptions = {}): Promise<void> {
    requireShape(loadStateOptions(), options, "options");
    return (await this.#control.stateFiles()).load(bytes, given(options));
  }

  /** Resets the chain to genesis. */
  async reset(): Promise<void> {
    return this.#control.history.reset();
  }

  /** Reads and sets the chain's time, in seconds. */
  get time(): TimeControl {
    return this.#control.time;
  }

  /**
   * Calls a listener after each change of the canonical chain, with the blocks that left and joined. Returns a function
   * that stops it.
   *
   * The node does not wait for the listener, which may mine itself. If it fails, `onError` is called.
   */
  onHeadChange(listener: (change: HeadChange) => unknown): () => void {
    return this.#open.onHeadChange(listener);
  }

  /**
   * Calls a listener with the trace of each `eth_call`, and of each estimate whose call fails; {@link renderTrace}
   * renders it. Calls are recorded only while there is a listener. Returns a function that stops it.
   */
  onCallTrace(listener: (trace: CallTrace) => void): () => void {
    return this.#open.callTraces.add(listener);
  }

  /** Whether the node's log is on; `hardhat_setLoggingEnabled` and similar methods switch it. */
  get isLogging(): boolean {
    return this.#backend.context.control.isLogging;
  }

  /**
   * Calls a listener with each line that a contract prints by console.log, in a mined transaction or a call. Returns a
   * function that stops it.
   */
  onConsoleLog(listener: ConsoleListener): () => void {
    return this.#open.console.on(listener);
  }

  /** Sets an account's balance, in wei. */
  async setBalance(address: LooseBytes, balance: LooseInteger): Promise<void> {
    return this.#control.accounts.setBalance(toBytes(address), toInteger(balance));
  }

  async setNonce(address: LooseBytes, nonce: LooseInteger): Promise<void> {
    return this.#control.accounts.setNonce(toBytes(address), toInteger(nonce));
  }

  async setCode(address: LooseBytes, code: LooseBytes): Promise<void> {
    return this.#control.accounts.setCode(toBytes(address), toBytes(code));
  }

  async setStorageAt(address: LooseBytes, slot: LooseBytes, value: LooseBytes): Promise<void> {
    const { accounts } = this.#control;
    return accounts.setStorageAt(toBytes(address), toBytes(slot), toBytes(value));
  }

  /** Lets an address send transactions without a key. */
  impersonate(address: LooseBytes): void {
    this.#control.accounts.impersonate(toBytes(address));
  }

  stopImpersonating(address: LooseBytes): void {
    this.#control.accounts.stopImpersonating(toBytes(address));
  }

  /**
   * Validates, executes and stores one block given as RLP.
   *
   * @throws {InvalidParamsError} `BLOCK_REJECTED` with number and broken rule
   * @throws {LimitError} `BLOCK_NOT_EXECUTED` if it exceeds a limit of this node, and may be valid
   */
  async importBlock(bytes: LooseBytes): Promise<Block> {
    const { writer } = this.#changeable;
    const block = toBytes(bytes);
    requireShape(bytesShape(), block, "bytes");
    return writer.importBlock(block);
  }

  /**
   * Imports concatenated block RLP, gzipped or not. Blocks before an invalid one stay imported.
   *
   * @throws {InvalidParamsError} `BLOCK_REJECTED`
   * @throws {LimitError} `BLOCK_NOT_EXECUTED` for a block that exceeds a limit of this node, and may be valid
   */
  async importChain(bytes: Bytes, options: ImportOptions = {}): Promise<ImportSummary> {
    requireShape(bytesShape(), bytes, "bytes");
    requireShape(importOptions(), options, "options");
    return importChain(this.#changeable.writer, bytes, options);
  }

  /**
   * The canonical chain without its genesis block, block by block, in the form that {@link importChain} reads.
   *
   * @throws {UnsupportedError} `EXPORT_NOT_IMPORTABLE` at a block that started from edits, unless `force`
   */
  exportChain(options: ExportOptions = {}): Iterable<Bytes> {
    requireShape(exportOptions(), options, "options");
    return exportChain(this.#open.chain, options);
  }

  /**
   * Serves JSON-RPC over HTTP and WebSocket.
   *
   * @throws {InvalidParamsError} `PORT_IN_USE`, `CANNOT_LISTEN`, `INVALID_OPTION`
   * @throws {UnsupportedError} `NODE_CLOSED`
   */
  listen(options: ListenOptions = {}): Promise<RunningServer> {
    return this.#endpoints.listen(options);
  }

  /**
   * Serves JSON-RPC, with subscriptions, at a socket file, which is removed when the node closes.
   *
   * @throws {InvalidParamsError} `PORT_IN_USE`, `CANNOT_LISTEN`, `INVALID_OPTION`
   * @throws {UnsupportedError} `NODE_CLOSED`
   */
  listenIpc(options: ListenIpcOptions): Promise<RunningIpcServer> {
    return this.#endpoints.listenIpc(options);
  }

  /**
   * Serves the provider, with subscriptions of their own, to another thread: a page, a worker, a thread of Node. There
   * `connectNode` of `hindcast/worker` makes a provider of the other port.
   *
   * @param port - a MessagePort, of which the other end was sent there
   * @returns a function that stops serving
   * @throws {InvalidParamsError} `INVALID_PARAMS` for anything else
   * @throws {UnsupportedError} `NODE_CLOSED`
   */
  serveOn(port: MessageEndpoint): () => void {
    this.#requireOpen();
    requireShape(messagePort(), port, "port");
    return this.#endpoints.serveOn(port);
  }

  /**
   * Stops servers and mining, waits for pending writes, and closes the store. Idempotent. Later calls throw
   * `NODE_CLOSED`.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const endpoints = this.#endpoints.close();
    // Branches read this node's store.
    await Promise.all([...this.#branches].map((branch) => branch.close()));
    await endpoints;
    await this.#backend.close();
    if (this.#origin !== undefined) this.#origin.#branches.delete(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
