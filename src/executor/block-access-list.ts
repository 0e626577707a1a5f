/**
 * The access list of a block (EIP-7928): accounts and slots that its execution accessed, and their changes by
 * transaction index. Index 0 stands for the system calls before the transactions, the index after the last for those
 * after them.
 */
import type { AccountAccess, AccountWrite, SlotWrite } from "../evm/engine.ts";
import type { EvmAccount } from "../evm/state-port.ts";
import {
  type Bytes,
  bytesKey,
  compareBytes,
  EMPTY_BYTES,
  equalBytes,
  stripLeadingZeros,
} from "../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash/hash.ts";
import { RlpWriter } from "../primitives/rlp/rlp-writer.ts";

/** Gas of the block's limit for each account and each slot in its access list. */
export const ACCESS_LIST_ITEM_GAS = 2_000n;

interface Change<Value> {
  readonly index: number;
  readonly value: Value;
}

/** Accesses and changes of an account, in the order of their indexes. */
interface AccountChanges {
  readonly address: Bytes;
  readonly slots: Map<string, { readonly slot: Bytes; readonly changes: Change<Bytes>[] }>;
  readonly balances: Change<bigint>[];
  readonly nonces: Change<bigint>[];
  readonly codes: Change<Bytes>[];
}

const NO_ACCOUNT: EvmAccount = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

/** Lives for one block. Order of calls does not matter; {@link encode} sorts by address and slot. */
export class BlockAccessListBuilder {
  readonly #accounts = new Map<string, AccountChanges>();

  /** Adds accounts and slots that were accessed. */
  see(accesses: readonly AccountAccess[]): void {
    for (const { address, slots } of accesses) {
      const account = this.#account(address);
      for (const slot of slots) this.#slot(account, slot);
    }
  }

  /**
   * Adds the changes that a transaction or system call made to an account. One that stayed as it was is not added: the
   * caller of system calls is touched only.
   *
   * @param before - the account before it
   */
  change(index: number, before: EvmAccount = NO_ACCOUNT, write: AccountWrite): void {
    const after = write.isDeleted ? NO_ACCOUNT : write;
    const slots = write.isDeleted ? [] : write.slots;
    const hasNewCode = !equalBytes(after.codeHash, before.codeHash);
    const isSame = after.balance === before.balance && after.nonce === before.nonce && !hasNewCode;
    if (isSame && slots.length === 0) return;
    const changed = this.#account(write.address);
    if (after.balance !== before.balance) changed.balances.push({ index, value: after.balance });
    if (after.nonce !== before.nonce) changed.nonces.push({ index, value: after.nonce });
    if (hasNewCode) changed.codes.push({ index, value: write.code ?? EMPTY_BYTES });
    this.#changeSlots(index, changed, slots);
  }

  #changeSlots(index: number, account: AccountChanges, slots: readonly SlotWrite[]): void {
    for (const { slot, value } of slots) this.#slot(account, slot).push({ index, value });
  }

  #account(address: Bytes): AccountChanges {
    const key = bytesKey(address);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account = { address, slots: new Map(), balances: [], nonces: [], codes: [] };
    this.#accounts.set(key, account);
    return account;
  }

  #slot({ slots }: AccountChanges, slot: Bytes): Change<Bytes>[] {
    const key = bytesKey(slot);
    const known = slots.get(key) ?? { slot, changes: [] };
    slots.set(key, known);
    return known.changes;
  }

  /** Number of accounts and slots in the list, which the block's gas limit bounds. */
  get items(): number {
    let items = this.#accounts.size;
    for (const { slots } of this.#accounts.values()) items += slots.size;
    return items;
  }

  /** RLP of the list. */
  encode(): Bytes {
    const writer = new RlpWriter();
    const accounts = [...this.#accounts.values()].sort((left, right) => compareBytes(right.address, left.address));
    for (const account of accounts) writeAccount(writer, account);
    writer.list(0);
    return writer.take();
  }
}

/** Written in reverse order, as {@link RlpWriter} requires. */
function writeAccount(writer: RlpWriter, { address, slots, balances, nonces, codes }: AccountChanges): void {
  const end = writer.length;
  const sorted = [...slots.values()].sort((left, right) => compareBytes(right.slot, left.slot));
  writeChanges(writer, codes, (code) => writer.string(code));
  writeChanges(writer, nonces, (nonce) => writer.integer(nonce));
  writeChanges(writer, balances, (balance) => writer.integer(balance));
  const readsEnd = writer.length;
  for (const { slot, changes } of sorted) if (changes.length === 0) writer.string(stripLeadingZeros(slot));
  writer.list(readsEnd);
  const writesEnd = writer.length;
  for (const { slot, changes } of sorted) {
    if (changes.length === 0) continue;
    const slotEnd = writer.length;
    writeChanges(writer, changes, (value) => writer.string(value));
    writer.string(stripLeadingZeros(slot));
    writer.list(slotEnd);
  }
  writer.list(writesEnd);
  writer.string(address);
  writer.list(end);
}

function writeChanges<Value>(
  writer: RlpWriter,
  changes: readonly Change<Value>[],
  write: (value: Value) => void,
): void {
  const end = writer.length;
  for (const { index, value } of [...changes].reverse()) {
    const changeEnd = writer.length;
    write(value);
    writer.integer(BigInt(index));
    writer.list(changeEnd);
  }
  writer.list(end);
}
