// Recording: events of frames, logs and accesses, and recorded steps (see evm/step-buffer.ts).
//
// Both accumulate here until the host takes them: between slices of a run, at its end, and when there are too many.

import {
  EVENT_ACCOUNT,
  EVENT_CODE,
  EVENT_CREATED,
  EVENT_DATA,
  EVENT_DATA_LENGTH,
  EVENT_DEPTH,
  EVENT_DETAIL,
  EVENT_ENTER,
  EVENT_ERROR,
  EVENT_EXIT,
  EVENT_FIRST,
  EVENT_FLAGS,
  EVENT_GAS,
  EVENT_HAS_DETAIL,
  EVENT_INIT_CODE_SIZE,
  EVENT_IS_CREATION,
  EVENT_IS_PRECOMPILE,
  EVENT_KIND,
  EVENT_LOG,
  EVENT_REFUSE,
  EVENT_SECOND,
  EVENT_SELFDESTRUCT,
  EVENT_SIZE,
  EVENT_SLOT,
  EVENT_STEP,
  EVENT_THIRD,
  EVENT_TYPE,
  TRACE_FRAMES,
  TRACE_LOGS,
  TRACE_MEMORY,
  TRACE_STEPS,
  TRACE_WATCHED,
} from "./layout";
import * as Frame from "./frame";
import { moved, reserve } from "./heap";
import { burn, depth, mailbox, operands } from "./machine";
import { inMemory, memorySize, memoryStart } from "./memory";
import { refund } from "./substate";
import { copyAddress, copyWord, reverse, saturated } from "./words";

/** The data that the transaction records, as bits. */
export let tracing: u32 = 0;
const watched = memory.data(32, 16);
let frameCount: u32 = 0;

/** Begins the recording of a transaction; the address to watch is in the mailbox. */
export function beginTrace(wants: u32): void {
  tracing = wants;
  copyAddress(watched, mailbox);
  frameCount = 0;
  stepCount = 0;
  firstStep = 0;
  writtenBytes = 0;
  eventBytes = 0;
  if ((wants & TRACE_STEPS) != 0 && steps == 0) {
    steps = reserve(<usize>STEP_CAPACITY * STEP_BYTES);
    writeCapacity = 65536;
    writes = reserve(writeCapacity);
  }
}

// @ts-ignore: decorator
@inline
export function wants(what: u32): bool {
  return (tracing & what) != 0;
}

// ---- Events.

/** So many bytes of events, and the host is to take them. */
const MANY_EVENTS: u32 = 262144;

let events: usize = 0;
let eventCapacity: u32 = 0;
export let eventBytes: u32 = 0;

/** An event with so many bytes of data; its numbers are zeros. */
function newEvent(type: u32, dataLength: usize): usize {
  const size = (<usize>EVENT_DATA + dataLength + 7) & ~7;
  if (eventBytes + <u32>size > eventCapacity) growEvents(eventBytes + <u32>size);
  const event = events + eventBytes;
  eventBytes += <u32>size;
  memory.fill(event, 0, EVENT_DATA);
  store<u8>(event + EVENT_TYPE, <u8>type);
  store<u32>(event + EVENT_SIZE, <u32>size);
  store<u32>(event + EVENT_DATA_LENGTH, <u32>dataLength);
  burn(dataLength + 512);
  return event;
}

function growEvents(needed: u32): void {
  const larger = max<u32>(max<u32>(needed, 65536), eventCapacity * 2);
  events = moved(events, eventBytes, larger);
  eventCapacity = larger;
}

export function eventsAt(): usize {
  return events;
}

/** To be called when the host has taken the events. */
export function clearEvents(): void {
  eventBytes = 0;
}

/** Numbers a frame, one that never starts too. */
export function numberFrame(): u32 {
  return frameCount++;
}

/** True if a frame with this code address is to be reported. */
export function tellsOf(codeAddress: usize): bool {
  if (wants(TRACE_FRAMES)) return true;
  if (!wants(TRACE_WATCHED)) return false;
  return (
    load<u64>(codeAddress) == load<u64>(watched) &&
    load<u64>(codeAddress, 8) == load<u64>(watched, 8) &&
    load<u32>(codeAddress, 16) == load<u32>(watched, 16)
  );
}

/** The step that a frame's caller is at, plus one; 0 where there is none. */
function callingStep(): u32 {
  return wants(TRACE_STEPS) && depth > 0 ? firstStep + stepCount : 0;
}

/**
 * Tells that a frame begins.
 *
 * @param to - word of the address that was called
 */
