// Yellow paper appendix E, precompiled contracts. Identity runs here, all others in the host.

import { FrameError } from "../facts.generated";
import { Frame } from "../machine/frame";
import { EVENT_HAS_FAULT, NEED_PRECOMPILE } from "../machine/layout";
import { burn, frame } from "../machine/machine";
import { mailbox } from "../machine/mailbox";
import { inMemory } from "../machine/memory";
import { prepareReturnData, returnData } from "../machine/return-data";
import { leave, noteDetail } from "./frame-end";

const IDENTITY: u32 = 4;

// ---- Results from the host.

/** The result of a precompile. */
@unmanaged
class Answer {
  isThere: bool;
  error: i32;
  gas: i64;
  length: u32;
}

const answer: Answer = changetype<Answer>(memory.data(offsetof<Answer>(), 16));

/** Discards a result that was not used. */
export function forgetAnswers(): void {
  answer.isThere = false;
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
  answer.isThere = true;
  answer.error = error;
  answer.gas = gasUsed;
  answer.length = length;
  if (fault != 0) noteDetail(EVENT_HAS_FAULT, fault);
}

/** Runs identity, or requests any other precompile from the host. Ends the frame when the result is there. */
export function runPrecompile(): i32 {
  const running = frame;
  if (running.precompile == IDENTITY) return runIdentity(running);
  if (!answer.isThere) {
    mailbox.precompile = running.precompile;
    mailbox.input = <u32>inMemory(running.input);
    mailbox.inputLength = running.inputLength;
    mailbox.gas = running.gas;
    return NEED_PRECOMPILE;
  }
  answer.isThere = false;
  running.gas -= answer.gas;
  return leave(answer.error, returnData(), answer.length);
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
