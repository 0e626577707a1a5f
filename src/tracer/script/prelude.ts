/**
 * JavaScript that runs in the sandbox before a tracer. It defines the objects and functions that geth offers to tracers.
 *
 * It receives two means to reach the host. `host(kind, ...)` calls it, which is slow. `shared` is memory of both sides:
 * the host writes the values of each step there, so that a step costs one call.
 */
import { BOUNDED_BUILTINS } from "../../sandbox/bounded-builtins.ts";
import { BIG_INTEGER } from "./big-integer.ts";

/** Offsets of a step's numbers in the shared memory, in 64-bit floats. */
export const Place = {
  pc: 0,
  opcode: 1,
  gas: 2,
  cost: 3,
  depth: 4,
  refund: 5,
  stackHeight: 6,
  memoryLength: 7,
  /** Increases with each frame; the sandbox then discards cached values of the frame before. */
  frame: 8,
  /** Number of stack items in the shared memory, from the top. */
  sharedItems: 9,
} as const;

/** Most stack items in the shared memory. */
export const SHARED_ITEMS = 8;
/** Offset of the stack items in bytes; each takes 32, least significant 64 bits first. */
export const ITEMS_OFFSET = 128;
/** Bytes of the shared memory: numbers at fixed offsets, then stack items of 32 bytes. */
export const SHARED_BYTES = ITEMS_OFFSET + SHARED_ITEMS * 32;

