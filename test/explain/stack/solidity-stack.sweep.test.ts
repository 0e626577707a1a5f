import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reasonText } from "../../../src/explain/stack/reason-text.ts";
import type { SolidityFrame, SolidityStack } from "../../../src/explain/stack/stack-frame.ts";
import { sweep } from "../../support/seed.ts";
import { Corpus, markedLine } from "./corpus.ts";
import { VAULT_FAILURES } from "./failures.ts";

/** Failures in code that the compiler adds for types, for which it gives the range of the expression around. */
const THIN: ReadonlySet<string> = new Set(["slices", "decodes"]);

const lineOf = ({ range }: SolidityFrame): number | undefined => range?.file.positionOf(range.start).line;

async function stackOf(corpus: Corpus, fields: Parameters<Corpus["send"]>[0]): Promise<SolidityStack> {
  const stack = await corpus.node.solidityStack(await corpus.send(fields));
  if (stack === undefined) throw new Error("the transaction did not fail");
  return stack;
}

describe.each(["0.8.10-plain", "0.8.30-plain"])("a stack trace (%s)", (build) => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open(build);
  });
  afterAll(() => corpus.node.close());

  it.each(VAULT_FAILURES)("of $name", async ({ name, args, kind, functions, line }) => {
    const { frames, reason } = await stackOf(corpus, { data: corpus.data(name, args) });
    expect(reason.kind).toBe(kind);
    expect(frames.map((frame) => frame.function)).toEqual(functions);
    expect(lineOf(frames.at(-1) as SolidityFrame)).toBe(markedLine(line));
    expect(frames.map(({ recognition }) => recognition)).toEqual(frames.map(() => "exact"));
    expect(frames.some(({ isApproximate }) => isApproximate)).toBe(THIN.has(name));
  });

  it("says that a function takes no wei, and where it begins", async () => {
    const { frames, reason } = await stackOf(corpus, { data: corpus.data("bare"), value: "0x1" });
    expect(reason).toEqual({ kind: "notPayable", value: 1n, target: "function" });
    expect(lineOf(frames[0] as SolidityFrame)).toBe(markedLine("bare") - 1);
  });

  it("says that no function has the selector", async () => {
    const { frames, reason } = await stackOf(corpus, { data: "0x01020304" });
    expect(frames.map((frame) => [frame.contract, frame.function])).toEqual([["Vault", undefined]]);
    expect(reasonText(reason)).toContain("0x01020304");
  });

  it("says that a call without data has nobody to take it", async () => {
    expect((await stackOf(corpus, {})).reason.kind).toBe("noFallback");
  });

  it("says that arguments are too few", async () => {
    const { reason } = await stackOf(corpus, { data: corpus.data("divide", [0n]).slice(0, 20) as `0x${string}` });
    expect(reason).toEqual({ kind: "invalidArguments", given: 5 });
  });

  it("names a custom error with its arguments", async () => {
    const { reason } = await stackOf(corpus, { data: corpus.data("limited", [101n]) });
    expect(reasonText(reason)).toBe("reverted with custom error TooMuch(101, 100)");
  });

  it("shows where gas ran out", async () => {
    const { frames, reason } = await stackOf(corpus, { data: corpus.data("endless"), gas: "0x186a0" });
    expect(reason).toEqual({ kind: "halt", cause: "outOfGas" });
    expect(lineOf(frames.at(-1) as SolidityFrame)).toBe(markedLine("endless"));
  });

  it("is undefined for what succeeded", async () => {
    expect(await corpus.node.solidityStack(await corpus.send({ data: corpus.data("overflow", [0n]) }))).toBeUndefined();
  });

  it("stands below the call tree, and in errors of calls beside the revert's data", async () => {
    const hash = await corpus.send({ data: corpus.data("withReason") });
    const place = `at Vault.withReason (src/Vault.sol:${markedLine("withReason")}:`;
    expect(await corpus.node.renderTrace(hash, { colors: false })).toContain(place);
    const call = [{ to: corpus.vault, data: corpus.data("withReason") }] as const;
    await expect(corpus.node.provider.request({ method: "eth_call", params: call })).rejects.toMatchObject({
      message: "execution reverted: a reason",
      data: expect.stringMatching(/^0x08c379a0/),
      solidityStack: expect.stringContaining(place),
    });
  });

  it("is answered over JSON-RPC", async () => {
    const hash = await corpus.send({ data: corpus.data("callsItself") });
    const { provider } = corpus.node;
    const expected = {
      failed: true,
      frames: [{ function: "callsItself" }, { function: "bare", line: markedLine("bare") }],
    };
    expect(await provider.request({ method: "hindcast_explainTransaction", params: [hash] })).toMatchObject(expected);
    const params = [{ to: corpus.vault, data: corpus.data("callsItself") }] as const;
    expect(await provider.request({ method: "hindcast_explainCall", params })).toMatchObject(expected);
  });
});

describe.each(
  sweep(["0.8.10-optimized", "0.8.30-optimized", "0.8.10-via-ir", "0.8.30-via-ir"], (build) =>
    build.startsWith("0.8.30"),
  ),
)("a stack trace of optimised code (%s)", (build) => {
  let corpus: Corpus;
  beforeAll(async () => {
    corpus = await Corpus.open(build);
  });
  afterAll(() => corpus.node.close());

  it.each(VAULT_FAILURES)("of $name", async ({ name, args, kind }) => {
    const { frames, reason } = await stackOf(corpus, { data: corpus.data(name, args) });
    expect(reason.kind).toBe(kind);
    expect(frames[0]?.contract).toBe("Vault");
  });
});

describe.each([
  ["optimized", 0.95],
  ["via-ir", 0.85],
] as const)("stack traces of all failures (%s)", (mode, share) => {
  it(`have the line in ${share} of them, the function in 0.95, and say so where the line is not exact`, async () => {
    const right = { line: 0, function: 0, all: 0 };
    for (const version of sweep(["0.8.10", "0.8.30"], (each) => each === "0.8.30")) {
      const corpus = await Corpus.open(`${version}-${mode}`);
      for (const { name, args, functions, line } of VAULT_FAILURES) {
        const last = (await stackOf(corpus, { data: corpus.data(name, args) })).frames.at(-1) as SolidityFrame;
        const isRight = lineOf(last) === markedLine(line);
        right.all++;
        if (isRight) right.line++;
        if (last.function === functions.at(-1)) right.function++;
        // A line that is missing is not wrong.
        if (!isRight && last.range !== undefined) expect([name, last.isApproximate]).toEqual([name, true]);
      }
      await corpus.node.close();
    }
    expect(right.line / right.all).toBeGreaterThanOrEqual(share);
    expect(right.function / right.all).toBeGreaterThanOrEqual(0.95);
  });
});
