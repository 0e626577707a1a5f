/** A session of the WebAssembly engine: transactions one after the other on one instance of the core. */
import { isAtLeast } from "../../chainspec/hardforks.ts";
import { InternalError, LimitError } from "../../errors/hindcast-error.ts";
import type {
  BlockContext,
  EngineSession,
  Message,
  MessageResult,
  PrecompileTable,
  SessionRequest,
  TransactionContext,
  TransactionEffects,
} from "../../evm/engine.ts";
import type { FailureDetail } from "../../evm/frames.ts";
import type { EvmAccount } from "../../evm/state-port.ts";
import { type Bytes, EMPTY_BYTES, keyBytes } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { accountAt, Needs } from "./accounts.ts";
import { effectsOf, newCodeOf } from "./effects.ts";
import { type CoreInstance, isTrap } from "./instance.ts";
import * as Layout from "./layout.ts";
import { detailOf, errorOf, numberOfFault } from "./outcomes.ts";
import type { Precompile, PrecompileAnswer } from "./precompiles/precompile.ts";
import { logsOf, TraceReader, traceBits } from "./trace-reader.ts";

/** Fuel of a slice of the run loop: about a millisecond. */
const SLICE_FUEL = 1_000_000;
/** The same for what the host does meanwhile, as the gas of precompiles. */
const SLICE_WORK = 30_000;
/** What reading an account or a slot counts as: one that lies on a disk takes some ten microseconds. */
const READ_WORK = 300;
/** How often the clock is looked at while something is waited for, in milliseconds. */
const WAITING_CHECK_MS = 20;
const MAX_GAS = 2n ** 63n - 1n;
const KIND_CALL = 0;

/** What a session works with. */
export interface SessionParts {
  readonly instance: CoreInstance;
  readonly request: SessionRequest;
  /** By the address at which each is at home. */
  readonly precompiles: ReadonlyMap<number, Precompile>;
  readonly memoryLimit: number;
  /** Takes the instance back; one that broke is not to be used again. */
  readonly release: (isBroken: boolean) => void;
}

