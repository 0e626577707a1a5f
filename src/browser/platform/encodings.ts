/** Bytes as text and back, for browsers. Counterpart of `primitives/platform/encodings.ts`. */
import { once } from "../../primitives/once.ts";

const encoder = once(() => new TextEncoder());
/** Bytes at the beginning that look like a byte order mark are text. */
const decoder = once(() => new TextDecoder("utf-8", { ignoreBOM: true }));

const PAIRS = once(() => Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0")));

/** Values of hex digits by their code; 255 for other characters. */
const DIGITS = once(() =>
  Uint8Array.from({ length: 128 }, (_, code) => {
    const value = Number.parseInt(String.fromCharCode(code), 16);
    return Number.isNaN(value) ? 0xff : value;
  }),
);

/** Characters of one call; engines limit the arguments of one. */
const PIECE = 0x2000;

/** Two digits a byte, lower case. */
export function toHexDigits(bytes: Uint8Array): string {
  const pairs = PAIRS();
  let digits = "";
  for (const byte of bytes) digits += pairs[byte];
  return digits;
}

/** The bytes of two digits each, up to the first that is none. */
export function fromHexDigits(digits: string): Uint8Array {
  const values = DIGITS();
  const bytes = new Uint8Array(digits.length >>> 1);
  for (let index = 0; index < bytes.length; index++) {
    const high = values[digits.charCodeAt(2 * index)] ?? 0xff;
    const low = values[digits.charCodeAt(2 * index + 1)] ?? 0xff;
    if (high === 0xff || low === 0xff) return bytes.slice(0, index);
    bytes[index] = high * 16 + low;
  }
  return bytes;
}

/** One UTF-16 unit for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  if (bytes.length <= PIECE) return String.fromCharCode(...bytes);
  let text = "";
  for (let start = 0; start < bytes.length; start += PIECE) text += toLatin1(bytes.subarray(start, start + PIECE));
  return text;
}

/** The low byte of each UTF-16 unit. */
export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** The text of UTF-8; what is not UTF-8 becomes U+FFFD. */
export const toUtf8 = (bytes: Uint8Array): string => decoder().decode(bytes);

/** A text in UTF-8. */
export const fromUtf8 = (text: string): Uint8Array => encoder().encode(text);

/** Base64 with padding (RFC 4648 §4). */
export const toBase64 = (bytes: Uint8Array): string => btoa(toLatin1(bytes));

/** Lexicographic order: negative, zero or positive. */
export function compareLongBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

/** Finds bytes within others, from an index on; -1 if they are not found. */
export function indexOfBytes(bytes: Uint8Array, sought: Uint8Array, from = 0): number {
  const [first] = sought;
  if (first === undefined) return Math.min(from, bytes.length);
  const last = bytes.length - sought.length;
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    if (sought.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

/** Zeros. A buffer that may grow is refused by the decoders of pages. */
export const mappedBytes = (length: number): Uint8Array => new Uint8Array(length);
