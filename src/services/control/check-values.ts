/** Checks what a program hands in: a wrong value would be written into the state, where nothing mends it. */
import { once } from "../../primitives/once.ts";
import { bytes, count, requireShape, shape, unsigned } from "../../primitives/shapes/shape.ts";

/** By the names that all edits have for them. */
const shapes = once(() => ({
  address: bytes(20),
  balance: unsigned(256, "wei as a bigint"),
  nonce: unsigned(64),
  code: bytes(),
  slot: bytes(32),
  value: shape("0 to 32 bytes in a Uint8Array", (value) => value instanceof Uint8Array && value.length <= 32),
  blocks: count(),
  timestamp: unsigned(64, "seconds as a bigint"),
  interval: unsigned(64, "seconds as a bigint"),
  seconds: unsigned(64, "seconds as a bigint"),
  /** A file. */
  bytes: bytes(),
}));

/** @throws {InvalidParamsError} `INVALID_PARAMS` for the first that is not what its name says */
export function requireValues(values: Readonly<Partial<Record<keyof ReturnType<typeof shapes>, unknown>>>): void {
  for (const [name, value] of Object.entries(values)) {
    requireShape(shapes()[name as keyof typeof values], value, name);
  }
}
