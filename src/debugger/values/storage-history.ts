/** Storage of accounts at each step of a transaction. */
import { StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import type { Preimages } from "../../explain/storage/slot-names.ts";
import { readWrites, type StorageWrite } from "../../explain/storage/storage-writes.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { atOnce } from "../../primitives/platform/turns.ts";
import { ownSteps } from "../../tracer/inspect/machine-at.ts";
import { FrameMachine } from "../../tracer/replay.ts";
import type { DebuggedTransaction, EarlierStorage } from "../recording/transaction.ts";
import type { StoragePlace } from "./storage-place.ts";

const SLOT_BITS = 256;

/** One for each session. Slots that the transaction did not write are asked of the node. */
export class StorageHistory {
  readonly #earlier: EarlierStorage;
  readonly #all: readonly StorageWrite[];
  readonly #writes = new Map<string, StorageWrite[]>();
  readonly #used = new Map<string, Map<bigint, number>>();
  /** Inputs of KECCAK256, by which keys of mappings are known. */
  readonly preimages: Preimages;

  constructor({ transaction, contracts, storage }: DebuggedTransaction) {
    const { frames, steps } = transaction;
    this.#earlier = storage;
    const { writes, preimages } = atOnce(readWrites({ frames, steps, accesses: [] }, contracts));
    this.preimages = preimages;
    this.#all = writes;
    for (const write of writes) {
      const key = keyOf(write.account, write.slot, write.isTransient);
      const list = this.#writes.get(key) ?? [];
      list.push(write);
      this.#writes.set(key, list);
    }
    this.#findUses({ transaction });
  }

  /** Values of slots before a step; undefined for those that are not known. */
  async read(account: Bytes, slots: readonly bigint[], step: number): Promise<readonly (bigint | undefined)[]> {
    const written = slots.map((slot) => this.#writtenAt(keyOf(account, slot, false), step));
    const missing = slots.filter((_, index) => written[index] === undefined);
    const earlier = missing.length === 0 ? [] : await this.#earlier.read(account, missing);
    let next = 0;
    return written.map((value) => value ?? earlier[next++]);
  }

  /** A slot of transient storage before a step, which is zero until it is written. */
  readTransient(account: Bytes, slot: bigint, step: number): bigint {
    return this.#writtenAt(keyOf(account, slot, true), step) ?? 0n;
  }

  /** The writes to the slots of a place that were done, in order; those that are undone later, too. */
  writesTo({ account, isTransient, slot, slots }: StoragePlace): readonly StorageWrite[] {
    const isInside = (write: StorageWrite): boolean => BigInt.asUintN(SLOT_BITS, write.slot - slot) < slots;
    const key = bytesKey(account);
    return this.#all.filter(
      (write) => write.isTransient === isTransient && isInside(write) && bytesKey(write.account) === key,
    );
  }

  /** Slots of an account that were used before a step, in ascending order. */
  usedSlots(account: Bytes, { isTransient, step }: { readonly isTransient: boolean; readonly step: number }): bigint[] {
    const used = this.#used.get(`${isTransient}${bytesKey(account)}`) ?? new Map<bigint, number>();
    const slots = [...used].filter(([, first]) => first < step).map(([slot]) => slot);
    return slots.sort((left, right) => (left < right ? -1 : 1));
  }

  /** The newest write that no failed call has undone by then. */
  #writtenAt(key: string, step: number): bigint | undefined {
    return this.#writes.get(key)?.findLast((write) => write.step < step && write.undoneAt > step)?.value;
  }

  #findUses({ transaction: { frames, steps } }: Pick<DebuggedTransaction, "transaction">): void {
    for (const frame of frames) {
      const { account } = frame;
      if (!frame.isStarted || account === undefined) continue;
      const machine = new FrameMachine(frame);
      for (const { number, buffer, row, child } of ownSteps({ frames, steps }, frame)) {
        const opcode = buffer.opcode(row);
        const isPermanent = opcode === Op.SLOAD || opcode === Op.SSTORE;
        const isUse = isPermanent || opcode === Op.TLOAD || opcode === Op.TSTORE;
        if (isUse && buffer.outcome(row) === StepOutcome.done) {
          const key = `${!isPermanent}${bytesKey(account)}`;
          const used = this.#used.get(key) ?? new Map<bigint, number>();
          const slot = machine.operand(0);
          used.set(slot, Math.min(number, used.get(slot) ?? number));
          this.#used.set(key, used);
        }
        machine.apply(buffer, row, child);
      }
    }
  }
}

function keyOf(account: Bytes, slot: bigint, isTransient: boolean): string {
  return `${bytesKey(account)}:${slot}:${isTransient}`;
}
