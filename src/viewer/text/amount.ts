/** Reads amounts of ether that a user types. */

const WEI_DECIMALS = 18;

/**
 * Parses ether as wei. An empty text is zero.
 *
 * @throws {Error} if the text is not a number with at most 18 decimals
 */
export function weiOf(text: string): bigint {
  const match = /^(\d*)(?:\.(\d{0,18}))?$/.exec(text.trim());
  if (match === null) throw new Error(`${text}: expected an amount of ether such as 1 or 0.5.`);
  const [, whole = "", fraction = ""] = match;
  return BigInt(`${whole === "" ? "0" : whole}${fraction.padEnd(WEI_DECIMALS, "0")}`);
}
