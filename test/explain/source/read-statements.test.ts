import { expect, it } from "vitest";
import { readStatements } from "../../../src/explain/source/read/read-statements.ts";
import { SourceFile } from "../../../src/explain/source/source-file.ts";

const TEXT = "{ unchecked { add(1); } { if (x) { add(2); } } }";
const at = (text: string): string => `${TEXT.indexOf(text)}:${text.length}:0`;
const call = (text: string): object => ({
  nodeType: "ExpressionStatement",
  src: at(text),
  expression: {
    nodeType: "FunctionCall",
    src: at(text),
    expression: { nodeType: "Identifier", referencedDeclaration: 7 },
  },
});
const block = (nodeType: string, text: string, statements: readonly object[]): object => {
  return { nodeType, src: at(text), statements };
};

const BODY = block("Block", TEXT, [
  block("UncheckedBlock", "unchecked { add(1); }", [call("add(1);")]),
  block("Block", "{ if (x) { add(2); } }", [
    {
      nodeType: "IfStatement",
      src: at("if (x) { add(2); }"),
      condition: { nodeType: "Identifier", src: at("x)") },
      trueBody: block("Block", "{ add(2); }", [call("add(2);")]),
    },
  ]),
]);

it("finds statements, calls, and the blocks that are statements of their own", () => {
  const file = new SourceFile("A.sol", TEXT);
  const found = readStatements(BODY, (src) => {
    const [start = 0, length = 0] = String(src).split(":").map(Number);
    return { file, start, end: start + length };
  });
  const texts = (ranges: readonly { start: number; end: number }[]): readonly string[] =>
    ranges.map(({ start, end }) => file.textOf(start, end));
  expect(texts(found.statements)).toEqual(["add(1);", "if (x) { add(2); }", "add(2);"]);
  expect(texts(found.blocks)).toEqual(["unchecked { add(1); }", "{ if (x) { add(2); } }"]);
  expect(found.calls.map(({ callee }) => callee)).toEqual([7, 7]);
  expect(texts(found.branches.map(({ range }) => range))).toEqual(["if (x) { add(2); }"]);
});

it("finds the revert that always runs, and leaves out calls of other contracts", () => {
  const text = "{ other.act(); revert(); }";
  const file = new SourceFile("A.sol", text);
  const src = (part: string): string => `${text.indexOf(part)}:${part.length}:0`;
  const statement = (part: string, expression: object): object => ({
    nodeType: "ExpressionStatement",
    src: src(part),
    expression: { nodeType: "FunctionCall", src: src(part), expression },
  });
  const external = {
    nodeType: "MemberAccess",
    referencedDeclaration: 9,
    expression: { typeDescriptions: { typeString: "contract Other" } },
  };
  const acts = statement("other.act();", external);
  const reverts = statement("revert();", { nodeType: "Identifier", name: "revert" });
  const read = (...statements: readonly object[]): ReturnType<typeof readStatements> =>
    readStatements(block("Block", text, statements), (place) => {
      const [start = 0, length = 0] = String(place).split(":").map(Number);
      return { file, start, end: start + length };
    });
  expect(read(acts, reverts).calls).toEqual([]);
  expect(read(acts, reverts).unconditionalRevert).toMatchObject({ start: text.indexOf("revert") });
  expect(read({ nodeType: "PlaceholderStatement", src: "0:1:0" }, reverts).unconditionalRevert).toBeUndefined();
});

it("finds calls of a library's internal functions as members of contracts", () => {
  const text = "{ token.give(1); token.act(); vault.run(); }";
  const file = new SourceFile("A.sol", text);
  const statement = (part: string, declaration: number, type: object): object => ({
    nodeType: "ExpressionStatement",
    src: `${text.indexOf(part)}:${part.length}:0`,
    expression: {
      nodeType: "FunctionCall",
      src: `${text.indexOf(part)}:${part.length}:0`,
      expression: {
        nodeType: "MemberAccess",
        referencedDeclaration: declaration,
        typeDescriptions: type,
        expression: { typeDescriptions: { typeString: "contract Token" } },
      },
    },
  });
  const statements = [
    statement("token.give(1);", 4, {
      typeIdentifier: "t_function_internal_nonpayable$_t_contract$_Token_$9_$_t_uint256_$returns$__$",
      typeString: "function (contract Token,uint256)",
    }),
    statement("token.act();", 5, {
      typeIdentifier: "t_function_external_nonpayable$__$returns$__$",
      typeString: "function () external",
    }),
    statement("vault.run();", 6, {
      typeString: "function (mapping(address => uint256) storage pointer) view external",
    }),
  ];
  const { calls } = readStatements({ nodeType: "Block", src: `0:${text.length}:0`, statements }, () => {
    return { file, start: 0, end: text.length };
  });
  expect(calls.map(({ callee }) => callee)).toEqual([4]);
});
