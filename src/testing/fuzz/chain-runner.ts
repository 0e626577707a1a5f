/**
 * Executes sequences of calls on a branch of a node, and checks invariants after each call.
 *
 * It keeps a snapshot after each call. A sequence that begins as another one did continues from the snapshot, so that
 * the calls that both share are executed once. The timestamps of blocks depend on the calls alone.
 */
import type { HindcastNode } from "../../node/hindcast-node.ts";
import { bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData, encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import type { Snapshot } from "../../services/control/snapshots.ts";
import { callKey, type WholeCall } from "./calls.ts";
import type { Targets } from "./functions.ts";
import { Invariants, type Violation } from "./invariants.ts";
import type { FuzzOptions } from "./options.ts";
import type { Sequence } from "./sequences.ts";

/** A sequence that broke an invariant by its last call. */
export interface BrokenBy {
  readonly calls: Sequence;
  readonly violation: Violation;
}

/** The result of a call. */
export interface Outcome {
  /** Undefined if the node refused the transaction, for example because the sender lacks the ether. */
  readonly hash: Hex | undefined;
  readonly status: "succeeded" | "failed" | "refused";
  /** Return data or revert data; for a refused call the reason, as UTF-8. */
  readonly output: Uint8Array;
}

/** The chain after some calls. */
interface Place {
  readonly snapshot: Snapshot;
  readonly next: Map<string, Place>;
}

const DEFAULT_GAS_LIMIT = 10_000_000n;
/** Most snapshots; beyond that all are forgotten. Each makes going back to any of them slower. */
const MOST_PLACES = 256;
/** Selector of Panic(uint256), and the code of a failed assert. */
const PANIC = "0x4e487b71";
const ASSERT = 1n;

/** Lives for one search, on a branch that it owns; the node under test is never changed. */
export class ChainRunner {
  readonly node: HindcastNode;
  readonly #targets: Targets;
  readonly #options: FuzzOptions;
  readonly #invariants: Invariants;
  /** Called after a call that ran code for the first time. */
  readonly #onNewCode: (calls: Sequence) => void;
  #start: Place;
  #place: Place;
  #places = 1;
  #calls = 0;

  private constructor(parts: RunnerParts, start: Place) {
    this.node = parts.node;
    this.#targets = parts.targets;
    this.#options = parts.options;
    this.#onNewCode = parts.onNewCode;
    this.#invariants = new Invariants(parts.options.invariants ?? {}, parts);
    this.#start = start;
    this.#place = start;
  }

  /** @param parts.node - a branch, of which the runner may change everything */
  static async open(parts: RunnerParts): Promise<ChainRunner> {
    const { node } = parts;
    node.setMiningMode("auto");
    node.coverage.start();
    return new ChainRunner(parts, { snapshot: await node.snapshot(), next: new Map() });
  }

  /** Number of calls that were executed. */
  get calls(): number {
    return this.#calls;
  }

  /** Checks the invariants before the first call. */
  checkStart(): Promise<Violation | undefined> {
    return this.#invariants.check([], this.#start.snapshot);
  }

  /** Executes a sequence up to the first call that breaks an invariant. */
  async run(sequence: Sequence): Promise<BrokenBy | undefined> {
    if (this.#places > MOST_PLACES) this.#forget();
    let place = this.#start;
    for (const [index, call] of sequence.entries()) {
      const key = callKey(call);
      let next = place.next.get(key);
      if (next === undefined) {
        await this.#goTo(place);
        const calls = sequence.slice(0, index + 1);
        const { violation, after } = await this.#step(calls, call);
        if (violation !== undefined) return { calls, violation };
        next = after;
        place.next.set(key, next);
        this.#places++;
      }
      place = next;
    }
    return undefined;
  }

  /** Executes a sequence anew, without a look at invariants. Nothing can be run after it. */
  async replay(sequence: Sequence): Promise<readonly Outcome[]> {
    await this.node.revert(this.#start.snapshot);
    const outcomes: Outcome[] = [];
    for (const call of sequence) outcomes.push(await this.#send(call));
    return outcomes;
  }

  #forget(): void {
    this.#start = { snapshot: this.#start.snapshot, next: new Map() };
    this.#places = 1;
  }

  async #goTo(place: Place): Promise<void> {
    if (this.#place === place) return;
    await this.node.revert(place.snapshot);
    this.#place = place;
  }

  async #step(
    calls: Sequence,
    call: WholeCall,
  ): Promise<{ readonly after: Place; readonly violation: Violation | undefined }> {
    const before = this.node.coverage.blocks;
    const outcome = await this.#send(call);
    const after: Place = { snapshot: await this.node.snapshot(), next: new Map() };
    this.#place = after;
    this.#calls++;
    if (this.node.coverage.blocks > before) this.#onNewCode(calls);
    if (outcome.status !== "succeeded") return { after, violation: this.#failureOf(outcome) };
    return { after, violation: await this.#invariants.check(calls, after.snapshot) };
  }

  /** Sends a call as a transaction, a second or more after the one before. */
  async #send(call: WholeCall): Promise<Outcome> {
    const { provider, head, time } = this.node;
    time.setNext(head.header.timestamp + 1n + call.delay);
    const { address, encode } = this.#targets.requireFunction(call.target, call.function);
    const transaction = {
      from: call.from,
      to: encodeData(address),
      data: encodeData(encode(call.args)),
      value: encodeQuantity(call.value),
      gas: encodeQuantity(this.#options.gasLimit ?? DEFAULT_GAS_LIMIT),
    };
    try {
      const hash = (await provider.send("eth_sendUnsignedTransaction", [transaction])) as Hex;
      return await this.#outcome(hash);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { hash: undefined, status: "refused", output: new TextEncoder().encode(message) };
    }
  }

  async #outcome(hash: Hex): Promise<Outcome> {
    const [receipt] = this.node.getReceipts(this.node.head).slice(-1);
    if (receipt?.status !== false) return { hash, status: "succeeded", output: new Uint8Array() };
    const { recording } = await this.node.debug.recordTransaction(decodeData(hash));
    return { hash, status: "failed", output: recording.frames[0]?.output ?? new Uint8Array() };
  }

  /** A failed call that ends the search. */
  #failureOf({ status, output }: Outcome): Violation | undefined {
    const { failOn = "assert" } = this.#options;
    if (status !== "failed" || failOn === "nothing") return undefined;
    const isPanic = output.length === 36 && encodeData(output.subarray(0, 4)) === PANIC;
    const isAssert = isPanic && bytesToBigInt(output.subarray(4)) === ASSERT;
    if (failOn === "assert" && !isAssert) return undefined;
    if (failOn === "panic" && !isPanic) return undefined;
    return { invariant: undefined, error: undefined };
  }
}

/** Parts that all places of a search share. `onNewCode` is called after a call that ran code for the first time. */
export interface RunnerParts {
  readonly node: HindcastNode;
  readonly targets: Targets;
  readonly options: FuzzOptions;
  readonly onNewCode: (calls: Sequence) => void;
}
