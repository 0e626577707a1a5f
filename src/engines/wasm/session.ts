/** A session of the WebAssembly engine: runs transactions on one instance of the core. */
import type {
  BlockContext,
  EngineSession,
  Message,
  MessageResult,
  SessionRequest,
  TransactionContext,
  TransactionEffects,
} from "../../evm/engine.ts";
import type { EvmAccount } from "../../evm/state-port.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { readAccount, StateLoader } from "./accounts.ts";
import { Records } from "./core-exports.generated.ts";
import type { CoreInstance } from "./core-instance.ts";
import { reportCoverage } from "./coverage-reader.ts";
import { effectsOf, newCodeOf } from "./effects.ts";
import { writeBlock, writePrecompiles, writeTransaction } from "./environment.ts";
import { MessageRunner } from "./message-runner.ts";
import type { Precompile } from "./precompiles/precompile.ts";
import type { SharedMemory } from "./shared-memory.ts";
import { TraceReader } from "./trace-reader.ts";

const { Mailbox } = Records;

/** Parts of a session. */
export interface SessionParts {
  readonly instance: CoreInstance;
  readonly request: SessionRequest;
  /** By standard address. */
  readonly precompiles: ReadonlyMap<number, Precompile>;
  readonly memory: SharedMemory<CoreInstance>;
  /** Returns the instance to the pool. */
  readonly release: () => void;
}

/** A session on an instance of the core, which it holds until {@link close}. */
export class WasmSession implements EngineSession {
  readonly #parts: SessionParts;
  readonly #instance: CoreInstance;
  readonly #loader: StateLoader;
  readonly #runner: MessageRunner;
  #block: BlockContext;
  /** True if the core's tables have effects of a completed transaction. */
  #hasEnded = false;
  /** The point to which the running transaction can revert. */
  #mark = 0;

  constructor(parts: SessionParts) {
    const { instance, request, precompiles, memory } = parts;
    this.#parts = parts;
    this.#instance = instance;
    this.#block = request.block;
    this.#loader = new StateLoader(instance, request.state);
    this.#runner = new MessageRunner({
      instance,
      loader: this.#loader,
      precompiles,
      pace: request.pace,
      memory,
      abandon: () => this.abandon(),
      beforeDropping: () => this.#reportCoverage(),
    });
    instance.message = undefined;
    instance.guard(() => {
      writePrecompiles(instance, precompiles, request.precompiles);
      this.#clearState();
    });
    this.enterBlock(request.block);
  }

  /** Clears the state in the core, unless the last session read the same state and that state never changes. */
  #clearState(): void {
    const { state, isStateFixed } = this.#parts.request;
    if (this.#instance.state !== state || isStateFixed !== true) this.#instance.core.beginSession();
    this.#instance.state = undefined;
  }

  enterBlock(block: BlockContext): void {
    this.#block = block;
    writeBlock(this.#instance, this.#parts.request.chainId, block);
  }

  begin(transaction: TransactionContext): void {
    const instance = this.#instance;
    const { sink } = transaction;
    instance.message = undefined;
    this.#runner.begin(this.#block, sink && new TraceReader(instance, sink));
    instance.guard(() => writeTransaction(instance, transaction));
    sink?.begin?.({
      getAccount: (address) => this.#peekAccount(address),
      getStorage: (address, slot) => this.#loader.readSlot(address, slot),
      getCode: (codeHash) => this.getCode(codeHash),
    });
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    return newCodeOf(this.#instance, this.#transactionNumber, codeHash) ?? this.#parts.request.state.getCode(codeHash);
  }

  get #transactionNumber(): number {
    return this.#instance.core.transaction.value;
  }

  warmAddress(address: Bytes): void {
    this.#instance.guard(() => this.#warm(address));
  }

  #warm(address: Bytes): number {
    const { bytes, mailbox, core } = this.#instance;
    bytes.set(address, mailbox);
    const account = core.accountOf();
    core.warm(account);
    return account;
  }

  warmSlot(address: Bytes, slot: Bytes): void {
    this.#instance.guard(() => {
      const account = this.#warm(address);
      const { bytes, mailbox, core } = this.#instance;
      bytes.set(slot, mailbox);
      core.warmSlotAt(account);
    });
  }

  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined> {
    return this.#withAccount(address, (number) => {
      this.#instance.core.see(number);
      return readAccount(this.#instance, this.#instance.accountAt(number));
    });
  }

  checkpoint(): void {
    this.#mark = this.#instance.core.checkpoint();
  }

  revert(): void {
    this.#instance.guard(() => this.#instance.core.revertTo(this.#mark));
  }

  /** Reads an account for a sink, without marking it as accessed. */
  #peekAccount(address: Bytes): MaybePromise<EvmAccount | undefined> {
    return this.#withAccount(address, (number) => readAccount(this.#instance, this.#instance.accountAt(number)));
  }

  #withAccount<T>(address: Bytes, use: (number: number) => T): MaybePromise<T> {
    const instance = this.#instance;
    return instance.guard(() => {
      const found = this.#loader.find(address);
      return found instanceof Promise ? found.then((number) => instance.guard(() => use(number))) : use(found);
    });
  }

  setNonce(address: Bytes, nonce: bigint): MaybePromise<void> {
    return this.#withAccount(address, (number) => {
      this.#instance.core.see(number);
      this.#instance.core.changeNonce(number, nonce);
    });
  }

  addBalance(address: Bytes, amount: bigint): MaybePromise<void> {
    return this.#withAccount(address, (number) => {
      const instance = this.#instance;
      const isTaken = amount < 0n;
      instance.core.see(number);
      instance.writeWord(instance.mailbox + Mailbox.value, isTaken ? -amount : amount);
      instance.core.changeBalance(number, isTaken);
    });
  }

  setCode(address: Bytes, code: Bytes): MaybePromise<void> {
    return this.#withAccount(address, (number) => {
      const instance = this.#instance;
      const place = instance.core.prepareNewCode(code.length) >>> 0;
      instance.bytes.set(code, place);
      instance.core.see(number);
      instance.core.changeCode(number, place, code.length);
    });
  }

  run(message: Message): MaybePromise<MessageResult> {
    return this.#runner.run(message);
  }

  end(): TransactionEffects {
    this.#runner.end();
    this.#hasEnded = true;
    return this.#instance.guard(() => {
      this.#reportCoverage();
      this.#instance.core.endTransaction();
      return effectsOf(this.#instance, this.#transactionNumber);
    });
  }

  abandon(): void {
    const instance = this.#instance;
    this.#runner.abandon();
    if (instance.isBroken) return;
    instance.guard(() => {
      this.#reportCoverage();
      instance.core.abandonTransaction();
    });
    const { state, isStateFixed } = this.#parts.request;
    if (isStateFixed === true && !this.#hasEnded) instance.state = state;
  }

  #reportCoverage(): void {
    const { coverage } = this.#parts.request;
    if (coverage !== undefined) reportCoverage(this.#instance, coverage);
  }

  close(): void {
    this.#loader.dropAnswers();
    this.#parts.release();
  }
}
