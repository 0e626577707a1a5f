/** Properties of a working state, on random histories. */

import fc from "fast-check";
import { expect } from "vitest";
import type { AccountWrite } from "../../src/evm/engine.ts";
import { type Bytes, bytesKey, compareBytes, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../src/primitives/hash/hash.ts";
import { StateDatabase } from "../../src/state/state-database.ts";
import { EMPTY_STATE, type OwnStateId } from "../../src/state/state-id.ts";
import type { StateReader } from "../../src/state/view.ts";
import type { WorkingState } from "../../src/state/working/working-state.ts";
import { MemorySource } from "./memory-source.ts";
import { ADDRESSES, type Command, type CommandedWrite, history, SLOTS } from "./state-commands.ts";
import { codeHashOf, type ModelAccount, StateModel } from "./state-model.ts";

/** A working state and the model that follows it. */
class Pair {
  readonly state: WorkingState;
  readonly model: StateModel;
  /** The model's changes of the last transaction. */
  #changes: ReturnType<typeof changesBetween> = [];

  constructor(state: WorkingState, model: StateModel) {
    this.state = state;
    this.model = model;
  }

  fork(): Pair {
    return new Pair(this.state.fork(), this.model.copy());
  }

  apply(command: Command): void {
    const { state, model } = this;
    switch (command.kind) {
      case "put": {
        const before = state.getAccount(command.address) as { storageRoot: Bytes; codeHash: Bytes } | undefined;
        const { nonce, balance } = command;
        const { storageRoot, codeHash } = before ?? { storageRoot: EMPTY_TRIE_ROOT, codeHash: codeHashOf(EMPTY_BYTES) };
        state.putAccount(command.address, { nonce, balance, storageRoot, codeHash });
        model.put(command.address, { nonce, balance });
        return;
      }
      case "code":
        state.putCode(command.address, command.code);
        model.put(command.address, { code: command.code });
        return;
      case "slot":
        if (model.get(command.address) === undefined) return;
        state.putStorage(command.address, command.slot, command.value);
        model.putSlot(command.address, command.slot, command.value);
        return;
      case "read":
        expect(state.getStorage(command.address, command.slot)).toEqual(model.slot(command.address, command.slot));
        return;
      case "clear":
        state.clearStorage(command.address);
        if (model.get(command.address) !== undefined) model.put(command.address, { slots: new Map() });
        return;
      case "transaction":
        this.#applyTransaction(command.writes);
        return;
      default:
        throw new TypeError(`a pair cannot ${command.kind}`);
    }
  }

  #applyTransaction(commanded: readonly CommandedWrite[]): void {
    const before = this.model.copy();
    // Storage is wiped where a contract is made: its nonce is another then.
    const writes = commanded.map((write) =>
      write.wipesStorage ? { ...write, nonce: (before.get(write.address)?.nonce ?? 0n) + 1n } : write,
    );
    this.state.apply({ writes: writes.map((write) => this.#effectOf(write)) });
    for (const { address, isDeleted, wipesStorage, nonce, balance, code, slots } of writes) {
      if (isDeleted) {
        this.model.delete(address);
        continue;
      }
      this.model.put(address, { nonce, balance });
      if (code !== undefined) this.model.put(address, { code });
      if (wipesStorage) this.model.put(address, { slots: new Map() });
      for (const { slot, value } of slots) this.model.putSlot(address, slot, value);
    }
    this.#changes = changesBetween(before, this.model);
  }

  /** As an engine tells it: only slots that differ, and a hash with every code. */
  #effectOf(write: CommandedWrite): AccountWrite {
    const { address, isDeleted, wipesStorage, code } = write;
    const before = this.model.get(address);
    const valueBefore = (slot: Bytes): Bytes => (wipesStorage ? EMPTY_BYTES : this.model.slot(address, slot));
    return {
      ...write,
      codeHash: codeHashOf(code ?? before?.code ?? EMPTY_BYTES),
      slots: isDeleted ? [] : write.slots.filter(({ slot, value }) => compareBytes(value, valueBefore(slot)) !== 0),
    };
  }

  check(): void {
    expectSame(this.state, this.model);
    const expected = this.#changes;
    const found = this.state.transactionChanges().map(({ address, before, after, slots }) => ({
      address: bytesKey(address),
      before: before && [before.nonce, before.balance, bytesKey(before.codeHash)],
      after: after && [after.nonce, after.balance, bytesKey(after.codeHash)],
      slots: slots.map((change) => [change.slot, change.before, change.after].map(bytesKey)),
    }));
    expect(found.map(({ address, before, after }) => ({ address, before, after }))).toEqual(
      expected.map(({ address, before, after }) => ({ address, before, after })),
    );
    for (const [index, { slots }] of found.entries()) {
      // Slots that were never read cannot be listed when their storage is cleared as a whole.
      const all = new Map((expected[index]?.slots ?? []).map((change) => [change[0], change]));
      for (const change of slots) expect(change).toEqual(all.get(change[0]));
      const unlisted = (expected[index]?.slots ?? []).filter(([slot]) => !slots.some((change) => change[0] === slot));
      for (const [, , after] of unlisted) expect(after).toBe("");
    }
  }
}

function isOfPairs({ kind }: Command): boolean {
  return kind !== "root" && kind !== "commit" && kind !== "fork";
}

function expectSame(state: StateReader, model: StateModel): void {
  for (const address of ADDRESSES) {
    const account = state.getAccount(address) as Awaited<ReturnType<StateReader["getAccount"]>>;
    const expected = model.get(address);
    expect(account === undefined).toBe(expected === undefined);
    for (const slot of SLOTS) expect(state.getStorage(address, slot)).toEqual(model.slot(address, slot));
    if (account === undefined || expected === undefined) continue;
    expect([account.nonce, account.balance]).toEqual([expected.nonce, expected.balance]);
    expect(account.codeHash).toEqual(codeHashOf(expected.code));
    expect(state.getCode(account.codeHash)).toEqual(expected.code);
  }
}

function changesBetween(before: StateModel, after: StateModel) {
  const summary = (account: ModelAccount | undefined) =>
    account && [account.nonce, account.balance, bytesKey(codeHashOf(account.code))];
  const changes = [];
  for (const address of [...ADDRESSES].sort(compareBytes)) {
    const [left, right] = [before.get(address), after.get(address)];
    const slots = SLOTS.map((slot) =>
      [slot, before.slot(address, slot), after.slot(address, slot)].map(bytesKey),
    ).filter(([, old, now]) => old !== now);
    const same = JSON.stringify(summary(left), bigints) === JSON.stringify(summary(right), bigints);
    if (!same || slots.length > 0) {
      changes.push({ address: bytesKey(address), before: summary(left), after: summary(right), slots });
    }
  }
  return changes;
}

const bigints = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);

/** A stored state to start from, so that much is in the base and nothing in the overlay. */
async function aStoredState(
  start: readonly Command[],
): Promise<{ database: StateDatabase; source: MemorySource; pair: Pair }> {
  const source = new MemorySource();
  const first = new StateDatabase(source);
  const pair = new Pair(first.empty(), new StateModel());
  for (const command of start) if (isOfPairs(command)) pair.apply(command);
  const commit = pair.state.commitState();
  source.write(commit);
  const database = new StateDatabase(source);
  return { database, source, pair: new Pair(database.working(commit.stateRoot), pair.model.copy()) };
}

/** Reads, forks and has the roots that a plain map of accounts has. */
export async function followsTheModel(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, history, async (start, list) => {
      const { source, pair: first } = await aStoredState(start);
      const pairs = [first];
      for (const [index, command] of list.entries()) {
        // Forks are written in turn with what they came from, and none must see the others.
        const pair = pairs[index % pairs.length] as Pair;
        if (command.kind === "fork") {
          if (pairs.length < 4) pairs.push(pair.fork());
        } else if (command.kind === "root") {
          expect(pair.state.computeStateRoot()).toEqual(await pair.model.root());
        } else if (command.kind === "commit") {
          const commit = pair.state.commitState();
          expect(commit.stateRoot).toEqual(await pair.model.root());
          source.write(commit);
          expectSame(new StateDatabase(source).reader(commit.stateRoot), pair.model);
        } else {
          pair.apply(command);
        }
        if (index % 7 === 0) for (const each of pairs) each.check();
      }
      for (const pair of pairs) {
        pair.check();
        const commit = pair.state.commitState();
        expect(commit.stateRoot).toEqual(await pair.model.root());
        source.write(commit);
        expectSame(new StateDatabase(source).reader(commit.stateRoot), pair.model);
      }
    }),
    { numRuns },
  );
}

