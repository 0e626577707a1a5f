/** Splits Solidity into words, comments and texts, to be shown in colours. */

export interface CodePart {
  readonly kind: "plain" | "comment" | "text" | "keyword" | "type";
  readonly text: string;
}

const KEYWORDS =
  "abstract|anonymous|as|assembly|assert|break|calldata|catch|constant|constructor|continue|contract|delete|do|else|emit|enum|error|event|external|fallback|false|for|from|function|if|immutable|import|indexed|interface|internal|is|let|library|mapping|memory|modifier|new|override|payable|pragma|private|public|pure|receive|require|return|returns|revert|solidity|storage|struct|super|switch|this|throw|transient|true|try|type|unchecked|using|view|virtual|while";
const PARTS = new RegExp(
  [
    String.raw`(?<comment>//.*|/\*.*?(?:\*/|$))`,
    String.raw`(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)`,
    String.raw`\b(?<keyword>${KEYWORDS})\b`,
    String.raw`\b(?<type>u?int\d*|bytes\d*|address|bool|string)\b`,
  ].join("|"),
  "g",
);

/** One list of parts for each line. Comments may go over several lines. */
export function partsOfLines(source: string): readonly (readonly CodePart[])[] {
  let isComment = false;
  return source.split(/\r?\n/).map((line) => {
    const end = isComment ? line.indexOf("*/") : 0;
    if (end < 0) return [{ kind: "comment", text: line }];
    const start = isComment ? end + 2 : 0;
    const parts = partsOf(line.slice(start));
    const last = parts.at(-1);
    isComment = last?.kind === "comment" && last.text.startsWith("/*") && !last.text.endsWith("*/");
    return start === 0 ? parts : [{ kind: "comment", text: line.slice(0, start) }, ...parts];
  });
}

function partsOf(line: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  let at = 0;
  for (const match of line.matchAll(PARTS)) {
    if (match.index > at) parts.push({ kind: "plain", text: line.slice(at, match.index) });
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ["plain"];
    parts.push({ kind: kind as CodePart["kind"], text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push({ kind: "plain", text: line.slice(at) });
  return parts;
}
