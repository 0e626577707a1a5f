/** Checks values that a program passes to an edit, because a wrong value would stay in the state. */
import { once } from "../../primitives/once.ts";
import { bytes, count, requireShape, shape, unsigned } from "../../primitives/shapes/shape.ts";

/** By the parameter name that all edits use for such a value. */
const shapes = once(() => ({
  address: bytes(20),
  signature: bytes(65),
  balance: unsigned(256, "wei as a bigint"),
  nonce: unsigned(64),
  code: bytes(),
  slot: bytes(32),
  value: shape("0 to 32 bytes in a Uint8Array", (value) => value instanceof Uint8Array && value.length <= 32),
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
