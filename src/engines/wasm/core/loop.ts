// The run loop, which executes record after record (yellow paper §9.4, execution overview).
//
// Three kinds of cases stand here for one instruction as an example: ADD, MLOAD and CALL. The build (.ci/core.mjs) repeats
// each for all instructions of its kinds, with their functions in place of those of the example.

import { FrameError, Opcode, StackMove } from "./facts.generated";
import { DONE, OUT_OF_FUEL } from "./machine/layout";
import { countOnce, isCounting } from "./code/coverage";
import { blockAt, countLeaving, targetOf } from "./code/decode";
import { Frame, FrameFlag } from "./machine/frame";
import { frame, fuel, gas, setFuel, setGas } from "./machine/machine";
import { beginPrice, onStack, pay, stackOffset } from "./machine/memory";
import { endRaised, fail, leave, outcomeOf, raise } from "./messages/frame-end";
import { priceCall } from "./messages/call-price";
import { FRAME_CHANGED, runCall } from "./messages/message-call";
import { runPrecompile } from "./messages/precompiled-contracts";
import * as Record from "./code/records";
import { isLive, step, tellFault } from "./code/steps";
import { runAdd } from "./instructions/arithmetic";
import { priceMload, runMload } from "./instructions/memory-instructions";
import { stop } from "./instructions/system";
import { start } from "./messages/transaction";
import { copyWord, isBelow, isEqual, isZero, setSmall, swapWords, upperBits } from "./machine/words";

/** An instruction cannot be paid for, or fails: the precise manner finds the reason. */
const UNPAID: i32 = -2000;
const STACK_BYTES: usize = 1024 * 32;

/** The next record after a jump to a constant, which depends on a condition; 0 for an invalid destination. @inline */
function jumpIf(condition: bool, ip: usize, running: Frame): usize {
  return condition ? targetOf(running.code, load<u64>(ip, 8), false) : ip + Record.RECORD;
}

/** The record at the target of a jump to the number in a word. */
function jumpTarget(running: Frame, word: usize): usize {
  const isPrecise = running.isPrecise;
  return upperBits(word) == 0 ? targetOf(running.code, load<u64>(word), isPrecise) : 0;
}

/** The record that a GOTO names. */
function goOn(running: Frame, ip: usize): usize {
  const known = <usize>load<u32>(ip, 4);
  if (known != 0) return known;
  const isPrecise = running.isPrecise;
  const block = blockAt(running.code, load<u32>(ip, 8), isPrecise);
  store<u32>(ip, <u32>block, 4);
  return block;
}

/** Switches a frame to the precise manner, from an instruction on. */
function goPrecise(running: Frame, pc: u32): usize {
  running.flags |= FrameFlag.PRECISE;
  return blockAt(running.code, pc, true);
}

/** Reports a failure, or a REVERT, to a script. The frame ends when it next runs. */
function tellBeforeEnd(running: Frame, error: i32): i32 {
  raise(running, error);
  return tellFault(outcomeOf(error));
}

/**
 * Runs the open frames until the outermost one ends or the host must act.
 *
 * @param units - fuel: about as many nanoseconds
 */
