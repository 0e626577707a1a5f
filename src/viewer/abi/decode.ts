/**
 * Decodes the return data of a function into lines of text. Depth and length are limited, since a contract chose the
 * data.
 */
import type { AbiParameter } from "../rpc/types.ts";
import { elementOf, isDynamic, wordsOf } from "./words.ts";

const WORD_DIGITS = 64;
const MOST_ELEMENTS = 200;

/**
 * Decodes values as text, in the order of the parameters.
 *
 * @param hex - DATA
 * @throws {RangeError} if the bytes are too short for the values
 */
export function decodeValues(parameters: readonly AbiParameter[], hex: string): readonly string[] {
  return decodeList(parameters, hex.slice(2), 0);
}

/** @param start - number of hex digits before the list; offsets are relative to the list */
function decodeList(parameters: readonly AbiParameter[], digits: string, start: number): string[] {
  let at = start;
  return parameters.map((parameter) => {
    const place = isDynamic(parameter) ? start + size(digits, at) * 2 : at;
    const text = decodeValue(parameter, digits, place);
    at += wordsOf(parameter) * WORD_DIGITS;
    return text;
  });
}

function decodeValue(parameter: AbiParameter, digits: string, at: number): string {
  const array = elementOf(parameter);
  if (array !== undefined) {
    const length = array.length ?? size(digits, at);
    const first = array.length === undefined ? at + WORD_DIGITS : at;
    const count = Math.min(length, MOST_ELEMENTS);
    const texts = decodeList(Array<AbiParameter>(count).fill(array.of), digits, first);
    return `[${texts.join(", ")}${length > count ? ", …" : ""}]`;
  }
  if (parameter.type === "tuple") {
    const texts = decodeList(parameter.components, digits, at);
    return `(${texts.map((text, index) => named(parameter.components[index]?.name ?? "", text)).join(", ")})`;
  }
  return decodeWord(parameter.type, digits, at);
}

function named(name: string, text: string): string {
  return name === "" ? text : `${name}: ${text}`;
}

function decodeWord(type: string, digits: string, at: number): string {
  if (type === "string" || type === "bytes") {
    const length = size(digits, at);
    const bytes = part(digits, at + WORD_DIGITS, length * 2);
    return type === "bytes" ? `0x${bytes}` : JSON.stringify(textOf(bytes));
  }
  const word = part(digits, at, WORD_DIGITS);
  if (type === "address") return `0x${word.slice(24)}`;
  if (type === "bool") return String(BigInt(`0x${word}`) !== 0n);
  const fixed = /^bytes(\d+)$/.exec(type);
  if (fixed !== null) return `0x${word.slice(0, Number(fixed[1]) * 2)}`;
  const value = BigInt(`0x${word}`);
  return String(type.startsWith("int") ? BigInt.asIntN(256, value) : value);
}

function textOf(digits: string): string {
  const bytes = digits.match(/../g) ?? [];
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

/** Reads an offset or a length, which must not be larger than the data. */
function size(digits: string, at: number): number {
  const value = BigInt(`0x${part(digits, at, WORD_DIGITS)}`);
  if (value > BigInt(digits.length)) throw new RangeError("The data ends before its values do.");
  return Number(value);
}

function part(digits: string, at: number, length: number): string {
  if (at + length > digits.length) throw new RangeError("The data ends before its values do.");
  return digits.slice(at, at + length);
}
