/** A state that a block runs on, with a list of all that was written to it. */
import type { AccountWrite, TransactionEffects } from "../../../evm/engine.ts";
import type { BlockState } from "../../../executor/run-block.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import type { AccountState } from "../../../state/view.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";

/** A write, and the balance that the account had before, in wei. */
export interface NotedWrite extends Pick<AccountWrite, "address" | "slots" | "isDeleted" | "wipesStorage"> {
  readonly balanceBefore: MaybePromise<bigint>;
}

/** Facts about the state that its accounts do not show. */
export interface NotedStateOptions {
  readonly isOnFork: boolean;
  /** True if an account has storage that the working state does not show by itself. */
  readonly hasMoreStorage?: (address: Bytes) => boolean;
}

/** Lives for one block. */
export class NotedState implements BlockState {
  readonly #state: WorkingState;
  readonly #options: NotedStateOptions;
  readonly #writes: NotedWrite[] = [];
  readonly #wiped = new Set<string>();
  /** Number of writes before the present transaction. */
  #begun = 0;

  constructor(state: WorkingState, options: NotedStateOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** All writes of the block. */
  get writes(): readonly NotedWrite[] {
    return this.#writes;
  }

  /** Writes since the last call of {@link beginTransaction}. */
  get transactionWrites(): readonly NotedWrite[] {
    return this.#writes.slice(this.#begun);
  }

  get isOnFork(): boolean {
    return this.#options.isOnFork;
  }

  beginTransaction(): void {
    this.#begun = this.#writes.length;
  }

  /** Begins the list of writes anew. */
  forgetWrites(): void {
    this.#writes.length = 0;
    this.#wiped.clear();
    this.#begun = 0;
  }

  /** An independent state with the same content. */
  fork(): WorkingState {
    return this.#state.fork();
  }

  getAccount(address: Bytes): MaybePromise<AccountState | undefined> {
    return this.#state.getAccount(address);
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    return this.#state.getStorage(address, slot);
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    return this.#state.getCode(codeHash);
  }

  hasStorage(address: Bytes): MaybePromise<boolean> {
    return this.#options.hasMoreStorage?.(address) === true || this.#state.hasStorage(address);
  }

  /** True if the block has deleted all slots that the account had before it. */
  hasWiped(address: Bytes): boolean {
    return this.#wiped.has(bytesKey(address));
  }

  apply(effects: Pick<TransactionEffects, "writes">): void {
    for (const write of effects.writes) this.#note(write);
    this.#state.apply(effects);
  }

  /** Writes outside of a transaction. */
  async edit(
    address: Bytes,
    slots: readonly Bytes[],
    edit: (state: WorkingState) => MaybePromise<void>,
  ): Promise<void> {
    const unset = slots.map((slot) => ({ slot, value: slot }));
    this.#note({ address, slots: unset, isDeleted: false, wipesStorage: false });
    await edit(this.#state);
  }

  computeStateRoot(): Bytes {
    return this.#state.computeStateRoot();
  }

  #note({ address, slots, isDeleted, wipesStorage }: Omit<NotedWrite, "balanceBefore">): void {
    const before = this.#state.getAccount(address);
    const balanceBefore = before instanceof Promise ? before.then(balanceOf) : balanceOf(before);
    // Read only if the transaction is compared; the run may end before that.
    if (balanceBefore instanceof Promise) balanceBefore.catch(() => undefined);
    this.#writes.push({ address, slots, isDeleted, wipesStorage, balanceBefore });
    if (isDeleted || wipesStorage) this.#wiped.add(bytesKey(address));
  }
}

function balanceOf(account: AccountState | undefined): bigint {
  return account?.balance ?? 0n;
}
