// Records steps in the format of evm/step-buffer.ts. They are buffered like events.

import * as Frame from "../machine/frame";
import { moved, reserve } from "../machine/heap";
import { TRACE_MEMORY, TRACE_STEPS } from "../machine/layout";
import { burn, operands } from "../machine/machine";
import { memorySize, memoryStart } from "../machine/memory";
import { copyAddress, copyWord, saturated } from "../machine/words";
import { refund } from "../state/substate";
import { beginEvents, tellAccount, tellSlot, wants } from "./events";

const STEP_BYTES: usize = 96;
const STEP_CAPACITY: u32 = 4096;
/** The host must read the buffered steps when they have written this many bytes to memory. */
const MANY_WRITES: u32 = 1048576;

// Offsets in a record, see evm/step-buffer.ts.
const PC: usize = 0;
const OPCODE: usize = 4;
const OUTCOME: usize = 5;
const FLAGS: usize = 6;
const FRAME: usize = 8;
const MEMORY_BYTES: usize = 12;
const GAS: usize = 16;
const COST: usize = 24;
const FORWARDED: usize = 32;
const REFUND: usize = 40;
const WRITE_OFFSET: usize = 48;
const WRITE_LENGTH: usize = 52;
const WRITE_START: usize = 56;
const ITEMS: usize = 60;
const WORD: usize = 64;

let steps: usize = 0;
export let firstStep: u32 = 0;
export let stepCount: u32 = 0;
let writes: usize = 0;
let writeCapacity: u32 = 0;
export let writtenBytes: u32 = 0;

/** Begins the recording of a transaction. */
export function beginTrace(what: u32): void {
  beginEvents(what);
  stepCount = 0;
  firstStep = 0;
  writtenBytes = 0;
  if (wants(TRACE_STEPS) && steps == 0) {
    steps = reserve(<usize>STEP_CAPACITY * STEP_BYTES);
    writeCapacity = 65536;
    writes = reserve(writeCapacity);
  }
}

export function stepsAt(): usize {
  return steps;
}
export function writesAt(): usize {
  return writes;
}

/** Empties the buffer. The host calls it after it has read the steps. */
export function clearSteps(): void {
  firstStep += stepCount;
  stepCount = 0;
  writtenBytes = 0;
}

/** True if the host must read the steps before the next one. */
export function isFull(): bool {
  return stepCount == STEP_CAPACITY || writtenBytes > MANY_WRITES;
}

/** Records a step of the running frame before it runs. */
export function recordStep(
  frame: usize,
  opcode: u32,
  pc: u32,
  gas: i64,
  cost: u64,
  forwarded: u64,
  refundThen: i64,
): usize {
  const record = steps + <usize>stepCount * STEP_BYTES;
  memory.fill(record, 0, STEP_BYTES);
  store<u32>(record + PC, pc);
  store<u8>(record + OPCODE, <u8>opcode);
  store<u32>(record + FRAME, load<u32>(frame + Frame.NUMBER));
  store<u32>(record + MEMORY_BYTES, memorySize);
  store<i64>(record + GAS, gas);
  store<u64>(record + COST, cost);
  store<u64>(record + FORWARDED, forwarded);
  store<i64>(record + REFUND, refundThen);
  stepCount++;
  return record;
}

/**
 * Adds the account cost of a creation to the last step. It is known only after the new address is computed (EIP-8037).
 *
 * @param isPaid - false if the gas did not suffice
 */
export function amendStep(cost: i64, forwarded: i64, isPaid: bool): void {
  if (!wants(TRACE_STEPS) || stepCount == 0) return;
  const record = steps + <usize>(stepCount - 1) * STEP_BYTES;
  store<i64>(record + COST, load<i64>(record + COST) + cost);
  store<i64>(record + FORWARDED, forwarded);
  if (!isPaid) setOutcome(record, OUT_OF_GAS);
}

/** The same number as in evm/frames.ts. */
const OUT_OF_GAS: u32 = 1;

