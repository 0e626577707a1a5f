// The run loop: goes from record to record (yellow paper §9.4, execution overview). The build writes a case for each
// instruction of the table; what is here are the records that are no instructions of their own.

/*IMPORTS*/
import { DONE, ERROR_INVALID_JUMP, ERROR_REVERTED, OUT_OF_FUEL } from "./layout";
import { countOnce, isCounting } from "./coverage";
import { blockAt, countLeaving, targetOf } from "./decode";
import * as Frame from "./frame";
import { frame, fuel, gas, setFuel, setGas, setPrepaid } from "./machine";
import { beginPrice, memoryStart, onStack, pay, stackOffset } from "./memory";
import { endRaised, FRAME_CHANGED, leave, raise, raiseWith } from "./message-call";
import { runPrecompile } from "./precompiled-contracts";
import * as Record from "./records";
import { isLive, step, tellFault } from "./steps";
import { stop } from "./system";
import { start } from "./transaction";
import { copyWord, isBelow, isEqual, isZero, saturated, setSmall, swapWords, upperBits } from "./words";

/** An instruction cannot be paid for, or is refused: the precise manner finds out why. */
const UNPAID: i32 = -2000;
const STACK_BYTES: usize = 1024 * 32;
// Outcomes of steps, as in evm/frames.ts.
const STEP_DONE: u32 = 0;
const STEP_FAILED: u32 = 2;
const STEP_BAD_JUMP: u32 = 3;

/** The record that a jump to a constant goes on with; 0 if it is no destination. */
// @ts-ignore: decorator
@inline
function follow(ip: usize, code: usize): usize {
  return targetOf(code, load<u64>(ip, 8), false);
}

/** The record that a jump to the number in a word goes on with. */
function jumpTarget(running: usize, word: usize): usize {
  const isPrecise = (load<u32>(running + Frame.FLAGS) & Frame.PRECISE) != 0;
  return upperBits(word) == 0 ? targetOf(load<u32>(running + Frame.CODE), load<u64>(word), isPrecise) : 0;
}

/** The record that a GOTO leads to. */
function goOn(running: usize, ip: usize): usize {
  const known = <usize>load<u32>(ip, 4);
  if (known != 0) return known;
  const isPrecise = (load<u32>(running + Frame.FLAGS) & Frame.PRECISE) != 0;
  const block = blockAt(load<u32>(running + Frame.CODE), load<u32>(ip, 8), isPrecise);
  store<u32>(ip, <u32>block, 4);
  return block;
}

/** Has a frame go on in the precise manner from an instruction on. */
function goPrecise(running: usize, pc: u32): usize {
  store<u32>(running + Frame.FLAGS, load<u32>(running + Frame.FLAGS) | Frame.PRECISE);
  return blockAt(load<u32>(running + Frame.CODE), pc, true);
}

/** Has a script hear of a failure, or a REVERT, before the frame ends by it. */
function tellBeforeEnd(running: usize, error: i32): i32 {
  raise(running, error);
  return tellFault(error == ERROR_INVALID_JUMP ? STEP_BAD_JUMP : STEP_FAILED);
}

/** Has a script hear of a REVERT before the frame ends by it. */
function tellRevert(running: usize, sp: usize): i32 {
  store<i64>(running + Frame.GAS, gas);
  const length = <usize>saturated(sp - 64);
  const output = length == 0 ? memoryStart : memoryStart + <usize>load<u32>(sp - 32);
  raiseWith(running, ERROR_REVERTED, output, length);
  return tellFault(STEP_DONE);
}

/**
 * Runs the open frames until the outermost one has ended or the host has to do something.
 *
 * @param units - fuel: about as many nanoseconds
 */
