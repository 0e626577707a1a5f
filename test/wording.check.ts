/** The pages of the book: their words, the length of their sentences, their width. Part of `npm run check`. */
import { describe, expect, it } from "vitest";
import { HOUSE_WORDS, PAGES, pageText, phrasesIn, proseOf, sentencesOf, wordsOf } from "./support/wording.ts";

const MOST_COLUMNS = 100;
const MOST_WORDS = 30;

describe.each(PAGES)("%s", (name) => {
  const text = pageText(name);

  it(`has at most ${MOST_COLUMNS} columns, except in code, tables, headings and generated lines`, () => {
    const lines = withoutCode(text).split("\n");
    expect(lines.filter((line) => line.length > MOST_COLUMNS && !/^(?:\s*\||#|<!--| {4}|.*\]\()/.test(line))).toEqual(
      [],
    );
  });

  it("has no words and phrases that readers stumbled over", () => {
    const others = withoutCode(text)
      .split("\n")
      .filter((line) => /^\s*[|#]/.test(line));
    const found = [...proseOf(text), ...others].flatMap((part) => {
      // The page that names the words.
      const [word] = HOUSE_WORDS.exec(part.replaceAll(/`[^`]*`/g, "").toLowerCase()) ?? [];
      return [...phrasesIn(part), ...(word === undefined ? [] : [`"${word}"`])].map((each) => `${each} in ${part}`);
    });
    expect(found).toEqual([]);
  });

  it(`has no sentence of more than ${MOST_WORDS} words`, () => {
    expect(sentencesOf(text).filter((sentence) => wordsOf(sentence) > MOST_WORDS)).toEqual([]);
  });
});

it("a recipe of ARCHITECTURE.md has at most ten lines", () => {
  const [, recipes = ""] = pageText("ARCHITECTURE.md").split("\n## How to add …\n");
  const each = recipes.split(/^(?=\*\*)/m).slice(1);
  expect(each.length).toBeGreaterThan(6);
  for (const recipe of each) {
    expect(recipe.split("\n").filter((line) => line !== "").length, recipe).toBeLessThanOrEqual(10);
  }
});

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
}
