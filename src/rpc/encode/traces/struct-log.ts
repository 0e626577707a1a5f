/** Struct logs as JSON, in geth's shape, which is StructLog of execution-apis. */

import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { StructLog } from "../../../tracer/formats/struct-log.ts";
import type { StructLogJson } from "../../geth-trace-json.ts";

const WORD_BYTES = 32;

/** Members that the log lacks stay absent; memory is written in words. */
export function encodeStructLog(log: StructLog): StructLogJson {
  const { pc, op, gas, gasCost, depth, error, stack, memory, storage, returnData, refund } = log;
  return {
    pc,
    op,
    gas,
    gasCost,
    depth,
    ...(error === undefined ? {} : { error }),
    ...(stack === undefined ? {} : { stack: stack.map(encodeQuantity) }),
    ...(returnData === undefined ? {} : { returnData: encodeData(returnData) }),
    ...(memory === undefined ? {} : { memory: words(memory) }),
    ...(storage === undefined
      ? {}
      : { storage: Object.fromEntries(storage.map(({ slot, value }) => [encodeWord(slot), encodeWord(value)])) }),
    ...(refund === undefined ? {} : { refund }),
  };
}

function words(memory: Uint8Array): Hex[] {
  const list: Hex[] = [];
  for (let offset = 0; offset < memory.length; offset += WORD_BYTES) {
    list.push(encodeData(memory.subarray(offset, offset + WORD_BYTES)));
  }
  return list;
}

function encodeWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(2 * WORD_BYTES, "0")}`;
}
