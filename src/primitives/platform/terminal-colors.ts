/** Decides whether to print colours. */

/**
 * True for a terminal, unless the user objects.
 *
 * FORCE_COLOR takes precedence, then NO_COLOR (https://no-color.org). Unlike in other libraries, CI is not detected,
 * because a test that compares output would get other text there than on a developer's machine.
 */
export function hasTerminalColors(
  { isTTY }: { readonly isTTY?: boolean | undefined } = process.stdout,
  { FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv = process.env,
): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY === true && !NO_COLOR && TERM !== "dumb";
}
