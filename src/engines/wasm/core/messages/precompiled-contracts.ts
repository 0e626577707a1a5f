// Yellow paper appendix E, precompiled contracts. Identity runs here, all others in the host.

import {
  ERROR_OUT_OF_GAS,
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

// ---- What the host answers.

let isAnswered: bool = false;
let answeredError: i32 = 0;
let answeredGas: i64 = 0;
let answeredLength: u32 = 0;

/** Drops an answer that was not used. */
export function forgetAnswers(): void {
  isAnswered = false;
}

/** Reserves an output of this many bytes. */
export function prepareOutput(length: u32): usize {
  return prepareReturnData(length);
}

/**
 * Passes on the answer of a precompile; its output is at the place given by {@link prepareOutput}.
 *
 * @param fault - the fault of the input, by the host's number; 0 for none, or for one without a name
 */
export function answerPrecompile(error: i32, gasUsed: i64, length: u32, fault: u32): void {
  isAnswered = true;
  answeredError = error;
  answeredGas = gasUsed;
  answeredLength = length;
  if (fault != 0) noteDetail(EVENT_HAS_FAULT, fault);
}

/** Runs the precompile of the running frame, or ends the frame after the host has run it. */
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
  if (cost > left) return leave(ERROR_OUT_OF_GAS, 0, 0);
  store<i64>(running + Frame.GAS, left - cost);
  burn(length);
  return leave(0, inMemory(load<u32>(running + Frame.INPUT)), length);
}
