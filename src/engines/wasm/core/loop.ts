// The run loop, which executes record after record (yellow paper §9.4, execution overview).
//
// Three kinds of cases stand here for one instruction as an example: ADD, MLOAD and CALL. The build (.ci/core.mjs) repeats
// each for all instructions of its kinds, with their functions in place of those of the example.

import { countOnce, isCounting } from "./code/coverage";
import { countLeaving } from "./code/decode";
import { areCodesMany } from "./code/new-code";
import { BLOCK_RECORD, Block, COUNT_RECORD, Counter, NO_RECORD, Operation, WIDE_RECORD } from "./code/records";
import { isLive, step, tellFault } from "./code/steps";
import { FrameError, Opcode, StackMove } from "./facts.generated";
import { runAdd } from "./instructions/arithmetic";
import { priceMload, runMload } from "./instructions/memory-instructions";
import { stop } from "./instructions/system";
import { goOn, goPrecise, jumpIf, jumpTarget } from "./jumps";
import { DONE, OUT_OF_FUEL } from "./machine/layout";
import { frame, fuel, gas, setFuel, setGas } from "./machine/machine";
import { onStack, stackOffset } from "./machine/memory";
import { price, UNPAID } from "./machine/price";
import { priceCall } from "./messages/call-price";
import { endRaised, fail, leave } from "./messages/frame-end";
import { FRAME_CHANGED } from "./messages/frame-start";
import { runCall } from "./messages/message-call";
import { runPrecompile } from "./messages/precompiled-contracts";
import { start } from "./messages/transaction";
import { ITEM_BYTES, STACK_BYTES } from "./words/stack";

/**
 * Runs the open frames until the outermost one ends or the host must act.
 *
 * @param units - fuel: about as many nanoseconds
 */
