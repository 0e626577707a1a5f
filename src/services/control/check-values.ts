/** Checks what a program hands in: a wrong value would be written into the state, where nothing mends it. */
import type { Bytes } from "../../primitives/bytes.ts";
import { MAX_UINT64, MAX_UINT256 } from "../../primitives/limits.ts";
import { unexpected } from "../../primitives/shape.ts";

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
  throw unexpected(name, `${most === Number.POSITIVE_INFINITY ? "bytes" : size} in a Uint8Array`, value);
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but a whole number from zero */
export function requireCount(name: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw unexpected(name, "a whole number from 0", count);
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but seconds below 2^64 */
export function requireSeconds(name: string, seconds: bigint): void {
  requireWithin(name, seconds, MAX_UINT64, "seconds as a bigint below 2^64");
}

/** @throws {InvalidParamsError} `INVALID_PARAMS` for anything but seconds below 2^64, or nothing */
export function requireSecondsIfGiven(name: string, seconds: bigint | undefined): void {
  if (seconds !== undefined) requireSeconds(name, seconds);
}

function requireWithin(name: string, value: bigint, most: bigint, expected: string): void {
  if (typeof value === "bigint" && value >= 0n && value <= most) return;
  throw unexpected(name, expected, value);
}
