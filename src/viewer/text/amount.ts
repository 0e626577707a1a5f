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

/** Writes wei as ether in a form that {@link weiOf} reads. */
export function etherText(wei: bigint): string {
  const digits = wei.toString().padStart(WEI_DECIMALS + 1, "0");
  const fraction = digits.slice(-WEI_DECIMALS).replace(/0+$/, "");
  return `${digits.slice(0, -WEI_DECIMALS)}${fraction === "" ? "" : `.${fraction}`}`;
}
