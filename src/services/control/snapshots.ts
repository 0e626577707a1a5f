/**
 * Snapshots: positions in the tree of histories that can be gone back to any number of times.
 *
 * Taking one notes a head, a state root and settings, and copies nothing: blocks and states are never changed once
 * they are stored. Snapshots nest, and going back to one leaves the others as they are.
 */
import type { Chain } from "../../chain/chain.ts";
import type { HeadChange } from "../../chain/write/head-change.ts";
import { NotFoundError } from "../../errors/hindcast-error.ts";
import type { MinerSettings } from "../../miner/block-plan.ts";
import type { Clock, ClockState } from "../../miner/clock.ts";
import type { Miner, MiningMode } from "../../miner/miner.ts";
import type { MiningSchedule } from "../../miner/mining-mode.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** A moment of a node that {@link Snapshots.revert} goes back to. */
export interface Snapshot {
  /** What it is asked for by, if it was given a name. */
  readonly name: string | undefined;
  readonly blockNumber: bigint;
  /** 32 bytes */
  readonly blockHash: Bytes;
  /** Root of the state, edits since the block included. */
  readonly stateRoot: Bytes;
}

interface Moment extends Snapshot {
  /** How far the chain had been written. */
  readonly position: number;
  readonly time: ClockState;
  readonly settings: MinerSettings;
  readonly miningMode: MiningMode;
}

export interface SnapshotsOptions {
  readonly chain: Chain;
  readonly miner: Miner;
  readonly schedule: MiningSchedule;
  readonly clock: Clock;
}

export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #taken = new WeakMap<Snapshot, Moment>();
  readonly #byName = new Map<string, Snapshot>();
  /** Those that were taken by number, ascending. */
  readonly #byNumber = new Map<bigint, Snapshot>();
  /** All that somebody may hold. */
  readonly #live = new Set<WeakRef<Snapshot>>();
  /** Numbered ones that nobody can ask for any more. */
  readonly #usedUp = new WeakSet<Snapshot>();
  #nextNumber = 0n;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** Takes a snapshot when the writes before it are done. A name that is in use moves to the new one. */
  take(name?: string): Promise<Snapshot> {
    const { chain, miner, schedule, clock } = this.#options;
    return chain.exclusively(async () => {
      const { head } = chain;
      const snapshot: Snapshot = Object.freeze({
        name,
        blockNumber: head.header.number,
        blockHash: head.hash,
        stateRoot: chain.headStateRoot,
      });
      const position = chain.writePosition;
      const moment = { position, time: clock.state, settings: miner.settings, miningMode: schedule.mode };
      this.#taken.set(snapshot, { ...snapshot, ...moment });
      this.#live.add(new WeakRef(snapshot));
      if (name !== undefined) this.#byName.set(name, snapshot);
      return snapshot;
    });
  }

  /**
   * Goes back, or over, to a snapshot: head, edits, time and settings are as they were. What waits in the pool stays;
   * transactions of blocks that leave are gone with them, and their logs are announced as removed.
   *
   * @param target - a snapshot of this node or its name; it is not used up
   * @throws {NotFoundError} `SNAPSHOT_NOT_FOUND`
   */
  async revert(target: Snapshot | string): Promise<HeadChange> {
    const snapshot = typeof target === "string" ? this.#byName.get(target) : target;
    const moment = snapshot === undefined ? undefined : this.#taken.get(snapshot);
    if (moment === undefined) throw notFound(target);
    const { chain } = this.#options;
    return chain.exclusively(() => this.#goTo(moment));
  }

  async #goTo(moment: Moment): Promise<HeadChange> {
    const { chain, miner, schedule, clock } = this.#options;
    const block = chain.archive.getBlock(moment.blockHash);
    if (block === undefined) throw notFound(moment);
    clock.restore(moment.time);
    miner.configure(moment.settings);
    if (schedule.mode !== moment.miningMode) schedule.set(moment.miningMode);
    const change = await chain.setHeadNow(block, { stateRoot: moment.stateRoot, forgetsTransactions: true });
    await chain.pruneSince(moment.position, this.kept());
    return change;
  }

  /** Snapshots that can still be gone back to: whoever took one holds it, or it has a name or number. */
  kept(): readonly Snapshot[] {
    const kept: Snapshot[] = [];
    for (const reference of this.#live) {
      const snapshot = reference.deref();
      if (snapshot === undefined || this.#usedUp.has(snapshot)) this.#live.delete(reference);
      else kept.push(snapshot);
    }
    return kept;
  }

  /** Takes a snapshot that is asked for by number, as clients of `evm_snapshot` do. Numbers rise from zero. */
  async takeNumbered(): Promise<bigint> {
    const number = this.#nextNumber++;
    this.#byNumber.set(number, await this.take());
    return number;
  }

  /**
   * Goes back to a numbered snapshot and uses it up, with all that were taken after it.
   *
   * @returns false if there is none with that number (any more)
   */
  async revertNumbered(number: bigint): Promise<boolean> {
    const snapshot = this.#byNumber.get(number);
    if (snapshot === undefined) return false;
    for (const other of [...this.#byNumber.keys()]) if (other >= number) this.#useUp(other);
    await this.revert(snapshot);
    return true;
  }

  #useUp(number: bigint): void {
    const snapshot = this.#byNumber.get(number);
    this.#byNumber.delete(number);
    if (snapshot !== undefined) this.#usedUp.add(snapshot);
  }

  /** Numbered snapshots that can be gone back to, ascending. */
  numbered(): readonly (readonly [number: bigint, snapshot: Snapshot])[] {
    return [...this.#byNumber];
  }

  /** Forgets the numbered ones; their numbers are not used again. */
  forgetNumbered(): void {
    for (const number of [...this.#byNumber.keys()]) this.#useUp(number);
  }

  /** Forgets all: what they lead to is no longer part of the chain. */
  forgetAll(): void {
    this.forgetNumbered();
    this.#byName.clear();
    for (const reference of this.#live) {
      const snapshot = reference.deref();
      if (snapshot !== undefined) this.#taken.delete(snapshot);
    }
    this.#live.clear();
  }
}

function notFound(target: Snapshot | string): NotFoundError {
  const name = typeof target === "string" ? target : target.name;
  return new NotFoundError({
    code: "SNAPSHOT_NOT_FOUND",
    what: name === undefined ? "This node has not taken that snapshot." : `This node has no snapshot "${name}".`,
    fix: "Go back only to what snapshot() of the same node gave.",
  });
}
