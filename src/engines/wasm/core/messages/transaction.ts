// Functions that the host calls: for sessions, transactions and messages, and for changes of accounts by the protocol.

import { NO_CODE } from "../code/code";
import { forgetTemporaryCode, newTemporaryCode, prepareCode } from "../code/new-code";
import { Operation, Record } from "../code/records";
import { beginSteps } from "../code/steps";
import { FrameError, FrameKind } from "../facts.generated";
import { forgetHash } from "../instructions/block-information";
import { noteAccess } from "../instructions/environment";
import { EIP_2780, EIP_7928, EIP_8037 } from "../machine/eips";
import { Frame, outermost } from "../machine/frame";
import { keccakBytes } from "../machine/keccak";
import { hasEip, nextTransaction, setDepth, setFrame, setReservoir } from "../machine/machine";
import { mailbox } from "../machine/mailbox";
import { enterMemory, inMemory, prepareMemory, prepareStack } from "../machine/memory";
import { setReturnLength } from "../machine/return-data";
import { journalEnd, undoTo } from "../state/journal";
import { requireAccounts, requireStorageFlag } from "../state/needs";
import {
  addBalance,
  beginSubstate,
  ensureExists,
  finishTransaction,
  forgetNewCodes,
  noteSeen,
  setCode,
  setNonce,
  subtractBalance,
  touch,
  warmAccount,
  warmSlot,
} from "../state/substate";
import {
  accountAt,
  accountNumber,
  findAccount,
  findStorage,
  forgetState,
  slotAt,
  slotNumber,
} from "../state/world-state";
import { undoLogs } from "../trace/logs";
import { beginTrace } from "../trace/recorded-steps";
import { Word } from "../words/word";
import { findCalled } from "./call-price";
import { startCreation } from "./contract-creation";
import { beginFrame } from "./frame-start";
import { refuseOutermost, startOutermostCall } from "./message-call";
import { forgetAnswers } from "./precompiled-contracts";
import { beginPreparation, payForAccount, prepareCalled } from "./preparation";

/** Begins a session with no accounts loaded. */
export function beginSession(): void {
  forgetState();
  prepareCode();
}

/** Begins a transaction. `wants` has a flag for each kind of data to record. */
export function beginTransaction(wants: u32): void {
  forgetNewCodes();
  nextTransaction();
  beginSubstate();
  beginTrace(wants);
  beginSteps();
  undoLogs(0);
  setReturnLength(0);
  forgetTemporaryCode();
  forgetAnswers();
  forgetHash();
}

/** Undoes everything that the transaction changed. */
export function abandonTransaction(): void {
  undoTo(0);
  beginSubstate();
}

/** Returns a mark for {@link revertTo}. */
export function checkpoint(): u32 {
  return journalEnd();
}

/** Undoes all changes since a mark. May be called between messages only. */
export function revertTo(mark: u32): void {
  undoTo(mark);
}

/** Marks an account as accessed (EIP-7928). */
export function see(account: u32): void {
  if (hasEip(EIP_7928)) noteSeen(accountAt(account));
}

/** Ends a transaction. The host then reads the changed accounts and slots as its result. */
export function endTransaction(): void {
  finishTransaction();
}

// ---- Accounts. The 20 bytes of an address are at the beginning of the mailbox.

const word: Word = changetype<Word>(memory.data(32, 16));

/** Number of the account at that address. */
export function accountOf(): u32 {
  word.readAddress(mailbox.from);
  return accountNumber(findAccount(word));
}

/** Number of an account's slot. Its key, 32 bytes, is at the beginning of the mailbox. */
export function slotOf(account: u32): u32 {
  word.read(mailbox.from);
  return slotNumber(findStorage(accountAt(account), word));
}

/** Makes an account warm (EIP-2929). */
export function warm(account: u32): void {
  warmAccount(accountAt(account));
}

/** Makes a slot of an account warm; its key is at the beginning of the mailbox. */
export function warmSlotAt(account: u32): void {
  warmSlot(slotAt(slotOf(account)));
}