/** Records the stack items that a step's immediate selects. */
export function setItems(record: usize, items: u32): void {
  store<u32>(record + ITEMS, items);
}

export function setOutcome(record: usize, outcome: u32): void {
  store<u8>(record + OUTCOME, <u8>outcome);
}

/** Keeps a step open until its result is known. Calls and creations have no recorded result. */
export function openStep(frame: usize, record: usize, opcode: u32, sp: usize): void {
  if (opcode >= 0xf0 && opcode <= 0xfa && opcode != 0xf3) return;
  store<u32>(frame + Frame.STEP, firstStep + stepCount);
  if (wants(TRACE_MEMORY)) noteRegion(record, opcode, sp);
}

/**
 * Records the memory region that a step will write, while its operands are on the stack. A paid region fits in 32 bits.
 */
function noteRegion(record: usize, opcode: u32, sp: usize): void {
  let offset: usize = 0;
  let length: u64 = 0;
  if (opcode == 0x52) length = 32;
  else if (opcode == 0x53) length = 1;
  else if (opcode == 0x37 || opcode == 0x39 || opcode == 0x3e || opcode == 0x5e) length = saturated(sp - 96);
  else if (opcode == 0x3c) {
    offset = 32;
    length = saturated(sp - 128);
  } else return;
  store<u32>(record + WRITE_LENGTH, <u32>length);
  if (length != 0) store<u32>(record + WRITE_OFFSET, load<u32>(sp - 32 - offset));
}

function openRecord(frame: usize): usize {
  const number = load<u32>(frame + Frame.STEP);
  store<u32>(frame + Frame.STEP, 0);
  return number == 0 ? 0 : steps + <usize>(number - 1 - firstStep) * STEP_BYTES;
}

/** Completes the open step of a frame, if there is one, after its instruction succeeded. */
export function completeStep(frame: usize, sp: usize): void {
  const record = openRecord(frame);
  if (record == 0) return;
  const opcode = <usize>load<u8>(record + OPCODE);
  // Instructions such as SWAP1 and DUP1 leave more than one item. No result is recorded for them.
  if (load<u8>(operands + 256 + opcode) == 1) {
    copyWord(record + WORD, sp - 32);
    store<u8>(record + FLAGS, 1);
  }
  if (opcode == 0xff) store<i64>(record + REFUND, refund);
  const length = load<u32>(record + WRITE_LENGTH);
  if (length == 0) return;
  if (writtenBytes + length > writeCapacity) {
    writes = moved(writes, writtenBytes, max<usize>(<usize>writtenBytes + length, <usize>writeCapacity * 2));
    writeCapacity = max<u32>(writtenBytes + length, writeCapacity * 2);
  }
  memory.copy(writes + writtenBytes, memoryStart + load<u32>(record + WRITE_OFFSET), length);
  store<u32>(record + WRITE_START, writtenBytes);
  writtenBytes += length;
  burn(length);
}

/** Ends the open step of a frame, if there is one, after its instruction failed. */
export function failStep(frame: usize, outcome: u32): void {
  const record = openRecord(frame);
  if (record == 0) return;
  setOutcome(record, outcome);
  store<u32>(record + WRITE_LENGTH, 0);
  store<u32>(record + WRITE_OFFSET, 0);
}

/** Reports the account or slot that an instruction accesses, if any. */
export function tellAccess(frame: usize, opcode: u32, sp: usize): void {
  if (opcode == 0x54 || opcode == 0x55) return tellSlot(frame + Frame.ADDRESS, sp - 32);
  const isAccount = opcode == 0x31 || opcode == 0x3b || opcode == 0x3c || opcode == 0x3f || opcode == 0xff;
  if (isAccount) return tellMasked(sp - 32);
  if (opcode == 0xf1 || opcode == 0xf2 || opcode == 0xf4 || opcode == 0xfa) tellMasked(sp - 64);
}

const address = memory.data(32, 16);

function tellMasked(word: usize): void {
  copyAddress(address, word);
  tellAccount(address);
}