/** Evaluates to a function of (host, shared, opcode names as JSON). */
export const PRELUDE = `
(function (host, shared, opcodeNames) {
"use strict";
// Held here, because the script may change the globals.
const { parse, stringify } = JSON;
const names = parse(opcodeNames);
const numbers = new Float64Array(shared, 0, 16);
const lanes = new BigUint64Array(shared, ${ITEMS_OFFSET}, ${SHARED_ITEMS * 4});

${BOUNDED_BUILTINS}
// geth gives numbers beyond 2^53 as objects of its big-integer library.
${BIG_INTEGER}
/** Throws an error without a name, as geth's own errors have no name before their text. */
const refuse = (text) => {
  const refusal = new Error(text);
  refusal.name = "";
  throw refusal;
};
/** A number converted as to Go's 64-bit integers. */
const integer = (value) => Math.trunc(Number(value)) || 0;
const fromHex = (text) => {
  const digits = text.slice(0, 2) === "0x" || text.slice(0, 2) === "0X" ? text.slice(2) : text;
  const even = digits.length % 2 === 0 ? digits : "0" + digits;
  const bytes = new Uint8Array(even.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const byte = parseInt(even.slice(2 * i, 2 * i + 2), 16);
    if (Number.isNaN(byte)) return new Uint8Array(0);
    bytes[i] = byte;
  }
  return bytes;
};
const HEX = Array.from({ length: 256 }, (_, byte) => (byte < 16 ? "0" : "") + byte.toString(16));
const hexOf = (bytes) => { let text = "0x"; for (const byte of bytes) text += HEX[byte]; return text; };
const bytesOf = (value, allowsText) => {
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return Uint8Array.from(value);
  if (allowsText && (typeof value === "string" || value instanceof String)) return fromHex(String(value));
  refuse("invalid buffer type");
};
/** The last bytes of a value, padded with zeros in front. */
const sized = (bytes, length) => {
  const result = new Uint8Array(length);
  const cut = bytes.length > length ? bytes.subarray(bytes.length - length) : bytes;
  result.set(cut, length - cut.length);
  return result;
};
const addressOf = (value, allowsText) => hexOf(sized(bytesOf(value, allowsText), 20));
const bytesFrom = (kind, ...rest) => new Uint8Array(host(kind, ...rest));
const bigFrom = (kind, ...rest) => wrap(BigInt(host(kind, ...rest)));

globalThis.toHex = (value) => hexOf(bytesOf(value, false));
globalThis.toWord = (value) => sized(bytesOf(value, true), 32);
globalThis.toAddress = (value) => sized(bytesOf(value, true), 20);
globalThis.toContract = (from, nonce) => bytesFrom("toContract", addressOf(from, true), integer(nonce));
globalThis.toContract2 = (from, salt, code) =>
  bytesFrom("toContract2", addressOf(from, true), hexOf(sized(fromHex(String(salt)), 32)), hexOf(bytesOf(code, true)));
globalThis.isPrecompiled = (value) => host("isPrecompiled", addressOf(value, true)) === 1;
globalThis.slice = (value, from, to) => {
  const bytes = bytesOf(value, false);
  const [start, end] = [integer(from), integer(to)];
  if (start < 0 || start > end || end > bytes.length) {
    refuse("Tracer accessed out of bound memory: available " + bytes.length + ", offset " + start +
      ", size " + (end - start));
  }
  return bytes.slice(start, end);
};

let error;
const op = {
  toNumber: () => numbers[${Place.opcode}],
  toString: () => names[numbers[${Place.opcode}]],
  isPush: () => numbers[${Place.opcode}] >= 0x5f && numbers[${Place.opcode}] <= 0x7f,
};
const stack = {
  length: () => numbers[${Place.stackHeight}],
  peek: (place) => {
    const index = integer(place);
    const height = numbers[${Place.stackHeight}];
    if (!(index >= 0 && index < height)) {
      refuse("tracer accessed out of bound stack: size " + height + ", index " + index);
    }
    if (index >= numbers[${Place.sharedItems}]) return bigFrom("peek", index);
    const at = index * 4;
    return wrap(lanes[at] | (lanes[at + 1] << 64n) | (lanes[at + 2] << 128n) | (lanes[at + 3] << 192n));
  },
};
const MEMORY_PAD_LIMIT = 1024 * 1024;
const memory = {
  length: () => numbers[${Place.memoryLength}],
  slice: (from, to) => {
    const [begin, end] = [integer(from), integer(to)];
    if (begin === end) return new Uint8Array(0);
    const length = numbers[${Place.memoryLength}];
    if (!(begin >= 0 && end > begin)) refuse("tracer accessed out of bound memory: offset " + begin + ", end " + end);
    if (end - length > MEMORY_PAD_LIMIT) refuse("reached limit for padding memory slice: " + (end - length));
    return bytesFrom("memory", begin, end);
  },
  getUint: (place) => {
    const offset = integer(place);
    const length = numbers[${Place.memoryLength}];
    if (!(offset >= 0 && offset + 32 <= length)) {
      refuse("tracer accessed out of bound memory: available " + length + ", offset " + offset + ", size 32");
    }
    return wrap(BigInt(hexOf(bytesFrom("memory", offset, offset + 32))));
  },
};
/** Caches an answer that is the same for all steps of a frame. */
const perFrame = (ask) => {
  let frame = -1;
  let value;
  return () => {
    if (frame !== numbers[${Place.frame}]) {
      value = ask();
      frame = numbers[${Place.frame}];
    }
    return value instanceof Uint8Array ? value.slice() : value;
  };
};
const contract = {
  getCaller: perFrame(() => bytesFrom("caller")),
  getAddress: perFrame(() => bytesFrom("address")),
  getValue: perFrame(() => bigFrom("value")),
  getInput: perFrame(() => bytesFrom("input")),
};
const log = {
  op, stack, memory, contract,
  getPC: () => numbers[${Place.pc}],
  getGas: () => numbers[${Place.gas}],
  getCost: () => numbers[${Place.cost}],
  getDepth: () => numbers[${Place.depth}],
  getRefund: () => numbers[${Place.refund}],
  getError: () => error,
};
const db = {
  getBalance: (address) => bigFrom("balance", addressOf(address, false)),
  getNonce: (address) => host("nonce", addressOf(address, false)),
  getCode: (address) => bytesFrom("code", addressOf(address, false)),
  getState: (address, slot) =>
    bytesFrom("state", addressOf(address, false), hexOf(sized(bytesOf(slot, false), 32))),
  exists: (address) => host("exists", addressOf(address, false)) === 1,
};
const frame = {
  getType: () => host("frameType"),
  getFrom: () => bytesFrom("frameFrom"),
  getTo: () => bytesFrom("frameTo"),
  getInput: () => bytesFrom("frameInput"),
  getGas: () => host("frameGas"),
  getValue: () => { const value = host("frameValue"); return value === undefined ? undefined : wrap(BigInt(value)); },
};
const frameResult = {
  getGasUsed: () => host("frameGasUsed"),
  getOutput: () => bytesFrom("frameOutput"),
  getError: () => host("frameError"),
};

const BYTES = ["from", "to", "input", "output", "coinbase", "blockHash", "txHash"];
const BIG = ["value", "gasPrice"];
let tracer;
const has = (name) => typeof tracer[name] === "function";
return {
  define: (code, config) => {
    tracer = (0, eval)("(" + code + ")");
    if (tracer === null || typeof tracer !== "object") refuse("trace object must be an object");
    if (!has("result")) refuse("trace object must expose a function result()");
    if (!has("fault")) refuse("trace object must expose a function fault()");
    if (has("enter") !== has("exit")) {
      refuse("trace object must expose either both or none of enter() and exit()");
    }
    if (has("setup")) tracer.setup(config);
    return (has("step") ? 1 : 0) + (has("enter") ? 2 : 0);
  },
  step: (text) => { error = text; tracer.step(log, db); },
  fault: (text) => { error = text; tracer.fault(log, db); },
  enter: () => { tracer.enter(frame); },
  exit: () => { tracer.exit(frameResult); },
  result: (context) => {
    const ctx = parse(context);
    for (const name of BYTES) if (ctx[name] !== undefined) ctx[name] = fromHex(ctx[name]);
    for (const name of BIG) if (ctx[name] !== undefined) ctx[name] = wrap(BigInt(ctx[name]));
    const value = stringify(tracer.result(ctx, db));
    return value === undefined ? "null" : value;
  },
};
})
`;
