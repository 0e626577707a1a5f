/**
 * The plain opcodes: those that need nothing but their own frame. Exact equals of EthereumJS' handlers, several times
 * faster, since they take no array off the stack and wait for nothing; a test compares them on random programs.
 *
 * Whoever calls has checked the stack and charged the gas. `pc` already stands behind the opcode.
 */
import { EVMError } from "@ethereumjs/evm";
import { Op } from "../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import { keccak256 } from "../primitives/hash.ts";
import { OUT_OF_BOUNDS } from "./evm-errors.ts";
import { type Frame, halt } from "./evm-frame.ts";
import { readPush } from "./evm-program.ts";
import { readInteger, readWord, WORD_MASK, WORD_MODULUS, writeWord } from "./evm-words.ts";

export type PlainHandler = (frame: Frame) => void;

const texts = EVMError.errorMessages;

/** An opcode that replaces the two top items by one; `top` is the upper. */
function binary(compute: (top: bigint, below: bigint) => bigint): PlainHandler {
  return (frame) => {
    const { stack } = frame;
    const height = --frame.stackHeight;
    stack[height - 1] = compute(stack[height] as bigint, stack[height - 1] as bigint);
  };
}

function unary(compute: (top: bigint) => bigint): PlainHandler {
  return (frame) => {
    const index = frame.stackHeight - 1;
    frame.stack[index] = compute(frame.stack[index] as bigint);
  };
}

function constant(read: (frame: Frame) => bigint): PlainHandler {
  return (frame) => {
    const value = read(frame);
    frame.stack[frame.stackHeight++] = value;
  };
}

const signed = (word: bigint): bigint => BigInt.asIntN(256, word);

function jumpTo(frame: Frame, destination: bigint): void {
  const { jumps } = frame.program;
  // A destination beyond 2^53 rounds, but stays far beyond the end of any code.
  const target = Number(destination);
  if (jumps[target] !== 1) halt(texts.INVALID_JUMP);
  frame.pc = target;
}

function dup(depth: number): PlainHandler {
  return (frame) => {
    const { stack } = frame;
    const height = frame.stackHeight++;
    stack[height] = stack[height - depth] as bigint;
  };
}

function swap(depth: number): PlainHandler {
  return (frame) => {
    const { stack } = frame;
    const top = frame.stackHeight - 1;
    const kept = stack[top] as bigint;
    stack[top] = stack[top - depth] as bigint;
    stack[top - depth] = kept;
  };
}

function push(length: number): PlainHandler {
  return (frame) => {
    frame.stack[frame.stackHeight++] = readPush(frame.program, frame.pc - 1);
    frame.pc += length;
  };
}

function storeWord(frame: Frame): void {
  frame.stackHeight -= 2;
  const height = frame.stackHeight;
  frame.allocateMemory();
  writeWord(frame.memory, Number(frame.stack[height + 1]), frame.stack[height] as bigint);
}

function storeByte(frame: Frame): void {
  frame.stackHeight -= 2;
  const height = frame.stackHeight;
  frame.allocateMemory();
  frame.memory[Number(frame.stack[height + 1])] = Number((frame.stack[height] as bigint) & 0xffn);
}

function loadWord(frame: Frame): void {
  const index = frame.stackHeight - 1;
  frame.allocateMemory();
  frame.stack[index] = readWord(frame.memory, Number(frame.stack[index]));
}

function loadCallData(frame: Frame): void {
  const index = frame.stackHeight - 1;
  const offset = frame.stack[index] as bigint;
  const { callData } = frame.state.env;
  frame.stack[index] = offset >= BigInt(callData.length) ? 0n : readWord(callData, Number(offset));
}

function hash(frame: Frame): void {
  const index = --frame.stackHeight - 1;
  const length = Number(frame.stack[index]);
  frame.allocateMemory();
  const offset = length === 0 ? 0 : Number(frame.stack[index + 1]);
  const bytes = keccak256(frame.memory.subarray(offset, offset + length));
  const word = readWord(bytes, 0);
  frame.knownWord = word;
  frame.knownBytes = bytes;
  frame.stack[index] = word;
}

/** Copies a part of `source` to memory; what lies beyond its end is zero. */
function copyFrom(source: (frame: Frame) => Bytes): PlainHandler {
  return (frame) => {
    const { stack } = frame;
    frame.stackHeight -= 3;
    const height = frame.stackHeight;
    const length = Number(stack[height]);
    if (length === 0) return;
    frame.allocateMemory();
    const bytes = source(frame);
    const start = Math.min(Number(stack[height + 1]), bytes.length);
    const part = bytes.subarray(start, Math.min(start + length, bytes.length));
    const target = Number(stack[height + 2]);
    frame.memory.set(part, target);
    if (part.length < length) frame.memory.fill(0, target + part.length, target + length);
  };
}

