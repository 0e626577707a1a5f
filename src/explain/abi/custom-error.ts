/** A revert's custom error as plain values, for programs. */
import type { CustomError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { AbiValue } from "./coder.ts";
import type { Contract } from "./contract.ts";
import type { AbiRegistry } from "./registry.ts";

/** Undefined for data that no ABI has an error for. The contract's own errors are tried first. */
export function customErrorOf(data: Bytes, abi: AbiRegistry, contract?: Contract): CustomError | undefined {
  const decoded = abi.decodeError(data, contract);
  if (decoded === undefined) return undefined;
  const args = decoded.arguments.map(({ value }) => plainValue(value));
  const named = decoded.arguments.map(({ parameter }, index) => [parameter.name || String(index), args[index]]);
  return { name: decoded.item.name, args, namedArgs: Object.fromEntries(named) };
}

function plainValue(value: AbiValue | undefined): unknown {
  if (value instanceof Uint8Array) return encodeData(value);
  return Array.isArray(value) ? value.map((item: AbiValue) => plainValue(item)) : value;
}
