/** Reads single option values from text; each reader refuses what it cannot read, in words for people. */
import { InvalidParamsError } from "../errors/hindcast-error.ts";

const WEI_DECIMALS = 18;

/** An error about one flag: exit code 2. */
export function usageError(what: string, fix?: string): InvalidParamsError {
  const details = { code: "INVALID_OPTION", what } as const;
  return new InvalidParamsError(fix === undefined ? details : { ...details, fix });
}

/** Reader of a whole number from `min` to `max`. */
export function wholeNumber(flag: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw expected(flag, `a whole number from ${min} to ${max}`, text);
  };
}

/** Reader of a non-negative integer of any size, decimal or `0x` hexadecimal. */
export function integer(flag: string, min = 0n): (text: string) => bigint {
  return (text) => {
    const value = /^(?:\d+|0x[0-9a-f]+)$/i.test(text) ? BigInt(text) : -1n;
    if (value >= min) return value;
    throw expected(flag, `a whole number of at least ${min}, decimal or 0x hexadecimal`, text);
  };
}

/** Reader of an amount in ETH, such as `10000` or `0.5`; gives wei. */
export function ether(flag: string): (text: string) => bigint {
  return (text) => {
    const match = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text);
    if (match?.[1] === undefined) throw expected(flag, "an amount in ETH such as 10000 or 0.5", text);
    return BigInt(match[1] + (match[2] ?? "").padEnd(WEI_DECIMALS, "0"));
  };
}

/** Reader of a duration in seconds, such as `12` or `0.5`; gives milliseconds. */
export function seconds(flag: string): (text: string) => number {
  return (text) => {
    const milliseconds = /^\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : 0;
    // Timers hold 31 bits.
    if (milliseconds >= 1 && milliseconds < 2 ** 31) return milliseconds;
    throw expected(flag, "a number of seconds above 0, such as 12 or 0.5", text);
  };
}

/** Reader of one of some names. */
export function oneOf<Name extends string>(flag: string, names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const name = names.find((known) => known === text);
    if (name !== undefined) return name;
    throw expected(flag, `one of ${names.join(", ")}`, text);
  };
}

/** Reader of a flag that may be repeated or hold several values between commas; gives all so far. */
export function list(text: string, before: readonly string[] | undefined): readonly string[] {
  const values = text.split(",").map((value) => value.trim());
  return [...(before ?? []), ...values.filter((value) => value !== "")];
}

function expected(flag: string, shape: string, text: string): InvalidParamsError {
  return usageError(`${flag}: expected ${shape}, got ${JSON.stringify(text)}.`);
}