/** EIP-211: reading past the buffer ends the frame, unlike every other copy. */
function copyReturnData(frame: Frame): void {
  const { stack, state } = frame;
  frame.stackHeight -= 3;
  const height = frame.stackHeight;
  const from = stack[height + 1] as bigint;
  const length = stack[height] as bigint;
  if (from + length > BigInt(state.returnBytes.length)) halt(OUT_OF_BOUNDS);
  if (length === 0n) return;
  frame.allocateMemory();
  const start = Number(from);
  frame.memory.set(state.returnBytes.subarray(start, start + Number(length)), Number(stack[height + 2]));
}

/** Takes what RETURN and REVERT give back. */
function takeReturnValue(frame: Frame): void {
  frame.stackHeight -= 2;
  const height = frame.stackHeight;
  const length = Number(frame.stack[height]);
  frame.allocateMemory();
  const offset = Number(frame.stack[height + 1]);
  frame.state.interpreter._result.returnValue =
    length === 0 ? EMPTY_BYTES : frame.memory.slice(offset, offset + length);
}

/** The handlers by opcode. Gas and activation come from EthereumJS' table. */
export const PLAIN_HANDLERS: ReadonlyMap<number, PlainHandler> = new Map<number, PlainHandler>([
  [Op.STOP, (frame) => frame.stop()],
  [
    Op.ADD,
    binary((a, b) => {
      const sum = a + b;
      return sum <= WORD_MASK ? sum : sum - WORD_MODULUS;
    }),
  ],
  [
    Op.MUL,
    binary((a, b) => {
      const product = a * b;
      return product <= WORD_MASK ? product : product & WORD_MASK;
    }),
  ],
  [Op.SUB, binary((a, b) => (a >= b ? a - b : a - b + WORD_MODULUS))],
  [0x04, binary((a, b) => (b === 0n ? 0n : a / b))], // DIV
  [0x06, binary((a, b) => (b === 0n ? 0n : a % b))], // MOD
  [Op.LT, binary((a, b) => (a < b ? 1n : 0n))],
  [Op.GT, binary((a, b) => (a > b ? 1n : 0n))],
  [0x12, binary((a, b) => (signed(a) < signed(b) ? 1n : 0n))], // SLT
  [0x13, binary((a, b) => (signed(a) > signed(b) ? 1n : 0n))], // SGT
  [Op.EQ, binary((a, b) => (a === b ? 1n : 0n))],
  [Op.ISZERO, unary((a) => (a === 0n ? 1n : 0n))],
  [Op.AND, binary((a, b) => a & b)],
  [Op.OR, binary((a, b) => a | b)],
  [Op.XOR, binary((a, b) => a ^ b)],
  [Op.NOT, unary((a) => WORD_MASK - a)],
  [Op.SHL, binary((shift, value) => (shift > 255n ? 0n : (value << shift) & WORD_MASK))],
  [Op.SHR, binary((shift, value) => (shift > 255n ? 0n : value >> shift))],
  [Op.KECCAK256, hash],
  [Op.CALLDATACOPY, copyFrom((frame) => frame.state.env.callData)],
  [Op.CODECOPY, copyFrom((frame) => frame.state.env.code)],
  [Op.RETURNDATACOPY, copyReturnData],
  [Op.ADDRESS, constant((frame) => readInteger(frame.state.env.address.bytes))],
  [Op.CALLER, constant((frame) => readInteger(frame.state.env.caller.bytes))],
  [Op.CALLDATALOAD, loadCallData],
  [Op.CALLDATASIZE, constant((frame) => BigInt(frame.state.env.callData.length))],
  [0x3d, constant((frame) => BigInt(frame.state.returnBytes.length))], // RETURNDATASIZE
  [Op.CALLVALUE, constant((frame) => frame.state.env.callValue)],
  [Op.POP, (frame) => void frame.stackHeight--],
  [Op.MLOAD, loadWord],
  [Op.MSTORE, storeWord],
  [Op.MSTORE8, storeByte],
  [Op.JUMP, (frame) => jumpTo(frame, frame.stack[--frame.stackHeight] as bigint)],
  [
    Op.JUMPI,
    (frame) => {
      frame.stackHeight -= 2;
      const height = frame.stackHeight;
      if (frame.stack[height] !== 0n) jumpTo(frame, frame.stack[height + 1] as bigint);
    },
  ],
  [Op.PC, constant((frame) => BigInt(frame.pc - 1))],
  [Op.MSIZE, constant((frame) => BigInt(frame.memoryBytes))],
  [Op.GAS, constant((frame) => frame.gasLeft)],
  [Op.JUMPDEST, () => {}],
  [Op.PUSH0, constant(() => 0n)],
  ...Array.from({ length: 32 }, (_, n): [number, PlainHandler] => [Op.PUSH1 + n, push(n + 1)]),
  ...Array.from({ length: 16 }, (_, n): [number, PlainHandler] => [Op.DUP1 + n, dup(n + 1)]),
  ...Array.from({ length: 16 }, (_, n): [number, PlainHandler] => [Op.SWAP1 + n, swap(n + 1)]),
  [
    Op.RETURN,
    (frame) => {
      takeReturnValue(frame);
      frame.stop();
    },
  ],
  [
    Op.REVERT,
    (frame) => {
      takeReturnValue(frame);
      halt(texts.REVERT);
    },
  ],
]);
