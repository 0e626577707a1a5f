/** Colours of terminals, which a caller may ask for. Counterpart of `primitives/platform/terminal-colors.ts`. */

/** Codes of ECMA-48, and the one that ends each. */
const CODES = { cyan: [36, 39], dim: [2, 22], green: [32, 39], red: [31, 39], yellow: [33, 39] } as const;

/** Colours a text, or returns it unchanged. */
export type TerminalColors = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** A function for each colour, which returns its text as it is if `isColored` is false. */
export function terminalColors(isColored: boolean): TerminalColors {
  const paint =
    ([begin, end]: readonly [number, number]) =>
    (text: string) =>
      isColored ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
  return Object.fromEntries(Object.entries(CODES).map(([color, codes]) => [color, paint(codes)])) as TerminalColors;
}

/** False: a browser has no terminal. */
export const hasTerminalColors = (): boolean => false;
