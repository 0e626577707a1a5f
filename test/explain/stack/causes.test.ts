/** Failures of calls that were not passed on, and of calls through minimal proxies. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SolidityStack } from "../../../src/explain/stack/stack-frame.ts";
import { stackText } from "../../../src/explain/stack/stack-text.ts";
import { Corpus, markedLine } from "./corpus.ts";

describe.each(["plain", "optimized", "via-ir"])("a stack trace (%s)", (mode) => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open(`wallets-0.8.30-${mode}`);
  });
  afterAll(() => corpus.node.close());

  const stackOf = async (name: string, index: bigint): Promise<SolidityStack | undefined> =>
    corpus.node.solidityStack(await corpus.send({ data: corpus.data(name, [index]) }));
  /** The line at which each failure ends, that of the whole transaction first. */
  const linesOf = (stack: SolidityStack | undefined): readonly unknown[] => {
    if (stack === undefined) return [];
    const { range } = stack.frames.at(-1) ?? {};
    return [range?.file.positionOf(range.start).line, ...linesOf(stack.causedBy)];
  };

  it.each([
    ["execute", 3n, ["execute", "three"]],
    ["execute", 4n, ["execute", "four"]],
    ["caught", 3n, ["caught", "three"]],
    ["setUp", 4n, ["setUp", "four"]],
    ["nested", 3n, ["nested", "execute", "three"]],
    ["unrelated", 3n, ["unrelated"]],
  ])("of %s(%i) has the failure of the last call as its cause", async (name, index, lines) => {
    expect(linesOf(await stackOf(name, index))).toEqual(lines.map((line) => markedLine(line, "Wallets")));
  });

  it("names the cause in its text", async () => {
    const stack = await stackOf("execute", 4n);
    const text = stack && stackText(stack);
    expect(text).toMatch(/^reverted: GS013\n {4}at Wallets\.execute/);
    expect(text).toMatch(
      /\npossibly caused by a call that failed: reverted with custom error Empty\(4\)\n {4}at Shelf\.take/,
    );
  });

  it("names the contract of a minimal proxy", async () => {
    const hash = await corpus.send({ data: corpus.data("ofClone", [4n]) });
    const stack = await corpus.node.solidityStack(hash);
    expect(stack?.frames.map(({ contract }) => contract)).toEqual(["Wallets", "Shelf", "Shelf"]);
    expect(stack && stackText(stack)).toContain("\n    at a clone of Shelf (0x");
    const tree = await corpus.node.renderTrace(hash);
    expect(tree.match(/Shelf::take\(4\)/g)).toHaveLength(2);
    const stacks = [...(await corpus.node.gasProfile(hash)).stacks()].map(({ names }) => names.join(" > "));
    expect(stacks).toContainEqual(expect.stringContaining("Wallets.ofClone > Shelf.take > Shelf > Shelf.take"));
  });
});
