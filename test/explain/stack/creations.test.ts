/** Failures before and in constructors, and in the values of state variables. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stackText } from "../../../src/explain/stack/stack-text.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { Corpus, markedLine, readBuildFile, senderOf } from "./corpus.ts";

const SALT = `0x${"11".repeat(32)}`;
const word = (value: number): string => value.toString(16).padStart(64, "0");

/** Calls of the factory, with the innermost function and its line. */
const CREATIONS: readonly (readonly [name: string, args: readonly unknown[], contract: string, line: string])[] = [
  ["twice", [SALT], "Creations", "twice"],
  ["twiceInAssembly", [SALT], "Creations", "create"],
  ["tooPoor", [], "Creations", "tooPoor"],
  ["divided", [], "Divided", "share"],
  ["undivided", [], "Undivided", "undivided"],
  ["asking", [], "Asking", "asked"],
  ["derived", [1n], "Derived", "base"],
  ["derived", [3n], "Derived", "checked"],
  ["derived", [4n], "Derived", "checked"],
  ["derived", [5n], "Derived", "five"],
  ["derived", [9n], "Derived", "nine"],
  ["leaf", [], "Leaf", "base"],
];

describe.each(["plain", "optimized", "via-ir"])("a stack trace (%s)", (mode) => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open(`creations-0.8.30-${mode}`);
  });
  afterAll(() => corpus.node.close());

  const lastLine = async (fields: Parameters<Corpus["send"]>[0]) => {
    const stack = await corpus.node.solidityStack(await corpus.send({ gas: "0x4c4b40", ...fields }));
    const { contract, range } = stack?.frames.at(-1) ?? {};
    return { stack, place: [contract, range?.file.positionOf(range.start).line] };
  };

  it.each(CREATIONS)("of %s(%s) ends at its line", async (name, args, contract, line) => {
    const { place } = await lastLine({ data: corpus.data(name, args) });
    expect(place).toEqual([contract, markedLine(line, "Creations")]);
  });

  it("of a creation at an occupied address ends in the contract that creates", async () => {
    const { stack } = await lastLine({ data: corpus.data("twice", [SALT]) });
    expect(stack?.reason).toEqual({ kind: "halt", cause: "createCollision" });
    expect(stack?.frames.map((frame) => frame.function)).toEqual(["twice"]);
  });

  it.each([
    ["Divided", "", "share"],
    ["Undivided", "", "undivided"],
    ["Asking", "", "asked"],
    ["Leaf", "", "base"],
    ["Derived", word(2), "base"],
    ["Derived", word(4), "checked"],
    ["Derived", word(9), "nine"],
  ])("of a transaction that creates %s ends at its line", async (name, args, line) => {
    const { output } = readBuildFile(`creations-0.8.30-${mode}`);
    const object = output.contracts["src/Creations.sol"]?.[name]?.evm.bytecode.object;
    const from = senderOf(corpus.node);
    const data: Hex = `0x${object}${args}`;
    const hash = await corpus.node.provider.request({
      method: "eth_sendTransaction",
      params: [{ from, data, gas: "0x4c4b40" }],
    });
    const frame = (await corpus.node.solidityStack(hash))?.frames.at(-1);
    const found = [frame?.contract, frame?.range?.file.positionOf(frame.range.start).line];
    expect(found).toEqual([name, markedLine(line, "Creations")]);
  });

  it("of call data too short for a selector says so", async () => {
    const { stack } = await lastLine({ data: "0x123456" });
    expect(stack?.reason).toEqual({ kind: "noFallback", given: 3 });
    expect(stack && stackText(stack)).toMatch(/^the 3 bytes of call data are too few to select a function, /);
  });

  it("of call data too short or too long in a length for the arguments names the function", async () => {
    const whole = corpus.data("given", [SALT.slice(0, 42), 1n, "0x1234"]);
    const far = `${whole.slice(0, 10 + 128)}${"ff".repeat(32)}${whole.slice(10 + 192)}`;
    for (const data of [whole.slice(0, 10), whole.slice(0, 60), whole.slice(0, 138), far]) {
      const { stack } = await lastLine({ data: data as Hex });
      expect(stack?.reason.kind).toBe("invalidArguments");
      expect(stack?.frames.map((frame) => frame.function)).toEqual(["given"]);
    }
  });

  it("is shown below a tree that names a function whose arguments are malformed", async () => {
    const data = corpus.data("given", [SALT.slice(0, 42), 1n, "0x1234"]).slice(0, 18) as Hex;
    const tree = await corpus.node.renderTrace(await corpus.send({ data }), { colors: false });
    expect(tree).toContain("] Creations::given(malformed: 0x00000000)\n");
  });
});
