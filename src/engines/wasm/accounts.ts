/** Loads state into the core on demand, and reads accounts with the transaction's changes. */
import type { EngineState, EvmAccount } from "../../evm/state-port.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import * as Layout from "./core/machine/layout.ts";
import { Records } from "./core-exports.generated.ts";
import type { CoreInstance } from "./core-instance.ts";

const { Account, Mailbox, Need, Slot } = Records;

const ADDRESS_BYTES = 20;

/** The address of an account in the core's table. */
export function addressAt(instance: CoreInstance, account: number): Bytes {
  return instance.reversed(account + Account.key, ADDRESS_BYTES);
}

/** An account in the core's table; undefined if it does not exist. */
export function readAccount(instance: CoreInstance, account: number): EvmAccount | undefined {
  const flags = instance.half(account + Account.flags);
  if ((flags & Layout.FLAG_EXISTS) === 0) return undefined;
  const hasCode = (flags & Layout.FLAG_HAS_CODE) !== 0;
  return {
    nonce: instance.long(account + Account.nonce),
    balance: instance.word(account + Account.balance),
    codeHash: hasCode ? instance.copy(account + Account.codeHash, 32) : EMPTY_CODE_HASH,
  };
}

/** Loads the state that one session's core asks for. */
export class StateLoader {
  readonly #instance: CoreInstance;
  readonly #state: EngineState;
  /** Incremented when pending answers are dropped. */
  #generation = 0;

  constructor(instance: CoreInstance, state: EngineState) {
    this.#instance = instance;
    this.#state = state;
  }

  /** Drops pending answers. Another session may use the core when they arrive. */
  dropAnswers(): void {
    this.#generation++;
  }

  /** Passes an answer to a function: at once, or when it arrives unless it is dropped before. */
  take<T>(answer: MaybePromise<T>, use: (answer: T) => void): Promise<void> | undefined {
    if (answer instanceof Promise) return this.#takeLater(answer, use);
    use(answer);
  }

  async #takeLater<T>(answer: Promise<T>, use: (answer: T) => void): Promise<void> {
    const generation = this.#generation;
    const settled = await answer;
    if (generation === this.#generation) use(settled);
  }

  /** Loads everything that the core lists; returns a promise if any of it is asynchronous. */
  serve(): Promise<unknown> | undefined {
    const instance = this.#instance;
    const { mailbox } = instance;
    const count = instance.half(mailbox + Mailbox.needCount);
    const waiting: Promise<unknown>[] = [];
    for (let index = 0; index < count; index++) {
      const need = mailbox + Mailbox.firstNeed + index * Need.bytes;
      const served = this.#serve(instance.half(need), instance.half(need + 4));
      if (served !== undefined) waiting.push(served);
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting);
  }

