/**
 * Encodes the values that a user types into a form, by the contract ABI specification. Lists and tuples are typed as
 * JSON.
 *
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html
 */
import type { AbiFunction, AbiParameter } from "../rpc/types.ts";
import { elementOf, isDynamic, wordsOf } from "./words.ts";

const WORD_DIGITS = 64;

/**
 * Encodes a call as call data: the selector, or what stands in its place, and the arguments.
 *
 * @param texts - one text for each input, as typed
 * @throws {Error} that names the parameter whose text is invalid
 */
export function encodeCall(
  { selector, inputs }: Pick<AbiFunction, "selector" | "inputs">,
  texts: readonly string[],
): string {
  const values = inputs.map((input, index) => typed(input, texts[index] ?? ""));
  return selector + encodeList(inputs, values);
}

/** Parses a typed text: JSON for lists and tuples, otherwise the text itself. */
function typed(input: AbiParameter, text: string): unknown {
  if (elementOf(input) === undefined && input.type !== "tuple") return text;
  try {
    // Numbers may be too large for JSON, so they are put in quotes and parsed as text.
    return JSON.parse(text.replace(/(?<=[[,:\s])-?\d+(?=\s*[\],}])/g, '"$&"'));
  } catch {
    throw problem(input, 'a list such as [1, 2] or ["0x…"]');
  }
}

/** Encodes the heads, then the tails. Returns hex digits without 0x. */
function encodeList(parameters: readonly AbiParameter[], values: readonly unknown[]): string {
  const headDigits = parameters.reduce((sum, each) => sum + wordsOf(each), 0) * WORD_DIGITS;
  let heads = "";
  let tails = "";
  for (const [index, parameter] of parameters.entries()) {
    const digits = encodeValue(parameter, values[index]);
    if (isDynamic(parameter)) {
      heads += number(BigInt((headDigits + tails.length) / 2));
      tails += digits;
    } else heads += digits;
  }
  return heads + tails;
}

function encodeValue(parameter: AbiParameter, value: unknown): string {
  const array = elementOf(parameter);
  if (array !== undefined) {
    if (!Array.isArray(value)) throw problem(parameter, "a list");
    if (array.length !== undefined && array.length !== value.length) throw problem(parameter, `${array.length} values`);
    const list = encodeList(
      value.map(() => array.of),
      value,
    );
    return array.length === undefined ? number(BigInt(value.length)) + list : list;
  }
  if (parameter.type !== "tuple") return encodeText(parameter, String(value).trim());
  const { components } = parameter;
  if (typeof value !== "object" || value === null) throw problem(parameter, "a list or an object of its members");
  const members = components.map(({ name }, index) =>
    Array.isArray(value) ? value[index] : (value as Readonly<Record<string, unknown>>)[name],
  );
  return encodeList(components, members);
}

function encodeText(parameter: AbiParameter, text: string): string {
  const { type } = parameter;
  if (type === "bool") {
    if (!/^(true|false)$/i.test(text)) throw problem(parameter, "true or false");
    return number(/^true$/i.test(text) ? 1n : 0n);
  }
  if (type === "address") {
    if (!/^0x[0-9a-f]{40}$/i.test(text)) throw problem(parameter, "an address");
    return text.slice(2).toLowerCase().padStart(WORD_DIGITS, "0");
  }
  if (type === "string" || type === "bytes") return encodeBytes(parameter, text);
  const fixed = /^bytes(\d+)$/.exec(type);
  if (fixed === null) return encodeInteger(parameter, text);
  const size = Number(fixed[1]) * 2;
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text) || text.length - 2 > size)
    throw problem(parameter, `up to ${fixed[1]} bytes of hex`);
  return text.slice(2).padEnd(WORD_DIGITS, "0");
}

function encodeBytes(parameter: AbiParameter, text: string): string {
  const isText = parameter.type === "string";
  if (!isText && !/^0x(?:[0-9a-f]{2})*$/i.test(text)) throw problem(parameter, "bytes of hex");
  const digits = isText
    ? Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")
    : text.slice(2);
  const padded = digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, "0");
  return number(BigInt(digits.length / 2)) + padded;
}

function encodeInteger(parameter: AbiParameter, text: string): string {
  const match = /^(u?)int(\d+)$/.exec(parameter.type);
  if (match === null || !/^-?(?:\d+|0x[0-9a-f]+)$/i.test(text)) throw problem(parameter, "a whole number");
  const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text);
  const bits = BigInt(match[2] as string);
  const isUnsigned = match[1] === "u";
  const limit = 1n << (isUnsigned ? bits : bits - 1n);
  if (value >= limit || value < (isUnsigned ? 0n : -limit)) throw problem(parameter, "a number that fits");
  return number(BigInt.asUintN(256, value));
}

function number(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, "0");
}

function problem({ name, type }: AbiParameter, expected: string): Error {
  return new Error(`${name === "" ? type : `${name} (${type})`}: expected ${expected}.`);
}
