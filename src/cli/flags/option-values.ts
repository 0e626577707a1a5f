/** Schemas of option values in text form. Their messages state the expected form. */
import { z } from "zod";
import { distinctStarts } from "../../chainspec/genesis/later-hardforks.ts";
import { type Hardfork, parseHardfork } from "../../chainspec/hardforks/hardforks.ts";
import { HindcastError, InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { AccountOptions, FundedAccountOptions } from "../../node/options/options.ts";
import { MAX_UINT64, MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import { once } from "../../primitives/once.ts";
import { isMilliseconds, readShape } from "../../primitives/validation/shape.ts";
import { showValue } from "../../primitives/validation/show-value.ts";

/** Makes the schema of an option's text when the option is first given. */
export type TextShape<T> = () => z.ZodType<T>;

const WEI_DECIMALS = 18;
const INTEGER = /^(?:\d+|0x[0-9a-f]+)$/i;

/**
 * The error of an option: exit code 2.
 *
 * @param cause - error of the reader, if there is one
 */
export function usageError(what: string, fix?: string, cause?: unknown): InvalidParamsError {
  const details = { code: "INVALID_OPTION", what, cause } as const;
  return new InvalidParamsError(fix === undefined ? details : { ...details, fix });
}

/**
 * Parses a value.
 *
 * @param label - name of the option as given, such as `--port` or `HINDCAST_PORT`, for the error
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export function readText<T>(shape: TextShape<T>, text: string, label: string): T {
  const result = naming(label, () => readShape(shape(), text));
  if (result.issue === undefined) return result.data;
  const { issue } = result;
  const shown = issue.code === "custom" && typeof issue.params?.shown === "string" ? issue.params.shown : undefined;
  throw usageError(`${label}: ${issue.message}, got ${shown ?? showValue(text)}.`);
}

/** The result of a task; a HindcastError gets the label in front. */
function naming<T>(label: string, task: () => T): T {
  try {
    return task();
  } catch (error) {
    if (!(error instanceof HindcastError)) throw error;
    throw usageError(`${label}: ${error.what}`, error.fix, error);
  }
}

/**
 * The schema of a value that is parsed from text by a function.
 *
 * @param expected - completes a sentence that begins with "expected"
 * @param read - returns undefined for text in another form
 * @param show - the part of a text that an error may show, if the text may be a secret
 */
export function fromText<T>(
  expected: string,
  read: (text: string) => T | undefined,
  show?: (text: string) => string,
): TextShape<T> {
  return once(() =>
    z.string().transform((text, context) => {
      const value = read(text);
      if (value !== undefined) return value;
      const params = show === undefined ? {} : { shown: showValue(show(text)) };
      context.addIssue({ code: "custom", message: `expected ${expected}`, params });
      return z.NEVER;
    }),
  );
}

/** A whole number from `min` to `max`, decimal or `0x` hexadecimal. */
export function wholeNumber(min: number, max: number): TextShape<number> {
  return fromText(`a whole number from ${min} to ${max}`, (text) => {
    const value = INTEGER.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/** An integer from `min`, which is not negative, to `max`, decimal or `0x` hexadecimal. */
export function integer(min = 0n, max = MAX_UINT256): TextShape<bigint> {
  // The number itself has 78 digits.
  const most = max === MAX_UINT256 ? "2^256 - 1" : max;
  return fromText(`a whole number from ${min} to ${most}, decimal or 0x hexadecimal`, (text) => {
    const value = INTEGER.test(text) ? BigInt(text) : -1n;
    return value >= min && value <= max ? value : undefined;
  });
}

/** Seconds since 1970, decimal or `0x` hexadecimal. Milliseconds are refused, as they would be a time in the far future. */
export const timestamp = fromText(
  `a whole number of seconds from 0 to ${MAX_UINT64}, not milliseconds, decimal or 0x hexadecimal`,
  (text) => {
    const value = INTEGER.test(text) ? BigInt(text) : -1n;
    return value >= 0n && value <= MAX_UINT64 && !isMilliseconds(Number(value)) ? value : undefined;
  },
);

/** An amount in ETH, such as `10000` or `0.5`; gives wei. */
export const ether = fromText("an amount in ETH such as 10000 or 0.5, of less than 2^256 wei", weiOf);

function weiOf(text: string): bigint | undefined {
  const [, whole, decimals = ""] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const wei = BigInt(whole + decimals.padEnd(WEI_DECIMALS, "0"));
  return wei <= MAX_UINT256 ? wei : undefined;
}

/** A duration in seconds, such as `12` or `0.5`; gives milliseconds. */
export const seconds = fromText("a number of seconds above 0, such as 12 or 0.5", millisecondsOf);

/** The same, or two of them, such as `3-6`. */
export const interval = fromText(
  "a number of seconds above 0, such as 12 or 0.5, or two such as 3-6, the smaller first",
  (text) => {
    const [least, most, ...rest] = text.split("-").map(millisecondsOf);
    if (least === undefined || rest.length > 0) return undefined;
    if (!text.includes("-")) return least;
    return most === undefined || most < least ? undefined : ([least, most] as const);
  },
);

function millisecondsOf(text: string): number | undefined {
  const milliseconds = /^\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : 0;
  // Timers take 31 bits.
  return milliseconds >= 1 && milliseconds < 2 ** 31 ? milliseconds : undefined;
}

/** One of several names. */
export function oneOf<Name extends string>(names: readonly Name[]): TextShape<Name> {
  return once(() => z.enum(names, `expected one of ${names.join(", ")}`));
}

/** A hardfork's name in the spelling of any client; the value is ours. */
export const hardfork: TextShape<Hardfork> = once(() => z.string().transform((text) => parseHardfork(text)));

/** A hardfork and where it begins, as {@link NodeOptions.hardforkAt} has it. */
export type HardforkStart = readonly [name: string, start: bigint];

/** Hardforks between commas, each with `:` and a number. */
export const hardforkStarts = fromText("a hardfork and its beginning, such as amsterdam:1000 or london:10", (text) => {
  const starts = text.split(",").map((entry) => {
    const [, name, start] = /^\s*([\w-]+):(\d{1,19})\s*$/.exec(entry) ?? [];
    return name === undefined || start === undefined ? undefined : ([name, BigInt(start)] as const);
  });
  return starts.includes(undefined) ? undefined : distinctStarts(starts as readonly HardforkStart[]);
});

/** An address in any letter case. */
export const address = once(() => z.string().regex(/^0x[0-9a-f]{40}$/i, "expected an address of 0x and 40 hex digits"));

/** Any text that is not empty. */
export const words = once(() => z.string().min(1, "expected some text"));

/** The number of `v`s: from `vv` of `-vvv`, or a number from 0 to 5. */
export const verbosity = fromText("a whole number from 0 to 5", (text) => {
  if (/^v{1,4}$/.test(text)) return text.length + 1;
  return INTEGER.test(text) && Number(text) <= 5 ? Number(text) : undefined;
});

/** Values separated by commas. */
export const list: TextShape<readonly string[]> = once(() =>
  z.string().transform((text) =>
    text
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== ""),
  ),
);

/** Names that clients send as Host; `*` stands for any part of one. */
export const hostNames = listOf("host names such as hindcast or *.example, without a scheme", /^[^\s/]+$/);

/** Origins as browsers send them; `*` stands for any part of one. */
export const origins = listOf(
  "origins such as https://app.example or http://localhost:*, with a scheme and without a path",
  /^(?:\*|null|[^\s/]*\*[^\s/]*|[^\s/:]+:\/\/[^\s/]+\/?)$/,
);

function listOf(expected: string, shape: RegExp): TextShape<readonly string[]> {
  return fromText(expected, (text) => {
    const entries = list().parse(text);
    return entries.every((entry) => shape.test(entry)) ? entries : undefined;
  });
}

/**
 * Accounts between commas: a private key each, and perhaps `=` and an amount in ETH. An error shows nothing of the text,
 * which may hold a key.
 */
export const accountKeys = fromText(
  "private keys of 64 hex digits between commas, each perhaps with = and an amount in ETH",
  (text) => {
    const accounts = text.split(",").map((entry) => accountKey(entry.trim()));
    return accounts.includes(undefined) ? undefined : (accounts as readonly AccountOptions[]);
  },
  () => "…",
);

function accountKey(text: string): AccountOptions | undefined {
  const [, privateKey, amount] = /^(?:0x)?([0-9a-f]{64})(?:=(.+))?$/i.exec(text) ?? [];
  if (privateKey === undefined) return undefined;
  if (amount === undefined) return { privateKey: `0x${privateKey}` };
  const balance = weiOf(amount);
  return balance === undefined ? undefined : { privateKey: `0x${privateKey}`, balance };
}

/** Addresses between commas, each perhaps with `:` and an amount in ETH. */
export const fundedAddresses = fromText(
  "addresses of 20 bytes between commas, each perhaps with : and an amount in ETH",
  (text) => {
    const accounts = text.split(",").map((entry) => fundedAddress(entry.trim()));
    return accounts.includes(undefined) ? undefined : (accounts as readonly FundedAccountOptions[]);
  },
);

function fundedAddress(text: string): FundedAccountOptions | undefined {
  const [, address, amount] = /^(0x[0-9a-f]{40})(?::(.+))?$/i.exec(text) ?? [];
  if (address === undefined) return undefined;
  if (amount === undefined) return { address };
  const balance = weiOf(amount);
  return balance === undefined ? undefined : { address, balance };
}

/** Some of some names, between commas. */
export function someOf<Name extends string>(names: readonly Name[]): TextShape<readonly Name[]> {
  return once(() => list().pipe(z.array(z.enum(names, `expected one of ${names.join(", ")}`))));
}

/** The error of a value in a wrong form. */
export function expected(label: string, shape: string, value: unknown): InvalidParamsError {
  return usageError(`${label}: expected ${shape}, got ${showValue(value)}.`);
}
