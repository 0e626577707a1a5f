// Yellow paper appendix H.2, 40s: block information.

import { ByteBuffer } from "../machine/byte-buffer";
import { environment } from "../machine/environment";
import { NEED_BLOCKHASH } from "../machine/layout";
import { frame } from "../machine/machine";
import { mailbox } from "../machine/mailbox";
import { accountAt } from "../state/world-state";
import { Stack } from "../words/stack";
import { Word } from "../words/word";

/** Number of ancestors that BLOCKHASH can read. */
const REACH: u64 = 256;

export function runCoinbase(stack: Stack): void {
  stack.pushed.set(environment.coinbase);
}

export function runTimestamp(stack: Stack): void {
  stack.pushed.set(environment.timestamp);
}

export function runNumber(stack: Stack): void {
  stack.pushed.set(environment.number);
}

export function runDifficulty(stack: Stack): void {
  stack.pushed.set(environment.difficulty);
}

export function runGaslimit(stack: Stack): void {
  stack.pushed.set(environment.gasLimit);
}

export function runChainid(stack: Stack): void {
  stack.pushed.set(environment.chainId);
}

export function runSelfbalance(stack: Stack): void {
  stack.pushed.set(accountAt(frame.self).balance);
}

export function runBasefee(stack: Stack): void {
  stack.pushed.set(environment.baseFee);
}

export function runBlobbasefee(stack: Stack): void {
  stack.pushed.set(environment.blobBaseFee);
}

export function runSlotnum(stack: Stack): void {
  stack.pushed.set(environment.slotNumber);
}

// ---- BLOCKHASH: the core asks the host for a hash, and keeps the last one with its block number. Each use compares
// the number: a frame may run out of gas before it uses the hash, and the next frame may need another block's hash.

const NO_NUMBER: u64 = u64.MAX_VALUE;

let answeredNumber: u64 = NO_NUMBER;

/** Must be called after the host has written the hash to the mailbox. */
export function answerBlockhash(): void {
  answeredNumber = mailbox.number;
}

/** Must be called at the start of a transaction, which may be in another block. */
export function forgetHash(): void {
  answeredNumber = NO_NUMBER;
}

function isKnownTo(item: Word): bool {
  const current = environment.number.limb0;
  const wanted = item.saturated;
  return wanted < current && current - wanted <= REACH;
}

export function priceBlockhash(stack: Stack): i32 {
  if (!isKnownTo(stack.top)) return 0;
  const wanted = stack.top.limb0;
  if (wanted == answeredNumber) return 0;
  mailbox.number = wanted;
  return NEED_BLOCKHASH;
}

export function runBlockhash(stack: Stack): void {
  if (isKnownTo(stack.top)) stack.top.read(mailbox.answer);
  else stack.top.setZero();
}

// ---- Blobs (EIP-4844).

/** The versioned hashes of the transaction's blobs, 32 bytes each. */
const hashes: ByteBuffer = changetype<ByteBuffer>(memory.data(offsetof<ByteBuffer>(), 16));

/** Reserves memory for so many hashes, and returns its address. */
export function prepareBlobHashes(count: u32): usize {
  hashes.clear();
  return hashes.add((<usize>count) << 5);
}

export function runBlobhash(stack: Stack): void {
  const index = stack.top.saturated;
  if (index < <u64>hashes.length >> 5) stack.top.read(hashes.at + ((<usize>index) << 5));
  else stack.top.setZero();
}
