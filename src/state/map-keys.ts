/**
 * Map keys for addresses and words.
 *
 * Two bytes go into each UTF-16 unit, in one call, which is cheaper than hex or latin1 text.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";

/**
 * A string for a 20-byte address; two are equal exactly if the addresses are.
 *
 * @throws {TypeError} for another length
 */
export function addressKey(b: Bytes): string {
  if (b.length !== 20) throw new TypeError(`an address has 20 bytes, not ${b.length}`);
  return String.fromCharCode(
    pair(b, 0),
    pair(b, 2),
    pair(b, 4),
    pair(b, 6),
    pair(b, 8),
    pair(b, 10),
    pair(b, 12),
    pair(b, 14),
    pair(b, 16),
    pair(b, 18),
  );
}

/**
 * A string for a 32-byte word (slot or hash); two are equal exactly if the words are.
 *
 * @throws {TypeError} for another length
 */
export function wordKey(b: Bytes): string {
  if (b.length !== 32) throw new TypeError(`a slot or hash has 32 bytes, not ${b.length}`);
  return String.fromCharCode(
    pair(b, 0),
    pair(b, 2),
    pair(b, 4),
    pair(b, 6),
    pair(b, 8),
    pair(b, 10),
    pair(b, 12),
    pair(b, 14),
    pair(b, 16),
    pair(b, 18),
    pair(b, 20),
    pair(b, 22),
    pair(b, 24),
    pair(b, 26),
    pair(b, 28),
    pair(b, 30),
  );
}

function pair(bytes: Bytes, index: number): number {
  return ((bytes[index] as number) << 8) | (bytes[index + 1] as number);
}