  #serve(kind: number, number: number): Promise<unknown> | undefined {
    if (kind === Layout.NEED_ACCOUNT) return this.loadAccount(number);
    if (kind === Layout.NEED_SLOT) return this.#loadSlot(number);
    return kind === Layout.NEED_CODE ? this.#loadCode(number) : this.#loadStorageFlag(number);
  }

  /** Loads an account, by its number, into the core. */
  loadAccount(number: number): Promise<unknown> | undefined {
    const address = addressAt(this.#instance, this.#instance.accountAt(number));
    return this.take(this.#state.getAccount(address), (account) => this.#fillAccount(number, account));
  }

  #fillAccount(number: number, account: EvmAccount | undefined): void {
    const instance = this.#instance;
    const at = instance.accountAt(number);
    const known = instance.half(at + Account.flags);
    // It was requested twice. It may have changed since the first answer.
    if ((known & Layout.FLAG_LOADED) !== 0) return;
    const flags = known | Layout.FLAG_LOADED;
    if (account === undefined) {
      instance.setHalf(at + Account.flags, flags);
      return;
    }
    const { nonce, balance, codeHash } = account;
    const hasCode = codeHash !== EMPTY_CODE_HASH && !equalBytes(codeHash, EMPTY_CODE_HASH);
    instance.setHalf(at + Account.flags, flags | Layout.FLAG_EXISTS | (hasCode ? Layout.FLAG_HAS_CODE : 0));
    instance.writeLong(at + Account.nonce, nonce);
    instance.writeWord(at + Account.balance, balance);
    if (!hasCode) return;
    instance.bytes.set(codeHash, at + Account.codeHash);
    const place = instance.codePlaces.get(bytesKey(codeHash));
    if (place !== undefined) instance.setHalf(at + Account.code, place);
  }

  #loadSlot(number: number): Promise<unknown> | undefined {
    const instance = this.#instance;
    const at = instance.slotAt(number);
    const account = instance.accountAt(instance.half(at + Slot.account));
    const found = this.#state.getStorage(addressAt(instance, account), instance.reversed(at + Slot.key, 32));
    return this.take(found, (value) => this.#fillSlot(number, value));
  }

  #fillSlot(number: number, value: Bytes): void {
    const instance = this.#instance;
    const at = instance.slotAt(number);
    if (instance.half(at + Slot.loaded) !== 0) return;
    instance.writeReversed(at + Slot.value, value);
    instance.setHalf(at + Slot.loaded, 1);
  }

  #loadCode(number: number): Promise<unknown> | undefined {
    const instance = this.#instance;
    const codeHash = instance.copy(instance.accountAt(number) + Account.codeHash, 32);
    const key = bytesKey(codeHash);
    const place = instance.codePlaces.get(key);
    if (place !== undefined && instance.isLoaded(place)) {
      instance.setHalf(instance.accountAt(number) + Account.code, place);
      return undefined;
    }
    return this.take(this.#state.getCode(codeHash), (code) => this.#fillCode(number, key, code));
  }

  #fillCode(number: number, key: string, code: Bytes): void {
    const instance = this.#instance;
    const { core, codePlaces } = instance;
    const place = codePlaces.get(key) ?? core.newCode(code.length) >>> 0;
    codePlaces.set(key, place);
    if (!instance.isLoaded(place)) {
      const bytesAt = core.prepareBytes(place) >>> 0;
      instance.bytes.set(code, bytesAt);
      core.finishCode(place);
      instance.codes.set(place, code);
    }
    instance.setHalf(instance.accountAt(number) + Account.code, place);
  }

  #loadStorageFlag(number: number): Promise<unknown> | undefined {
    const address = addressAt(this.#instance, this.#instance.accountAt(number));
    return this.take(this.#state.hasStorage(address), (isPresent) => {
      const at = this.#instance.accountAt(number) + Account.storageFlag;
      this.#instance.setHalf(at, isPresent ? Layout.STORAGE_PRESENT : Layout.STORAGE_EMPTY);
    });
  }

  /** Number of the account at an address, which is loaded if necessary. */
  find(address: Bytes): MaybePromise<number> {
    const instance = this.#instance;
    instance.bytes.set(address, instance.mailbox);
    const number = instance.core.accountOf();
    const at = instance.accountAt(number);
    if ((instance.half(at + Account.flags) & Layout.FLAG_LOADED) !== 0) return number;
    const loading = this.loadAccount(number);
    return loading === undefined ? number : loading.then(() => number);
  }

  /** Value of a slot with the transaction's changes. */
  readSlot(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    const found = this.find(address);
    return found instanceof Promise
      ? found.then((number) => this.#readSlot(number, slot))
      : this.#readSlot(found, slot);
  }

  #readSlot(account: number, slot: Bytes): MaybePromise<Bytes> {
    const instance = this.#instance;
    if (readAccount(instance, instance.accountAt(account)) === undefined) return EMPTY_BYTES;
    instance.bytes.set(slot, instance.mailbox);
    const number = instance.core.slotOf(account);
    const value = (): Bytes => instance.stripped(instance.slotAt(number) + Slot.value);
    if (instance.half(instance.slotAt(number) + Slot.loaded) !== 0) return value();
    const loading = this.#loadSlot(number);
    return loading === undefined ? value() : loading.then(value);
  }
}
