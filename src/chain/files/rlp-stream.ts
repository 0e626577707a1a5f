/** Finds the end of an RLP list in a concatenation, without decoding it. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** Length in bytes of the RLP list at `offset`, including its header; undefined if no list can begin there. */
export function rlpItemLength(bytes: Bytes, offset: number): number | undefined {
  const prefix = bytes[offset];
  if (prefix === undefined || prefix < 0xc0) return undefined;
  if (prefix <= 0xf7) return 1 + (prefix - 0xc0);
  const lengthBytes = prefix - 0xf7;
  if (lengthBytes > 6 || offset + 1 + lengthBytes > bytes.length) return undefined;
  let length = 0;
  for (let index = 1; index <= lengthBytes; index++) length = length * 256 + (bytes[offset + index] as number);
  return 1 + lengthBytes + length;
}
