/** Parses JSON without losing digits of integers that a double cannot hold. */

const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;
/** Integers with fewer digits are exact as doubles. */
const INEXACT_DIGITS = 16;

/**
 * The value of a JSON text. Integers of 16 digits and more become decimal strings.
 *
 * Takes one pass over the text, even if it is megabytes long and not valid JSON.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseLosslessJson(text: string): unknown {
  const pieces: string[] = [];
  let copied = 0;
  let position = 0;
  while (position < text.length) {
    const char = text[position] as string;
    if (char === '"') position = endOfString(text, position);
    else if (char !== "-" && (char < "0" || char > "9")) position++;
    else {
      const end = endOfNumber(text, position);
      if (end.isLargeInteger) {
        pieces.push(text.slice(copied, position), `"${text.slice(position, end.position)}"`);
        copied = end.position;
      }
      position = end.position;
    }
  }
  return JSON.parse(pieces.length === 0 ? text : pieces.join("") + text.slice(copied));
}

/** The position after the string literal that begins here. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - backslashes - 1] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): { readonly position: number; readonly isLargeInteger: boolean } {
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(text);
  if (match === null) return { position: start + 1, isLargeInteger: false };
  const isInteger = match[1] === undefined && match[2] === undefined;
  const digits = match[0].startsWith("-") ? match[0].length - 1 : match[0].length;
  return { position: NUMBER.lastIndex, isLargeInteger: isInteger && digits >= INEXACT_DIGITS };
}
