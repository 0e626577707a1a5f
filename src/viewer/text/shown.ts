/** Makes untrusted text safe to show: shortens it, and replaces invisible characters and those that reorder text. */

import { grouped } from "./format.ts";

/** Control characters, direction marks, line separators, characters of zero width, and unpaired surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MOST_CHARACTERS = 400;

/** Replaces each invisible character by its name, shortens the text, and says how much was removed. */
export function shown(text: string, most: number = MOST_CHARACTERS): string {
  const cut = text.length > most ? text.slice(0, most) : text;
  const safe = cut.replace(UNSEEN, (character) => `⟨${nameOf(character)}⟩`);
  return text.length > most ? `${safe}… (${grouped(text.length)} characters)` : safe;
}

const NAMES: Readonly<Record<string, string>> = { "\n": "↵", "\t": "tab", "\u001b": "ESC" };

function nameOf(character: string): string {
  return NAMES[character] ?? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Decodes bytes as UTF-8; undefined if they are not valid or not readable text. */
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
