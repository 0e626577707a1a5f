/** A state as plain maps, copied whole at every turn: slow, and too simple to be wrong. Roots come from @ethereumjs/mpt. */
import { createMPT } from "@ethereumjs/mpt";
import { RLP } from "@ethereumjs/rlp";
import { Account } from "@ethereumjs/util";
import { type Bytes, bytesKey, EMPTY_BYTES, keyBytes } from "../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, keccak256 } from "../../src/primitives/hash/hash.ts";

export interface ModelAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Bytes;
  /** By slot key; never empty values. */
  readonly slots: ReadonlyMap<string, Bytes>;
}

export class StateModel {
  accounts: Map<string, ModelAccount>;

  constructor(accounts: ReadonlyMap<string, ModelAccount> = new Map()) {
    this.accounts = new Map(accounts);
  }

  copy(): StateModel {
    return new StateModel(this.accounts);
  }

  get(address: Bytes): ModelAccount | undefined {
    return this.accounts.get(bytesKey(address));
  }

  slot(address: Bytes, slot: Bytes): Bytes {
    return this.get(address)?.slots.get(bytesKey(slot)) ?? EMPTY_BYTES;
  }

  /** Changes members of an account, creating it. */
  put(address: Bytes, members: Partial<ModelAccount>): void {
    const before = this.get(address) ?? { nonce: 0n, balance: 0n, code: EMPTY_BYTES, slots: new Map() };
    this.accounts.set(bytesKey(address), { ...before, ...members });
  }

  delete(address: Bytes): void {
    this.accounts.delete(bytesKey(address));
  }

  putSlot(address: Bytes, slot: Bytes, value: Bytes): void {
    const slots = new Map(this.get(address)?.slots);
    if (value.length === 0) slots.delete(bytesKey(slot));
    else slots.set(bytesKey(slot), value);
    this.put(address, { slots });
  }

  /** Root of the whole state, built anew. */
  async root(): Promise<Bytes> {
    const trie = await createMPT({ useKeyHashing: true });
    for (const [address, { nonce, balance, code, slots }] of this.accounts) {
      const storage = await createMPT({ useKeyHashing: true });
      for (const [slot, value] of slots) await storage.put(keyBytes(slot), RLP.encode(value));
      const account = new Account(nonce, balance, storage.root(), codeHashOf(code));
      await trie.put(keyBytes(address), account.serialize());
    }
    return trie.root();
  }
}

export function codeHashOf(code: Bytes): Bytes {
  return code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
}
