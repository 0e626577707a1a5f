/** Programs in the ethdebug format, beside the source maps of the same codes. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { type BuiltCode, readBuild } from "../../../src/explain/source/build.ts";
import { mapProgram } from "../../../src/explain/source/ethdebug.ts";
import { SourceFile } from "../../../src/explain/source/source-file.ts";
import { stackText } from "../../../src/explain/stack/stack-text.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode } from "../../support/a-node.ts";
import { receiptOf } from "../../support/contracts.ts";

const FOLDER = new URL("../../../fixtures/ethdebug/", import.meta.url);
const ABI = parseAbi(["function put(uint256)", "function take(uint256)"]);
const SOURCE = readFileSync(new URL("sources/Ledger.sol", FOLDER), "utf8").split("\n");

/** The compiled contract, with only one kind of debug information if `without` names the other. */
function build(without?: "sourceMap" | "ethdebug") {
  const text = brotliDecompressSync(readFileSync(new URL("0.8.30-via-ir-plain.json.br", FOLDER))).toString();
  const { input, output } = JSON.parse(text, (key, value: unknown) => (key === without ? undefined : value));
  return { input, output, object: `0x${output.contracts["src/Ledger.sol"].Ledger.evm.bytecode.object}` as Hex };
}

describe("a code with an ethdebug program", () => {
  it.each(["creation", "runtime"] as const)("has the ranges of its source map (%s)", (kind) => {
    const codeOf = ({ input, output }: ReturnType<typeof build>): BuiltCode | undefined =>
      readBuild(input, output).contracts[0]?.[kind];
    const [program, sourceMap] = [codeOf(build("sourceMap")), codeOf(build("ethdebug"))];
    const rangesOf = (code: BuiltCode | undefined) =>
      Array.from(code?.instructions.values() ?? [], ({ pc, opcode, range }) => [pc, opcode, range?.start, range?.end]);
    expect(rangesOf(program).length).toBeGreaterThan(20);
    expect(rangesOf(program)).toEqual(rangesOf(sourceMap));
  });

  it.each([
    ["poor", 9n, "Ledger.take"],
    ["seven", 7n, "Ledger.checked"],
  ])("tells the line of a failure: %s", async (mark, amount, name) => {
    const { input, output, object } = build("sourceMap");
    const node = await aNode();
    node.abi.addBuild(input, output);
    const send = (members: object): Promise<Hex> =>
      node.provider.request({ method: "eth_sendTransaction", params: [{ from: ALICE, gas: "0x100000", ...members }] });
    const to = (await receiptOf(node, await send({ data: object }))).contractAddress;
    const call = (functionName: "put" | "take", value: bigint): Promise<Hex> =>
      send({ to, data: encodeFunctionData({ abi: ABI, functionName, args: [value] }) });
    await call("put", 8n);
    const stack = await node.solidityStack(await call("take", amount));
    const line = SOURCE.findIndex((each) => each.endsWith(`// line: ${mark}`)) + 1;
    expect(stack && stackText(stack)).toMatch(
      new RegExp(`^.*\\n\\s*at ${name}(\\(amount: \\d+\\))? \\(src/Ledger\\.sol:${line}:`),
    );
  });
});

describe("mapProgram", () => {
  const file = new SourceFile("a.sol", "contract A {}");
  const at = (offset: number, length: number, id = 0) => ({ source: { id }, range: { offset, length } });
  const map = (instructions: unknown) =>
    Array.from(mapProgram(Uint8Array.of(0x5f, 0x5f, 0x00), { instructions }, new Map([[0, file]])).values());

  it("takes the first range of what a context gathers", () => {
    const gather = [{ remark: "none" }, { code: at(0, 8) }, { code: at(9, 1) }];
    expect(map([{ offset: 1, context: { gather } }])).toEqual([
      { pc: 1, opcode: 0x5f, jump: "regular", range: { file, start: 0, end: 8 } },
    ]);
  });

  it.each<[string, unknown]>([
    ["no context", {}],
    ["a range of no source", { context: { code: at(-1, 0) } }],
    ["a range beyond the source", { context: { code: at(10, 4) } }],
    ["an unknown source", { context: { code: at(0, 1, 7) } }],
    ["nonsense", { context: { code: "x", gather: 5 } }],
  ])("gives no range for %s", (_what, members) => {
    expect(map([{ offset: 0, ...(members as object) }])).toMatchObject([{ pc: 0, range: undefined }]);
  });

  it.each<[string, unknown]>([
    ["an offset beyond the code", [{ offset: 3 }]],
    ["no offset", [{ context: {} }]],
    ["no list", "x"],
  ])("leaves out instructions with %s", (_what, instructions) => {
    expect(map(instructions)).toEqual([]);
  });
});