export class WasmSession implements EngineSession {
  readonly #parts: SessionParts;
  readonly #instance: CoreInstance;
  readonly #needs: Needs;
  #block: BlockContext;
  #trace: TraceReader | undefined;
  #message: Message | undefined;
  #isDone = false;
  /** What the host did since it last looked at the clock; see {@link SLICE_WORK}. */
  #work = 0;
  /** Stops precompiles that compute elsewhere. */
  #giveUp: AbortController | undefined;
  #isBroken = false;
  /** Some transaction left its effects in the core's tables. */
  #hasEnded = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#instance = parts.instance;
    this.#block = parts.request.block;
    this.#needs = new Needs(parts.instance, parts.request.state);
    this.#inCore(() => {
      this.#writePrecompiles();
      this.#forgetState();
    });
    this.#writeEnvironment(Layout.ENVIRONMENT_CHAIN_ID, parts.request.chainId);
    this.enterBlock(parts.request.block);
  }

  /**
   * Has the core do something.
   *
   * @throws {LimitError} `EXECUTION_MEMORY`
   * @throws {InternalError} `INTERNAL_ERROR` when the core trapped
   */
  #inCore<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** What a trap of the core is to callers; anything else is what it was. */
  #explain(error: unknown): unknown {
    return isTrap(error) ? this.#broken(error) : error;
  }

  /** All at home are warm; those of the table answer. */
  #writePrecompiles(): void {
    const instance = this.#instance;
    const { request, precompiles } = this.#parts;
    const table = request.precompiles ?? precompiles;
    if (table === instance.precompileTable) return;
    instance.precompileTable = table;
    instance.state = undefined;
    instance.core.clearPrecompiles();
    for (const [address, home] of answering(precompiles, request.precompiles)) {
      instance.writeWord(instance.mailbox, address);
      instance.core.addPrecompile(home, address <= 0xffffn && precompiles.has(Number(address)) ? 1 : 0);
    }
  }

  /** What the session before read stays, if it read the same state, and that never changes. */
  #forgetState(): void {
    const { state, isStateFixed } = this.#parts.request;
    if (this.#instance.state !== state || isStateFixed !== true) this.#instance.core.beginSession();
    this.#instance.state = undefined;
  }

  enterBlock(block: BlockContext): void {
    this.#block = block;
    const instance = this.#instance;
    instance.writeReversed(instance.environment + Layout.ENVIRONMENT_COINBASE, block.coinbase);
    this.#writeEnvironment(Layout.ENVIRONMENT_TIMESTAMP, block.timestamp);
    this.#writeEnvironment(Layout.ENVIRONMENT_NUMBER, block.number);
    if (isAtLeast(block.hardfork, "paris"))
      instance.writeReversed(instance.environment + Layout.ENVIRONMENT_DIFFICULTY, block.prevRandao);
    else this.#writeEnvironment(Layout.ENVIRONMENT_DIFFICULTY, block.difficulty);
    this.#writeEnvironment(Layout.ENVIRONMENT_GAS_LIMIT, block.gasLimit);
    this.#writeEnvironment(Layout.ENVIRONMENT_BASE_FEE, block.baseFeePerGas ?? 0n);
    this.#writeEnvironment(Layout.ENVIRONMENT_BLOB_BASE_FEE, block.blobBaseFee ?? 0n);
  }

  #writeEnvironment(place: number, value: bigint): void {
    this.#instance.writeWord(this.#instance.environment + place, value);
  }

  begin(transaction: TransactionContext): void {
    const { sink } = transaction;
    this.#message = undefined;
    this.#trace = sink === undefined ? undefined : new TraceReader(this.#instance, sink);
    this.#inCore(() => this.#writeTransaction(transaction));
    sink?.begin?.({
      getAccount: (address) => this.getAccount(address),
      getStorage: (address, slot) => this.#needs.readSlot(address, slot),
      getCode: (codeHash) => this.getCode(codeHash),
    });
  }

  #writeTransaction({ origin, gasPrice, blobVersionedHashes, sink }: TransactionContext): void {
    const instance = this.#instance;
    const { core } = instance;
    const watched = sink?.wants.frames;
    instance.writeReversed(instance.mailbox, watched instanceof Uint8Array ? watched : EMPTY_BYTES);
    core.beginTransaction(sink === undefined ? 0 : traceBits(sink));
    instance.writeReversed(instance.environment + Layout.ENVIRONMENT_ORIGIN, origin);
    this.#writeEnvironment(Layout.ENVIRONMENT_GAS_PRICE, gasPrice);
    const hashes = core.prepareBlobHashes(blobVersionedHashes.length) >>> 0;
    blobVersionedHashes.forEach((hash, index) => {
      instance.bytes.set(hash, hashes + index * 32);
    });
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    return newCodeOf(this.#instance, this.#transactionNumber, codeHash) ?? this.#parts.request.state.getCode(codeHash);
  }

  get #transactionNumber(): number {
    return this.#instance.core.transaction.value;
  }

  warmAddress(address: Bytes): void {
    this.#inCore(() => this.#warm(address));
  }

  #warm(address: Bytes): number {
    const { bytes, mailbox, core } = this.#instance;
    bytes.set(address, mailbox);
    const account = core.accountOf();
    core.warm(account);
    return account;
  }

  warmSlot(address: Bytes, slot: Bytes): void {
    this.#inCore(() => {
      const account = this.#warm(address);
      const { bytes, mailbox, core } = this.#instance;
      bytes.set(slot, mailbox);
      core.warmSlotAt(account);
    });
  }

  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined> {
    return this.#withAccount(address, (number) =>
      accountAt(this.#instance, this.#instance.core.accountAt(number) >>> 0),
    );
  }

  #withAccount<T>(address: Bytes, use: (number: number) => T): MaybePromise<T> {
    return this.#inCore(() => {
      const found = this.#needs.find(address);
      return found instanceof Promise ? found.then((number) => this.#inCore(() => use(number))) : use(found);
    });
  }

  setNonce(address: Bytes, nonce: bigint): MaybePromise<void> {
    return this.#withAccount(address, (number) => this.#instance.core.changeNonce(number, nonce));
  }

  addBalance(address: Bytes, amount: bigint): MaybePromise<void> {
    return this.#withAccount(address, (number) => {
      const instance = this.#instance;
      const isTaken = amount < 0n;
      instance.writeWord(instance.mailbox + Layout.MAIL_VALUE, isTaken ? -amount : amount);
      instance.core.changeBalance(number, isTaken ? 1 : 0);
    });
  }

  setCode(address: Bytes, code: Bytes): MaybePromise<void> {
    return this.#withAccount(address, (number) => {
      const instance = this.#instance;
      const place = instance.core.prepareNewCode(code.length) >>> 0;
      instance.bytes.set(code, place);
      instance.core.changeCode(number, place, code.length);
    });
  }

  run(message: Message): MaybePromise<MessageResult> {
    this.#message = message;
    this.#isDone = false;
    return this.#inCore(() => {
      this.#start(message);
      const waiting = this.#check() ?? this.#advance();
      return waiting === undefined ? this.#result(message) : this.#runWaiting(waiting, message);
    });
  }

  #start(message: Message): void {
    const instance = this.#instance;
    const { core, mailbox } = instance;
    const { data } = message;
    const input = core.prepareInput(data.length) >>> 0;
    const { bytes } = instance;
    bytes.set(data, input);
    bytes.set(message.from, mailbox + Layout.MAIL_FROM);
    bytes.set(message.to ?? message.createdAddress ?? EMPTY_BYTES, mailbox + Layout.MAIL_TO);
    instance.writeWord(mailbox + Layout.MAIL_VALUE, message.value);
    const kind = message.to === undefined ? Layout.KIND_CREATE : KIND_CALL;
    core.beginMessage(kind, message.gasLimit > MAX_GAS ? MAX_GAS : message.gasLimit, data.length);
  }

  async #runWaiting(first: Promise<unknown>, message: Message): Promise<MessageResult> {
    try {
      for (let waiting: Promise<unknown> | undefined = first; waiting !== undefined; waiting = this.#advance()) {
        await waiting;
      }
      return this.#result(message);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Runs until something has to be waited for; undefined when the message is over and told of. */
  #advance(): Promise<unknown> | undefined {
    while (!this.#isDone) {
      const status = this.#instance.core.run(SLICE_FUEL);
      this.#isDone = status === Layout.DONE;
      const waiting = this.#isDone ? this.#takeTrace() : this.#serve(status);
      if (waiting !== undefined) return waiting;
    }
  }

  /** The core trapped: its memory is not to be trusted any more. */
  #broken(cause: unknown): Error {
    this.#isBroken = true;
    if (this.#instance.core.trapReason.value === Layout.TRAP_MEMORY) {
      return new LimitError({
        code: "EXECUTION_MEMORY",
        what: `The execution needs more memory than the ${this.#parts.memoryLimit} bytes that one may have.`,
        where: this.#place(),
        fix: "Give the call less gas, or raise the limit executionMemory.",
      });
    }
    return new InternalError({
      code: "INTERNAL_ERROR",
      what: "The engine's core broke off.",
      where: this.#place(),
      cause,
    });
  }

  #place(): string {
    if (this.#message === undefined) return "No message had begun.";
    const { from, to, gasLimit, data } = this.#message;
    const target = to === undefined ? "a creation" : `a call of ${encodeData(to)}`;
    return `It ran ${target} by ${encodeData(from)} with ${gasLimit} gas and ${data.length} bytes of data.`;
  }

  /** Does what the core stopped for. */
  #serve(status: number): Promise<unknown> | undefined {
    switch (status) {
      case Layout.NEEDS:
        this.#work += READ_WORK;
        return this.#bound(this.#needs.serve()) ?? this.#checkAfterWork();
      case Layout.NEED_PRECOMPILE:
        return this.#bound(this.#runPrecompile()) ?? this.#checkAfterWork();
      case Layout.NEED_BLOCKHASH:
        return this.#bound(this.#answerBlockHash());
      case Layout.OUT_OF_FUEL:
        return this.#check();
      case Layout.TRACE_FULL:
        return this.#takeTrace();
      case Layout.LIVE_STEP:
        this.#guard(() => this.#trace?.tellLiveStep());
        return undefined;
      default:
        this.#guard(() => this.#trace?.tellLiveFault());
        return undefined;
    }
  }

  #takeTrace(): Promise<void> | undefined {
    const taken = this.#trace?.take();
    return taken instanceof Promise ? taken : undefined;
  }

  /** An answer from elsewhere is waited for as long as the run may take. */
  #bound(answer: Promise<unknown> | undefined): Promise<unknown> | undefined {
    if (answer === undefined) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_resolve, reject) => {
      const look = async (): Promise<void> => this.#check();
      timer = setInterval(() => look().catch(reject), WAITING_CHECK_MS);
    });
    return Promise.race([answer, late]).finally(() => clearInterval(timer));
  }

  #checkAfterWork(): Promise<void> | undefined {
    return this.#work < SLICE_WORK ? undefined : this.#check();
  }

  /** @throws {LimitError} once the transaction is given up */
  #check(): Promise<void> | undefined {
    this.#work = 0;
    const turn = this.#guard(() => this.#parts.request.pace.check());
    return turn?.catch((error: unknown) => {
      this.abandon();
      throw error;
    });
  }

  /** Gives the transaction up when a function throws. */
  #guard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  #answerBlockHash(): Promise<unknown> | undefined {
    const instance = this.#instance;
    const found = this.#block.blockHash(instance.long(instance.mailbox + Layout.MAIL_NUMBER));
    const answer = (hash: Bytes | undefined): void => {
      if (hash === undefined)
        instance.bytes.fill(0, instance.mailbox + Layout.MAIL_ANSWER, instance.mailbox + Layout.MAIL_ANSWER + 32);
      else instance.bytes.set(hash, instance.mailbox + Layout.MAIL_ANSWER);
      instance.core.answerBlockhash();
    };
    if (found instanceof Promise) return this.#needs.takeLater(found, answer);
    answer(found);
  }

  #runPrecompile(): Promise<unknown> | undefined {
    const instance = this.#instance;
    const { mailbox } = instance;
    const precompile = this.#parts.precompiles.get(instance.half(mailbox + Layout.MAIL_PRECOMPILE)) as Precompile;
    const input = instance.copy(
      instance.half(mailbox + Layout.MAIL_INPUT),
      instance.half(mailbox + Layout.MAIL_INPUT_LENGTH),
    );
    const gas = precompile.gas(input);
    if (gas > instance.long(mailbox + Layout.MAIL_GAS)) {
      instance.core.answerPrecompile(OUT_OF_GAS, 0n, 0, 0);
      return undefined;
    }
    this.#giveUp ??= new AbortController();
    const answer = precompile.run(input, this.#giveUp.signal);
    this.#work += Number(gas);
    if (answer instanceof Promise) {
      return this.#needs.takeLater(answer, (settled) => this.#answerPrecompile(gas, settled));
    }
    this.#answerPrecompile(gas, answer);
  }

  #answerPrecompile(gas: bigint, answer: PrecompileAnswer): void {
    const instance = this.#instance;
    if ("fault" in answer) {
      instance.core.answerPrecompile(PRECOMPILE_FAILED, 0n, 0, numberOfFault(answer.fault));
      return;
    }
    const { output } = answer;
    const place = instance.core.prepareOutput(output.length) >>> 0;
    instance.bytes.set(output, place);
    instance.core.answerPrecompile(0, gas, output.length, 0);
  }

  #result({ gasLimit }: Message): MessageResult {
    const instance = this.#instance;
    const { core, mailbox } = instance;
    const error = errorOf(instance.half(mailbox + Layout.MAIL_ERROR));
    const length = instance.half(mailbox + Layout.MAIL_OUTPUT_LENGTH);
    return {
      error,
      detail: error && this.#detail(),
      output: length === 0 ? EMPTY_BYTES : instance.copy(instance.half(mailbox + Layout.MAIL_OUTPUT), length),
      gasUsed: gasLimit - core.gas.value,
      stateGasUsed: 0n,
      gasRefund: core.refund.value,
      logs: core.logBytes.value === 0 ? NO_LOGS : logsOf(instance),
    };
  }

  #detail(): FailureDetail | undefined {
    const instance = this.#instance;
    const { mailbox } = instance;
    return detailOf(instance, {
      flags: instance.half(mailbox + Layout.MAIL_FLAGS),
      detail: instance.half(mailbox + Layout.MAIL_DETAIL),
      initCodeSize: mailbox + Layout.MAIL_INIT_CODE_SIZE,
    });
  }

  end(): TransactionEffects {
    this.#trace = undefined;
    this.#hasEnded = true;
    return this.#inCore(() => {
      this.#instance.core.endTransaction();
      return effectsOf(this.#instance, this.#transactionNumber);
    });
  }

  abandon(): void {
    this.#trace = undefined;
    this.#needs.giveUp();
    this.#giveUp?.abort();
    this.#giveUp = undefined;
    if (this.#isBroken) return;
    this.#inCore(() => this.#instance.core.abandonTransaction());
    const { state, isStateFixed } = this.#parts.request;
    if (isStateFixed === true && !this.#hasEnded) this.#instance.state = state;
  }

  close(): void {
    this.#needs.giveUp();
    this.#parts.release(this.#isBroken);
  }
}

const OUT_OF_GAS = Layout.ERROR_OUT_OF_GAS;
const PRECOMPILE_FAILED = Layout.ERROR_PRECOMPILE;
const NO_LOGS = [] as const;

/** For each address that is special, as a number: where the precompile is at home that answers there, 0 for none. */
function answering(
  precompiles: ReadonlyMap<number, Precompile>,
  table: PrecompileTable | undefined,
): ReadonlyMap<bigint, number> {
  const homes = [...precompiles.keys()];
  if (table === undefined) return new Map(homes.map((home) => [BigInt(home), home]));
  const answers = new Map(homes.map((home) => [BigInt(home), 0]));
  for (const [key, home] of table) answers.set(addressNumber(keyBytes(key)), Number(addressNumber(home)));
  return answers;
}

function addressNumber(address: Bytes): bigint {
  return BigInt(encodeData(address));
}