export function run(units: i32): i32 {
  let running = frame;
  let record = running.ip;
  let stack = onStack(running.stackTop);
  let left = running.gas;
  let status = 0;
  // If the host should drop codes, it gets its turn at the next block. A step that waited for a code runs before.
  setFuel(areCodesMany() ? i32(record.operation == Operation.STEP) - 1 : units);
  while (true) {
    switch (<u32>record.operation) {
      case Operation.BLOCK: {
        const height = stack.bytesFrom(onStack(running.stackStart));
        const block = changetype<Block>(record);
        const rest = left - <i64>block.gas;
        if (fuel < 0) {
          status = OUT_OF_FUEL;
          break;
        }
        if (rest < 0 || height < <usize>block.needed || height + <usize>block.growth > STACK_BYTES) {
          record = goPrecise(running, block.pc);
          continue;
        }
        setFuel(fuel - <i32>block.fuel);
        left = rest;
        record = record.after(BLOCK_RECORD);
        continue;
      }
      case Operation.STEP: {
        setGas(left);
        status = step(record, stack);
        left = gas;
        if (status == 0) {
          record = record.next;
          continue;
        }
        if (status < 0) status = leave(-status, 0, 0);
        break;
      }
      case Operation.COUNT: {
        countOnce(changetype<Counter>(record));
        record = record.after(COUNT_RECORD);
        continue;
      }
      case Operation.PUSH: {
        stack.pushed.setSmall(record.c);
        stack = stack.moved(ITEM_BYTES);
        record = record.next;
        continue;
      }
      case Operation.PUSH_WIDE: {
        stack.pushed.set(record.wide);
        stack = stack.moved(ITEM_BYTES);
        record = record.after(WIDE_RECORD);
        continue;
      }
      case Opcode.DUP1: {
        stack.pushed.set(stack.itemAt(<usize>record.a));
        stack = stack.moved(ITEM_BYTES);
        record = record.next;
        continue;
      }
      case Opcode.SWAP1: {
        stack.top.swap(stack.itemAt(<usize>record.a));
        record = record.next;
        continue;
      }
      case Opcode.EXCHANGE: {
        stack.itemAt(<usize>record.a).swap(stack.itemAt(<usize>record.c));
        record = record.next;
        continue;
      }
      case Operation.GOTO: {
        record = goOn(running, record);
        continue;
      }
      case Opcode.JUMP: {
        record = jumpTarget(running, stack.top);
        stack = stack.below(1);
        if (record != NO_RECORD) continue;
        break;
      }
      case Opcode.JUMPI: {
        record = stack.second.isZero ? record.next : jumpTarget(running, stack.top);
        stack = stack.below(2);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMP_TO: {
        record = jumpIf(true, record, running);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMPI_TO: {
        record = jumpIf(!stack.top.isZero, record, running);
        stack = stack.below(1);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMP_IF_ZERO: {
        record = jumpIf(stack.top.isZero, record, running);
        stack = stack.below(1);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMP_IF_LT: {
        record = jumpIf(stack.top.isBelow(stack.second), record, running);
        stack = stack.below(2);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMP_IF_GT: {
        record = jumpIf(stack.second.isBelow(stack.top), record, running);
        stack = stack.below(2);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMP_IF_EQ: {
        record = jumpIf(stack.second.isEqual(stack.top), record, running);
        stack = stack.below(2);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMP_UNLESS_LT: {
        record = jumpIf(!stack.top.isBelow(stack.second), record, running);
        stack = stack.below(2);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMP_UNLESS_GT: {
        record = jumpIf(!stack.second.isBelow(stack.top), record, running);
        stack = stack.below(2);
        if (record != NO_RECORD) continue;
        break;
      }
      case Operation.JUMP_UNLESS_EQ: {
        record = jumpIf(!stack.second.isEqual(stack.top), record, running);
        stack = stack.below(2);
        if (record != NO_RECORD) continue;
        break;
      }
      case Opcode.STOP: {
        setGas(left);
        status = stop();
        break;
      }
      case Opcode.PC: {
        stack.pushed.setSmall(record.b);
        stack = stack.moved(ITEM_BYTES);
        record = record.next;
        continue;
      }
      case Opcode.GAS: {
        stack.pushed.setSmall(<u64>left + record.c);
        stack = stack.moved(ITEM_BYTES);
        record = record.next;
        continue;
      }
      case Opcode.JUMPDEST: {
        record = record.next;
        continue;
      }
      // As for ADD: stack, push.
      case Opcode.ADD: {
        runAdd(stack);
        stack = stack.moved(StackMove.ADD);
        record = record.next;
        continue;
      }
      // As for MLOAD: priced.
      case Opcode.MLOAD: {
        setGas(left);
        price.begin(0);
        status = price.charge(priceMload(stack));
        if (status != 0) break;
        runMload(stack);
        left = gas;
        stack = stack.moved(StackMove.MLOAD);
        record = record.next;
        continue;
      }
      // As for CALL: fails, opens, ends. One that waits for state when it runs says that it is paid.
      case Opcode.CALL: {
        setGas(left);
        if (!running.isPaid) {
          price.begin(0);
          status = price.charge(priceCall(stack));
          if (status != 0) break;
        }
        running.ip = record;
        status = runCall(stack);
        left = gas;
        if (status != 0) break;
        stack = stack.moved(StackMove.CALL);
        record = record.next;
        continue;
      }
      // End of the cases that are repeated.
      // A STEP record before it has charged the price.
      case Operation.PAID: {
        switch (<u32>record.a) {
          // As for MLOAD: priced.
          case Opcode.MLOAD: {
            runMload(stack);
            left = gas;
            stack = stack.moved(StackMove.MLOAD);
            record = record.next;
            continue;
          }
          // As for CALL: fails, opens, ends.
          case Opcode.CALL: {
            setGas(left);
            running.ip = record;
            status = runCall(stack);
            left = gas;
            if (status != 0) break;
            stack = stack.moved(StackMove.CALL);
            record = record.next;
            continue;
          }
          // End of the cases that are repeated.
        }
        break;
      }
      case Operation.RUN_PRECOMPILE: {
        status = runPrecompile();
        break;
      }
      case Operation.RAISE: {
        status = endRaised();
        break;
      }
      case Operation.START: {
        status = start();
        if (status == 0) status = FRAME_CHANGED;
        break;
      }
      default: {
        status = UNPAID;
      }
    }
    if (record == NO_RECORD) status = -FrameError.INVALID_JUMP;
    if (status == UNPAID) {
      // From here on, the gas that the block has paid for belongs to the frame again.
      left += <i64>record.c;
      if (isCounting) countLeaving(running.code, record.b);
      record = goPrecise(running, record.b);
      continue;
    }
    if (status < 0 && status != FRAME_CHANGED) {
      if (isLive()) return tellFault(running, -status);
      status = fail(-status);
    }
    if (status != FRAME_CHANGED) {
      if (status == DONE) return DONE;
      running.ip = record;
      running.stackTop = stackOffset(stack);
      running.gas = left;
      return status;
    }
    running = frame;
    record = running.ip;
    stack = onStack(running.stackTop);
    left = running.gas;
  }
}
