// Yellow paper appendix H.2, 30s: environmental information.

import { emptyCode } from "../code/new-code";
import { FrameError } from "../facts.generated";
import { EIP_2929, EIP_7928 } from "../machine/eips";
import { environment } from "../machine/environment";
import { fees } from "../machine/fees";
import { frame, hasEip } from "../machine/machine";
import { copyPadded, inMemory, memoryStart } from "../machine/memory";
import { price } from "../machine/price";
import { returnData, returnLength } from "../machine/return-data";
import { Account } from "../state/account";
import { requireAccount, requireCode, requireCodeLength } from "../state/needs";
import { noteSeen, warmAccount } from "../state/substate";
import { accountAt, accountNumber, findAccount } from "../state/world-state";
import { Stack } from "../words/stack";
import { Word } from "../words/word";

const COPY_WORD: u64 = 3;

export function runAddress(stack: Stack): void {
  stack.pushed.set(frame.address);
}

export function runOrigin(stack: Stack): void {
  stack.pushed.set(environment.origin);
}

export function runCaller(stack: Stack): void {
  stack.pushed.set(frame.caller);
}

export function runCallvalue(stack: Stack): void {
  stack.pushed.set(frame.value);
}

export function runGasprice(stack: Stack): void {
  stack.pushed.set(environment.gasPrice);
}

const padded: Word = changetype<Word>(memory.data(32, 16));

export function runCalldataload(stack: Stack): void {
  const item = stack.top;
  const offset = item.saturated;
  const length = <u64>frame.inputLength;
  if (offset >= length) return item.setZero();
  const start = inMemory(frame.input) + <usize>offset;
  if (offset + 32 <= length) return item.read(start);
  padded.setZero();
  memory.copy(changetype<usize>(padded), start, <usize>(length - offset));
  item.read(changetype<usize>(padded));
}

export function runCalldatasize(stack: Stack): void {
  stack.pushed.setSmall(frame.inputLength);
}

export function runCodesize(stack: Stack): void {
  stack.pushed.setSmall(frame.code.length);
}

export function runReturndatasize(stack: Stack): void {
  stack.pushed.setSmall(returnLength());
}

// ---- Copies into memory.

/** Prices a copy. Its target offset is on top of the stack, its length is the third item. */
function priceOfCopy(stack: Stack): i32 {
  price.addPerWord(stack.third, COPY_WORD);
  price.useRegion(stack.top, stack.third);
  price.addMemory();
  return 0;
}

export function priceCalldatacopy(stack: Stack): i32 {
  return priceOfCopy(stack);
}
export function priceCodecopy(stack: Stack): i32 {
  return priceOfCopy(stack);
}
export function priceReturndatacopy(stack: Stack): i32 {
  return priceOfCopy(stack);
}

/** Address in memory to which a copy writes. Must not be called for a length of zero. @inline */
function targetOf(offset: Word): usize {
  return memoryStart + <usize>offset.lowest32;
}

export function runCalldatacopy(stack: Stack): void {
  const length = <usize>stack.third.saturated;
  if (length == 0) return;
  const source = inMemory(frame.input);
  copyPadded(targetOf(stack.top), source, frame.inputLength, stack.second.saturated, length);
}

export function runCodecopy(stack: Stack): void {
  const length = <usize>stack.third.saturated;
  if (length == 0) return;
  const code = frame.code;
  copyPadded(targetOf(stack.top), code.raw, code.length, stack.second.saturated, length);
}

/** Fails beyond the end of the return data, which is not padded with zeros (EIP-211). */
export function runReturndatacopy(stack: Stack): i32 {
  const first = stack.second.saturated;
  const length = stack.third.saturated;
  if (first + length < first || first + length > <u64>returnLength()) return -FrameError.OUT_OF_BOUNDS;
  if (length != 0) copyPadded(targetOf(stack.top), returnData(), returnLength(), first, <usize>length);
  return 0;
}

// ---- Other accounts.

/** Adds the price of an account access (EIP-2929). @inline */
export function priceAccess(account: Account): void {
  if (hasEip(EIP_2929)) price.add(account.isWarm ? fees.warm : fees.coldAccount);
}

/** @inline */
export function noteAccess(account: Account): void {
  if (hasEip(EIP_2929)) warmAccount(account);
  if (hasEip(EIP_7928)) noteSeen(account);
}

export function priceBalance(stack: Stack): i32 {
  const account = findAccount(stack.top);
  price.account = accountNumber(account);
  priceAccess(account);
  return requireAccount(account);
}

export function runBalance(stack: Stack): void {
  const account = accountAt(price.account);
  noteAccess(account);
  stack.top.set(account.balance);
}

export function priceExtcodesize(stack: Stack): i32 {
  const account = findAccount(stack.top);
  price.account = accountNumber(account);
  priceAccess(account);
  price.add(fees.readCode);
  return requireCodeLength(account);
}

export function runExtcodesize(stack: Stack): void {
  const account = accountAt(price.account);
  noteAccess(account);
  stack.top.setSmall(account.hasCode ? account.code.length : 0);
}

export function priceExtcodehash(stack: Stack): i32 {
  return priceBalance(stack);
}

/** Keccak-256 of nothing, as a word. */
const EMPTY_HASH: Word = changetype<Word>(
  memory.data<u64>([0x7bfad8045d85a470, 0xe500b653ca82273b, 0x927e7db2dcc703c0, 0xc5d2460186f7233c]),
);

/** Zero for an empty account (EIP-1052). */
export function runExtcodehash(stack: Stack): void {
  const account = accountAt(price.account);
  noteAccess(account);
  if (account.isEmpty || !account.exists) stack.top.setZero();
  else if (account.hasCode) stack.top.read(account.codeHash);
  else stack.top.set(EMPTY_HASH);
}

export function priceExtcodecopy(stack: Stack): i32 {
  let status = priceExtcodesize(stack);
  if (status == 0) status = requireCode(accountAt(price.account));
  if (status != 0) return status;
  price.addPerWord(stack.fourth, COPY_WORD);
  price.useRegion(stack.second, stack.fourth);
  price.addMemory();
  return 0;
}

export function runExtcodecopy(stack: Stack): void {
  const account = accountAt(price.account);
  noteAccess(account);
  const length = <usize>stack.fourth.saturated;
  if (length == 0) return;
  const code = account.hasCode ? account.code : emptyCode;
  copyPadded(targetOf(stack.second), code.raw, code.length, stack.third.saturated, length);
}
