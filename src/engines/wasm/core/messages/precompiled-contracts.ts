// Yellow paper appendix E, precompiled contracts. Identity runs here, all others in the host.

import { FrameError } from "../facts.generated";
import { Frame } from "../machine/frame";
import {
  EVENT_HAS_FAULT,
  MAIL_GAS,
  MAIL_INPUT,
  MAIL_INPUT_LENGTH,
  MAIL_PRECOMPILE,
  NEED_PRECOMPILE,
} from "../machine/layout";
import { burn, frame, mailbox } from "../machine/machine";
import { inMemory } from "../machine/memory";
import { prepareReturnData, returnData } from "../machine/return-data";
import { leave, noteDetail } from "./frame-end";

const IDENTITY: u32 = 4;

// ---- Results from the host.

let isAnswered: bool = false;
let answeredError: i32 = 0;
let answeredGas: i64 = 0;
let answeredLength: u32 = 0;

/** Discards a result that was not used. */
export function forgetAnswers(): void {
  isAnswered = false;
}

/** Reserves memory for an output of this many bytes. */
export function prepareOutput(length: u32): usize {
  return prepareReturnData(length);
}

/**
 * Receives the result of a precompile. Its output is already in the memory of {@link prepareOutput}.
 *
 * @param fault - the host's number for the reason of a failure; 0 if there is none
 */
export function answerPrecompile(error: i32, gasUsed: i64, length: u32, fault: u32): void {
  isAnswered = true;
  answeredError = error;
  answeredGas = gasUsed;
  answeredLength = length;
  if (fault != 0) noteDetail(EVENT_HAS_FAULT, fault);
}

/** Runs identity, or requests any other precompile from the host. Ends the frame when the result is there. */
export function runPrecompile(): i32 {
  const running = frame;
  if (running.precompile == IDENTITY) return runIdentity(running);
  if (!isAnswered) {
    store<u32>(mailbox + MAIL_PRECOMPILE, running.precompile);
    store<u32>(mailbox + MAIL_INPUT, <u32>inMemory(running.input));
    store<u32>(mailbox + MAIL_INPUT_LENGTH, running.inputLength);
    store<i64>(mailbox + MAIL_GAS, running.gas);
    return NEED_PRECOMPILE;
  }
  isAnswered = false;
  running.gas -= answeredGas;
  return leave(answeredError, returnData(), answeredLength);
}

function runIdentity(running: Frame): i32 {
  const length = <usize>running.inputLength;
  const cost = <i64>(15 + 3 * ((length + 31) >> 5));
  const left = running.gas;
  if (cost > left) return leave(FrameError.OUT_OF_GAS, 0, 0);
  running.gas = left - cost;
  burn(length);
  return leave(0, inMemory(running.input), length);
}
