/** Struct logs as JSON, in geth's shape, which is StructLog of execution-apis. */

import { LimitError } from "../../../errors/hindcast-error.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { StructLog } from "../../../tracer/formats/struct-log.ts";
import type { StructLogJson } from "../../geth-trace-json.ts";

const WORD_BYTES = 32;

/** Most bytes that the words of the entries take as texts. More would not fit into the heap of the program that asked. */
const MAX_VALUE_BYTES = 2 ** 31;
/** Bytes of a short text without its characters, and of a reference to it. */
const TEXT_BYTES = 24;
const DIGITS_BYTES = 2 + 2 * WORD_BYTES;

/**
 * All entries as values, for a program that asks within the process. Others read them as text.
 *
 * @throws {LimitError} `RECORDING_LIMIT`
 */
export function encodeStructLogs(logs: Iterable<StructLog>, maxBytes = MAX_VALUE_BYTES): StructLogJson[] {
  let bytes = 0;
  return Array.from(logs, (log) => {
    const json = encodeStructLog(log);
    for (const item of json.stack ?? []) bytes += TEXT_BYTES + item.length;
    bytes += ((json.memory?.length ?? 0) + 2 * (log.storage?.length ?? 0)) * (TEXT_BYTES + DIGITS_BYTES);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    return json;
  });
}

function tooLarge(limit: number): LimitError {
  return new LimitError({
    code: "RECORDING_LIMIT",
    what: `The trace's stacks, memory and storage take more than ${limit} bytes.`,
    fix: "Ask for less of it (disableStorage, disableStack, limit), or read it step by step with node.debug.eachStructLog.",
    data: { limit, flag: null },
  });
}

/** Members that the log lacks stay absent; memory is written in words. */
function encodeStructLog(log: StructLog): StructLogJson {
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