/** Sets the nonce of an account. */
export function changeNonce(account: u32, nonce: u64): void {
  const entry = accountAt(account);
  touch(entry);
  ensureExists(entry);
  setNonce(entry, nonce);
}

/** Adds the amount in the mailbox to a balance, or subtracts it. */
export function changeBalance(account: u32, isTaken: bool): void {
  const entry = accountAt(account);
  touch(entry);
  ensureExists(entry);
  if (isTaken) subtractBalance(entry, mailbox.value);
  else addBalance(entry, mailbox.value);
}

const hash = memory.data(32, 16);

/** Reserves memory for the code of {@link changeCode}. */
export function prepareNewCode(length: u32): usize {
  prepareMemory(length);
  return inMemory(0);
}

/** Sets the code of an account, whose bytes are at an address. */
export function changeCode(account: u32, source: usize, length: u32): void {
  const entry = accountAt(account);
  touch(entry);
  ensureExists(entry);
  const code = newTemporaryCode(source, length);
  keccakBytes(hash, source, length);
  setCode(accountAt(account), length == 0 ? NO_CODE : code, hash, length != 0);
}

// ---- Messages.

/** Reserves memory for the call data or init code of the next message. */
export function prepareInput(length: u32): usize {
  // The outermost frame's memory begins after it.
  prepareMemory(length + 64);
  return inMemory(0);
}

/** First record of the outermost frame. It loads the state that the start needs, which may be missing. */
const startRecord: Record = changetype<Record>(memory.data<u16>([<u16>Operation.START, 0, 0, 0, 0, 0, 0, 0], 16));

/** Prepares a message; `run` starts it. Sender, callee or created address, and value are in the mailbox. */
export function beginMessage(kind: u32, gas: i64, stateGas: i64, inputLength: u32): void {
  setReservoir(stateGas);
  isUnpaid = false;
  const first = outermost;
  first.caller.readAddress(mailbox.from);
  first.address.readAddress(mailbox.to);
  first.value.set(mailbox.value);
  first.kind = kind;
  first.input = 0;
  first.inputLength = inputLength;
  first.firstGas = gas;
  first.gas = gas;
  first.flags = 0;
  first.precompile = 0;
  first.stackStart = 0;
  first.stackTop = 0;
  first.memoryOffset = (inputLength + 31) & ~31;
  first.memorySize = 0;
  first.openStep = 0;
  first.ip = startRecord;
  prepareStack(0);
  prepareMemory(inputLength + 64);
  setDepth(0);
  setFrame(first);
  enterMemory((inputLength + 31) & ~31, 0);
}

let isUnpaid: bool = false;

/** Makes the prepared message fail before it begins. */
export function refuseMessage(): void {
  isUnpaid = true;
}

/** Starts the outermost frame if all state that it needs is loaded. Returns zero, or the same codes as `run`. */
export function start(): i32 {
  const first = outermost;
  const sender = accountNumber(findAccount(first.caller));
  let status = requireAccounts(sender, accountNumber(findAccount(first.address)));
  if (status != 0) return status;
  const isCreation = first.kind >= FrameKind.CREATE;
  status = isCreation ? findCreated(first) : findCalled(first.address);
  if (status != 0) return status;
  beginFrame(first);
  const isFunded = !findAccount(first.caller).balance.isBelow(first.value);
  if (!isFunded) refuseOutermost(first, FrameError.INSUFFICIENT_BALANCE);
  else if (hasEip(EIP_2780 | EIP_7928 | EIP_8037) && !prepare(first, isCreation))
    refuseOutermost(first, FrameError.OUT_OF_GAS);
  else if (isCreation) startCreation(first);
  else startOutermostCall(first, first.address);
  return 0;
}

/** Charges the costs before the outermost frame begins. Returns false if its gas does not suffice (EIP-2780). */
function prepare(first: Frame, isCreation: bool): bool {
  beginPreparation();
  if (isUnpaid) return false;
  if (!isCreation) return prepareCalled(first);
  return !findAccount(first.address).isEmpty || payForAccount(first);
}

function findCreated(first: Frame): i32 {
  const account = findAccount(first.address);
  first.self = accountNumber(account);
  noteAccess(account);
  return requireStorageFlag(account);
}
