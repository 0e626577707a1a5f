// Yellow paper §7, contract creation: CREATE, CREATE2 (EIP-1014), and the deployment of the code that init code
// returns.

import { NO_CODE } from "../code/code";
import { newInitCode } from "../code/new-code";
import { FrameError, FrameKind } from "../facts.generated";
import { EIP_150, EIP_161, EIP_2929, EIP_3860, EIP_7708, EIP_7928, EIP_8037 } from "../machine/eips";
import { fees } from "../machine/fees";
import { Frame, FrameFlag } from "../machine/frame";
import { keccak, keccakBytes } from "../machine/keccak";
import { STORAGE_PRESENT } from "../machine/layout";
import { frame, gas, hasEip, setGas } from "../machine/machine";
import { inMemory, memoryOffset, memoryStart } from "../machine/memory";
import { price } from "../machine/price";
import { REFUSED_INIT_CODE, REFUSED_STATIC } from "../machine/refusals";
import { setReturnLength } from "../machine/return-data";
import { Account } from "../state/account";
import { requireAccount, requireStorageFlag } from "../state/needs";
import { ensureExists, markCreated, noteSeen, setNonce, transfer, warmAccount } from "../state/substate";
import { accountAt, accountNumber, findAccount } from "../state/world-state";
import { prepareRefusal, tellEnter, tellRefusal } from "../trace/events";
import { amendStep } from "../trace/recorded-steps";
import { Stack } from "../words/stack";
import { Word } from "../words/word";
import { enterCode, FRAME_CHANGED, leaveCaller, openFrame, raise, refusalOf, refuse } from "./frame-start";
import { chargeState } from "./state-gas";
import { addTransferLog } from "./transfer-log";

const HASH_WORD: u64 = 6;
/** The largest nonce (EIP-2681). */
const MAX_NONCE: u64 = u64.MAX_VALUE;

// ---- The price.

function priceOfCreation(stack: Stack, perWord: u64): i32 {
  price.useRegion(stack.second, stack.third);
  price.addMemory();
  const words = hasEip(EIP_3860) ? perWord + fees.initCodeWord : perWord;
  if (words != 0) price.addPerWord(stack.third, words);
  if (frame.isStatic) return REFUSED_STATIC;
  const isTooLong = hasEip(EIP_3860) && stack.third.saturated > fees.maxInitCodeSize;
  return isTooLong ? REFUSED_INIT_CODE : 0;
}

export function priceCreate(stack: Stack): i32 {
  return priceOfCreation(stack, 0);
}

export function priceCreate2(stack: Stack): i32 {
  return priceOfCreation(stack, HASH_WORD);
}

// ---- Addresses.

/** Word with the address of the current creation. */
const created: Word = changetype<Word>(memory.data(32, 16));
const text = memory.data(96, 16);

/** Takes the address from the hash of so many bytes of the text. */
function keepAddress(length: usize): void {
  keccak(created, text, length);
  created.setAddress(created);
}

/** Finds the address of an account's next creation by CREATE: keccak256(rlp([address, nonce])). */
function addressByNonce(creator: Word, nonce: u64): void {
  const bytes = nonce == 0 ? 0 : 8 - (clz<u64>(nonce) >> 3);
  const nonceLength: u64 = nonce < 128 ? 1 : bytes + 1;
  store<u8>(text, <u8>(0xc0 + 21 + nonceLength));
  store<u8>(text, 0x80 + 20, 1);
  creator.writeAddress(text + 2);
  if (nonce == 0) store<u8>(text, 0x80, 22);
  else if (nonce < 128) store<u8>(text, <u8>nonce, 22);
  else {
    store<u8>(text, <u8>(0x80 + bytes), 22);
    for (let index: u64 = 0; index < bytes; index++) {
      store<u8>(text + 23 + <usize>index, <u8>(nonce >> ((bytes - 1 - index) << 3)));
    }
  }
  keepAddress(22 + <usize>nonceLength);
}

/** Finds the address of a creation by CREATE2: keccak256(0xff ++ address ++ salt ++ keccak256(init code)). */
function addressBySalt(creator: Word, salt: Word, initCode: usize, length: usize): void {
  store<u8>(text, 0xff);
  creator.writeAddress(text + 1);
  salt.write(text + 21);
  keccakBytes(text + 53, initCode, length);
  keepAddress(85);
}

// ---- The beginning of a creation.

export function runCreate(stack: Stack): i32 {
  return begin(stack, FrameKind.CREATE, stack.third);
}

export function runCreate2(stack: Stack): i32 {
  return begin(stack, FrameKind.CREATE2, stack.fourth);
}

