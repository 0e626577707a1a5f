/** Formats numbers, times and hashes. */

const ETHER_DECIMALS = 18;
const GWEI_DECIMALS = 9;

/** Puts the digits of a whole number in groups of three. Loading a locale would take the browser 10 ms. */
export function grouped(value: bigint | number): string {
  return String(value).replace(/\d(?=(?:\d{3})+$)/g, "$&,");
}

/** Puts the digits of a text in groups of three if the text is a decimal number. */
export function groupedText(text: string): string {
  return /^-?\d{4,}$/.test(text) ? grouped(BigInt(text)) : text;
}

/** Formats a number of smallest units with a decimal point, at most `digits` digits after it, and no trailing zeros. */
export function decimal(value: bigint, decimals: number, digits: number = decimals): string {
  const sign = value < 0n ? "−" : "";
  const text = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = decimals === 0 ? text : text.slice(0, -decimals);
  const fraction = decimals === 0 ? "" : text.slice(-decimals);
  const shown = fraction.slice(0, digits).replace(/0+$/, "");
  const isRounded = digits < decimals && /[1-9]/.test(fraction.slice(digits));
  const lead = isRounded && shown === "" && /^0+$/.test(whole) ? "≈" : "";
  return `${lead}${sign}${grouped(BigInt(whole))}${shown === "" ? "" : `.${shown}`}`;
}

/** Formats wei as ether. */
export function ether(wei: bigint | string, digits: number = ETHER_DECIMALS): string {
  const value = BigInt(wei);
  if (value !== 0n && value < 10n ** 12n && value > -(10n ** 12n)) return `${grouped(value)} wei`;
  return `${decimal(value, ETHER_DECIMALS, digits)} ETH`;
}

/** Formats wei per gas as gwei, and what is less than one as wei. */
export function gwei(wei: bigint | string): string {
  const value = BigInt(wei);
  if (value < 10n ** BigInt(GWEI_DECIMALS)) return `${grouped(value)} wei`;
  return `${decimal(value, GWEI_DECIMALS, 4)} gwei`;
}

/** Computes the percentage of a whole. */
export function percent(part: bigint | string, whole: bigint | string): number {
  const total = BigInt(whole);
  return total === 0n ? 0 : Number((BigInt(part) * 10_000n) / total) / 100;
}

/** Shortens a hash or an address to its beginning and end. */
export function short(hex: string, lead = 6, tail = 4): string {
  return hex.length <= 2 + lead + tail + 1 ? hex : `${hex.slice(0, 2 + lead)}…${hex.slice(-tail)}`;
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/** Formats the time since a timestamp, by the browser's clock. */
export function age(timestamp: string, now: number): string {
  const seconds = Math.round(now / 1_000) - Number(timestamp);
  if (Math.abs(seconds) < 2) return "now";
  const [length, name] = UNITS.find(([unit]) => Math.abs(seconds) >= unit) ?? [1, "s"];
  const count = Math.floor(Math.abs(seconds) / length);
  return seconds > 0 ? `${count} ${name} ago` : `in ${count} ${name}`;
}

/** Formats a timestamp in UTC. */
export function dateTime(timestamp: string): string {
  const date = new Date(Number(timestamp) * 1_000);
  return Number.isNaN(date.getTime()) ? timestamp : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Number of bytes in DATA. */
export function byteLength(hex: string): number {
  return (hex.length - 2) / 2;
}

/** Formats a 32-byte word: small numbers in decimal, likely addresses as such, all others unchanged. */
export function word(hex: string): string {
  const value = BigInt(hex);
  if (value < 10n ** 15n) return grouped(value);
  const digits = hex.slice(2).padStart(64, "0");
  if (/^0{24}(?!0{8})[0-9a-f]{40}$/.test(digits) && !/0{10}$/.test(digits)) return `0x${digits.slice(24)}`;
  return value < 2n ** 128n ? grouped(value) : hex;
}

/** Colour hue of an address, the same on all pages. */
export function hueOf(hex: string): number {
  return Number.parseInt(hex.slice(2, 8) || "0", 16) % 360;
}
