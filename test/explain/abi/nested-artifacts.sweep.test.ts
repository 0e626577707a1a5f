import { describe, expect, it } from "vitest";
import { AbiRegistry } from "../../../src/explain/abi/registry.ts";
import { isSlow } from "../../support/seed.ts";

function nested(depth: number): object {
  let node: object = { nodeType: "Block", src: "0:1:0", id: 1 };
  for (let id = 2; id < depth; id++) node = { nodeType: "Block", src: "0:1:0", id, statements: [node] };
  return node;
}

function buildWith(ast: object): { readonly input: object; readonly output: object } {
  const bytecode = { object: "6000", sourceMap: "0:1:0", linkReferences: {} };
  const evm = { bytecode, deployedBytecode: bytecode, methodIdentifiers: {} };
  return {
    input: { language: "Solidity", sources: { "a.sol": { content: "contract A {}" } }, settings: {} },
    output: { sources: { "a.sol": { id: 0, ast } }, contracts: { "a.sol": { A: { abi: [], evm } } } },
  };
}

const tooDeep = { code: "JSON_TOO_DEEP", data: { limit: 256, flag: null } };

describe("what a program hands in as an artifact", () => {
  it.each([1_000, 5_000, 200_000])("is refused with an AST that is nested %i deep", (depth) => {
    const registry = new AbiRegistry();
    const build = buildWith(nested(depth));
    expect(() => registry.addBuild(build)).toThrow(expect.objectContaining(tooDeep));
    expect(() => registry.addBuild(build.input, build.output)).toThrow(expect.objectContaining(tooDeep));
    expect(() => registry.addValue(build, {})).toThrow(expect.objectContaining(tooDeep));
    expect(registry.isEmpty).toBe(true);
  });

  it("is taken with an AST that is nested 100 deep", () => {
    expect(new AbiRegistry().addBuild(buildWith(nested(100)))).toEqual(["A"]);
  });

  it("is refused with tuples in tuples without end", () => {
    const parameter: { name: string; type: string; components?: unknown[] } = { name: "a", type: "tuple" };
    parameter.components = [parameter];
    const abi = [{ type: "function", name: "f", inputs: [parameter], outputs: [] }];
    expect(() => new AbiRegistry().add(abi)).toThrow(expect.objectContaining(tooDeep));
    expect(() => new AbiRegistry().addValue({ contractName: "A", abi, bytecode: "0x" }, {})).toThrow(
      expect.objectContaining(tooDeep),
    );
  });

  if (isSlow) {
    it("is refused when the same nodes stand in each other so often that reading them would never end", () => {
      let node: object = { nodeType: "Block", src: "0:1:0" };
      for (let level = 0; level < 40; level++) node = { nodeType: "Block", src: "0:1:0", nodes: [node, node, node] };
      const tooMany = { code: "JSON_TOO_MANY_VALUES", data: { limit: 8_000_000, flag: null } };
      expect(() => new AbiRegistry().addBuild(buildWith(node))).toThrow(expect.objectContaining(tooMany));
    });
  }
});