/** Begins a creation whose price has been charged. `bottom` is the place of its result. */
function begin(stack: Stack, kind: u32, bottom: Word): i32 {
  const creator = frame;
  const length = <usize>stack.third.saturated;
  const initCode = length == 0 ? memoryStart : memoryStart + <usize>stack.second.lowest32;
  if (!creator.isPaid) {
    const refusal = refusalOfCreation(stack.top);
    if (refusal != 0) {
      prepareRefusal(kind, forwarded(), false);
      tellRefusal(creator, nobody, stack.top, initCode, length, refusal);
      setReturnLength(0);
      return refuse(bottom, 0);
    }
    const self = accountAt(creator.self);
    if (kind == FrameKind.CREATE) addressByNonce(creator.address, self.nonce);
    else addressBySalt(creator.address, stack.fourth, initCode, length);
  }
  const account = findAccount(created);
  let status = requireAccount(account);
  if (status == 0) status = requireStorageFlag(account);
  const flags = creator.flags;
  creator.flags = status == 0 ? flags & ~FrameFlag.IS_PAID : flags | FrameFlag.IS_PAID;
  if (status != 0) return status;
  setReturnLength(0);
  return beginAt(accountNumber(account), stack, kind, bottom);
}

/** Charges the new account of a creation (EIP-8037). Returns false if the creator's gas does not suffice. */
function payForAccount(account: Account): bool {
  const before = gas;
  const left = account.isEmpty ? chargeState(frame, gas, fees.stateAccount) : gas;
  if (left < 0) {
    amendStep(<i64>fees.stateAccount, 0, false);
    return false;
  }
  setGas(left);
  amendStep(before - left, forwarded(), true);
  return true;
}

/** Zero: stands for the address of a creation until that is known. */
const nobody: Word = changetype<Word>(memory.data(32, 16));

function refusalOfCreation(value: Word): i32 {
  const refusal = refusalOf(value);
  if (refusal != 0) return refusal;
  return accountAt(frame.self).nonce == MAX_NONCE ? FrameError.NONCE_OVERFLOW : 0;
}

/** Gas that is passed to the init code. */
function forwarded(): i64 {
  return hasEip(EIP_150) ? gas - gas / 64 : gas;
}

function beginAt(number: u32, stack: Stack, kind: u32, bottom: Word): i32 {
  const creator = frame;
  const self = accountAt(creator.self);
  if (hasEip(EIP_7928)) noteSeen(accountAt(number));
  const isNew = hasEip(EIP_8037) && accountAt(number).isEmpty;
  if (hasEip(EIP_8037) && !payForAccount(accountAt(number))) return -FrameError.OUT_OF_GAS;
  setNonce(self, self.nonce + 1);
  // The address stays warm even if the creation fails (EIP-2929).
  if (hasEip(EIP_2929)) warmAccount(accountAt(number));
  const childGas = forwarded();
  setGas(gas - childGas);
  const child = creator.opened;
  const length = <u32>stack.third.saturated;
  child.kind = kind;
  child.input = memoryOffset() + (length == 0 ? 0 : stack.second.lowest32);
  child.inputLength = length;
  child.firstGas = childGas;
  child.flags = isNew ? FrameFlag.MAKES_ACCOUNT : 0;
  child.self = number;
  child.precompile = 0;
  child.caller.set(creator.address);
  child.address.set(created);
  child.value.set(stack.top);
  leaveCaller(creator, bottom);
  openFrame(child, stack);
  startCreation(child);
  return FRAME_CHANGED;
}

/** Starts the running frame, which is that of a creation. Its account is loaded, and its input is the init code. */
export function startCreation(child: Frame): void {
  const length = <usize>child.inputLength;
  const account = accountAt(child.self);
  child.code = NO_CODE;
  tellEnter(child, nobody);
  if (isTaken(account)) return raise(child, FrameError.CREATE_COLLISION);
  ensureExists(account);
  markCreated(account);
  // The nonce of a new contract is 1 (EIP-161).
  if (hasEip(EIP_161)) setNonce(account, 1);
  if (transfer(findAccount(child.caller), account, child.value)) {
    return raise(child, FrameError.VALUE_OVERFLOW);
  }
  if (hasEip(EIP_7708)) addTransferLog(child.caller, child.address, child.value);
  const code = newInitCode(inMemory(child.input), length);
  child.code = code;
  // Init code has no call data.
  child.inputLength = 0;
  enterCode(child, code);
}

/** True if the address has a nonce or code (EIP-684), or storage (EIP-7610). */
function isTaken(account: Account): bool {
  return account.nonce != 0 || account.hasCode || account.storageFlag == STORAGE_PRESENT;
}
