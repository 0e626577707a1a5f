/** The wording that texts of the project avoid, and what a document's prose is: for the tests of sources and of documents. */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

const ROOT = new URL("../../", import.meta.url);

/** Text of a page of the book. */
export const pageText = (name: string): string => readFileSync(new URL(name, ROOT), "utf8");

/** Pages of the book. */
export const PAGES: readonly string[] = [
  ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md"],
  ...["examples/README.md", "examples/shared/README.md", "bench/README.md", "bench/CLAIMS.md"],
  ...readdirSync(new URL("docs/", ROOT))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Words that were riddles to readers. Say "cached", "stored", "held"; "a time"; "a batch"; "listed", "reported"; "and others". */
export const HOUSE_WORDS =
  /(?<![a-z])(?:twins?|kept|moments?|waves?|doubt(?:s|ed|ful)?|foresee[ns]?|condemn(?:s|ed)?|told|kin)(?![a-z])/;

/** Phrases that readers of documents, help and messages stumbled over, each with what to say instead. */
export const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bhence\b/i, "so, therefore"],
  [/\b(?:holds?|has|have|had|shows?|gives?|needs?|takes?|makes?|sends?|lists?|is|are) none\b/i, "does not have any"],
  [/(?<!\b(?:there|of which|whether) )\b(?:is|are|was) no (?!longer\b|more\b|further\b|doubt\b)/i, "is not a"],
  [/\bhas not (?:\$|\d)/i, "does not have"],
  [/\btells? (?:of|by|them|it|which)\b/i, "reports, shows"],
  [/\bhears? of\b/i, "is informed of"],
  [/\bmend(?:s|ed|able|ing)?\b/i, "fix, repair, correct"],
  [/\bpass(?:es|ed) over\b/i, "ignored"],
  [/\bin (?:the|its|their) places? of\b/i, "instead of; replaces"],
  [/\bin place of\b/i, "instead of"],
  [/\bby way of\b/i, "through"],
  [/\bblocks? to come\b/i, "future blocks, a later block"],
  [/\b(?:at|the|for) present (?:block|chain|client|one|state|version)/i, "current"],
  [/\btak(?:es?|en|ing) for\b/i, "regarded as"],
  [/\b(?:for|once and for) good\b/i, "without limit"],
  [/\bso many (?!that\b|steps\b)/i, "a number of"],
  [/\bunless it is said\b/i, "by default"],
  [/\bhabits?\b/i, "behaviour"],
  [/\bnobody\b/i, "no client, no user"],
  [/\bof no use\b|\bof use to\b/i, "useless, useful"],
  [/\bbegin by\b/i, "start at"],
  [/\bwaits? in vain\b/i, "never gets an answer"],
  [/\bstands? (?:for good|in no|apart)\b/i, "is in"],
  [/\bhas to say\b|\bhave to say\b/i, "must contain"],
  [/\bkinder\b|\ball the same\b/i, "even so"],
  [/\bthat of its own\b|\brules of its kind\b/i, "its own"],
  [/\bwhat (?:is|was) given it\b/i, "its input"],
  [/\bno (?:socket|list|RLP|URL|payload|proof) (?:it|that) is\b/i, "is not a"],
  [/\bgive back\b|\bgiven back\b|\bgives back\b/i, "return, release"],
  [/\b(?:is|are|be|was) let (?:in|out|through)\b/i, "accepted"],
  [/\blets? in\b/i, "accept"],
  [/\btaken? back\b|\btakes back\b/i, "undone, reverted"],
  [/\bat rest\b|\bof late\b|\bin so far as\b/i, "say it plainly"],
  [/(?<!\byellow )\bpapers?\b/i, "document, page"],
];

/** Phrases of the list in a text, as `phrase (say: …)`. */
export function phrasesIn(text: string): string[] {
  const words = text.replaceAll(/`[^`]*`/g, "`…`").replaceAll(/\s+/g, " ");
  return PHRASES.flatMap(([phrase, instead]) => {
    const [found] = phrase.exec(words) ?? [];
    return found === undefined ? [] : [`"${found}" (say: ${instead})`];
  });
}

/** Texts for people in a source: strings, templates and texts of pages with a space in them, each with its line. */
export function messagesOf(tree: ts.SourceFile): { readonly line: number; readonly text: string }[] {
  const found: { readonly line: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && / \w/.test(text)) {
      found.push({ line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Text of a string or a template; what a template inserts is shown as `…`. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join("…");
}

/** A block of code of a page. */
export interface CodeBlock {
  /** The word behind its fence. */
  readonly language: string;
  readonly code: string;
  /** The HTML comment in the line before it. */
  readonly comment: string;
}

/** Blocks of code of a page. */
export function codeBlocksOf(page: string): readonly CodeBlock[] {
  return [...page.matchAll(/(?:^<!-- (.*) -->\n)?^( *)```(\S*)\n([\s\S]*?)^\2```$/gm)].map(
    ([, comment = "", , language = "", code = ""]) => ({ language, code, comment }),
  );
}

/** Sentences of a page, without its code, headings and tables. An item of a list begins a sentence. */
export function sentencesOf(page: string): string[] {
  return proseOf(page).flatMap((block) =>
    block
      .split(/(?<=[.!?](?:\*\*|\)|"|`)*)\s+(?=[^\s\p{Ll}])/u)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence !== ""),
  );
}

/** Paragraphs and items of a page, each as one line. */
export function proseOf(page: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of page
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .split("\n")) {
    const isProse = /\S/.test(line) && !/^(?:\s*\||#| {4}\S(?!.*[.:]$))/.test(line);
    const isItem = /^\s*(?:[-*]|\d+\.) /.test(line);
    const text = line.trim().replace(/^(?:[-*]|\d+\.) /, "");
    if (isProse && isOpen && !isItem) blocks.push(`${blocks.pop()} ${text}`);
    else if (isProse) blocks.push(text);
    isOpen = isProse;
  }
  return blocks;
}

/** How many words a sentence has; code in backticks counts as one. */
export function wordsOf(sentence: string): number {
  const plain = sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/`[^`]*`/g, "code");
  return plain.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
