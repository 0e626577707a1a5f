/** Formats values for call trees: numbers in decimal, addresses with their checksum, strings in quotes. */
import { checksumAddress } from "../../primitives/address.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData } from "../../primitives/bytes/hex.ts";
import type { AbiParameter } from "./abi-item.ts";
import type { AbiValue } from "./coder.ts";
import type { DecodedArgument } from "./registry.ts";

/** Bytes shown of a longer value. */
const SHOWN_BYTES = 32;
/** Longest value that is shown whole, in bytes. */
const MAX_BYTES = 68;
const MAX_TEXT_LENGTH = 300;
/** From this number on the power of ten is shown too. */
const LARGE = 1_000_000n;

/** Hex digits; long values are shortened, with their length. */
export function formatBytes(bytes: Bytes): string {
  if (bytes.length <= MAX_BYTES) return encodeData(bytes);
  return `${encodeData(bytes.subarray(0, SHOWN_BYTES))}… (${bytes.length} bytes)`;
}

/** Decimal digits, and for large round numbers their power of ten: `1500000000000000000 [1.5e18]`. */
export function formatInteger(value: bigint): string {
  const digits = value.toString();
  if (value < LARGE && value > -LARGE) return digits;
  const [, sign = "", first = "", rest = ""] = /^(-?)(\d)(\d*)$/.exec(digits) ?? [];
  const decimals = rest.replace(/0+$/, "").slice(0, 3).replace(/0+$/, "");
  return `${digits} [${sign}${first}${decimals === "" ? "" : `.${decimals}`}e${rest.length}]`;
}

/** A string in double quotes on one line, without control characters. */
export function formatText(text: string): string {
  const shortened = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  return JSON.stringify(shortened).replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Values in the order of their parameters, separated by commas. */
export function formatArguments(list: readonly DecodedArgument[], withNames: boolean): string {
  return list
    .map((argument) => {
      const text = formatArgument(argument);
      return withNames && argument.parameter.name !== "" ? `${argument.parameter.name}: ${text}` : text;
    })
    .join(", ");
}

function formatArgument({ parameter, value, topic }: DecodedArgument): string {
  if (value !== undefined) return formatValue(parameter.type, parameter, value);
  return topic === undefined ? "?" : encodeData(topic);
}

/** @param type - type of the parameter, or of its elements */
function formatValue(type: string, parameter: AbiParameter, value: AbiValue): string {
  const array = /^(.*)\[\d*\]$/.exec(type);
  if (array !== null && Array.isArray(value)) {
    const [, element = ""] = array;
    return `[${value.map((item: AbiValue) => formatValue(element, parameter, item)).join(", ")}]`;
  }
  if (type === "tuple" && Array.isArray(value)) return formatTuple(parameter, value);
  if (type === "address") return checksumAddress(decodeData(value as string));
  if (typeof value === "bigint") return formatInteger(value);
  if (typeof value === "string") return formatText(value);
  return value instanceof Uint8Array ? formatBytes(value) : String(value);
}

/** `Order({ id: 1, paid: true })`, or `(1, true)` if the ABI has no names. */
function formatTuple({ components, internalType }: AbiParameter, values: readonly AbiValue[]): string {
  const members = components.map((component, index) => ({ component, value: values[index] as AbiValue }));
  const texts = members.map(({ component, value }) => formatValue(component.type, component, value));
  if (!components.every(({ name }) => name !== "")) return `(${texts.join(", ")})`;
  const name = /^struct (?:.*\.)?(\w+)/.exec(internalType ?? "")?.[1] ?? "";
  const named = members.map(({ component }, index) => `${component.name}: ${texts[index]}`).join(", ");
  return name === "" ? `(${named})` : `${name}({ ${named} })`;
}
