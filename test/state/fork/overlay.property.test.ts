/** A state over another chain's: after any writes it is what the same writes make of a whole state. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../../src/primitives/hash/hash.ts";
import type { RemoteState } from "../../../src/state/fork/remote-state.ts";
import { StateDatabase } from "../../../src/state/state-database.ts";
import { stateOfForkedBlock } from "../../../src/state/state-id.ts";
import { EMPTY_ACCOUNT, type HashedBytes, type StateCommit } from "../../../src/state/view.ts";
import { runs } from "../../support/seed.ts";

const PIN = new Uint8Array(32).fill(0xaa);
const address = (id: number): Bytes => new Uint8Array(20).fill(id + 1);
const slotOf = (id: number): Bytes => new Uint8Array(32).fill(id + 1);
const CODE = Uint8Array.of(0x60, 0x00);

/** Plain accounts: what a state has to say of them. */
interface Plain {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly codeHash: Bytes;
  readonly slots: Map<number, Bytes>;
}

/** Accounts 0 to 2 of the other chain have two slots each, answered later or at once. */
const remoteAccount = (id: number): Plain | undefined =>
  id > 2
    ? undefined
    : {
        nonce: BigInt(id),
        balance: 5n,
        codeHash: id === 0 ? keccak256(CODE) : EMPTY_CODE_HASH,
        slots: new Map([
          [0, Uint8Array.of(7)],
          [1, Uint8Array.of(8 + id)],
        ]),
      };

function remoteState(isLate: boolean): RemoteState {
  const answer = <T>(value: T): T | Promise<T> => (isLate ? Promise.resolve(value) : value);
  const idOf = (bytes: Bytes): number => (bytes[0] ?? 1) - 1;
  return {
    getAccount: (at) => answer(remoteAccount(idOf(at))),
    getStorage: (at, slot) => answer(remoteAccount(idOf(at))?.slots.get(idOf(slot)) ?? EMPTY_BYTES),
    getCode: () => answer(CODE),
    provenRoot: undefined,
    getTrieNode: () => undefined,
  };
}

class Source {
  readonly #held = new Map<string, Bytes>();
  write({ trieNodes, codes }: StateCommit): void {
    for (const { hash, bytes } of [...trieNodes, ...codes] as HashedBytes[]) this.#held.set(bytesKey(hash), bytes);
  }
  readonly getTrieNode = (hash: Bytes): Bytes | undefined => this.#held.get(bytesKey(hash));
  readonly getCode = this.getTrieNode;
}

const id = fc.integer({ min: 0, max: 4 });
const slot = fc.integer({ min: 0, max: 2 });
const operation = fc.oneof(
  fc.record({ do: fc.constant("balance" as const), id, value: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ do: fc.constant("slot" as const), id, slot, value: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ do: fc.constant("delete" as const), id }),
  fc.record({ do: fc.constant("create" as const), id }),
  fc.record({ do: fc.constant("clear" as const), id }),
  fc.record({ do: fc.constant("commit" as const) }),
  fc.record({ do: fc.constant("fork" as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

describe.each([false, true])("a state of changes (answers come late: %s)", (isLate) => {
  it("is what the same writes make of a whole state", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
        const { root, source, model } = await write(operations, isLate);
        const remote = {
          pinned: remoteState(isLate),
          find: (hash: Bytes) => (hash === PIN ? remoteState(isLate) : undefined),
        };
        const reader = new StateDatabase(source, { remote }).reader(root);
        for (let each = 0; each <= 4; each++) {
          const plain = model.get(each);
          const account = await reader.getAccount(address(each));
          expect(account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash }).toEqual(
            plain && { nonce: plain.nonce, balance: plain.balance, codeHash: plain.codeHash },
          );
          for (let number = 0; number <= 2; number++) {
            expect(await reader.getStorage(address(each), slotOf(number))).toEqual(
              plain?.slots.get(number) ?? EMPTY_BYTES,
            );
          }
        }
        // Equal writes, equal roots, whatever was read and committed between them.
        const again = await write(
          operations.filter((each) => each.do !== "fork"),
          !isLate,
        );
        expect(again.root).toEqual(root);
      }),
      { numRuns: runs(300) },
    );
  });
});

async function write(operations: readonly Operation[], isLate: boolean) {
  const source = new Source();
  const remote = {
    pinned: remoteState(isLate),
    find: (hash: Bytes) => (hash === PIN ? remoteState(isLate) : undefined),
  };
  const states = new StateDatabase(source, { remote });
  let state = states.working(stateOfForkedBlock(PIN));
  const model = new Map<number, Plain>();
  for (let each = 0; each <= 2; each++) model.set(each, remoteAccount(each) as Plain);
  for (const each of operations) {
    if (each.do === "commit") {
      const commit = state.commitState();
      source.write(commit);
      states.settle(commit);
      state = states.working(commit.stateRoot);
    } else if (each.do === "fork") state = state.fork();
    else await apply(each, state, model);
  }
  const commit = state.commitState();
  source.write(commit);
  return { root: commit.stateRoot, source, model };
}

async function apply(
  each: Exclude<Operation, { do: "commit" | "fork" }>,
  state: ReturnType<StateDatabase["working"]>,
  model: Map<number, Plain>,
): Promise<void> {
  const at = address(each.id);
  const account = await state.getAccount(at);
  const plain = model.get(each.id);
  const { nonce, balance, codeHash } = account ?? EMPTY_ACCOUNT;
  const entry = {
    address: at,
    nonce,
    balance,
    codeHash,
    code: undefined,
    slots: [],
    isDeleted: false,
    wipesStorage: false,
  };
  switch (each.do) {
    case "balance":
      state.putAccount(at, { ...(account ?? EMPTY_ACCOUNT), balance: BigInt(each.value) });
      model.set(each.id, { ...(plain ?? blank()), balance: BigInt(each.value) });
      return;
    case "slot": {
      if (plain === undefined) return;
      const value = each.value === 0 ? EMPTY_BYTES : Uint8Array.of(each.value);
      state.putStorage(at, slotOf(each.slot), value);
      plain.slots.set(each.slot, value);
      return;
    }
    case "delete":
      state.apply({ writes: [{ ...entry, isDeleted: true }] } as never);
      model.delete(each.id);
      return;
    case "create":
      state.apply({
        writes: [{ ...entry, nonce: 1n, code: CODE, codeHash: keccak256(CODE), wipesStorage: true }],
      } as never);
      model.set(each.id, { nonce: 1n, balance, codeHash: keccak256(CODE), slots: new Map() });
      return;
    default:
      if (plain === undefined) return;
      state.clearStorage(at);
      plain.slots.clear();
  }
}

function blank(): Plain {
  return { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH, slots: new Map() };
}

it("is empty where nothing was changed", () => {
  const remote = { pinned: remoteState(false), find: (hash: Bytes) => (hash === PIN ? remoteState(false) : undefined) };
  expect(new StateDatabase(new Source(), { remote }).working(stateOfForkedBlock(PIN)).computeStateRoot()).toEqual(
    EMPTY_TRIE_ROOT,
  );
});
