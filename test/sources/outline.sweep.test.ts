import { describe, expect, it } from "vitest";
import { parseAbi } from "../../src/explain/abi/abi-item.ts";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { outlineSources } from "../../src/sources/outline/outline.ts";
import { Corpus, readBuildFile } from "../explain/stack/corpus.ts";
import { VAULT_FAILURES } from "../explain/stack/failures.ts";
import { aNode } from "../support/a-node.ts";
import { isSlow, sweep } from "../support/seed.ts";

interface Node {
  readonly nodeType: string;
  readonly name?: string;
  readonly kind?: string;
  readonly src: string;
  readonly nodes?: readonly Node[];
  readonly absolutePath?: string;
  readonly functionSelector?: string;
  readonly linearizedBaseContracts?: readonly number[];
  readonly id: number;
}

function outlineOf(text: string, others: Readonly<Record<string, string>> = {}, remappings: readonly string[] = []) {
  const sources = new Map(Object.entries({ "src/A.sol": text, ...others }));
  const nodes = [...outlineSources(sources, remappings, []).values()].flatMap(({ nodes: of }) => of as readonly Node[]);
  const contracts = nodes.filter(({ nodeType }) => nodeType === "ContractDefinition");
  const names = new Map(contracts.map(({ id, name }) => [id, name]));
  return {
    nodes,
    contracts,
    lineage: (name: string) =>
      contracts.find((each) => each.name === name)?.linearizedBaseContracts?.map((id) => names.get(id)),
    members: (name: string) => contracts.find((each) => each.name === name)?.nodes ?? [],
    textOf: ({ src }: Node) => {
      const [start = 0, length = 0] = src.split(":").map(Number);
      return Buffer.from(text)
        .subarray(start, start + length)
        .toString();
    },
  };
}

describe("an outline", () => {
  it("has contracts, functions, modifiers and getters at their bytes", () => {
    const text = `// contract No {}
      /* é ü € */ string constant A = "contract X { function y() }";
      abstract contract Owned { address public owner = f{value: 1}(); modifier only(uint a) { _; }
        function set(address to, uint[2] memory b) external only(1) returns (uint) { if (a) { b; } }
        constructor() payable {} receive() external payable {} fallback() external {} function abstractOne() virtual; }
      function free(uint x) pure returns (uint) { return x; }`;
    const { nodes, members, textOf } = outlineOf(text);
    expect(nodes.map(({ nodeType, name }) => [nodeType, name])).toEqual([
      ["ContractDefinition", "Owned"],
      ["FunctionDefinition", "free"],
    ]);
    const shown = members("Owned").map((node) => [node.kind ?? node.nodeType, node.name, textOf(node)]);
    expect(shown).toEqual([
      ["VariableDeclaration", "owner", "address public owner = f{value: 1}()"],
      ["modifier", "only", "modifier only(uint a) { _; }"],
      [
        "function",
        "set",
        "function set(address to, uint[2] memory b) external only(1) returns (uint) { if (a) { b; } }",
      ],
      ["constructor", "", "constructor() payable {}"],
      ["receive", "", "receive() external payable {}"],
      ["fallback", "", "fallback() external {}"],
      ["function", "abstractOne", "function abstractOne() virtual;"],
    ]);
  });

  it("orders bases as C3 does", () => {
    // The order that solc 0.8.30 gives for these.
    const { lineage } = outlineOf(
      "contract A {} contract B is A {} contract C is A {} contract D is B, C { } contract E is A, D {}",
    );
    expect(lineage("D")).toEqual(["D", "C", "B", "A"]);
    expect(lineage("E")).toEqual(["E", "D", "C", "B", "A"]);
  });

  it("finds imports by relative paths and remappings", () => {
    const { nodes, lineage } = outlineOf(
      'import "./B.sol"; import {C as D} from "@oz/C.sol"; import * as E from "../none.sol"; contract A is B, E.C("x") {}',
      { "src/B.sol": "contract B {}", "lib/oz/C.sol": "contract C {}", "other/C.sol": "contract C { uint x; }" },
      ["@oz/=lib/oz/"],
    );
    expect(nodes.flatMap(({ absolutePath }) => absolutePath ?? [])).toEqual(["src/B.sol", "lib/oz/C.sol"]);
    expect(lineage("A")).toEqual(["A", "C", "B"]);
  });

  it.each([
    ["an end inside a contract", "contract A { function f() { if ("],
    ["brackets that do not fit", "contract A { ) ] } } function ( { ] contract B is is , ( {"],
    ["a string without an end", 'contract A { string s = "abc'],
    ["a comment without an end", "contract A { /* "],
    ["bases in a circle", "contract A is B {} contract B is A {}"],
    ["a contract that is its own base", "contract A is A {}"],
    ["words alone", "contract contract contract is is abstract function modifier"],
    ["nothing", ""],
  ])("is made of %s", (_title, text) => {
    expect(() => outlineOf(text)).not.toThrow();
  });

  if (isSlow) {
    it("takes linear time for long and deep sources", () => {
      expect(
        outlineOf(`contract A { function f() { ${"{".repeat(100_000)}${"}".repeat(100_000)} } }`).members("A"),
      ).toHaveLength(1);
      const chain = Array.from({ length: 2_000 }, (_, n) => `contract C${n + 1} is C${n} {}`).join("\n");
      expect(outlineOf(`contract C0 {} ${chain}`).contracts).toHaveLength(2_001);
      expect(outlineOf("contract A { ".repeat(20_000)).contracts.length).toBeLessThanOrEqual(1);
    });
  }
});

describe.each(sweep(["0.8.10-plain", "0.8.30-plain"], (_, index) => index === 1))(
  "stack traces by an outline (%s)",
  (build) => {
    it("name the functions and lines that those by the AST name", async () => {
      const corpus = await Corpus.open(build);
      const { input, output } = readBuildFile(build) as unknown as {
        readonly input: { readonly sources: Readonly<Record<string, { readonly content: string }>> };
        readonly output: {
          readonly sources: Readonly<Record<string, { readonly id: number }>>;
          readonly contracts: Readonly<Record<string, Readonly<Record<string, { readonly abi: unknown }>>>>;
        };
      };
      const texts = new Map(Object.entries(input.sources).map(([path, { content }]) => [path, content]));
      const outlines = outlineSources(texts, [], parseAbi(output.contracts["src/Vault.sol"]?.Vault?.abi));
      const ids = Object.entries(output.sources);
      const sources = Object.fromEntries(ids.map(([path, { id }]) => [path, { id, ast: outlines.get(path) }]));
      const failed: Hex[] = [];
      // Its frames are those of one line: only the AST says how often it was called.
      const shown = VAULT_FAILURES.filter(({ name }) => name !== "recursive");
      for (const { name, args } of shown) failed.push(await corpus.send({ data: corpus.data(name, args) }));
      const outlined = await aNode();
      outlined.abi.addBuild(input, { ...output, sources });
      await outlined.loadState(await corpus.node.dumpState());
      await corpus.node.close();
      for (const [index, { functions, line }] of shown.entries()) {
        const stack = await outlined.solidityStack(failed[index] ?? "0x");
        expect(stack?.frames.map((frame) => frame.function)).toEqual(functions);
        const last = stack?.frames.at(-1)?.range;
        expect(last?.file.lineText(last.file.positionOf(last.start).line)).toMatch(new RegExp(`// line: ${line}$`));
      }
    });
  },
);