export function run(units: i32): i32 {
  setFuel(units);
  let running = frame;
  let ip = running.ip;
  let sp = onStack(running.stackTop);
  let left = running.gas;
  let status = 0;
  while (true) {
    switch (<u32>load<u16>(ip)) {
      case Record.BLOCK: {
        const height = sp - onStack(running.stackStart);
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
          ip += Record.RECORD;
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
        ip += Record.RECORD;
        continue;
      }
      case Record.PUSH_WIDE: {
        copyWord(sp, ip + 16);
        sp += 32;
        ip += Record.WIDE_RECORD;
        continue;
      }
      case Opcode.DUP1: {
        copyWord(sp, sp - <usize>load<u16>(ip, 2));
        sp += 32;
        ip += Record.RECORD;
        continue;
      }
      case Opcode.SWAP1: {
        swapWords(sp - 32, sp - <usize>load<u16>(ip, 2));
        ip += Record.RECORD;
        continue;
      }
      case Opcode.EXCHANGE: {
        swapWords(sp - <usize>load<u16>(ip, 2), sp - <usize>load<u32>(ip, 8));
        ip += Record.RECORD;
        continue;
      }
      case Record.GOTO: {
        ip = goOn(running, ip);
        continue;
      }
      case Opcode.JUMP: {
        sp -= 32;
        ip = jumpTarget(running, sp);
        if (ip != 0) continue;
        break;
      }
      case Opcode.JUMPI: {
        sp -= 64;
        ip = isZero(sp) ? ip + Record.RECORD : jumpTarget(running, sp + 32);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMP_TO: {
        ip = jumpIf(true, ip, running);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMPI_TO: {
        sp -= 32;
        ip = jumpIf(!isZero(sp), ip, running);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMP_IF_ZERO: {
        sp -= 32;
        ip = jumpIf(isZero(sp), ip, running);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMP_IF_LT: {
        sp -= 64;
        ip = jumpIf(isBelow(sp + 32, sp), ip, running);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMP_IF_GT: {
        sp -= 64;
        ip = jumpIf(isBelow(sp, sp + 32), ip, running);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMP_IF_EQ: {
        sp -= 64;
        ip = jumpIf(isEqual(sp, sp + 32), ip, running);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMP_UNLESS_LT: {
        sp -= 64;
        ip = jumpIf(!isBelow(sp + 32, sp), ip, running);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMP_UNLESS_GT: {
        sp -= 64;
        ip = jumpIf(!isBelow(sp, sp + 32), ip, running);
        if (ip != 0) continue;
        break;
      }
      case Record.JUMP_UNLESS_EQ: {
        sp -= 64;
        ip = jumpIf(!isEqual(sp, sp + 32), ip, running);
        if (ip != 0) continue;
        break;
      }
      case Opcode.STOP: {
        setGas(left);
        status = stop();
        break;
      }
      case Opcode.PC: {
        setSmall(sp, load<u32>(ip, 4));
        sp += 32;
        ip += Record.RECORD;
        continue;
      }
      case Opcode.GAS: {
        setSmall(sp, <u64>left + load<u64>(ip, 8));
        sp += 32;
        ip += Record.RECORD;
        continue;
      }
      case Opcode.JUMPDEST: {
        ip += Record.RECORD;
        continue;
      }
      // As for ADD: stack, push.
      case Opcode.ADD: {
        runAdd(sp);
        sp += StackMove.ADD;
        ip += Record.RECORD;
        continue;
      }
      // As for MLOAD: priced.
      case Opcode.MLOAD: {
        setGas(left);
        beginPrice(0);
        status = priceMload(sp);
        if (status > 0) break;
        if (status < 0 || !pay()) {
          status = UNPAID;
          break;
        }
        runMload(sp);
        left = gas;
        sp += StackMove.MLOAD;
        ip += Record.RECORD;
        continue;
      }
      // A STEP record before it has charged its price.
      case Record.PAID + Opcode.MLOAD: {
        runMload(sp);
        left = gas;
        sp += StackMove.MLOAD;
        ip += Record.RECORD;
        continue;
      }
      // As for CALL: fails, opens, ends. One that waits for state when it runs says that it is paid.
      case Opcode.CALL: {
        setGas(left);
        if (!running.isPaid) {
          beginPrice(0);
          status = priceCall(sp);
          if (status > 0) break;
          if (status < 0 || !pay()) {
            status = UNPAID;
            break;
          }
        }
        running.ip = ip;
        status = runCall(sp);
        left = gas;
        if (status != 0) break;
        sp += StackMove.CALL;
        ip += Record.RECORD;
        continue;
      }
      case Record.PAID + Opcode.CALL: {
        setGas(left);
        running.ip = ip;
        status = runCall(sp);
        left = gas;
        if (status != 0) break;
        sp += StackMove.CALL;
        ip += Record.RECORD;
        continue;
      }
      // End of the cases that are repeated.
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
    if (ip == 0) status = -FrameError.INVALID_JUMP;
    if (status == UNPAID) {
      // From here on, the gas that the block has paid for belongs to the frame again.
      left += <i64>load<u32>(ip, 8);
      if (isCounting) countLeaving(running.code, load<u32>(ip, 4));
      ip = goPrecise(running, load<u32>(ip, 4));
      continue;
    }
    if (status < 0 && status != FRAME_CHANGED) {
      if (isLive()) {
        status = tellBeforeEnd(running, -status);
        return status;
      }
      status = fail(-status);
    }
    if (status != FRAME_CHANGED) {
      if (status == DONE) return DONE;
      running.ip = ip;
      running.stackTop = stackOffset(sp);
      running.gas = left;
      return status;
    }
    running = frame;
    ip = running.ip;
    sp = onStack(running.stackTop);
    left = running.gas;
  }
}
