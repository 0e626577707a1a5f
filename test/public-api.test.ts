/** The values that the package exports, frozen. test/public-types/ has its types: `npm run check:package` compares them. */
import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import * as library from "../src/index.ts";

const path = new URL("../src/index.ts", import.meta.url);
const tree = ts.createSourceFile("index.ts", readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);

it("exports these values", () => {
  expect(Object.keys(library).sort()).toEqual(VALUES);
});

it("holds no logic: every statement is an export from elsewhere", () => {
  const others = tree.statements.filter(
    (statement) => !ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined,
  );
  expect(others.map((statement) => statement.getText())).toEqual([]);
});

const VALUES = [
  "AbiRegistry",
  "ExecutionError",
  "HindcastError",
  "InternalError",
  "InvalidParamsError",
  "InvalidRequestError",
  "LimitError",
  "MethodNotFoundError",
  "NotFoundError",
  "ProviderRpcError",
  "RemoteError",
  "RevertError",
  "StoreError",
  "TransactionRejectedError",
  "UnsupportedError",
  "bytesToHex",
  "createNode",
  "encodeGethTrace",
  "hexToBytes",
  "renderTrace",
  "traceTransactionOnState",
];
