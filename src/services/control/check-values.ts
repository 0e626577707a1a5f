/** Checks what a program hands in: a wrong value would be written into the state, where nothing mends it. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import { MAX_UINT64, MAX_UINT256 } from "../../primitives/limits.ts";

/** EIP-2681: the greatest nonce an account may have. */

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but 20 bytes */
export function requireAddress(address: Bytes): void {
  requireBytes("address", address, 20, 20);
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but wei below 2^256 */
export function requireBalance(balance: bigint): void {
  requireWithin("balance", balance, MAX_UINT256, "wei as a bigint below 2^256");
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but a nonce below 2^64 */
export function requireNonce(nonce: bigint): void {
  requireWithin("nonce", nonce, MAX_UINT64, "a bigint below 2^64");
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but bytes of a number that is allowed */
export function requireBytes(name: string, value: Bytes, least: number, most: number): void {
  if (value instanceof Uint8Array && value.length >= least && value.length <= most) return;
  const size = least === most ? `${least} bytes` : `${least} to ${most} bytes`;
  const expected = most === Number.POSITIVE_INFINITY ? "bytes" : size;
  const got = value instanceof Uint8Array ? `${(value as Bytes).length} bytes` : typeOf(value);
  throw invalid(name, `${expected} in a Uint8Array`, got);
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but a whole number from zero */
export function requireCount(name: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw invalid(name, "a whole number from 0", typeof count === "number" ? String(count) : typeOf(count));
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but seconds below 2^64 */
export function requireSeconds(name: string, seconds: bigint): void {
  requireWithin(name, seconds, MAX_UINT64, "seconds as a bigint below 2^64");
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but seconds below 2^64, or nothing */
export function requireSecondsIfGiven(name: string, seconds: bigint | undefined): void {
  if (seconds !== undefined) requireSeconds(name, seconds);
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but an object of these members: others would be passed over */
export function requireOptions(options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw invalid("options", "an object", typeOf(options));
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `There is no option ${unknown}.`,
    fix: `Use some of: ${known.join(", ")}.`,
  });
}

function requireWithin(name: string, value: bigint, most: bigint, expected: string): void {
  if (typeof value === "bigint" && value >= 0n && value <= most) return;
  throw invalid(name, expected, typeof value === "bigint" ? `${value}n` : typeOf(value));
}

function typeOf(value: unknown): string {
  return value === undefined ? "nothing" : `a value of type ${typeof value}`;
}

function invalid(name: string, expected: string, got: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_PARAMS", what: `${name}: expected ${expected}, got ${got}.` });
}
