/**
 * Formats console.log by Hardhat's rules: Node's `util.format` on values as text, for Solidity's types as in Foundry
 * (`console_format`).
 *
 * `%s` any value; `%d` and `%i` a number, or NaN; `%x` hexadecimal; `%o` as in an object, with quoted strings; `%e` and
 * `%18e` with a power of ten; `%%` a percent sign. Further values follow, separated by spaces; further specifiers stay
 * unchanged.
 */
import { checksumAddress } from "../../primitives/address.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData } from "../../primitives/bytes/hex.ts";

/** A value with its Solidity type; addresses are hex. */
export interface ConsoleValue {
  readonly type: string;
  readonly value: bigint | boolean | string | Bytes;
}

const SPECIFIER = /%(?:%|s|d|i|o|x|(?<digits>\d{0,4})e)/g;
/** Foundry's limit; a 256-bit number has fewer digits. */
const MAX_EXPONENT = 1024;

/** The text of a console.log. */
export function formatConsole(values: readonly ConsoleValue[]): string {
  const [first, ...rest] = values;
  if (first === undefined) return "";
  if (first.type !== "string") return values.map(plain).join(" ");
  let used = 0;
  const text = plain(first).replace(SPECIFIER, (specifier: string, digits: string | undefined) => {
    if (specifier === "%%") return "%";
    const value = rest[used];
    if (value === undefined || Number(digits ?? 0) > MAX_EXPONENT) return specifier;
    used++;
    return formatOne(value, specifier.at(-1) as string, digits);
  });
  const left = rest.slice(used).map(plain);
  return (text === "" ? left : [text, ...left]).join(" ");
}

function formatOne(argument: ConsoleValue, specifier: string, digits: string | undefined): string {
  const { value } = argument;
  const isNumber = typeof value === "bigint";
  switch (specifier) {
    case "s":
      return plain(argument);
    case "o":
      return isNumber ? plain(argument) : `'${plain(argument)}'`;
    case "x":
      if (isNumber) return `0x${BigInt.asUintN(256, value).toString(16)}`;
      return typeof value === "boolean" || argument.type === "string" ? "NaN" : plain(argument);
    case "e":
      return isNumber ? exponential(value, digits) : "NaN";
    default:
      if (typeof value === "boolean" && specifier === "d") return value ? "1" : "0";
      return isNumber ? plain(argument) : "NaN";
  }
}

function plain({ type, value }: ConsoleValue): string {
  if (type === "address") return checksumAddress(decodeData(value as string));
  return value instanceof Uint8Array ? encodeData(value) : String(value);
}

/** 1234500 as `1.2345e6`; with a number of digits, divided by that power of ten: `%2e` of 150 is `1.5`. */
function exponential(value: bigint, digits: string | undefined): string {
  const sign = value < 0n ? "-" : "";
  const text = (value < 0n ? -value : value).toString();
  const exponent = digits === undefined || digits === "" ? text.length - 1 : Number(digits);
  const padded = text.padStart(exponent + 1, "0");
  const whole = padded.slice(0, padded.length - exponent);
  const decimals = padded.slice(padded.length - exponent).replace(/0+$/, "");
  const number = decimals === "" ? `${sign}${whole}` : `${sign}${whole}.${decimals}`;
  return digits === undefined || digits === "" ? `${number}e${exponent}` : number;
}
