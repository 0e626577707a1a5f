/** Decides whether to print colours, and prints them. */
const COLORS = ["cyan", "dim", "green", "red", "yellow"] as const;

/** Colours a text, or returns it unchanged. */
export type TerminalColors = Readonly<Record<(typeof COLORS)[number], (text: string) => string>>;

/** A function for each colour, which returns its text as it is if `isColored` is false. */
export function terminalColors(isColored: boolean): TerminalColors {
  // The caller decides; newer versions of Node would look at the standard output.
  const paint = (color: keyof TerminalColors) => (text: string) =>
    isColored ? process.getBuiltinModule("node:util").styleText(color, text, { validateStream: false }) : text;
  return Object.fromEntries(COLORS.map((color) => [color, paint(color)])) as unknown as TerminalColors;
}

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
