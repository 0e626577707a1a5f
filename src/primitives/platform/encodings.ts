/** Bytes as text and back, by what the platform has compiled: many times faster than loops of JavaScript. */

/**
 * Most bytes of an array that V8 has in its heap. Who asks for its buffer moves it out of there, with four allocations of
 * the C library, and takes three times as long as a copy to here.
 */
const SMALL_BYTES = 64;
const small = Buffer.allocUnsafeSlow(SMALL_BYTES);
const smallBytes = new Uint8Array(small.buffer);

function textOf(bytes: Uint8Array, encoding: "hex" | "latin1" | "utf8"): string {
  if (bytes.length > SMALL_BYTES)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
  small.set(bytes);
  return small.toString(encoding, 0, bytes.length);
}

/** Two digits a byte, lower case. */
export function toHexDigits(bytes: Uint8Array): string {
  return textOf(bytes, "hex");
}

/** Digits that are decoded at a time. Node copies them outside of V8's heap, with two bytes each. */
const PIECE_DIGITS = 2 ** 15;

/** The bytes of two digits each, up to the first that is none. */
export function fromHexDigits(digits: string): Uint8Array {
  if (digits.length > PIECE_DIGITS) return fromManyHexDigits(digits);
  if (digits.length <= 2 * SMALL_BYTES) return smallBytes.slice(0, small.write(digits, "hex"));
  const { buffer, byteOffset, byteLength } = Buffer.from(digits, "hex");
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The rest of a text from its first character that is not ASCII. */
const NOT_ASCII = /[\u0080-\uffff].*/s;

/** Bytes from which on an array is in pages of the system: see {@link mappedBytes}. */
const MANY_BYTES = 512 * 1024;

function fromManyHexDigits(digits: string): Uint8Array {
  const size = digits.length >>> 1;
  const bytes = size > MANY_BYTES ? Buffer.from(mappedBytes(size).buffer, 0, size) : Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (let start = 0; start < digits.length; start += PIECE_DIGITS) {
    const piece = digits.slice(start, start + PIECE_DIGITS);
    // Node takes the low byte of a UTF-16 unit, which may be a digit.
    const isAscii = Buffer.byteLength(piece) === piece.length;
    length += bytes.write(isAscii ? piece : piece.replace(NOT_ASCII, ""), length, "hex");
    if (length < Math.min(start + PIECE_DIGITS, digits.length) >>> 1) break;
  }
  return new Uint8Array(bytes.buffer, 0, length);
}

/** One UTF-16 unit for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  return textOf(bytes, "latin1");
}

/** The low byte of each UTF-16 unit. */
export function fromLatin1(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, "latin1");
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The text of UTF-8; what is not UTF-8 becomes U+FFFD. */
export function toUtf8(bytes: Uint8Array): string {
  return textOf(bytes, "utf8");
}

/** A text in UTF-8. */
export function fromUtf8(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, "utf8");
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Lexicographic order: negative, zero or positive. For byte strings of more than some ten bytes; a loop is faster below. */
export function compareLongBytes(left: Uint8Array, right: Uint8Array): number {
  return Buffer.compare(left, right);
}

/** Finds bytes within others, from an index on; -1 if they are not found. */
export function indexOfBytes(bytes: Uint8Array, sought: Uint8Array, from = 0): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(sought, from);
}

/**
 * Zeros in pages of the system, which has them again when they are garbage. Other long arrays are the C library's, which
 * keeps memory that it once had. V8 maps pages for a buffer that may grow; this one may not grow beyond its length.
 */
export function mappedBytes(length: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(length, { maxByteLength: length }), 0, length);
}
