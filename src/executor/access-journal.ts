/**
 * What a transaction has accessed and touched: warm accounts and slots (EIP-2929), accounts to clear if empty (EIP-161).
 *
 * Takes the place of EthereumJS' Journal behind its method names: keys are byte strings instead of hex, an undo log
 * replaces its maps of sets, and what it keeps can be read by this room.
 */
import type { Account, Address } from "@ethereumjs/util";
import { type Bytes, bytesKey, concatBytes, equalBytes, keyBytes } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash.ts";
import type { EthereumJsStateManager } from "../state/ethereumjs-state-manager.ts";
import type { AccountState } from "../state/view.ts";

/** An account and the slots of it that opcodes looked at, for an access list (EIP-2930). */
export interface AccessedAccount {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/** Address of the RIPEMD-160 precompile. Once touched it stays so, even in a reverted frame (EIP-161, EIP-716). */
const RIPEMD_KEY = bytesKey(Uint8Array.of(...new Array(19).fill(0), 3));

export class AccessJournal {
  readonly #states: EthereumJsStateManager;
  /** Accounts by address, slots by address and slot. */
  readonly #warm = new Set<string>();
  readonly #touched = new Set<string>();
  /** Keys added since the transaction began, and the set each is in; checkpoints are positions in them. */
  readonly #undoKeys: string[] = [];
  readonly #undoSets: Set<string>[] = [];
  readonly #checkpoints: number[] = [];
  #report: Map<string, Map<string, Bytes>> | undefined;

  constructor(states: EthereumJsStateManager) {
    this.#states = states;
  }

  /** Checkpoints that are open. */
  get height(): number {
    return this.#checkpoints.length;
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undoKeys.length);
    this.#states.view.checkpoint();
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop();
    this.#states.view.commitCheckpoint();
  }

  async revert(): Promise<void> {
    this.undoTo(this.#checkpoints.pop() ?? 0);
    this.#states.view.revertCheckpoint();
  }

  /** How much has been accessed and touched so far, for {@link undoTo}. */
  get position(): number {
    return this.#undoKeys.length;
  }

  /** Forgets what was accessed and touched since a position. */
  undoTo(position: number): void {
    while (this.#undoKeys.length > position) {
      const key = this.#undoKeys.pop() as string;
      const set = this.#undoSets.pop() as Set<string>;
      if (set === this.#warm || key !== RIPEMD_KEY) set.delete(key);
    }
  }

  #add(set: Set<string>, key: string): void {
    if (set.has(key)) return;
    set.add(key);
    this.#undoKeys.push(key);
    this.#undoSets.push(set);
  }

  touch(address: Bytes): void {
    this.#add(this.#touched, bytesKey(address));
  }

  async putAccount(address: Address, account: Account): Promise<void> {
    this.touch(address.bytes);
    await this.#states.putAccount(address, account);
  }

  async deleteAccount(address: Address): Promise<void> {
    this.touch(address.bytes);
    this.#states.view.deleteAccount(address.bytes);
  }

  isWarmedAddress(address: Bytes): boolean {
    return this.#warm.has(bytesKey(address));
  }

  addWarmedAddress(address: Bytes): void {
    const key = bytesKey(address);
    this.#add(this.#warm, key);
    this.#reportAccount(key);
  }

  isWarmedStorage(address: Bytes, slot: Bytes): boolean {
    return this.#warm.has(bytesKey(concatBytes(address, slot)));
  }

  addWarmedStorage(address: Bytes, slot: Bytes): void {
    this.#add(this.#warm, bytesKey(concatBytes(address, slot)));
    this.#reportAccount(bytesKey(address))?.set(bytesKey(slot), slot);
  }

  /** EthereumJS' name for warming the delegate of the outermost call (EIP-7702). */
  addAlwaysWarmAddress(addressHex: string): void {
    this.addWarmedAddress(new Uint8Array(Buffer.from(addressHex.replace(/^0x/, ""), "hex")));
  }

  /** Collects what is looked at from here on, reverted frames included. */
  startReport(): void {
    this.#report = new Map();
  }

  #reportAccount(key: string): Map<string, Bytes> | undefined {
    if (this.#report === undefined) return undefined;
    let slots = this.#report.get(key);
    if (slots === undefined) {
      slots = new Map();
      this.#report.set(key, slots);
    }
    return slots;
  }

  /** What was looked at since {@link startReport}, in order of first access. */
  reported(): readonly AccessedAccount[] {
    return Array.from(this.#report ?? [], ([key, slots]) => ({ address: keyBytes(key), slots: [...slots.values()] }));
  }

  /** Removes touched accounts that are empty or absent (EIP-161). */
  async clearEmptyAccounts(): Promise<void> {
    const { view } = this.#states;
    for (const key of this.#touched) {
      const address = keyBytes(key);
      const found = view.getAccount(address);
      const account = found instanceof Promise ? await found : found;
      if (account === undefined || isEmpty(account)) view.deleteAccount(address);
    }
  }

  /** Forgets everything: the transaction is over. */
  cleanJournal(): void {
    this.#warm.clear();
    this.#touched.clear();
    this.#undoKeys.length = 0;
    this.#undoSets.length = 0;
    this.#checkpoints.length = 0;
    this.#report = undefined;
  }
}

/** EIP-161: no nonce, no balance, no code. */
function isEmpty({ nonce, balance, codeHash }: AccountState): boolean {
  return nonce === 0n && balance === 0n && equalBytes(codeHash, EMPTY_CODE_HASH);
}
