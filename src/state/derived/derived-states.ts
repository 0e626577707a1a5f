/**
 * States whose trie nodes are not stored, since they can be computed of an earlier state. An empty block changes two slots, and with
 * them a dozen trie nodes. Of its state only the two writes are stored, with the root of the state before; that may be such a state
 * itself. The nodes are computed when the state is read: from the last state whose nodes are stored, block by block.
 *
 * Computed nodes stay in memory until {@link DerivedStates.retire}, and while somebody reads them. A state is computed whole
 * or not at all.
 */
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { DerivedState, HashedBytes } from "../view.ts";
import { decodeDerivedState } from "./derived-state.ts";
import type { StateRun } from "./state-run.ts";

/**
 * When several states are computed in sequence, all nodes of every 64th stay in memory, so that later requests can start
 * there.
 */
const STRIDE = 64;
/** No request mines as many blocks, so a longer chain of derived states must be a cycle. */
const MAX_STEPS = 10_000_000;
/** Estimated bytes of a node beside its RLP. */
const NODE_OVERHEAD = 200;

/** Source of derived states, implemented by {@link StateDatabase}. */
export interface DerivedStatesSource {
  /** Encoded, by root. */
  getDerivedState(stateRoot: Bytes): Bytes | undefined;
  /** True if all nodes of a state are in the store. */
  isStored(stateRoot: Bytes): boolean;
  /** Opens a run on a state whose nodes can be read. */
  openRun(stateRoot: Bytes): StateRun;
}

/** One for each {@link StateDatabase}. Computing a state costs a run over all writes since the last state with stored nodes. */
export class DerivedStates {
  readonly #source: DerivedStatesSource;
  #nodes = new HashMap<Bytes>();
  /** Nodes that only earlier readers find, see {@link retire}. */
  readonly #retired = new Set<HashMap<Bytes>>();
  #byteCount = 0;

  constructor(source: DerivedStatesSource) {
    this.#source = source;
  }

  /** Estimated memory of the computed nodes, in bytes. */
  get byteCount(): number {
    return this.#byteCount;
  }

  has(stateRoot: Bytes): boolean {
    return this.#source.getDerivedState(stateRoot) !== undefined;
  }

  /** A computed node. */
  getTrieNode(hash: Bytes): Bytes | undefined {
    const node = this.#nodes.isEmpty ? undefined : this.#nodes.get(hash);
    return node !== undefined || this.#retired.size === 0 ? node : this.#retiredNode(hash);
  }

  #retiredNode(hash: Bytes): Bytes | undefined {
    for (const nodes of this.#retired) {
      const node = nodes.get(hash);
      if (node !== undefined) return node;
    }
    return undefined;
  }

  /**
   * Computes the nodes of a state. Does nothing for a state that is stored or unknown.
   *
   * @throws {StoreError} `STORE_CORRUPT` if the writes do not result in the root
   */
  ensure(stateRoot: Bytes): void {
    if (this.#isReadable(stateRoot) || !this.has(stateRoot)) return;
    const { base, steps } = this.#wayTo(stateRoot, (root) => this.#isReadable(root));
    const run = this.#source.openRun(base);
    for (const [index, { writes }] of steps.entries()) {
      run.apply(writes);
      if (index % STRIDE === STRIDE - 1 && index < steps.length - 1) this.#keep(run.commitState().trieNodes);
    }
    const commit = run.commitState();
    requireRoot(commit.stateRoot, stateRoot);
    this.#keep(commit.trieNodes);
  }

  /**
   * Nodes of a derived state that its nearest stored ancestor lacks; none for a stored state. Once they are stored, the
   * state is readable as long as that ancestor is.
   *
   * @throws {StoreError} `STORE_CORRUPT` if the writes do not result in the root
   */
  nodesOf(stateRoot: Bytes): readonly HashedBytes[] {
    if (!this.has(stateRoot)) return [];
    const { base, steps } = this.#wayTo(stateRoot, () => false);
    const run = this.#source.openRun(base);
    for (const { writes } of steps) run.apply(writes);
    const commit = run.commitState();
    requireRoot(commit.stateRoot, stateRoot);
    return commit.trieNodes;
  }

  /**
   * Lets states be computed anew where they are needed. Who reads one goes on with the nodes that are computed already, until
   * the returned function is called: it drops them and gives their hashes.
   */
  retire(): () => Iterable<Bytes> {
    const nodes = this.#nodes;
    this.#retired.add(nodes);
    this.#nodes = new HashMap();
    this.#byteCount = 0;
    return () => {
      this.#retired.delete(nodes);
      return nodes.hashes();
    };
  }

  #isReadable(stateRoot: Bytes): boolean {
    return this.#nodes.get(stateRoot) !== undefined || this.#source.isStored(stateRoot);
  }

  /** The nearest earlier state that can be read, and the writes from there to a state, in order. */
  #wayTo(stateRoot: Bytes, isEnough: (root: Bytes) => boolean): { base: Bytes; steps: readonly DerivedState[] } {
    const steps: DerivedState[] = [];
    let root = stateRoot;
    for (;;) {
      const encoded = steps.length > 0 && isEnough(root) ? undefined : this.#source.getDerivedState(root);
      if (encoded === undefined) return { base: root, steps: steps.reverse() };
      if (steps.length === MAX_STEPS) throw notDerived(stateRoot);
      const step = decodeOrReport(encoded, root);
      steps.push(step);
      root = step.baseRoot;
    }
  }

  #keep(nodes: readonly HashedBytes[]): void {
    for (const { hash, bytes } of nodes) {
      if (this.#nodes.get(hash) !== undefined) continue;
      this.#nodes.set(hash, bytes);
      this.#byteCount += bytes.length + NODE_OVERHEAD;
    }
  }
}

function requireRoot(found: Bytes, expected: Bytes): void {
  if (!equalBytes(found, expected)) throw notDerived(expected);
}

function decodeOrReport(encoded: Bytes, stateRoot: Bytes): DerivedState {
  try {
    return decodeDerivedState(encoded);
  } catch (cause) {
    throw notDerived(stateRoot, cause);
  }
}

function notDerived(stateRoot: Bytes, cause?: unknown): StoreError {
  return new StoreError({
    code: "STORE_CORRUPT",
    what: "What a state is derived from does not lead to it.",
    where: `State root ${encodeData(stateRoot)}.`,
    fix: "Restore the folder from a copy, or delete it and import the chain again.",
    cause,
  });
}
