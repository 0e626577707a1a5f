/** Constants of the code of contracts: values that comparisons in the code depend on, and keys of mappings. */

import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { metadataLength } from "../source/code-template.ts";

const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** Bytes of a selector, which nearly all constants of that size are. */
const SELECTOR = 4;
/** Most constants of all codes together. */
const MOST = 512;
/** Numbers below are tried anyway. */
const SMALLEST = 3n;

/** Operands of the PUSH instructions, except those that only say where to jump, and selectors unless they are asked for. */
export function constantsOf(codes: readonly Bytes[], { selectors = false } = {}): readonly bigint[] {
  const constants = new Set<bigint>();
  for (const code of codes) {
    for (const value of pushedBy(code.subarray(0, code.length - metadataLength(code)), selectors)) constants.add(value);
  }
  return [...constants].slice(0, MOST);
}

function* pushedBy(code: Bytes, selectors: boolean): Generator<bigint> {
  for (let place = 0; place < code.length; place++) {
    const opcode = code[place] as number;
    if (opcode < PUSH1 || opcode > PUSH32) continue;
    const operand = code.subarray(place + 1, place + 2 + opcode - PUSH1);
    place += operand.length;
    if (operand.length === SELECTOR && !selectors) continue;
    const value = bytesToBigInt(operand);
    const isTarget = value < BigInt(code.length) && code[Number(value)] === JUMPDEST;
    if (value >= SMALLEST && !isTarget) yield value;
  }
}
