// Events for recorders: frames, logs and accesses. They are buffered here. The host reads them after each slice of a run,
// which ends early if they are many.

import { FrameKind } from "../facts.generated";
import { ByteBuffer } from "../machine/byte-buffer";
import { Frame } from "../machine/frame";
import {
  EVENT_ACCOUNT,
  EVENT_ENTER,
  EVENT_EXIT,
  EVENT_HAS_DETAIL,
  EVENT_IS_CREATION,
  EVENT_IS_PRECOMPILE,
  EVENT_REFUSE,
  EVENT_SELFDESTRUCT,
  EVENT_SLOT,
  TRACE_DATA,
  TRACE_FRAMES,
  TRACE_OUTERMOST_DATA,
  TRACE_WATCHED,
  TRACE_WATCHED_DATA,
} from "../machine/layout";
import { burn, depth, setFuel } from "../machine/machine";
import { inMemory } from "../machine/memory";
import { Word } from "../words/word";
import { addEvent, Event } from "./event";
import { stepNumber, wants } from "./recording";

/** The address to watch, as a word. The host sets it before a transaction. */
export const watched: Word = changetype<Word>(memory.data(32, 16));
const address: Word = changetype<Word>(memory.data(32, 16));
/** Number of the transaction's frames. */
let frameCount: u32 = 0;

/** Begins the events of a transaction. */
export function beginEvents(): void {
  frameCount = 0;
  events.clear();
}

// ---- Events.

/** The slice ends when the events take this many bytes, so that the host reads them. */
const MANY_EVENTS: u32 = 262144;

export const events: ByteBuffer = changetype<ByteBuffer>(memory.data(offsetof<ByteBuffer>(), 16));

/** Adds an event with space for its data. All other members are zero. */
export function newEvent(type: u32, dataLength: usize): Event {
  const event = addEvent(events, type, dataLength);
  burn(dataLength + 512);
  if (events.length > MANY_EVENTS) setFuel(-1);
  return event;
}

/** Empties the buffer. The host calls it after it has read the events. */
export function clearEvents(): void {
  events.clear();
}

/** Numbers a frame. Calls that never start a frame are numbered, too. */
export function numberFrame(): u32 {
  return frameCount++;
}

/** True if a frame with this code address is to be reported. */
function isReported(codeAddress: Word): bool {
  return wants(TRACE_FRAMES) || (wants(TRACE_WATCHED) && isWatched(codeAddress));
}

/** True if input and output of a reported frame are wanted. */
function isDataWanted(codeAddress: Word, isOutermost: bool): bool {
  if (wants(TRACE_DATA)) return true;
  if (wants(TRACE_OUTERMOST_DATA) && isOutermost) return true;
  return wants(TRACE_WATCHED_DATA) && isWatched(codeAddress);
}

function isWatched(codeAddress: Word): bool {
  address.setAddress(codeAddress);
  return address.isEqual(watched);
}

/** Number of the caller's current step plus one; 0 if there is none. */
function callingStep(): u32 {
  return depth > 0 ? stepNumber() : 0;
}

// Values of Frame.reported.
const REPORTED: u32 = 1;
const REPORTED_WITH_DATA: u32 = 2;

/**
 * Reports that a frame begins, if such frames are wanted.
 *
 * @param to - the called address, as a word
 */
export function tellEnter(frame: Frame, to: Word): void {
  frame.reported = 0;
  if (!isReported(to)) return;
  const withData = isDataWanted(to, depth == 0);
  frame.reported = withData ? REPORTED_WITH_DATA : REPORTED;
  const kind = frame.kind;
  const length = withData ? <usize>frame.inputLength : 0;
  const event = newEvent(EVENT_ENTER, length);
  const runsForeignCode = kind == FrameKind.CALL_CODE || kind == FrameKind.DELEGATE_CALL;
  fillStart(event, kind, to, frame.value);
  (runsForeignCode ? frame.address : frame.caller).write(event.first);
  event.depth = <u16>depth;
  event.gas = frame.firstGas;
  if (frame.precompile != 0) event.flags = EVENT_IS_PRECOMPILE;
  memory.copy(event.data, inMemory(frame.input), length);
}

function fillStart(event: Event, kind: u32, to: Word, value: Word): void {
  event.kind = <u8>kind;
  event.step = callingStep();
  if (kind < FrameKind.CREATE) to.write(event.second);
  event.amount.set(value);
}

/** Members of the next refusal event: a call or creation that does not start a frame. */
@unmanaged
class Refusal {
  kind: u32;
  isPrecompile: bool;
  gas: i64;
}

const refusal: Refusal = changetype<Refusal>(memory.data(offsetof<Refusal>(), 16));

/** Sets members of the next refusal event. */
export function prepareRefusal(kind: u32, gas: i64, isPrecompile: bool): void {
  refusal.kind = kind;
  refusal.gas = gas;
  refusal.isPrecompile = isPrecompile;
}

/** Reports a call or creation that does not start a frame, with its target, value, input and error. */
export function tellRefusal(caller: Frame, to: Word, value: Word, input: usize, inputLength: usize, error: i32): void {
  numberFrame();
  if (!isReported(to)) return;
  const length = isDataWanted(to, false) ? inputLength : 0;
  const event = newEvent(EVENT_REFUSE, length);
  fillStart(event, refusal.kind, to, value);
  caller.address.write(event.first);
  event.depth = <u16>(depth + 1);
  // The caller is a frame, so this was caused by its current step.
  event.step = stepNumber();
  event.gas = refusal.gas;
  event.error = error;
  if (refusal.isPrecompile) event.flags = EVENT_IS_PRECOMPILE;
  memory.copy(event.data, input, length);
}

/** Reports that a frame ends whose beginning was reported. */
export function tellExit(frame: Frame, error: i32, output: usize, outputLength: usize): Event {
  const length = frame.reported == REPORTED_WITH_DATA ? outputLength : 0;
  const event = newEvent(EVENT_EXIT, length);
  const kind = frame.kind;
  event.kind = <u8>kind;
  event.error = error;
  event.gas = frame.firstGas - frame.gas;
  event.step = stepNumber();
  if (kind >= FrameKind.CREATE) {
    event.flags = EVENT_IS_CREATION;
    frame.address.write(event.third);
  } else event.code = <u32>changetype<usize>(frame.code);
  memory.copy(event.data, output, length);
  return event;
}

/** Adds the reason of a failure to the event of a frame's end. */
export function addDetail(event: Event, flags: u32, detail: u32, initCodeSize: Word): void {
  event.flags |= flags;
  event.detail = detail;
  if ((flags & EVENT_HAS_DETAIL) != 0) event.initCodeSize.set(initCodeSize);
}

/** Reports a SELFDESTRUCT. Addresses and balance are words. */
export function tellSelfDestruct(address: Word, beneficiary: Word, balance: Word): void {
  const event = newEvent(EVENT_SELFDESTRUCT, 0);
  address.write(event.first);
  beneficiary.write(event.second);
  event.amount.set(balance);
}

/** Reports an access to an account. */
export function tellAccount(address: Word): void {
  address.write(newEvent(EVENT_ACCOUNT, 0).first);
}

/** Reports an access to a slot. */
export function tellSlot(address: Word, key: Word): void {
  const event = newEvent(EVENT_SLOT, 0);
  address.write(event.first);
  key.write(event.second);
}
