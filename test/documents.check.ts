/** The programs and commands of the book: each block of code runs, compiles, or says why it does neither. Part of `npm run check`. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BROWSER_ENTRIES, ENTRIES } from "../.ci/entries.mjs";
import { parseCommandLine } from "../src/cli/options/command-line.ts";
import { COMMAND_NAMES } from "../src/cli/options/commands.ts";
import { projectFolder } from "./support/build-once.ts";
import { type CodeBlock, codeBlocksOf, PAGES, pageText } from "./support/wording.ts";
import { checkAll } from "./types/type-check.ts";

interface Placed extends CodeBlock {
  readonly name: string;
  /** The language of the block after it in the same section. */
  readonly follower: string;
}

const BLOCKS: readonly Placed[] = PAGES.flatMap((name) =>
  pageText(name)
    .split(/^(?=#{1,3} )/m)
    .flatMap((section) => {
      const blocks = codeBlocksOf(section);
      return blocks.map((block, index) => ({ ...block, name, follower: blocks[index + 1]?.language ?? "" }));
    }),
);

const isReasoned = ({ comment }: Placed): boolean => /^not run: \S/.test(comment);
/**
 * Programs with their output behind them run in readme.test.ts, as do tests of node:test, and the README's first, whose output
 * is in its text.
 */
const isRun = ({ name, language, follower }: Placed): boolean =>
  language === "js" && (follower === "text" || (name === "README.md" && follower === ""));
const isNodeTest = ({ code }: Placed): boolean => code.includes('from "node:test"');

describe("blocks of code", () => {
  const programs = BLOCKS.filter(
    (block) => ["js", "ts"].includes(block.language) && !isRun(block) && !isReasoned(block),
  );
  const compiled = programs.filter((block) => !isNodeTest(block));

  it("are programs, or what programs and commands print, or say why they do not run", () => {
    const others = BLOCKS.filter((block, index) => {
      const isOutput = block.language === "text" && BLOCKS[index - 1]?.language === "js";
      // Made by .ci/first-session.mjs and by `npm run docs`, which a test compares.
      const isMade = `${block.name} ${block.language}` === "docs/first-session.md console" || block.language === "json";
      return !(isReasoned(block) || isOutput || isMade || ["js", "ts"].includes(block.language));
    });
    expect(others.map(({ name, language, code }) => `${name}: ${language} ${code}`)).toEqual([]);
    expect(BLOCKS.filter(isRun).length).toBeGreaterThan(5);
    expect(compiled.length).toBeGreaterThan(8);
  });

  it("compile as they stand, TypeScript strictly", () => {
    const complaints = checkAll(compiled.map(programOf), PATHS).map(({ complaints: found }, index) => {
      const { name, language } = compiled[index] as Placed;
      return {
        name,
        found: found.filter(
          (each) => language === "ts" || !/implicitly has (?:an|type) |possibly 'undefined'/.test(each),
        ),
      };
    });
    expect(complaints.filter(({ found }) => found.length > 0)).toEqual([]);
  });

  const commands = PAGES.flatMap((name) =>
    [...pageText(name).matchAll(/^ {4}(?:npx hindcast|hindcast|npm start --) (.*)$/gm)].map(([, line = ""]) => ({
      name,
      line,
    })),
  );

  it("commands are found", () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  it.each(commands)("$name: the command reads $line", ({ line }) => {
    const words = line.split(" ");
    if (!COMMAND_NAMES.includes(words[0] ?? "")) expect(() => parseCommandLine(words, "0")).not.toThrow();
  });
});

const PATHS = {
  paths: Object.fromEntries(
    Object.entries({ ...ENTRIES, ...BROWSER_ENTRIES }).map(([entry, source]) => [
      entry === "index" ? "hindcast" : `hindcast/${entry}`,
      [join(projectFolder, `src/${source}.ts`)],
    ]),
  ),
};

/** Packages of Hardhat, which are installed only where `npm run test:peers` runs its projects. */
const HARDHAT =
  /import \w+ from "@nomicfoundation\/[^"]+";|import .* from "hardhat\/config";|declare module "hardhat[^}]*\}\n\}/g;

/** A block with what its page declares for it, and without the packages that are not here. */
function programOf({ code, comment }: Placed): string {
  const declared = /^with: (.*)$/s.exec(comment)?.[1] ?? "";
  const here = code.replaceAll(HARDHAT, "");
  const absent =
    code === here ? "" : "declare const hardhatEthers: never; declare function defineConfig<T>(config: T): T;";
  return `${declared}\n${absent}\n${here}\nexport {};\n`;
}
