/** Failures whose code the optimizer shares between conditions: the line is that of the condition, whatever range the code has. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Corpus, markedLine } from "./corpus.ts";

const FAILURES: readonly (readonly [name: string, args: readonly unknown[], innermost: string, line: string])[] = [
  ["creates", [], "isTrue", "creates"],
  ["compared", [7n], "below", "usesOperator"],
  ["equalErrors", [2n], "equalErrors", "equalErrors"],
  ["withoutTexts", [2n], "withoutTexts", "withoutTexts"],
  ["ofTwoForms", [2n], "ofTwoForms", "ofTwoForms"],
  ["equalTexts", [2n], "equalTexts", "equalTexts"],
  ["ofTwoTexts", [7n], "ofTwoTexts", "ofTwoTexts"],
  ["ofTwoTexts", [3n], "ofTwoTexts", "otherText"],
  ["modifiedToo", [1n], "neverOne", "neverOne"],
  ["firstTwin", [[0n]], "firstTwin", "firstTwin"],
  ["secondTwin", [[0n]], "secondTwin", "secondTwin"],
  ["secondTwin", [[]], "secondTwin", "secondTwin"],
  ["callsTwins", [1n], "half", "half"],
  ["callsTwins", [2n], "rounded", "rounded"],
];

describe.each(["plain", "optimized", "via-ir"])("a stack trace of code that is shared (%s)", (mode) => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open(`shared-0.8.30-${mode}`);
  });
  afterAll(() => corpus.node.close());

  it.each(FAILURES)("of %s", async (name, args, innermost, line) => {
    const stack = await corpus.node.solidityStack(await corpus.send({ data: corpus.data(name, args) }));
    const last = stack?.frames.at(-1);
    const { range } = last ?? {};
    const found = [last?.function, range?.file.positionOf(range.start).line];
    // Both functions are called and inlined, and nothing in the code tells one from the other.
    if (mode === "via-ir" && line === "rounded") expect(last?.isApproximate).toBe(true);
    else expect(found).toEqual([innermost, markedLine(line, "Shared")]);
    if (mode === "plain") expect(last?.isApproximate).toBe(false);
  });
});
