/**
 * What a transaction has accessed and touched: warm accounts and slots (EIP-2929), accounts to clear if empty (EIP-161).
 *
 * Takes the place of EthereumJS' Journal behind its method names. Keys are those of the state views instead of hex, an
 * undo log replaces its maps of sets, and what it keeps can be read by this room.
 */
import type { Account, Address } from "@ethereumjs/util";
import { type Bytes, equalBytes } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash.ts";
import type { EthereumJsStateManager } from "../state/ethereumjs-state-manager.ts";
import { addressKey, wordKey } from "../state/map-keys.ts";
import type { AccountState } from "../state/view.ts";

/** An account and the slots of it that opcodes looked at, for an access list (EIP-2930). */
export interface AccessedAccount {
  readonly address: Bytes;
  readonly slots: readonly Bytes[];
}

/** One account of the transaction. */
class Access {
  readonly address: Bytes;
  isWarm = false;
  isTouched = false;
  readonly warmSlots = new Set<string>();

  constructor(address: Bytes) {
    this.address = address;
  }
}

/** What an undo entry takes back; anything else is the key of a slot. */
const WARM = "warm";
const TOUCHED = "touched";

/** Address of the RIPEMD-160 precompile. Once touched it stays so, even in a reverted frame (EIP-161, EIP-716). */
const RIPEMD_ADDRESS: Bytes = Uint8Array.of(...new Array(19).fill(0), 3);

export class AccessJournal {
  readonly #states: EthereumJsStateManager;
  readonly #accounts = new Map<string, Access>();
  /** What was added since the transaction began; checkpoints are positions in it. */
  readonly #undoAccess: Access[] = [];
  readonly #undoWhat: string[] = [];
  readonly #checkpoints: number[] = [];
  /** Accounts that are warm although nobody has looked at them yet, by key. */
  #warmFromStart: ReadonlyMap<string, Bytes> | undefined;
  #report: Map<Access, Map<string, Bytes>> | undefined;
  // The running account's address and the slot of an SSTORE are asked for again and again, as the very same arrays.
  #lastAddress: Bytes | undefined;
  #lastAccess: Access | undefined;
  #lastSlot: Bytes | undefined;
  #lastSlotKey = "";

  constructor(states: EthereumJsStateManager) {
    this.#states = states;
  }

  /** Checkpoints that are open. */
  get height(): number {
    return this.#checkpoints.length;
  }

  openCheckpoint(): void {
    this.#checkpoints.push(this.#undoAccess.length);
    this.#states.view.checkpoint();
  }

  commitCheckpoint(): void {
    this.#checkpoints.pop();
    this.#states.view.commitCheckpoint();
  }

  revertCheckpoint(): void {
    this.undoTo(this.#checkpoints.pop() ?? 0);
    this.#states.view.revertCheckpoint();
  }

  async checkpoint(): Promise<void> {
    this.openCheckpoint();
  }

  async commit(): Promise<void> {
    this.commitCheckpoint();
  }

  async revert(): Promise<void> {
    this.revertCheckpoint();
  }

  /** How much has been accessed and touched so far, for {@link undoTo}. */
  get position(): number {
    return this.#undoAccess.length;
  }

  /** Forgets what was accessed and touched since a position. */
  undoTo(position: number): void {
    for (let index = this.#undoAccess.length - 1; index >= position; index--) {
      const access = this.#undoAccess[index] as Access;
      const what = this.#undoWhat[index] as string;
      if (what === WARM) access.isWarm = false;
      else if (what !== TOUCHED) access.warmSlots.delete(what);
      else if (!equalBytes(access.address, RIPEMD_ADDRESS)) access.isTouched = false;
    }
    this.#undoAccess.length = position;
    this.#undoWhat.length = position;
  }

  #find(address: Bytes): Access {
    if (address === this.#lastAddress) return this.#lastAccess as Access;
    const key = addressKey(address);
    let access = this.#accounts.get(key);
    if (access === undefined) {
      access = new Access(address);
      if (this.#warmFromStart?.has(key) === true) access.isWarm = true;
      this.#accounts.set(key, access);
    }
    this.#lastAddress = address;
    this.#lastAccess = access;
    return access;
  }

  #slotKey(slot: Bytes): string {
    if (slot !== this.#lastSlot) {
      this.#lastSlot = slot;
      this.#lastSlotKey = wordKey(slot);
    }
    return this.#lastSlotKey;
  }

  #note(access: Access, what: string): void {
    this.#undoAccess.push(access);
    this.#undoWhat.push(what);
  }

