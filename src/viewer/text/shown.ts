/** Makes text of strangers fit to be shown: cut, and without anything that is not seen or moves what is. */

/** Controls, marks of direction, separators of lines, what has no width, and halves of pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MOST_CHARACTERS = 400;

/** The text with a name in place of each character that is not seen, and a note of what was cut off. */
export function shown(text: string, most: number = MOST_CHARACTERS): string {
  const cut = text.length > most ? text.slice(0, most) : text;
  const safe = cut.replace(UNSEEN, (character) => `⟨${nameOf(character)}⟩`);
  return text.length > most ? `${safe}… (${text.length.toLocaleString("en")} characters)` : safe;
}

const NAMES: Readonly<Record<string, string>> = { "\n": "↵", "\t": "tab", "\u001b": "ESC" };

function nameOf(character: string): string {
  return NAMES[character] ?? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The text that bytes are in UTF-8; undefined where they are none, or nothing to read. */
export function textOfBytes(hex: string): string | undefined {
  const digits = hex.slice(2).match(/../g) ?? [];
  const bytes = Uint8Array.from(digits, (digit) => Number.parseInt(digit, 16));
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
