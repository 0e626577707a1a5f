/** The words and brackets of a Solidity source, without comments. Positions are offsets in bytes, as in an AST. */
import { fromUtf8, toLatin1 } from "../../primitives/platform/encodings.ts";

/** A word, a string in quotes, or one other character. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Tokens, and for each opening bracket the index of the one that closes it. */
export interface TokenList {
  readonly tokens: readonly Token[];
  readonly closing: ReadonlyMap<number, number>;
}

const TOKEN =
  /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|(?:hex|unicode)?"(?:[^"\\\n]|\\[\s\S])*"?|(?:hex|unicode)?'(?:[^'\\\n]|\\[\s\S])*'?|[A-Za-z_$][\w$]*|[0-9][\w.]*|\S/g;
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** The tokens of a source. */
export function tokensOf(source: string): TokenList {
  // One character for each byte, so that positions are those of bytes.
  const text = toLatin1(fromUtf8(source));
  const tokens: Token[] = [];
  const closing = new Map<number, number>();
  const open: { readonly text: string; readonly index: number }[] = [];
  for (const found of text.matchAll(TOKEN)) {
    const [token] = found;
    if (token.startsWith("//") || token.startsWith("/*")) continue;
    const index = tokens.push({ text: token, start: found.index, end: found.index + token.length }) - 1;
    if (token === "(" || token === "[" || token === "{") open.push({ text: token, index });
    const opening = CLOSING[token];
    // A bracket that closes another kind is left out: the source does not compile, or is none.
    if (opening === undefined || open.at(-1)?.text !== opening) continue;
    closing.set(open.pop()?.index ?? 0, index);
  }
  return { tokens, closing };
}