export function run(units: i32): i32 {
  setFuel(units);
  let running = frame;
  let ip = <usize>load<u32>(running + Frame.IP);
  let sp = onStack(load<u32>(running + Frame.SP));
  let left = load<i64>(running + Frame.GAS);
  let status = 0;
  while (true) {
    switch (<u32>load<u16>(ip)) {
      case Record.BLOCK: {
        const height = sp - onStack(load<u32>(running + Frame.STACK));
        const rest = left - <i64>load<u32>(ip + Record.BLOCK_GAS);
        if (fuel < 0) {
          status = OUT_OF_FUEL;
          break;
        }
        if (
          rest < 0 ||
          height < <usize>load<u32>(ip + Record.BLOCK_NEEDED) ||
          height + <usize>load<u32>(ip + Record.BLOCK_GROWTH) > STACK_BYTES
        ) {
          ip = goPrecise(running, load<u32>(ip + Record.BLOCK_PC));
          continue;
        }
        setFuel(fuel - load<i32>(ip + Record.BLOCK_FUEL));
        left = rest;
        ip += Record.BLOCK_RECORD;
        continue;
      }
      case Record.STEP: {
        setGas(left);
        status = step(ip, sp);
        left = gas;
        if (status == 0) {
          ip += 16;
          continue;
        }
        if (status < 0) status = leave(-status, 0, 0);
        break;
      }
      case Record.COUNT: {
        countOnce(ip);
        ip += Record.COUNT_RECORD;
        continue;
      }
      case Record.PUSH: {
        setSmall(sp, load<u64>(ip, 8));
        sp += 32;
        ip += 16;
        continue;
      }
      case Record.PUSH_WIDE: {
        copyWord(sp, ip + 16);
        sp += 32;
        ip += Record.WIDE_RECORD;
        continue;
      }
      case 0x80: {
        copyWord(sp, sp - <usize>load<u16>(ip, 2));
        sp += 32;
        ip += 16;
        continue;
      }
      case 0x90: {
        swapWords(sp - 32, sp - <usize>load<u16>(ip, 2));
        ip += 16;
        continue;
      }
      case 0xe8: {
        swapWords(sp - <usize>load<u16>(ip, 2), sp - <usize>load<u32>(ip, 8));
        ip += 16;
        continue;
      }
      case Record.GOTO: {
        ip = goOn(running, ip);
        continue;
      }
      case 0x56: {
        sp -= 32;
        ip = jumpTarget(running, sp);
        if (ip != 0) continue;
        status = -ERROR_INVALID_JUMP;
        break;
      }
      case 0x57: {
        sp -= 64;
        if (isZero(sp)) {
          ip += 16;
          continue;
        }
        ip = jumpTarget(running, sp + 32);
        if (ip != 0) continue;
        status = -ERROR_INVALID_JUMP;
        break;
      }
      case Record.JUMP_TO: {
        ip = follow(ip, load<u32>(running + Frame.CODE));
        if (ip != 0) continue;
        status = -ERROR_INVALID_JUMP;
        break;
      }
      /*BRANCHES*/
      case 0x00: {
        setGas(left);
        status = stop();
        break;
      }
      case 0x58: {
        setSmall(sp, load<u32>(ip, 4));
        sp += 32;
        ip += 16;
        continue;
      }
      case 0x5a: {
        setSmall(sp, <u64>left + load<u64>(ip, 8));
        sp += 32;
        ip += 16;
        continue;
      }
      case 0x5b: {
        ip += 16;
        continue;
      }
      /*INSTRUCTIONS*/
      case Record.RUN_PRECOMPILE: {
        status = runPrecompile();
        break;
      }
      case Record.RAISE: {
        status = endRaised();
        break;
      }
      case Record.START: {
        status = start();
        if (status == 0) status = FRAME_CHANGED;
        break;
      }
      default: {
        status = UNPAID;
      }
    }
    if (status == UNPAID) {
      // What the block has paid for from here on is the frame's own again.
      left += <i64>load<u32>(ip, 8);
      if (isCounting) countLeaving(load<u32>(running + Frame.CODE), load<u32>(ip, 4));
      ip = goPrecise(running, load<u32>(ip, 4));
      continue;
    }
    if (status < 0 && status != FRAME_CHANGED) {
      if (isLive()) {
        status = tellBeforeEnd(running, -status);
        return status;
      }
      status = leave(-status, 0, 0);
    }
    if (status != FRAME_CHANGED) {
      if (status == DONE) return DONE;
      store<u32>(running + Frame.IP, <u32>ip);
      store<u32>(running + Frame.SP, stackOffset(sp));
      store<i64>(running + Frame.GAS, left);
      return status;
    }
    running = frame;
    ip = load<u32>(running + Frame.IP);
    sp = onStack(load<u32>(running + Frame.SP));
    left = load<i64>(running + Frame.GAS);
  }
}
