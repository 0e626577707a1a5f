/** A state for blocks without transactions: it collects their few writes instead of applying them. */
import type { AccountWrite, TransactionEffects } from "../evm/engine.ts";
import type { BlockState } from "../executor/run-block.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../primitives/hash/hash.ts";
import type { StateRun } from "../state/derived/state-run.ts";
import type { AccountState, StateWrite } from "../state/view.ts";

/** The state of a series of empty blocks. */
export class EmptyBlockState implements BlockState {
  readonly #run: StateRun;
  #writes: StateWrite[] = [];
  #isPlain = true;

  constructor(run: StateRun) {
    this.#run = run;
  }

  getAccount(address: Bytes): AccountState | undefined {
    return this.#run.getAccount(address);
  }

  getStorage(address: Bytes, slot: Bytes): Bytes {
    return this.#run.getStorage(address, slot);
  }

  getCode(codeHash: Bytes): Bytes {
    return this.#run.getCode(codeHash);
  }

  hasStorage(address: Bytes): boolean {
    return !equalBytes(this.#run.getAccount(address)?.storageRoot ?? EMPTY_TRIE_ROOT, EMPTY_TRIE_ROOT);
  }

  apply({ writes }: Pick<TransactionEffects, "writes">): void {
    for (const write of writes) this.#gather(write);
  }

  /** Collects changes of balances and slots; notes if there are others. */
  #gather({ address, isDeleted, wipesStorage, nonce, balance, codeHash, slots }: AccountWrite): void {
    const before = this.#run.getAccount(address);
    if (isDeleted && before === undefined) return;
    const isPlain = !isDeleted && !wipesStorage && nonce === (before?.nonce ?? 0n);
    if (!isPlain || !equalBytes(codeHash, before?.codeHash ?? EMPTY_CODE_HASH)) {
      this.#isPlain = false;
      return;
    }
    if (balance !== before?.balance) this.#writes.push({ address, balance });
    for (const { slot, value } of slots) this.#writes.push({ address, slot, value });
  }

  /** Root after a transaction; not used, because there are no transactions. */
  computeStateRoot(): Bytes {
    return this.#run.stateRoot;
  }

  /** The block's writes in order; undefined if they include others than balances and slots. */
  takeWrites(): readonly StateWrite[] | undefined {
    const taken = this.#isPlain ? this.#writes : undefined;
    this.#writes = [];
    return taken;
  }
}
