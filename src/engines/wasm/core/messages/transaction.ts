// Functions that the host calls: for sessions, transactions and messages, and for changes of accounts by the protocol.

import { FrameError, FrameKind } from "../facts.generated";
import { EIP_2780, EIP_7928, EIP_8037 } from "../machine/eips";
import { ACCOUNT_BALANCE, MAIL_FROM, MAIL_TO, MAIL_VALUE } from "../machine/layout";
import { forgetHash } from "../instructions/block-information";
import { forgetTemporaryCode, newTemporaryCode, prepareCode } from "../code/code";
import { START } from "../code/records";
import { startCreation } from "./contract-creation";
import { noteAccess } from "../instructions/environment";
import * as Frame from "../machine/frame";
import { keccakBytes } from "../machine/keccak";
import { hasEip, mailbox, nextTransaction, setDepth, setFrame, setReservoir } from "../machine/machine";
import { enterMemory, inMemory, prepareMemory, prepareStack } from "../machine/memory";
import { findCalled } from "./call-price";
import { beginFrame, refuseOutermost, startOutermostCall } from "./message-call";
import { beginPreparation, payForAccount, prepareCalled } from "./preparation";
import { forgetAnswers } from "./precompiled-contracts";
import { setReturnLength } from "../machine/return-data";
import { beginSteps } from "../code/steps";
import { journalEnd, undoTo } from "../state/journal";
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
import { undoLogs } from "../trace/events";
import { beginTrace } from "../trace/recorded-steps";
import { copyWord, isBelow, readAddress, reverse } from "../machine/words";
import {
  accountAt,
  accountNumber,
  findAccount,
  findStorage,
  forgetState,
  isEmpty,
  requireAccounts,
  requireStorageFlag,
  slotAt,
  slotNumber,
} from "../state/world-state";

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
  undoLogs(0, 0);
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
  return journalEnd;
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

const word = memory.data(32, 16);

/** Number of the account at that address. */
export function accountOf(): u32 {
  readAddress(word, mailbox);
  return accountNumber(findAccount(word));
}

/** Number of an account's slot. Its key, 32 bytes, is at the beginning of the mailbox. */
export function slotOf(account: u32): u32 {
  reverse(word, mailbox);
  return slotNumber(findStorage(accountAt(account), word));
}

export function warm(account: u32): void {
  warmAccount(accountAt(account));
}

export function warmSlotAt(account: u32): void {
  warmSlot(slotAt(slotOf(account)));
}

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
  if (isTaken) subtractBalance(entry, mailbox + MAIL_VALUE);
  else addBalance(entry, mailbox + MAIL_VALUE);
}

const hash = memory.data(32, 16);

/** Reserves memory for the code of {@link changeCode}. */
export function prepareNewCode(length: u32): usize {
  prepareMemory(length);
  return inMemory(0);
}

export function changeCode(account: u32, source: usize, length: u32): void {
  const entry = accountAt(account);
  touch(entry);
  ensureExists(entry);
  const code = newTemporaryCode(source, length);
  keccakBytes(hash, source, length);
  setCode(accountAt(account), length == 0 ? 0 : code, hash, length != 0);
}

// ---- Messages.

/** Reserves memory for the call data or init code of the next message. */
export function prepareInput(length: u32): usize {
  // The outermost frame's memory begins after it.
  prepareMemory(length + 64);
  return inMemory(0);
}

/** First record of the outermost frame. It loads the state that the start needs, which may be missing. */
const startRecord = memory.data<u16>([<u16>START, 0, 0, 0, 0, 0, 0, 0], 16);

/** Prepares a message; `run` starts it. Sender, callee or created address, and value are in the mailbox. */
export function beginMessage(kind: u32, gas: i64, stateGas: i64, inputLength: u32): void {
  setReservoir(stateGas);
  isUnpaid = false;
  const first = Frame.frames;
  readAddress(first + Frame.CALLER, mailbox + MAIL_FROM);
  readAddress(first + Frame.ADDRESS, mailbox + MAIL_TO);
  copyWord(first + Frame.VALUE, mailbox + MAIL_VALUE);
  store<u32>(first + Frame.KIND, kind);
  store<u32>(first + Frame.INPUT, 0);
  store<u32>(first + Frame.INPUT_LENGTH, inputLength);
  store<i64>(first + Frame.FIRST_GAS, gas);
  store<i64>(first + Frame.GAS, gas);
  store<u32>(first + Frame.FLAGS, 0);
  store<u32>(first + Frame.PRECOMPILE, 0);
  store<u32>(first + Frame.STACK, 0);
  store<u32>(first + Frame.SP, 0);
  store<u32>(first + Frame.MEMORY, (inputLength + 31) & ~31);
  store<u32>(first + Frame.MEMORY_SIZE, 0);
  store<u32>(first + Frame.STEP, 0);
  store<u32>(first + Frame.IP, <u32>startRecord);
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
  const first = Frame.frames;
  const sender = accountNumber(findAccount(first + Frame.CALLER));
  let status = requireAccounts(sender, accountNumber(findAccount(first + Frame.ADDRESS)));
  if (status != 0) return status;
  const isCreation = load<u32>(first + Frame.KIND) >= FrameKind.CREATE;
  status = isCreation ? findCreated(first) : findCalled(first + Frame.ADDRESS);
  if (status != 0) return status;
  beginFrame(first);
  const isFunded = !isBelow(findAccount(first + Frame.CALLER) + ACCOUNT_BALANCE, first + Frame.VALUE);
  if (!isFunded) refuseOutermost(first, FrameError.INSUFFICIENT_BALANCE);
  else if (hasEip(EIP_2780 | EIP_7928 | EIP_8037) && !prepare(first, isCreation)) refuseOutermost(first, FrameError.OUT_OF_GAS);
  else if (isCreation) startCreation(first);
  else startOutermostCall(first, first + Frame.ADDRESS);
  return 0;
}

/** Charges the costs before the outermost frame begins. Returns false if its gas does not suffice (EIP-2780). */
function prepare(first: usize, isCreation: bool): bool {
  beginPreparation();
  if (isUnpaid) return false;
  if (!isCreation) return prepareCalled(first);
  return !isEmpty(findAccount(first + Frame.ADDRESS)) || payForAccount(first);
}

function findCreated(first: usize): i32 {
  const account = findAccount(first + Frame.ADDRESS);
  store<u32>(first + Frame.SELF, accountNumber(account));
  noteAccess(account);
  return requireStorageFlag(account);
}