export function tellEnter(frame: usize, to: usize): void {
  const kind = load<u32>(frame + Frame.KIND);
  const length = <usize>load<u32>(frame + Frame.INPUT_LENGTH);
  const event = newEvent(EVENT_ENTER, length);
  const runsForeignCode = kind == Frame.CALLCODE || kind == Frame.DELEGATECALL;
  fillStart(event, kind, to, frame + Frame.VALUE);
  reverse(event + EVENT_FIRST, frame + (runsForeignCode ? Frame.ADDRESS : Frame.CALLER));
  store<u16>(event + EVENT_DEPTH, <u16>depth);
  store<i64>(event + EVENT_GAS, load<i64>(frame + Frame.FIRST_GAS));
  if (load<u32>(frame + Frame.PRECOMPILE) != 0) store<u32>(event + EVENT_FLAGS, EVENT_IS_PRECOMPILE);
  memory.copy(event + EVENT_DATA, inMemory(load<u32>(frame + Frame.INPUT)), length);
}

function fillStart(event: usize, kind: u32, to: usize, value: usize): void {
  store<u8>(event + EVENT_KIND, <u8>kind);
  store<u32>(event + EVENT_STEP, callingStep());
  if (kind < Frame.CREATE) reverse(event + EVENT_SECOND, to);
  copyWord(event + EVENT_THIRD, value);
}

/** Data of a call or creation that does not start a frame, other than its caller. */
export let refusedKind: u32 = 0;
export let refusedGas: i64 = 0;
export let refusedIsPrecompile: bool = false;
export function prepareRefusal(kind: u32, gas: i64, isPrecompile: bool): void {
  refusedKind = kind;
  refusedGas = gas;
  refusedIsPrecompile = isPrecompile;
}

/** Tells of a call or creation that never starts a frame: who was to be called, the value, and the input. */
export function tellRefusal(caller: usize, to: usize, value: usize, input: usize, length: usize): usize {
  numberFrame();
  if (!tellsOf(to)) return 0;
  const event = newEvent(EVENT_REFUSE, length);
  fillStart(event, refusedKind, to, value);
  reverse(event + EVENT_FIRST, caller + Frame.ADDRESS);
  store<u16>(event + EVENT_DEPTH, <u16>(depth + 1));
  // The caller is at depth 0 or more, so that a step of its own started this.
  if (wants(TRACE_STEPS)) store<u32>(event + EVENT_STEP, firstStep + stepCount);
  store<i64>(event + EVENT_GAS, refusedGas);
  if (refusedIsPrecompile) store<u32>(event + EVENT_FLAGS, EVENT_IS_PRECOMPILE);
  memory.copy(event + EVENT_DATA, input, length);
  return event;
}

export function setRefusalError(event: usize, error: i32): void {
  if (event != 0) store<u32>(event + EVENT_ERROR, error);
}

/** Tells that a frame ends. */
export function tellExit(frame: usize, error: i32, output: usize, length: usize): usize {
  const event = newEvent(EVENT_EXIT, length);
  const kind = load<u32>(frame + Frame.KIND);
  store<u8>(event + EVENT_KIND, <u8>kind);
  store<u32>(event + EVENT_ERROR, error);
  store<i64>(event + EVENT_GAS, load<i64>(frame + Frame.FIRST_GAS) - load<i64>(frame + Frame.GAS));
  store<u32>(event + EVENT_STEP, wants(TRACE_STEPS) ? firstStep + stepCount : 0);
  if (kind >= Frame.CREATE) {
    store<u32>(event + EVENT_FLAGS, EVENT_IS_CREATION);
    reverse(event + EVENT_CREATED, frame + Frame.ADDRESS);
  } else store<u32>(event + EVENT_CODE, load<u32>(frame + Frame.CODE));
  memory.copy(event + EVENT_DATA, output, length);
  return event;
}

/** Adds the detail of a failure to the event of a frame's end. */
export function addDetail(event: usize, flags: u32, detail: u32, initCodeSize: usize): void {
  store<u32>(event + EVENT_FLAGS, load<u32>(event + EVENT_FLAGS) | flags);
  store<u32>(event + EVENT_DETAIL, detail);
  if ((flags & EVENT_HAS_DETAIL) != 0) copyWord(event + EVENT_INIT_CODE_SIZE, initCodeSize);
}

/** Tells of a SELFDESTRUCT with words of both addresses and the balance. */
export function tellSelfDestruct(address: usize, beneficiary: usize, balance: usize): void {
  const event = newEvent(EVENT_SELFDESTRUCT, 0);
  reverse(event + EVENT_FIRST, address);
  reverse(event + EVENT_SECOND, beneficiary);
  copyWord(event + EVENT_THIRD, balance);
}

/** Tells of the account in a word. */
export function tellAccount(address: usize): void {
  reverse(newEvent(EVENT_ACCOUNT, 0) + EVENT_FIRST, address);
}

/** Tells of a slot. */
export function tellSlot(address: usize, key: usize): void {
  const event = newEvent(EVENT_SLOT, 0);
  reverse(event + EVENT_FIRST, address);
  reverse(event + EVENT_SECOND, key);
}

// ---- Logs of the transaction, those of failed frames left out: as events, so that one reader serves both.

