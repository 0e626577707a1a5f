// Yellow paper appendix H.2, 30s: environmental information.

import { emptyCode } from "../code/new-code";
import { FrameError } from "../facts.generated";
import { EIP_2929, EIP_7928 } from "../machine/eips";
import {
  ENVIRONMENT_GAS_PRICE,
  ENVIRONMENT_ORIGIN,
  FEE_COLD_ACCOUNT,
  FEE_READ_CODE,
  FEE_WARM,
} from "../machine/layout";
import { environment, fee, frame, hasEip } from "../machine/machine";
import { copyPadded, inMemory, memoryStart } from "../machine/memory";
import { price } from "../machine/price";
import { returnData, returnLength } from "../machine/return-data";
import { copyWord, reverse, saturated, setSmall, setZero } from "../machine/words";
import { Account } from "../state/account";
import { requireAccount, requireCode, requireCodeLength } from "../state/needs";
import { noteSeen, warmAccount } from "../state/substate";
import { accountAt, accountNumber, findAccount } from "../state/world-state";

const COPY_WORD: u64 = 3;

export function runAddress(sp: usize): void {
  copyWord(sp, frame.address);
}

export function runOrigin(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_ORIGIN);
}

export function runCaller(sp: usize): void {
  copyWord(sp, frame.caller);
}

export function runCallvalue(sp: usize): void {
  copyWord(sp, frame.value);
}

export function runGasprice(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_GAS_PRICE);
}

const padded = memory.data(32, 16);

export function runCalldataload(sp: usize): void {
  const item = sp - 32;
  const offset = saturated(item);
  const length = <u64>frame.inputLength;
  if (offset >= length) return setZero(item);
  const start = inMemory(frame.input) + <usize>offset;
  if (offset + 32 <= length) return reverse(item, start);
  setZero(padded);
  memory.copy(padded, start, <usize>(length - offset));
  reverse(item, padded);
}

export function runCalldatasize(sp: usize): void {
  setSmall(sp, frame.inputLength);
}

export function runCodesize(sp: usize): void {
  setSmall(sp, frame.code.length);
}

export function runReturndatasize(sp: usize): void {
  setSmall(sp, returnLength());
}

// ---- Copies into memory.

/** Prices a copy. Its target offset is on top of the stack, its length is the third item. */
function priceOfCopy(sp: usize): i32 {
  price.addPerWord(sp - 96, COPY_WORD);
  price.useRegion(sp - 32, sp - 96);
  price.addMemory();
  return 0;
}

export function priceCalldatacopy(sp: usize): i32 {
  return priceOfCopy(sp);
}
export function priceCodecopy(sp: usize): i32 {
  return priceOfCopy(sp);
}
export function priceReturndatacopy(sp: usize): i32 {
  return priceOfCopy(sp);
}

/** Address in memory to which a copy writes. Must not be called for a length of zero. @inline */
function targetOf(offset: usize): usize {
  return memoryStart + <usize>load<u32>(offset);
}

export function runCalldatacopy(sp: usize): void {
  const length = <usize>saturated(sp - 96);
  if (length == 0) return;
  const source = inMemory(frame.input);
  copyPadded(targetOf(sp - 32), source, frame.inputLength, saturated(sp - 64), length);
}

export function runCodecopy(sp: usize): void {
  const length = <usize>saturated(sp - 96);
  if (length == 0) return;
  const code = frame.code;
  copyPadded(targetOf(sp - 32), code.raw, code.length, saturated(sp - 64), length);
}

/** Fails beyond the end of the return data, which is not padded with zeros (EIP-211). */
export function runReturndatacopy(sp: usize): i32 {
  const first = saturated(sp - 64);
  const length = saturated(sp - 96);
  if (first + length < first || first + length > <u64>returnLength()) return -FrameError.OUT_OF_BOUNDS;
  if (length != 0) copyPadded(targetOf(sp - 32), returnData(), returnLength(), first, <usize>length);
  return 0;
}

// ---- Other accounts.

/** Adds the price of an account access (EIP-2929). @inline */
export function priceAccess(account: Account): void {
  if (hasEip(EIP_2929)) price.add(account.isWarm ? fee(FEE_WARM) : fee(FEE_COLD_ACCOUNT));
}

/** @inline */
export function noteAccess(account: Account): void {
  if (hasEip(EIP_2929)) warmAccount(account);
  if (hasEip(EIP_7928)) noteSeen(account);
}

export function priceBalance(sp: usize): i32 {
  const account = findAccount(sp - 32);
  price.account = accountNumber(account);
  priceAccess(account);
  return requireAccount(account);
}

export function runBalance(sp: usize): void {
  const account = accountAt(price.account);
  noteAccess(account);
  copyWord(sp - 32, account.balance);
}

export function priceExtcodesize(sp: usize): i32 {
  const account = findAccount(sp - 32);
  price.account = accountNumber(account);
  priceAccess(account);
  price.add(fee(FEE_READ_CODE));
  return requireCodeLength(account);
}

export function runExtcodesize(sp: usize): void {
  const account = accountAt(price.account);
  noteAccess(account);
  setSmall(sp - 32, account.hasCode ? account.code.length : 0);
}

export function priceExtcodehash(sp: usize): i32 {
  return priceBalance(sp);
}

/** Keccak-256 of nothing, as a word. */
const EMPTY_HASH = memory.data<u64>([0x7bfad8045d85a470, 0xe500b653ca82273b, 0x927e7db2dcc703c0, 0xc5d2460186f7233c]);

/** Zero for an empty account (EIP-1052). */
export function runExtcodehash(sp: usize): void {
  const account = accountAt(price.account);
  noteAccess(account);
  if (account.isEmpty || !account.exists) setZero(sp - 32);
  else if (account.hasCode) reverse(sp - 32, account.codeHash);
  else copyWord(sp - 32, EMPTY_HASH);
}

export function priceExtcodecopy(sp: usize): i32 {
  let status = priceExtcodesize(sp);
  if (status == 0) status = requireCode(accountAt(price.account));
  if (status != 0) return status;
  price.addPerWord(sp - 128, COPY_WORD);
  price.useRegion(sp - 64, sp - 128);
  price.addMemory();
  return 0;
}

export function runExtcodecopy(sp: usize): void {
  const account = accountAt(price.account);
  noteAccess(account);
  const length = <usize>saturated(sp - 128);
  if (length == 0) return;
  const code = account.hasCode ? account.code : emptyCode;
  copyPadded(targetOf(sp - 64), code.raw, code.length, saturated(sp - 96), length);
}
