/** Checks values that a program passes to an edit, because a wrong value would stay in the state, and counts of blocks. */
import { LimitError } from "../../errors/hindcast-error.ts";
import { once } from "../../primitives/once.ts";
import { bytes, count, requireShape, shape, unsigned } from "../../primitives/validation/shape.ts";

/** Names only the types that programs may pass, because DATA was converted before. */
const looseBytes = (size: string, isSize: (length: number) => boolean) =>
  shape(`${size} in a Uint8Array or as DATA`, (value) => value instanceof Uint8Array && isSize(value.length));

/** By the parameter name that all edits use for such a value. */
const shapes = once(() => ({
  address: looseBytes("20 bytes", (length) => length === 20),
  signature: bytes(65),
  balance: unsigned(256, "wei as a bigint, a number or text,"),
  nonce: unsigned(64, "a bigint, a number or text"),
  code: looseBytes("bytes", () => true),
  slot: looseBytes("32 bytes", (length) => length === 32),
  value: looseBytes("0 to 32 bytes", (length) => length <= 32),
  blocks: count(),
  timestamp: unsigned(64, "seconds as a bigint"),
  interval: unsigned(64, "seconds as a bigint"),
  seconds: unsigned(64, "seconds as a bigint"),
  /** The content of a file. */
  bytes: bytes(),
}));

/** @throws {InvalidParamsError} `INVALID_PARAMS` for the first value that does not have the shape of its name */
export function requireValues(values: Readonly<Partial<Record<keyof ReturnType<typeof shapes>, unknown>>>): void {
  for (const [name, value] of Object.entries(values)) {
    requireShape(shapes()[name as keyof typeof values], value, name);
  }
}

/**
 * Limits the blocks that one request may make. They are written in one batch, so all of them are in memory until the
 * last is made.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` if the value is not a count
 * @throws {LimitError} `TOO_MANY_BLOCKS`
 */
export function requireBlockCount(count: number, limit: number): void {
  requireValues({ blocks: count });
  if (count <= limit) return;
  throw new LimitError({
    code: "TOO_MANY_BLOCKS",
    what: `Cannot make ${count} blocks at once, at most ${limit}.`,
    fix: "Ask for fewer at a time, or raise the limit with --mined-blocks or limits.minedBlocks.",
    data: { limit, given: count, flag: "--mined-blocks" },
  });
}