let logs: usize = 0;
let logCapacity: u32 = 0;
export let logBytes: u32 = 0;
export let logCount: u32 = 0;

export function undoLogs(bytes: u32, count: u32): void {
  logBytes = bytes;
  logCount = count;
}

export function logsAt(): usize {
  return logs;
}

/**
 * Notes a log.
 *
 * @param topics - behind the first topic on the stack, the others below it
 */
export function addLog(address: usize, topics: usize, topicCount: usize, data: usize, length: usize): void {
  const dataLength = (topicCount << 5) + length;
  const size = (<usize>EVENT_DATA + dataLength + 7) & ~7;
  if (logBytes + <u32>size > logCapacity) {
    const larger = max<u32>(max<u32>(logBytes + <u32>size, 4096), logCapacity * 2);
    logs = moved(logs, logBytes, larger);
    logCapacity = larger;
  }
  const log = logs + logBytes;
  memory.fill(log, 0, EVENT_DATA);
  store<u8>(log + EVENT_TYPE, <u8>EVENT_LOG);
  store<u8>(log + EVENT_KIND, <u8>topicCount);
  store<u32>(log + EVENT_SIZE, <u32>size);
  store<u32>(log + EVENT_DATA_LENGTH, <u32>dataLength);
  reverse(log + EVENT_FIRST, address);
  for (let index: usize = 0; index < topicCount; index++) {
    reverse(log + EVENT_DATA + (index << 5), topics - 32 - (index << 5));
  }
  memory.copy(log + EVENT_DATA + (topicCount << 5), data, length);
  burn(dataLength);
  logBytes += <u32>size;
  logCount++;
  if (!wants(TRACE_LOGS)) return;
  const event = newEvent(EVENT_LOG, dataLength);
  memory.copy(event, log, size);
}

// ---- Steps.

const STEP_BYTES: usize = 96;
const STEP_CAPACITY: u32 = 4096;
/** So many bytes written to memory by the steps at hand, and the host is to take them. */
const MANY_WRITES: u32 = 1048576;

// Places in a record, see evm/step-buffer.ts.
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
let firstStep: u32 = 0;
export let stepCount: u32 = 0;
let writes: usize = 0;
let writeCapacity: u32 = 0;
export let writtenBytes: u32 = 0;

export function stepsAt(): usize {
  return steps;
}
export function writesAt(): usize {
  return writes;
}

/** To be called when the host has taken the steps. */
export function clearSteps(): void {
  firstStep += stepCount;
  stepCount = 0;
  writtenBytes = 0;
}

/** The host is to take what there is before another step begins. */
export function isFull(): bool {
  return stepCount == STEP_CAPACITY || writtenBytes > MANY_WRITES || eventBytes > MANY_EVENTS;
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
 * Adds to the last step, a creation, what it paid for its account, which is known only once its address is (EIP-8037).
 *
 * @param isPaid - false if its gas was too little
 */
export function amendStep(cost: i64, forwarded: i64, isPaid: bool): void {
  if (!wants(TRACE_STEPS) || stepCount == 0) return;
  const record = steps + <usize>(stepCount - 1) * STEP_BYTES;
  store<i64>(record + COST, load<i64>(record + COST) + cost);
  store<i64>(record + FORWARDED, forwarded);
  if (!isPaid) setOutcome(record, OUT_OF_GAS);
}

/** As in evm/frames.ts. */
const OUT_OF_GAS: u32 = 1;

/** Notes which items of the stack a step names by its immediate. */
export function setItems(record: usize, items: u32): void {
  store<u32>(record + ITEMS, items);
}

export function setOutcome(record: usize, outcome: u32): void {
  store<u8>(record + OUTCOME, <u8>outcome);
}

/** Leaves a step open until it is known what it left. Calls and creations leave nothing that is recorded. */
export function openStep(frame: usize, record: usize, opcode: u32, sp: usize): void {
  if (opcode >= 0xf0 && opcode <= 0xfa && opcode != 0xf3) return;
  store<u32>(frame + Frame.STEP, firstStep + stepCount);
  if (wants(TRACE_MEMORY)) noteRegion(record, opcode, sp);
}

/** Notes where a step will write while its operands are on the stack. Regions that are paid for have 32 bits. */
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

/** Completes the step that a frame has open, if any: it ran to its end. */
export function completeStep(frame: usize, sp: usize): void {
  const record = openRecord(frame);
  if (record == 0) return;
  const opcode = <usize>load<u8>(record + OPCODE);
  // SWAP1 and DUP1 leave more than one.
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

/** Ends the step that a frame has open, if any: it failed. */
export function failStep(frame: usize, outcome: u32): void {
  const record = openRecord(frame);
  if (record == 0) return;
  setOutcome(record, outcome);
  store<u32>(record + WRITE_LENGTH, 0);
  store<u32>(record + WRITE_OFFSET, 0);
}

/** Reports the account or slot that an operation accesses, if there is one. */
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
