/** Types of damaged builds that contain themselves. solc has none but in mappings and dynamic arrays, which are read when they are needed. */
import { describe, expect, it } from "vitest";
import { readLayout } from "../../../src/explain/source/read/read-layout.ts";
import { TypeReader } from "../../../src/explain/source/read/read-types.ts";
import { bytesOf, elementsPerSlot, slotsOf } from "../../../src/explain/source/storage-type.ts";

const nothing = () => undefined;
const variable = (type: string, slot: unknown = "0", offset: unknown = 0) => ({ label: "it", slot, offset, type });

describe("solc's layout", () => {
  it.each<[string, object]>([
    ["a struct with itself in it", { self: { label: "struct S", members: [variable("self")] } }],
    ["an array of itself", { self: { label: "S[3]", encoding: "inplace", base: "self" } }],
    [
      "a struct with an array of itself",
      {
        self: { label: "struct S", members: [variable("many")] },
        many: { label: "struct S[3]", encoding: "inplace", base: "self" },
      },
    ],
    ["a mapping from itself", { self: { label: "m", encoding: "mapping", key: "self", value: "self" } }],
    ["a type of no bytes", { self: { label: "x", encoding: "inplace", numberOfBytes: "0" } }],
    ["a type of many bytes", { self: { label: "x", encoding: "inplace", numberOfBytes: "1e99" } }],
    ["no type", {}],
  ])("with %s has slots", (_what, types) => {
    const [read] = readLayout({ storage: [variable("self")], types }, nothing) ?? [];
    expect(read).toMatchObject({ name: "it", slot: 0n, offset: 0 });
    if (read === undefined) return;
    expect(slotsOf(read.type)).toBeGreaterThan(0n);
    expect(bytesOf(read.type)).toBeGreaterThan(0);
    expect(elementsPerSlot(read.type)).toBeLessThanOrEqual(32);
  });

  it.each([
    ["-1", -1],
    ["x", 32],
    ["1e9", 0.5],
    [null, null],
    [7, "1"],
    ["9".repeat(100), {}],
  ])("with slot %s and offset %s begins at the first slot", (slot, offset) => {
    const storage = [variable("x", slot, offset)];
    expect(readLayout({ storage, types: {} }, nothing)).toMatchObject([{ slot: 0n, offset: 0 }]);
  });
});

describe("an AST", () => {
  const named = (referencedDeclaration: number) => ({ nodeType: "UserDefinedTypeName", referencedDeclaration });
  const member = (typeName: object) => ({ nodeType: "VariableDeclaration", name: "it", typeName });

  it.each<[string, object]>([
    ["a struct with itself in it", { nodeType: "StructDefinition", id: 1, members: [member(named(1))] }],
    [
      "a struct with an array of itself",
      {
        nodeType: "StructDefinition",
        id: 1,
        members: [
          member({
            nodeType: "ArrayTypeName",
            baseType: named(1),
            length: {},
            typeDescriptions: { typeString: "struct S[3]" },
          }),
        ],
      },
    ],
    ["a value type that is its own", { nodeType: "UserDefinedValueTypeDefinition", id: 1, underlyingType: named(1) }],
  ])("with %s has slots", (_what, declaration) => {
    const reader = new TypeReader(new Map([[1, declaration as Record<string, unknown>]]));
    const { variables } = reader.layout([member(named(1))], []);
    expect(variables).toMatchObject([{ name: "it", slot: 0n }]);
  });
});