  touch(address: Bytes): void {
    const access = this.#find(address);
    if (access.isTouched) return;
    access.isTouched = true;
    this.#note(access, TOUCHED);
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
    return this.#find(address).isWarm;
  }

  addWarmedAddress(address: Bytes): void {
    this.#warm(this.#find(address));
  }

  /**
   * Warms accounts that most transactions never look at: each is noted when it is met. At a transaction's start only.
   *
   * @param accounts - addresses by their keys
   */
  warmFromStart(accounts: ReadonlyMap<string, Bytes>): void {
    if (this.#report !== undefined) for (const address of accounts.values()) this.addWarmedAddress(address);
    this.#warmFromStart = accounts;
    for (const [key, access] of this.#accounts) if (accounts.has(key)) access.isWarm = true;
  }

  #warm(access: Access): void {
    if (this.#report !== undefined) this.#reportOf(access, this.#report);
    if (access.isWarm) return;
    access.isWarm = true;
    this.#note(access, WARM);
  }

  isWarmedStorage(address: Bytes, slot: Bytes): boolean {
    return this.#find(address).warmSlots.has(this.#slotKey(slot));
  }

  addWarmedStorage(address: Bytes, slot: Bytes): void {
    const access = this.#find(address);
    const key = this.#slotKey(slot);
    this.#warm(access);
    if (this.#report !== undefined) this.#reportOf(access, this.#report).set(key, slot);
    if (access.warmSlots.has(key)) return;
    access.warmSlots.add(key);
    this.#note(access, key);
  }

  /** EthereumJS' name for warming the delegate of the outermost call (EIP-7702). */
  addAlwaysWarmAddress(addressHex: string): void {
    this.addWarmedAddress(new Uint8Array(Buffer.from(addressHex.replace(/^0x/, ""), "hex")));
  }

  /** Collects what is looked at from here on, reverted frames included. */
  startReport(): void {
    this.#report = new Map();
  }

  #reportOf(access: Access, report: Map<Access, Map<string, Bytes>>): Map<string, Bytes> {
    let slots = report.get(access);
    if (slots === undefined) {
      slots = new Map();
      report.set(access, slots);
    }
    return slots;
  }

  /** What was looked at since {@link startReport}, in order of first access. */
  reported(): readonly AccessedAccount[] {
    return Array.from(this.#report ?? [], ([{ address }, slots]) => ({ address, slots: [...slots.values()] }));
  }

  /** Removes touched accounts that are empty or absent (EIP-161). */
  async clearEmptyAccounts(): Promise<void> {
    const { view } = this.#states;
    for (const { address, isTouched } of this.#accounts.values()) {
      if (!isTouched) continue;
      const found = view.getAccount(address);
      const account = found instanceof Promise ? await found : found;
      if (account === undefined || isEmpty(account)) view.deleteAccount(address);
    }
  }

  /** Forgets everything: the transaction is over. */
  cleanJournal(): void {
    this.#accounts.clear();
    this.#undoAccess.length = 0;
    this.#undoWhat.length = 0;
    this.#checkpoints.length = 0;
    this.#report = undefined;
    this.#warmFromStart = undefined;
    this.#lastAddress = undefined;
    this.#lastAccess = undefined;
    this.#lastSlot = undefined;
  }
}

/** EIP-161: no nonce, no balance, no code. */
function isEmpty({ nonce, balance, codeHash }: AccountState): boolean {
  return nonce === 0n && balance === 0n && equalBytes(codeHash, EMPTY_CODE_HASH);
}
