/** Describes a revert by its data: a text, a panic, or a custom error with its name in an ABI. */
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { toHexDigits } from "../../primitives/platform/encodings.ts";
import { revertReasonText } from "../../primitives/revert-reason.ts";
import type { Contract } from "./contract.ts";
import { formatArguments, formatBytes } from "./format-value.ts";
import type { AbiRegistry } from "./registry.ts";

/** Selector of Panic(uint256). */
const PANIC_SELECTOR = "4e487b71";
/** The errors of the language by selector. */
const LANGUAGE_ERRORS: ReadonlyMap<string, string> = new Map([
  ["08c379a0", "Error(string)"],
  [PANIC_SELECTOR, "Panic(uint256)"],
]);

/** One line; empty without data. The contract's own errors are tried before those of other ABIs. */
export function describeRevert(data: Bytes, abi: AbiRegistry, contract?: Contract): string {
  if (data.length === 0) return "";
  const reason = revertReasonText(data);
  if (reason !== undefined) return isPanic(data) ? panicText(reason, data) : printable(reason);
  const decoded = abi.decodeError(data, contract);
  if (decoded !== undefined) return `${decoded.item.name}(${formatArguments(decoded.arguments, false)})`;
  if (data.length < 4) return encodeData(data);
  const rest = data.subarray(4);
  // Its arguments cannot be decoded, or the text would have been found above.
  const cut = LANGUAGE_ERRORS.get(selectorOf(data));
  const name = cut === undefined ? `custom error ${encodeData(data.subarray(0, 4))}` : `malformed ${cut}`;
  return `${name}${rest.length === 0 ? "" : `: ${formatBytes(rest)}`}`;
}

/** A text on one line, without control characters. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

function isPanic(data: Bytes): boolean {
  return selectorOf(data) === PANIC_SELECTOR;
}

function selectorOf(data: Bytes): string {
  return toHexDigits(data.subarray(0, 4));
}

function panicText(reason: string, data: Bytes): string {
  const code = bytesToBigInt(data.subarray(4, 36)).toString(16).padStart(2, "0");
  return reason.includes("0x") ? `panic: ${reason}` : `panic: ${reason} (0x${code})`;
}
