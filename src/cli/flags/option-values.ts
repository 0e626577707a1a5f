/** Reads single option values from text; each reader refuses what it cannot read, in words for people. */
import { parseHardfork } from "../../chainspec/hardforks/hardforks.ts";
import { HindcastError, InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { AccountOptions } from "../../node/options/options.ts";
import { MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import { showValue } from "../../primitives/shapes/show-value.ts";

/**
 * Reads a value from text.
 *
 * @param label - where the text was given, such as `--port` or `HINDCAST_PORT`, for the error
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export type Reader<T> = (text: string, label: string) => T;

const WEI_DECIMALS = 18;

/**
 * An error about an option: exit code 2.
 *
 * @param cause - what was thrown where the option was read, if anything was
 */
export function usageError(what: string, fix?: string, cause?: unknown): InvalidParamsError {
  const details = { code: "INVALID_OPTION", what, cause } as const;
  return new InvalidParamsError(fix === undefined ? details : { ...details, fix });
}

/** Reader of a whole number from `min` to `max`, decimal or `0x` hexadecimal. */
export function wholeNumber(min: number, max: number): Reader<number> {
  return (text, label) => {
    const value = /^(?:\d+|0x[0-9a-f]+)$/i.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw expected(label, `a whole number from ${min} to ${max}`, text);
  };
}

/** Reader of an integer from `min`, which is not negative, to `max`, decimal or `0x` hexadecimal. */
export function integer(min = 0n, max = MAX_UINT256): Reader<bigint> {
  return (text, label) => {
    const value = /^(?:\d+|0x[0-9a-f]+)$/i.test(text) ? BigInt(text) : -1n;
    if (value >= min && value <= max) return value;
    // Written out, it would be 78 digits.
    const most = max === MAX_UINT256 ? "2^256 - 1" : max;
    throw expected(label, `a whole number from ${min} to ${most}, decimal or 0x hexadecimal`, text);
  };
}

/** Reads an amount in ETH, such as `10000` or `0.5`; gives wei. */
export function ether(text: string, label: string): bigint {
  const match = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text);
  const wei = match?.[1] === undefined ? -1n : BigInt(match[1] + (match[2] ?? "").padEnd(WEI_DECIMALS, "0"));
  if (wei >= 0n && wei <= MAX_UINT256) return wei;
  throw expected(label, "an amount in ETH such as 10000 or 0.5, of less than 2^256 wei", text);
}

/** Reads a duration in seconds, such as `12` or `0.5`; gives milliseconds. */
export function seconds(text: string, label: string): number {
  const milliseconds = /^\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : 0;
  // Timers hold 31 bits.
  if (milliseconds >= 1 && milliseconds < 2 ** 31) return milliseconds;
  throw expected(label, "a number of seconds above 0, such as 12 or 0.5", text);
}

/** Reader of one of some names. */
export function oneOf<Name extends string>(names: readonly Name[]): Reader<Name> {
  return (text, label) => {
    const name = names.find((known) => known === text);
    if (name !== undefined) return name;
    throw expected(label, `one of ${names.join(", ")}`, text);
  };
}

/** Reads the name of a hardfork in the spelling of whatever client; gives ours. */
export function hardfork(text: string, label: string): string {
  try {
    return parseHardfork(text);
  } catch (error) {
    if (error instanceof HindcastError) throw usageError(`${label}: ${error.what}`, error.fix, error);
    throw error;
  }
}

/** Reads an address, whatever the case of its letters. */
export function address(text: string, label: string): string {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text;
  throw expected(label, "an address of 0x and 40 hex digits", text);
}

/** Reads text as it stands, if there is any. */
export function words(text: string, label: string): string {
  if (text !== "") return text;
  throw expected(label, "some text", text);
}

/** Reads how many times `v` was said: `vv` of `-vvv`, or a number from 0 to 5. */
export function verbosity(text: string, label: string): number {
  if (/^v{1,4}$/.test(text)) return text.length + 1;
  return wholeNumber(0, 5)(text, label);
}

/** Reads values between commas. */
export function list(text: string): readonly string[] {
  return text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

/** Reads accounts between commas: a private key each, and perhaps `=` and an amount in ETH. */
export function accountKeys(text: string, label: string): readonly AccountOptions[] {
  return list(text).map((entry) => {
    const [, privateKey, balance] = /^(?:0x)?([0-9a-f]{64})(?:=(.+))?$/i.exec(entry) ?? [];
    // What may be a key is not shown.
    if (privateKey === undefined)
      throw usageError(`${label}: expected a private key of 64 hex digits, and perhaps =ETH.`);
    return { privateKey: `0x${privateKey}`, ...(balance === undefined ? {} : { balance: ether(balance, label) }) };
  });
}

/** Reader of some of some names, between commas. */
export function someOf<Name extends string>(names: readonly Name[]): Reader<readonly Name[]> {
  return (text, label) => list(text).map((entry) => oneOf(names)(entry, label));
}

/** The error of a value that has not the shape it should have. */
export function expected(label: string, shape: string, value: unknown): InvalidParamsError {
  return usageError(`${label}: expected ${shape}, got ${showValue(value)}.`);
}
