/** Reverts in assembly, with the texts of constants, and before a function's body, in plain and optimised builds. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Corpus, markedLine } from "./corpus.ts";

/** Calls that fail, with the functions down to the failing one, and its line. */
const FAILURES: readonly (readonly [name: string, args: readonly unknown[], functions: string, line: string])[] = [
  ["fill", [20n], "fill _fill", "full"],
  ["fillTwice", [20n], "fillTwice _fill", "full"],
  ["limit", [100n], "limit", "limit"],
  ["lower", [9n], "lower", "lower"],
  ["reset", [1n], "reset onlyOwner", "onlyOwner"],
  ["choose", [2, 1n], "choose", "choose"],
  // Its assembly reverts too, with data of another length.
  ["coded", [5n], "coded", "coded"],
];

describe.each(["plain", "optimized", "via-ir"])("a stack trace (%s)", (mode) => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open(`reverts-0.8.30-${mode}`);
  });
  afterAll(() => corpus.node.close());

  const framesOf = async (name: string, args: readonly unknown[]) => {
    // An enum is sent as the number that it holds, be it too large.
    const data = corpus.data(name, args);
    const from = name === "reset" ? corpus.vault : undefined;
    if (from !== undefined) await corpus.node.provider.send("anvil_impersonateAccount", [from]);
    if (from !== undefined) await corpus.node.provider.send("anvil_setBalance", [from, "0xde0b6b3a7640000"]);
    const stack = await corpus.node.solidityStack(await corpus.send({ data, ...(from && { from }) }));
    return stack?.frames.map(({ function: title = "", range, isApproximate }) => ({
      title,
      line: range?.file.positionOf(range.start).line,
      isApproximate,
    }));
  };

  it.each(FAILURES)("of %s(%s) is exact", async (name, args, functions, line) => {
    const frames = (await framesOf(name, args)) ?? [];
    expect(frames.map(({ title }) => title).join(" ")).toBe(functions);
    expect(frames.at(-1)).toMatchObject({ line: markedLine(line, "Reverts"), isApproximate: false });
  });

  it("of a custom error that an assembly block has twice is approximate, if the compiler does not say which", async () => {
    const last = (await framesOf("twice", [20n]))?.at(-1);
    const line = markedLine("twice", "Reverts");
    expect(last).toMatchObject(mode === "via-ir" ? { title: "twice", isApproximate: true } : { title: "twice", line });
  });
});
