/**
 * Snapshots: states of the node to which it can be reverted any number of times.
 *
 * A snapshot records a head, a state root and settings. It copies nothing, because stored blocks and states never
 * change. Snapshots nest; reverting to one does not affect the others.
 */

import type { ChainWriter } from "../../chain/chain-writer.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../chain/readable-chain.ts";
import type { HeadChange } from "../../chain/write/head-change.ts";
import type { SpecChanges } from "../../chainspec/chain-spec.ts";
import { NotFoundError } from "../../errors/hindcast-error.ts";
import type { MinerSettings } from "../../miner/block-plan.ts";
import type { Clock, ClockState } from "../../miner/clock.ts";
import type { Miner, MiningMode } from "../../miner/miner.ts";
import type { MiningSchedule } from "../../miner/mining-mode.ts";
import { restorePool } from "../../miner/sync-pool.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { StateId } from "../../state/state-id.ts";
import type { SavedPool, TxPool } from "../../txpool/tx-pool.ts";

/** A state of the node that {@link Snapshots.revert} restores. */
export interface Snapshot {
  /** Undefined if it was taken without a name. */
  readonly name: string | undefined;
  readonly blockNumber: bigint;
  /** 32 bytes */
  readonly blockHash: Bytes;
  /** Root of the state, including edits after the block. */
  readonly stateRoot: StateId;
}

/** A snapshot with all that a revert restores. */
interface SavedSnapshot extends Snapshot {
  /** Write position of the chain at that time; what was written later can be pruned after a revert. */
  readonly position: number;
  readonly time: ClockState;
  readonly settings: MinerSettings;
  readonly miningMode: MiningMode;
  readonly changes: SpecChanges;
  readonly pool: SavedPool;
}

/**
 * The pool after a revert: `restored` to what waited when the snapshot was taken, what was mined since among it; `left`
 * as it is, without what the revert has made invalid; or `emptied`.
 */
export type PoolAfterRevert = "restored" | "left" | "emptied";

/** Parts of the node whose settings a snapshot records beside the chain's head. */
export interface SnapshotsOptions {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly writer: ChainWriter;
  readonly miner: Miner;
  readonly schedule: MiningSchedule;
  readonly clock: Clock;
  readonly pool: TxPool;
  readonly habits: SnapshotHabits;
}

/** Behaviours in which development nodes differ. */
export interface SnapshotHabits {
  readonly poolAfterRevert: PoolAfterRevert;
  /** Number of the first numbered snapshot. */
  readonly firstSnapshot: bigint;
}

/**
 * The snapshots of one node. Those taken by number (`evm_snapshot`) are used up by a revert, with all later ones; the
 * others are not.
 */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #taken = new WeakMap<Snapshot, SavedSnapshot>();
  readonly #byName = new Map<string, Snapshot>();
  /** Snapshots that were taken by number, in ascending order. */
  readonly #byNumber = new Map<bigint, Snapshot>();
  /** All snapshots that a caller may still hold. */
  readonly #live = new Set<WeakRef<Snapshot>>();
  /** Numbered snapshots whose number was used up. */
  readonly #usedUp = new WeakSet<Snapshot>();
  #nextNumber: bigint;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#nextNumber = options.habits.firstSnapshot;
  }

  /** Takes a snapshot after pending writes. If the name is in use, it moves to the new snapshot. */
  take(name?: string): Promise<Snapshot> {
    const { chain, writer, miner, schedule, clock, pool } = this.#options;
    return writer.exclusively(async () => {
      const { head } = chain;
      const snapshot: Snapshot = Object.freeze({
        name,
        blockNumber: head.header.number,
        blockHash: head.hash,
        stateRoot: chain.headStateId,
      });
      const position = writer.writePosition;
      const { changes } = chain.spec;
      const { settings } = miner;
      const saved = { position, time: clock.state, settings, miningMode: schedule.mode, changes, pool: pool.save() };
      this.#taken.set(snapshot, { ...snapshot, ...saved });
      this.#live.add(new WeakRef(snapshot));
      if (name !== undefined) this.#byName.set(name, snapshot);
      return snapshot;
    });
  }

  /**
   * Restores a snapshot, on this branch or another: head, edits, time, settings and waiting transactions. Others that were
   * sent or mined since are dropped, and the logs of removed blocks are announced as removed.
   *
   * @param target - a snapshot of this node, or its name; it can be used again
   * @throws {NotFoundError} `SNAPSHOT_NOT_FOUND`
   */
  async revert(target: Snapshot | string): Promise<HeadChange> {
    const snapshot = typeof target === "string" ? this.#byName.get(target) : target;
    const saved = snapshot === undefined ? undefined : this.#taken.get(snapshot);
    if (saved === undefined) throw notFound(target);
    return this.#options.writer.exclusively(() => this.#goTo(saved));
  }

  async #goTo(saved: SavedSnapshot): Promise<HeadChange> {
    const { chain, writer, miner, schedule, clock, pool, habits } = this.#options;
    const block = chain.archive.getBlock(saved.blockHash);
    if (block === undefined) throw notFound(saved);
    clock.restore(saved.time);
    miner.configure(saved.settings);
    if (schedule.mode !== saved.miningMode) schedule.set(saved.miningMode);
    const change = await writer.setHeadNow(block, {
      stateId: saved.stateRoot,
      specChanges: saved.changes,
      forgetsTransactions: true,
    });
    if (habits.poolAfterRevert === "restored") await restorePool(chain, pool, saved.pool);
    if (habits.poolAfterRevert === "emptied") pool.clear();
    await writer.pruneSince(saved.position, this.live());
    return change;
  }

  /** Snapshots that can still be restored, because a caller holds them or they have a name or number. */
  live(): readonly Snapshot[] {
    const live: Snapshot[] = [];
    for (const reference of this.#live) {
      const snapshot = reference.deref();
      if (snapshot === undefined || this.#usedUp.has(snapshot)) this.#live.delete(reference);
      else live.push(snapshot);
    }
    return live;
  }

  /** Takes a numbered snapshot, as `evm_snapshot` does. Numbers ascend. */
  async takeNumbered(): Promise<bigint> {
    const number = this.#nextNumber++;
    this.#byNumber.set(number, await this.take());
    return number;
  }

  /**
   * Restores a numbered snapshot, and deletes it with all that were taken after it.
   *
   * @returns false if there is no snapshot with that number
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

  /** Numbered snapshots that can be restored, in ascending order. */
  numbered(): readonly (readonly [number: bigint, snapshot: Snapshot])[] {
    return [...this.#byNumber];
  }

  /** Deletes all numbered snapshots; their numbers are not used again. */
  forgetNumbered(): void {
    for (const number of [...this.#byNumber.keys()]) this.#useUp(number);
  }

  /** Deletes all snapshots, because their blocks are no longer part of the chain. */
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
