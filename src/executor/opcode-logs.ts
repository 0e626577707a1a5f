/** LOG0 to LOG4. In a static frame, and beyond any memory, EthereumJS' handlers find what is wrong. */
import type { Common } from "@ethereumjs/common";
import { Op } from "../evm/opcodes.ts";
import { type Bytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import type { Frame } from "./evm-frame.ts";
import { writeWord } from "./evm-words.ts";
import { type StateOpcode, UNPRICED } from "./opcode-state.ts";

const MOST_TOPICS = 4;

/** The opcodes at the prices of one hardfork. */
export function logOpcodes(common: Common): ReadonlyMap<number, StateOpcode> {
  const perTopic = Number(common.param("logTopicGas"));
  const perByte = Number(common.param("logDataGas"));
  return new Map(
    Array.from({ length: MOST_TOPICS + 1 }, (_, topics) => [
      Op.LOG0 + topics,
      { gas: (frame) => priceOf(frame, perTopic * topics, perByte), run: (frame) => emitLog(frame, topics) },
    ]),
  );
}

function priceOf(frame: Frame, topicGas: number, perByte: number): number {
  if (frame.env.isStatic) return UNPRICED;
  const offset = frame.stack[frame.stackHeight - 1] as bigint;
  const length = frame.stack[frame.stackHeight - 2] as bigint;
  if (Number.isNaN(frame.memoryFor(offset, length))) return UNPRICED;
  return topicGas + perByte * Number(length) + frame.expandMemory(offset, length);
}

function emitLog(frame: Frame, topicCount: number): void {
  const { stack, env, state, surroundings } = frame;
  const top = frame.stackHeight - 1;
  const length = Number(stack[top - 1]);
  frame.stackHeight -= 2 + topicCount;
  frame.allocateMemory();
  const offset = length === 0 ? 0 : Number(stack[top]);
  const data = length === 0 ? EMPTY_BYTES : frame.memory.slice(offset, offset + length);
  const topics = Array.from({ length: topicCount }, (_, index) => wordBytes(stack[top - 2 - index] as bigint));
  const address = env.address.bytes;
  state.interpreter._result.logs.push([address, topics, data]);
  surroundings.noteLog({ address, topics, data });
}

function wordBytes(word: bigint): Bytes {
  const bytes = new Uint8Array(32);
  writeWord(bytes, 0, word);
  return bytes;
}
