/** Whether a terminal is shown colours. */

/**
 * True for a terminal whose user did not object.
 *
 * FORCE_COLOR decides where it is set, then NO_COLOR (https://no-color.org). That this is CI decides nothing, unlike in
 * other rules: a text would be another one there than on the machine where its test was written.
 */
export function hasTerminalColors(
  { isTTY }: { readonly isTTY?: boolean | undefined } = process.stdout,
  { FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv = process.env,
): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY === true && !NO_COLOR && TERM !== "dumb";
}
