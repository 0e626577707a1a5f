/**
 * Runs transactions on EthereumJS' EVM, on one state in one block. It does the work of EthereumJS' VM around a message,
 * without fees.
 */
import { type EVM, type ExecResult, getActivePrecompiles } from "@ethereumjs/evm";
import { Account, Address, createBlockLevelAccessList } from "@ethereumjs/util";
import { HindcastError, InternalError } from "../../errors/hindcast-error.ts";
import type {
  AccountAccess,
  BlockContext,
  EngineSession,
  Message,
  MessageResult,
  TransactionContext,
  TransactionEffects,
} from "../../evm/engine.ts";
import type { EvmAccount } from "../../evm/state-port.ts";
import { type Bytes, EMPTY_BYTES, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import { MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import type { Failure } from "./failures.ts";
import { type ObservedEvm, Observer } from "./observer.ts";
import type { OverlayStateManager } from "./state-manager.ts";

type CallOptions = Parameters<EVM["runCall"]>[0];

/** Parts of a session, which no other session uses. */
export interface SessionParts extends ObservedEvm {
  /** The state of `evm`. */
  readonly state: OverlayStateManager;
  /** Sets the block for BLOCKHASH. Returns the block for messages. */
  enterBlock(block: BlockContext): NonNullable<CallOptions["block"]>;
}

/** Lives from {@link Engine.open} to {@link close}. */
export class EthereumJsSession implements EngineSession {
  readonly #parts: SessionParts;
  #block: ReturnType<SessionParts["enterBlock"]>;
  #transaction: TransactionContext | undefined;
  #observer: Observer | undefined;
  // In EthereumJS' form: destroyed addresses with their beneficiaries, as hex digits.
  #destroyed = new Map<Hex, Hex>();
  #created = new Set<Hex>();
  /** Accounts that the executor read or changed. */
  #seen = new Set<Hex>();
  #hasCheckpoint = false;

  constructor(parts: SessionParts, block: BlockContext) {
    this.#parts = parts;
    this.#block = parts.enterBlock(block);
  }

  enterBlock(block: BlockContext): void {
    this.#block = this.#parts.enterBlock(block);
  }

  begin(transaction: TransactionContext): void {
    const { evm, state } = this.#parts;
    this.abandon();
    this.#transaction = transaction;
    this.#observer = new Observer(this.#parts, transaction.sink);
    // A new one for each transaction; EthereumJS' own list is for a whole block.
    Object.assign(evm, { blockLevelAccessList: createBlockLevelAccessList() });
    if (this.#hasAccessLists) {
      evm.journal.startReportingAccessList();
      for (const hex of getActivePrecompiles(evm.common).keys()) evm.journal.addAlwaysWarmAddress(hex, true);
    }
    transaction.sink?.begin?.(state.reader);
  }

  get #hasAccessLists(): boolean {
    return this.#parts.evm.common.isActivatedEIP(2929);
  }

  warmAddress(address: Bytes): void {
    if (this.#hasAccessLists) this.#parts.evm.journal.addAlwaysWarmAddress(encodeData(address), true);
  }

  warmSlot(address: Bytes, slot: Bytes): void {
    if (this.#hasAccessLists) this.#parts.evm.journal.addAlwaysWarmSlot(encodeData(address), encodeData(slot), true);
  }

  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined> {
    this.#seen.add(encodeData(address));
    return this.#parts.state.reader.getAccount(address);
  }

  async checkpoint(): Promise<void> {
    await this.#parts.evm.journal.checkpoint();
    this.#hasCheckpoint = true;
  }

  async revert(): Promise<void> {
    await this.#parts.evm.journal.revert();
    this.#hasCheckpoint = false;
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    return this.#parts.state.reader.getCode(codeHash);
  }

  async setNonce(address: Bytes, nonce: bigint): Promise<void> {
    await this.#change(address, (account) => {
      account.nonce = nonce;
    });
  }

  async addBalance(address: Bytes, amount: bigint): Promise<void> {
    await this.#change(address, (account) => {
      // A sum that no account can have is not added, as in the core.
      if (account.balance + amount <= MAX_UINT256) account.balance += amount;
    });
  }

  /** Changes an account through the journal, which touches it (EIP-161). */
  async #change(address: Bytes, change: (account: Account) => void): Promise<void> {
    const { stateManager, journal } = this.#parts.evm;
    this.#seen.add(encodeData(address));
    const place = new Address(address);
    const account = (await stateManager.getAccount(place)) ?? new Account();
    change(account);
    await journal.putAccount(place, account);
  }

  async setCode(address: Bytes, code: Bytes): Promise<void> {
    await this.#parts.evm.stateManager.putCode(new Address(address), code);
  }

  async run(message: Message): Promise<MessageResult> {
    const transaction = this.#transaction;
    const observer = this.#observer;
    if (transaction === undefined || observer === undefined)
      throw new TypeError("EthereumJsSession: no transaction has begun");
    try {
      await this.#parts.pace.check();
      await this.#warmDelegate(message.to);
      return await this.#run(message, transaction, observer);
    } catch (error) {
      this.abandon();
      if (error instanceof HindcastError) throw error;
      throw new InternalError({ code: "INTERNAL_ERROR", what: "EthereumJS' EVM failed unexpectedly.", cause: error });
    }
  }

  /**
   * Warms the delegate of the outermost call, which EthereumJS does itself but does not report (EIP-7702). With EIP-2780
   * it is paid for.
   */
  async #warmDelegate(address: Bytes | undefined): Promise<void> {
    const { common, stateManager } = this.#parts.evm;
    if (address === undefined || !common.isActivatedEIP(7702) || common.isActivatedEIP(2780)) return;
    const code = await stateManager.getCode(new Address(address));
    if (code.length === 23 && code[0] === 0xef && code[1] === 1) this.warmAddress(code.slice(3));
  }

  async #run(message: Message, transaction: TransactionContext, observer: Observer): Promise<MessageResult> {
    if (message.isUnpaid === true) return unpaid(message);
    const { from, to, value, data, gasLimit, stateGas } = message;
    const { evm } = this.#parts;
    const { origin, gasPrice, blobVersionedHashes } = transaction;
    const selfdestruct = new Map(this.#destroyed);
    const createdAddresses = new Set(this.#created);
    const options = {
      block: this.#block,
      caller: new Address(from),
      origin: new Address(origin),
      ...(to === undefined ? {} : { to: new Address(to) }),
      ...{ value, data, gasLimit, gasPrice, selfdestruct, createdAddresses },
      blobVersionedHashes: blobVersionedHashes.map(encodeData),
      // The executor increments the sender's nonce.
      skipNonceIncrement: true,
    };
    Object.assign(evm, { stateGasReservoir: stateGas, executionStateGasUsed: 0n, eip2780PrepOog: false });
    const { execResult } = await observer.during(message.createdAddress, () => evm.runCall(options));
    const { failure } = observer;
    // The price of the outermost frame's account depends on whether the account exists, so the account is accessed
    // (EIP-7928). EthereumJS does not list that access if the gas does not suffice.
    const recipient = message.createdAddress ?? to;
    if (evm.eip2780PrepOog && recipient !== undefined) this.#seen.add(encodeData(recipient));
    if (failure === undefined) {
      this.#destroyed = selfdestruct;
      this.#created = createdAddresses;
    }
    return {
      ...resultOf(execResult, failure),
      stateGasUsed: evm.executionStateGasUsed,
      stateGasLeft: evm.common.isActivatedEIP(8037) ? evm.stateGasReservoir : stateGas,
      isUnprepared: evm.eip2780PrepOog,
    };
  }

  async end(): Promise<TransactionEffects> {
    const { evm, state } = this.#parts;
    const spares = evm.common.isActivatedEIP(6780);
    const accesses = this.#accesses();
    for (const address of this.#destroyed.keys()) {
      if (spares && !this.#created.has(address)) continue;
      if (evm.common.isActivatedEIP(8246)) await this.#clear(new Address(decodeData(address)));
      else await evm.journal.deleteAccount(new Address(decodeData(address)));
    }
    if (this.#hasCheckpoint) await evm.journal.commit();
    await evm.journal.cleanup();
    const writes = await state.writes();
    const seen = this.#seenNow();
    this.abandon();
    return { writes, accesses: () => accesses, seen: () => seen };
  }

  /** Clears an account except its balance (EIP-8246). */
  async #clear(address: Address): Promise<void> {
    const { stateManager, journal } = this.#parts.evm;
    const account = await stateManager.getAccount(address);
    if (account === undefined) return;
    await stateManager.putCode(address, EMPTY_BYTES);
    await stateManager.clearStorage(address);
    await this.#change(address.bytes, (changed) => {
      changed.nonce = 0n;
    });
    if (account.balance === 0n) await journal.deleteAccount(address);
  }

  #seenNow(): AccountAccess[] {
    const { evm } = this.#parts;
    if (!evm.common.isActivatedEIP(7928)) return [];
    const accesses = evm.blockLevelAccessList?.accesses ?? {};
    const slotsOf = (address: Hex): Hex[] => {
      const { storageReads = [], storageChanges = {} } = accesses[address] ?? {};
      return [...new Set([...storageReads, ...(Object.keys(storageChanges) as Hex[])])];
    };
    // EthereumJS lists the caller of a message. Of a system call it must not be listed (EIP-7928); that of a transaction
    // was read by the executor.
    const caller = this.#transaction === undefined ? undefined : encodeData(this.#transaction.origin);
    const looked = (Object.keys(accesses) as Hex[]).filter((address) => address !== caller);
    return Array.from(new Set([...this.#seen, ...looked]), (address) => ({
      address: decodeData(address),
      slots: slotsOf(address).map((slot) => padBytesLeft(decodeData(slot), 32)),
    }));
  }

  /** The warm set of EthereumJS' journal, without entries that reverted frames added. */
  #accesses(): AccountAccess[] {
    const { journal } = this.#parts.evm;
    const accesses: AccountAccess[] = [];
    for (const [hex, slots] of journal.accessList ?? []) {
      const address = decodeData(`0x${hex}`);
      if (!journal.isWarmedAddress(address)) continue;
      const warm = Array.from(slots, (slot) => decodeData(`0x${slot}`)).filter((slot) =>
        journal.isWarmedStorage(address, slot),
      );
      accesses.push({ address, slots: warm });
    }
    return accesses;
  }

  abandon(): void {
    const { evm, state } = this.#parts;
    evm.journal.cleanJournal();
    evm.transientStorage.clear();
    state.forget();
    this.#transaction = undefined;
    this.#observer = undefined;
    this.#destroyed = new Map();
    this.#created = new Set();
    this.#seen = new Set();
    this.#hasCheckpoint = false;
  }

  close(): void {
    this.abandon();
  }
}

/** The result of an unpaid message, which EthereumJS does not have, so no frame is reported. */
function unpaid({ gasLimit, stateGas }: Message): MessageResult {
  return {
    ...{ error: "outOfGas", detail: undefined, output: EMPTY_BYTES, gasUsed: gasLimit, gasRefund: 0n, logs: [] },
    ...{ stateGasUsed: 0n, stateGasLeft: stateGas, isUnprepared: false },
  };
}

type StateGas = "stateGasUsed" | "stateGasLeft" | "isUnprepared";

function resultOf(result: ExecResult, failure: Failure | undefined): Omit<MessageResult, StateGas> {
  const { executionGasUsed, returnValue, gasRefund = 0n, logs = [] } = result;
  const hasOutput = failure === undefined || failure.error === "reverted";
  return {
    error: failure?.error,
    detail: failure?.detail,
    output: hasOutput ? returnValue : EMPTY_BYTES,
    gasUsed: executionGasUsed,
    gasRefund: failure === undefined ? gasRefund : 0n,
    logs: failure === undefined ? logs.map(([address, topics, data]) => ({ address, topics, data })) : [],
  };
}