/** Commits a fork completely whether or not what it came from was ever stored. */
export async function commitsForksCompletely(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, history, history, async (start, before, after) => {
      const { source, pair } = await aStoredState(start);
      for (const command of before) if (isOfPairs(command)) pair.apply(command);
      pair.state.commitState();
      const fork = pair.fork();
      for (const command of after) if (isOfPairs(command)) fork.apply(command);
      const commit = fork.state.commitState();
      source.write(commit);
      expect(commit.stateRoot).toEqual(await fork.model.root());
      expectSame(new StateDatabase(source).reader(commit.stateRoot), fork.model);
    }),
    { numRuns },
  );
}

/** Knows whether an account has storage, whatever was written over what the base has. */
export async function knowsOfStorage(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, history, async (start, list) => {
      const { pair } = await aStoredState(start);
      for (const [index, command] of list.entries()) {
        if (isOfPairs(command)) pair.apply(command);
        if (index % 5 > 0) continue;
        for (const address of ADDRESSES) {
          expect(pair.state.hasStorage(address)).toBe((pair.model.get(address)?.slots.size ?? 0) > 0);
        }
      }
    }),
    { numRuns },
  );
}

/** Keeps old states readable, in the same database and anew, while new ones are written over any of them. */
export async function keepsOldStates(numRuns: number): Promise<void> {
  const blocks = fc.array(fc.tuple(history, fc.nat()), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(blocks, async (list) => {
      const source = new MemorySource();
      const database = new StateDatabase(source);
      const states: { root: OwnStateId; model: StateModel }[] = [{ root: EMPTY_STATE, model: new StateModel() }];
      for (const [block, choice] of list) {
        const parent = states[choice % states.length] as (typeof states)[number];
        const pair = new Pair(database.working(parent.root), parent.model.copy());
        for (const command of block) if (isOfPairs(command)) pair.apply(command);
        const commit = pair.state.commitState();
        source.write(commit);
        database.settle(commit);
        states.push({ root: commit.stateRoot, model: pair.model.copy() });
      }
      for (const { root, model } of states) {
        expectSame(database.reader(root), model);
        expectSame(new StateDatabase(source).reader(root), model);
      }
    }),
    { numRuns },
  );
}
