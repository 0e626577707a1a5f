// Yellow paper appendix H.2, 40s: block information.

import { ByteBuffer } from "../machine/byte-buffer";
import {
  ENVIRONMENT_BASE_FEE,
  ENVIRONMENT_BLOB_BASE_FEE,
  ENVIRONMENT_CHAIN_ID,
  ENVIRONMENT_COINBASE,
  ENVIRONMENT_DIFFICULTY,
  ENVIRONMENT_GAS_LIMIT,
  ENVIRONMENT_NUMBER,
  ENVIRONMENT_SLOT_NUMBER,
  ENVIRONMENT_TIMESTAMP,
  NEED_BLOCKHASH,
} from "../machine/layout";
import { environment, frame } from "../machine/machine";
import { mailbox } from "../machine/mailbox";
import { copyWord, lowest, reverse, saturated, setZero } from "../machine/words";
import { accountAt } from "../state/world-state";

/** Number of ancestors that BLOCKHASH can read. */
const REACH: u64 = 256;

export function runCoinbase(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_COINBASE);
}

export function runTimestamp(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_TIMESTAMP);
}

export function runNumber(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_NUMBER);
}

export function runDifficulty(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_DIFFICULTY);
}

export function runGaslimit(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_GAS_LIMIT);
}

export function runChainid(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_CHAIN_ID);
}

export function runSelfbalance(sp: usize): void {
  copyWord(sp, accountAt(frame.self).balance);
}

export function runBasefee(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_BASE_FEE);
}

export function runBlobbasefee(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_BLOB_BASE_FEE);
}

export function runSlotnum(sp: usize): void {
  copyWord(sp, environment + ENVIRONMENT_SLOT_NUMBER);
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

function isKnownTo(item: usize): bool {
  const current = lowest(environment + ENVIRONMENT_NUMBER);
  const wanted = saturated(item);
  return wanted < current && current - wanted <= REACH;
}

export function priceBlockhash(sp: usize): i32 {
  if (!isKnownTo(sp - 32)) return 0;
  const wanted = lowest(sp - 32);
  if (wanted == answeredNumber) return 0;
  mailbox.number = wanted;
  return NEED_BLOCKHASH;
}

export function runBlockhash(sp: usize): void {
  if (isKnownTo(sp - 32)) reverse(sp - 32, mailbox.answer);
  else setZero(sp - 32);
}

// ---- Blobs (EIP-4844).

/** The versioned hashes of the transaction's blobs, 32 bytes each. */
const hashes: ByteBuffer = changetype<ByteBuffer>(memory.data(offsetof<ByteBuffer>(), 16));

/** Reserves memory for so many hashes, and returns its address. */
export function prepareBlobHashes(count: u32): usize {
  hashes.clear();
  return hashes.add((<usize>count) << 5);
}

export function runBlobhash(sp: usize): void {
  const index = saturated(sp - 32);
  if (index < <u64>hashes.length >> 5) reverse(sp - 32, hashes.at + ((<usize>index) << 5));
  else setZero(sp - 32);
}
