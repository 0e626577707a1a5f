/** Hard-coded gas in sources, found at the lines that say so. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { readGasConstants } from "../../../src/explain/source/gas-constants.ts";
import { aFolder } from "../../support/a-folder.ts";

const FIXTURE = new URL("../../../fixtures/hardfork-report/", import.meta.url);

async function aBuildFile(build: unknown): Promise<string> {
  const path = join(await aFolder(), "build.json");
  await writeFile(path, JSON.stringify(build));
  return path;
}

const fixture = async (): Promise<unknown> =>
  JSON.parse(brotliDecompressSync(await readFile(new URL("build.json.br", FIXTURE))).toString("utf8"));

it("finds transfer, send, the option gas, comparisons with gasleft() and assembly, and nothing else", async () => {
  const build = await aBuildFile(await fixture());
  const source = await readFile(new URL("sources/Payments.sol", FIXTURE), "utf8");
  const wanted = source.split("\n").flatMap((text, index) => {
    const gas = /\/\/ gas: (\d+)/.exec(text)?.[1];
    return gas === undefined
      ? []
      : [{ file: "src/Payments.sol", line: index + 1, gas: BigInt(gas), text: text.trim() }];
  });
  // The same build twice: each place is found once.
  const { found, withoutAsts } = await readGasConstants([build, build]);
  expect(withoutAsts).toEqual([]);
  expect(found.map(({ file, line, gas, text }) => ({ file, line, gas, text }))).toEqual(wanted);
  expect(found.map(({ kind, isStatic }) => (isStatic ? `static ${kind}` : kind))).toEqual([
    ...["transfer", "send", "gas", "gas", "static gas", "static gas", "gasleft", "gasleft"],
    ...["assembly", "static assembly"],
  ]);
});

it("finds the gas of calls before Solidity 0.7, and what a constant of another file says", async () => {
  const literal = { nodeType: "Literal", kind: "number", value: "2300", src: "0:1:0" };
  const reference = { nodeType: "Identifier", referencedDeclaration: 7, src: "0:1:0" };
  const gasOf = (amount: unknown) => ({
    nodeType: "FunctionCall",
    expression: { nodeType: "MemberAccess", memberName: "gas", src: "0:1:0" },
    arguments: [amount],
    src: "2:4:0",
  });
  const limits = { nodeType: "VariableDeclaration", constant: true, id: 7, value: { ...literal, value: "0x1_000" } };
  const build = await aBuildFile({
    input: { sources: { "a.sol": { content: "\n call" }, "b.sol": { content: "" } } },
    output: {
      sources: {
        "a.sol": { ast: { nodeType: "SourceUnit", nodes: [gasOf(literal), { ...gasOf(reference), src: "3:4:0" }] } },
        "b.sol": { ast: { nodeType: "SourceUnit", nodes: [limits] } },
      },
    },
  });
  expect((await readGasConstants([build])).found).toMatchObject([
    { kind: "gas", gas: 2_300n, line: 2, column: 2, text: "call" },
    { kind: "gas", gas: 4_096n, line: 2, column: 3 },
  ]);
});

it.each([
  ["the compiler's output", { input: { sources: {} } }],
  ["ASTs", { input: { sources: { "a.sol": { content: "" } } }, output: { sources: { "a.sol": { id: 0 } } } }],
])("finds nothing in a build without %s, and says so", async (_, build) => {
  const path = await aBuildFile(build);
  expect(await readGasConstants([path])).toEqual({ found: [], withoutAsts: [path] });
});
