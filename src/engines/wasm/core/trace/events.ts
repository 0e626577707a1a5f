// Events for recorders: frames, logs and accesses. They are buffered here. The host reads them after each slice of a run,
// which ends early if they are many.

import { FrameKind } from "../facts.generated";
import { Frame } from "../machine/frame";
import { moved } from "../machine/heap";
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
  EVENT_REFUSE,
  EVENT_SECOND,
  EVENT_SELFDESTRUCT,
  EVENT_SIZE,
  EVENT_SLOT,
  EVENT_STEP,
  EVENT_THIRD,
  EVENT_TYPE,
  TRACE_DATA,
  TRACE_FRAMES,
  TRACE_OUTERMOST_DATA,
  TRACE_WATCHED,
  TRACE_WATCHED_DATA,
} from "../machine/layout";
import { burn, depth, setFuel } from "../machine/machine";
import { inMemory } from "../machine/memory";
import { copyWord, reverse } from "../machine/words";
import { stepNumber, wants } from "./recording";

/** The address to watch, as a word. The host sets it before a transaction. */
export const watched: usize = memory.data(32, 16);
let frameCount: u32 = 0;

/** Begins the events of a transaction. */
export function beginEvents(): void {
  frameCount = 0;
  eventBytes = 0;
}

// ---- Events.

/** The slice ends when the events take this many bytes, so that the host reads them. */
const MANY_EVENTS: u32 = 262144;

let events: usize = 0;
let eventCapacity: u32 = 0;
export let eventBytes: u32 = 0;

/** Adds an event with space for its data. All other members are zero. */
export function newEvent(type: u32, dataLength: usize): usize {
  const size = (<usize>EVENT_DATA + dataLength + 7) & ~7;
  if (eventBytes + <u32>size > eventCapacity) growEvents(eventBytes + <u32>size);
  const event = events + eventBytes;
  eventBytes += <u32>size;
  memory.fill(event, 0, EVENT_DATA);
  store<u8>(event + EVENT_TYPE, <u8>type);
  store<u32>(event + EVENT_SIZE, <u32>size);
  store<u32>(event + EVENT_DATA_LENGTH, <u32>dataLength);
  burn(dataLength + 512);
  if (eventBytes > MANY_EVENTS) setFuel(-1);
  return event;
}

function growEvents(needed: u32): void {
  const larger = max<u32>(max<u32>(needed, 65536), eventCapacity * 2);
  events = moved(events, eventBytes, larger);
  eventCapacity = larger;
}

/** Address of the buffered events. */
export function eventsAt(): usize {
  return events;
}

/** Empties the buffer. The host calls it after it has read the events. */
export function clearEvents(): void {
  eventBytes = 0;
}

/** Numbers a frame. Calls that never start a frame are numbered, too. */
export function numberFrame(): u32 {
  return frameCount++;
}

/** True if a frame with this code address is to be reported. */
function isReported(codeAddress: usize): bool {
  return wants(TRACE_FRAMES) || (wants(TRACE_WATCHED) && isWatched(codeAddress));
}

/** True if input and output of a reported frame are wanted. */
function isDataWanted(codeAddress: usize, isOutermost: bool): bool {
  if (wants(TRACE_DATA)) return true;
  if (wants(TRACE_OUTERMOST_DATA) && isOutermost) return true;
  return wants(TRACE_WATCHED_DATA) && isWatched(codeAddress);
}

function isWatched(codeAddress: usize): bool {
  return (
    load<u64>(codeAddress) == load<u64>(watched) &&
    load<u64>(codeAddress, 8) == load<u64>(watched, 8) &&
    load<u32>(codeAddress, 16) == load<u32>(watched, 16)
  );
}

/** Number of the caller's current step plus one; 0 if there is none. */
function callingStep(): u32 {
  return depth > 0 ? stepNumber() : 0;
}

// Values of Frame.IS_TOLD.
const TOLD: u32 = 1;
const TOLD_WITH_DATA: u32 = 2;

/**
 * Reports that a frame begins, if such frames are wanted.
 *
 * @param to - the called address, as a word
 */
export function tellEnter(frame: Frame, to: usize): void {
  frame.told = 0;
  if (!isReported(to)) return;
  const withData = isDataWanted(to, depth == 0);
  frame.told = withData ? TOLD_WITH_DATA : TOLD;
  const kind = frame.kind;
  const length = withData ? <usize>frame.inputLength : 0;
  const event = newEvent(EVENT_ENTER, length);
  const runsForeignCode = kind == FrameKind.CALL_CODE || kind == FrameKind.DELEGATE_CALL;
  fillStart(event, kind, to, frame.value);
  reverse(event + EVENT_FIRST, runsForeignCode ? frame.address : frame.caller);
  store<u16>(event + EVENT_DEPTH, <u16>depth);
  store<i64>(event + EVENT_GAS, frame.firstGas);
  if (frame.precompile != 0) store<u32>(event + EVENT_FLAGS, EVENT_IS_PRECOMPILE);
  memory.copy(event + EVENT_DATA, inMemory(frame.input), length);
}

