/**
 * stateDiff: the changes of a transaction, account by account (`docs/trace-formats.md`, section 5).
 *
 * Made from the changes that a state view reports, and the codes, which views only name by hash.
 */
import type { EvmAccount } from "../../evm/state-port.ts";
import { type Bytes, equalBytes, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import type { TraceClient } from "./flat-errors.ts";

/** The change of one account, as a state view's `transactionChanges()` gives it. Slot values have no leading zeros. */
export interface ChangedAccount {
  readonly address: Bytes;
  readonly before: EvmAccount | undefined;
  readonly after: EvmAccount | undefined;
  readonly slots: readonly ChangedSlot[];
  /** For a destroyed account: values that the transaction wrote into its slots before. Only reth shows them. */
  readonly lost?: readonly ChangedSlot[];
}

/** Values have no leading zeros. */
interface ChangedSlot {
  readonly slot: Bytes;
  readonly before: Bytes;
  readonly after: Bytes;
}

/** Unchanged, added, removed, or changed. */
export type Delta<Value> =
  | "="
  | { readonly "+": Value }
  | { readonly "-": Value }
  | { readonly "*": { readonly from: Value; readonly to: Value } };

/** The change of a slot. */
export interface SlotDelta {
  /** 32 bytes */
  readonly slot: Bytes;
  /** Values are 32 bytes; unchanged slots are left out. */
  readonly delta: Delta<Bytes>;
}

/** The changes of an account. Balances are in wei. */
export interface AccountDiff {
  readonly address: Bytes;
  readonly balance: Delta<bigint>;
  readonly nonce: Delta<bigint>;
  readonly code: Delta<Bytes>;
  /** In ascending order of the slot. */
  readonly storage: readonly SlotDelta[];
}

/** Changed accounts in ascending order of the address. */
export type StateDiff = readonly AccountDiff[];

/** Changes as the state view reports them. */
export interface StateDiffRequest {
  /** In ascending order of the address; slots in ascending order. */
  readonly changes: readonly ChangedAccount[];
  /** Code by hash, for every code hash in the changes. */
  readonly codeOf: (codeHash: Bytes) => Bytes;
  readonly client?: TraceClient;
  /** Addresses at which the transaction created code; needed for reth only. */
  readonly created?: readonly Bytes[];
}

/** The diff of a transaction. */
export function stateDiff(request: StateDiffRequest): StateDiff {
  const diffs: AccountDiff[] = [];
  for (const change of request.changes) {
    const diff = accountDiff(change, request);
    if (diff !== undefined) diffs.push(diff);
  }
  return diffs;
}

/** Treats an empty account as absent (EIP-161). */
function present(account: EvmAccount | undefined): EvmAccount | undefined {
  if (account === undefined) return undefined;
  const { nonce, balance, codeHash } = account;
  return nonce === 0n && balance === 0n && equalBytes(codeHash, EMPTY_CODE_HASH) ? undefined : account;
}

const ABSENT: EvmAccount = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

function accountDiff(change: ChangedAccount, request: StateDiffRequest): AccountDiff | undefined {
  const before = present(change.before);
  const after = present(change.after);
  if (before === undefined && after === undefined) return undefined;
  const { codeOf } = request;
  const isBorn = before === undefined && !(request.client === "reth" && !isCreatedContract(change, request));
  if (after !== undefined && isBorn) {
    return {
      address: change.address,
      balance: { "+": after.balance },
      nonce: { "+": after.nonce },
      code: { "+": codeOf(after.codeHash) },
      storage: change.slots.filter(({ after: value }) => value.length > 0).map((slot) => bornSlot(slot)),
    };
  }
  if (before !== undefined && after === undefined) {
    if (request.client === "reth") return robbedAccount(change, before);
    return {
      address: change.address,
      balance: { "-": before.balance },
      nonce: { "-": before.nonce },
      code: { "-": codeOf(before.codeHash) },
      storage: [],
    };
  }
  return alteredAccount(change, before ?? ABSENT, after ?? ABSENT, codeOf);
}

/** reth writes "+" only for contracts created in the transaction at an address without balance. */
function isCreatedContract({ address, before }: ChangedAccount, { created }: StateDiffRequest): boolean {
  return (before?.balance ?? 0n) === 0n && created?.some((other) => equalBytes(other, address)) === true;
}

/**
 * For a destroyed account reth shows the lost balance, and the slots as the transaction left them before the
 * destruction. Observed: revm-inspectors in Anvil 1.7.1.
 */
function robbedAccount({ address, lost = [] }: ChangedAccount, { balance }: EvmAccount): AccountDiff {
  return { address, balance: delta(balance, 0n), nonce: "=", code: "=", storage: alteredSlots(lost) };
}

function alteredAccount(
  change: ChangedAccount,
  before: EvmAccount,
  after: EvmAccount,
  codeOf: (codeHash: Bytes) => Bytes,
): AccountDiff | undefined {
  const balance = delta(before.balance, after.balance);
  const nonce = delta(before.nonce, after.nonce);
  const code: Delta<Bytes> = equalBytes(before.codeHash, after.codeHash)
    ? "="
    : { "*": { from: codeOf(before.codeHash), to: codeOf(after.codeHash) } };
  const storage = alteredSlots(change.slots);
  if (balance === "=" && nonce === "=" && code === "=" && storage.length === 0) return undefined;
  return { address: change.address, balance, nonce, code, storage };
}

function alteredSlots(slots: readonly ChangedSlot[]): SlotDelta[] {
  return slots
    .filter(({ before, after }) => !equalBytes(before, after))
    .map(({ slot, before, after }) => ({ slot, delta: { "*": { from: word(before), to: word(after) } } }));
}

function bornSlot({ slot, after }: ChangedSlot): SlotDelta {
  return { slot, delta: { "+": word(after) } };
}

function delta(from: bigint, to: bigint): Delta<bigint> {
  return from === to ? "=" : { "*": { from, to } };
}

function word(value: Bytes): Bytes {
  return padBytesLeft(value, 32);
}
