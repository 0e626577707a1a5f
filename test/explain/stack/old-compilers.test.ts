/** Stack traces of contracts that solc before 0.8 compiled, which has no panics and ranges of its own. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SolidityFrame } from "../../../src/explain/stack/stack-frame.ts";
import { Corpus, markedLine } from "./corpus.ts";
import { OLD_FAILURES } from "./failures.ts";

const lineOf = ({ range }: SolidityFrame): number | undefined => range?.file.positionOf(range.start).line;

describe.each([
  "0.4.26-plain",
  "0.6.12-plain",
  "0.7.6-plain",
  "0.4.26-optimized",
  "0.6.12-optimized",
  "0.7.6-optimized",
])("a stack trace of %s", (build) => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open(`old-${build}`);
  });
  afterAll(() => corpus.node.close());

  it.each(OLD_FAILURES)("of $name", async ({ name, args, kind, functions, line }) => {
    const stack = await corpus.node.solidityStack(await corpus.send({ data: corpus.data(name, args) }));
    if (stack === undefined) throw new Error("the transaction did not fail");
    const { frames, reason } = stack;
    expect(reason.kind).toBe(kind);
    const last = frames.at(-1) as SolidityFrame;
    expect([last.function, lineOf(last)]).toEqual([functions.at(-1), markedLine(line, "Old")]);
    // solc 0.4 gives no range for a revert with a text. A modifier is found by the text, without its function.
    const isAlone =
      build === "0.4.26-plain" && last.range?.file.functionAt(last.range.start, last.range.end)?.kind === "modifier";
    const expected = isAlone ? functions.slice(-1) : functions;
    if (build.endsWith("plain")) expect(frames.map((frame) => frame.function)).toEqual(expected);
  });
});