function fillStart(event: usize, kind: u32, to: usize, value: usize): void {
  store<u8>(event + EVENT_KIND, <u8>kind);
  store<u32>(event + EVENT_STEP, callingStep());
  if (kind < FrameKind.CREATE) reverse(event + EVENT_SECOND, to);
  copyWord(event + EVENT_THIRD, value);
}

/** Members of the next refusal event: a call or creation that does not start a frame. */
export let refusedKind: u32 = 0;
export let refusedGas: i64 = 0;
export let refusedIsPrecompile: bool = false;

/** Sets members of the next refusal event. */
export function prepareRefusal(kind: u32, gas: i64, isPrecompile: bool): void {
  refusedKind = kind;
  refusedGas = gas;
  refusedIsPrecompile = isPrecompile;
}

/** Reports a call or creation that does not start a frame, with its target, value and input. */
export function tellRefusal(caller: Frame, to: usize, value: usize, input: usize, inputLength: usize): usize {
  numberFrame();
  if (!isReported(to)) return 0;
  const length = isDataWanted(to, false) ? inputLength : 0;
  const event = newEvent(EVENT_REFUSE, length);
  fillStart(event, refusedKind, to, value);
  reverse(event + EVENT_FIRST, caller.address);
  store<u16>(event + EVENT_DEPTH, <u16>(depth + 1));
  // The caller is a frame, so this was caused by its current step.
  store<u32>(event + EVENT_STEP, stepNumber());
  store<i64>(event + EVENT_GAS, refusedGas);
  if (refusedIsPrecompile) store<u32>(event + EVENT_FLAGS, EVENT_IS_PRECOMPILE);
  memory.copy(event + EVENT_DATA, input, length);
  return event;
}

/** Sets the reason of a refusal; 0 stands for an event that is not wanted. */
export function setRefusalError(event: usize, error: i32): void {
  if (event != 0) store<u32>(event + EVENT_ERROR, error);
}

/** Reports that a frame ends whose beginning was reported. */
export function tellExit(frame: Frame, error: i32, output: usize, outputLength: usize): usize {
  const length = frame.told == TOLD_WITH_DATA ? outputLength : 0;
  const event = newEvent(EVENT_EXIT, length);
  const kind = frame.kind;
  store<u8>(event + EVENT_KIND, <u8>kind);
  store<u32>(event + EVENT_ERROR, error);
  store<i64>(event + EVENT_GAS, frame.firstGas - frame.gas);
  store<u32>(event + EVENT_STEP, stepNumber());
  if (kind >= FrameKind.CREATE) {
    store<u32>(event + EVENT_FLAGS, EVENT_IS_CREATION);
    reverse(event + EVENT_CREATED, frame.address);
  } else store<u32>(event + EVENT_CODE, <u32>changetype<usize>(frame.code));
  memory.copy(event + EVENT_DATA, output, length);
  return event;
}

/** Adds the reason of a failure to the event of a frame's end. */
export function addDetail(event: usize, flags: u32, detail: u32, initCodeSize: usize): void {
  store<u32>(event + EVENT_FLAGS, load<u32>(event + EVENT_FLAGS) | flags);
  store<u32>(event + EVENT_DETAIL, detail);
  if ((flags & EVENT_HAS_DETAIL) != 0) copyWord(event + EVENT_INIT_CODE_SIZE, initCodeSize);
}

/** Reports a SELFDESTRUCT. Addresses and balance are words. */
export function tellSelfDestruct(address: usize, beneficiary: usize, balance: usize): void {
  const event = newEvent(EVENT_SELFDESTRUCT, 0);
  reverse(event + EVENT_FIRST, address);
  reverse(event + EVENT_SECOND, beneficiary);
  copyWord(event + EVENT_THIRD, balance);
}

/** Reports an access to an account. */
export function tellAccount(address: usize): void {
  reverse(newEvent(EVENT_ACCOUNT, 0) + EVENT_FIRST, address);
}

/** Reports an access to a slot. */
export function tellSlot(address: usize, key: usize): void {
  const event = newEvent(EVENT_SLOT, 0);
  reverse(event + EVENT_FIRST, address);
  reverse(event + EVENT_SECOND, key);
}
