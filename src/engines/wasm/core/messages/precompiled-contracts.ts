// Yellow paper appendix E, precompiled contracts. Identity runs here, all others in the host.

import { FrameError } from "../facts.generated";
import {
  EVENT_HAS_FAULT,
  MAIL_GAS,
  MAIL_INPUT,
  MAIL_INPUT_LENGTH,
  MAIL_PRECOMPILE,
  NEED_PRECOMPILE,
} from "../machine/layout";
import * as Frame from "../machine/frame";
import { burn, frame, mailbox } from "../machine/machine";
import { inMemory } from "../machine/memory";
import { leave, noteDetail } from "./frame-end";
import { prepareReturnData, returnData } from "../machine/return-data";

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
  if (load<u32>(running + Frame.PRECOMPILE) == IDENTITY) return runIdentity(running);
  if (!isAnswered) {
    store<u32>(mailbox + MAIL_PRECOMPILE, load<u32>(running + Frame.PRECOMPILE));
    store<u32>(mailbox + MAIL_INPUT, <u32>inMemory(load<u32>(running + Frame.INPUT)));
    store<u32>(mailbox + MAIL_INPUT_LENGTH, load<u32>(running + Frame.INPUT_LENGTH));
    store<i64>(mailbox + MAIL_GAS, load<i64>(running + Frame.GAS));
    return NEED_PRECOMPILE;
  }
  isAnswered = false;
  store<i64>(running + Frame.GAS, load<i64>(running + Frame.GAS) - answeredGas);
  return leave(answeredError, returnData(), answeredLength);
}

function runIdentity(running: usize): i32 {
  const length = <usize>load<u32>(running + Frame.INPUT_LENGTH);
  const cost = <i64>(15 + 3 * ((length + 31) >> 5));
  const left = load<i64>(running + Frame.GAS);
  if (cost > left) return leave(FrameError.OUT_OF_GAS, 0, 0);
  store<i64>(running + Frame.GAS, left - cost);
  burn(length);
  return leave(0, inMemory(load<u32>(running + Frame.INPUT)), length);
}
