/** Bytes as DATA. */

/** Bytes that are written as digits at once. */
const PART_BYTES = 65_536;

/** DATA of bytes. */
export function toHex(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += PART_BYTES)
    parts.push(
      Array.from(bytes.subarray(start, start + PART_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join(""),
    );
  return `0x${parts.join("")}`;
}
