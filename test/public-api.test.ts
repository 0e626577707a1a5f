/** The names that the package exports, frozen: a change of this list is a change that users see. */
import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import * as library from "../src/index.ts";

const path = new URL("../src/index.ts", import.meta.url);
const tree = ts.createSourceFile("index.ts", readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);

/** Exported names by kind, as index.ts states them. */
function exportedNames(kind: "types" | "values"): string[] {
  return tree.statements
    .filter((statement) => ts.isExportDeclaration(statement))
    .filter((statement) => statement.isTypeOnly === (kind === "types"))
    .flatMap(({ exportClause }) =>
      exportClause !== undefined && ts.isNamedExports(exportClause)
        ? exportClause.elements.map((element) => element.name.text)
        : [],
    )
    .sort();
}

it("exports these values", () => {
  expect(exportedNames("values")).toEqual(VALUES);
  expect(Object.keys(library).sort()).toEqual(VALUES);
});

it("exports these types", () => {
  expect(exportedNames("types")).toEqual(TYPES);
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

const TYPES = [
  "AbiOwner",
  "AccountOptions",
  "Block",
  "BlockId",
  "BlockOfTransaction",
  "BlockTag",
  "CallRequest",
  "CallTrace",
  "ComparisonRequest",
  "ConsoleLog",
  "DevAccount",
  "Eip1193Provider",
  "ErrorCode",
  "ExportOptions",
  "FlatTrace",
  "FundedAccountOptions",
  "GasEstimate",
  "GasProfile",
  "GethTrace",
  "GethTracer",
  "HardforkComparison",
  "HardforkReport",
  "HeadChange",
  "Header",
  "Hex",
  "HindcastNode",
  "ImportOptions",
  "ImportSummary",
  "ListenIpcOptions",
  "ListenOptions",
  "LocalizedTrace",
  "Log",
  "MethodName",
  "Methods",
  "MineOptions",
  "MiningMode",
  "NodeOptions",
  "ParamsOf",
  "Receipt",
  "RecordedTransaction",
  "Recording",
  "RenderOptions",
  "RenderableTrace",
  "ReorgOptions",
  "ReportOptions",
  "ResultOf",
  "RpcSchema",
  "RunningIpcServer",
  "RunningServer",
  "SideBlockOptions",
  "SimulationLimits",
  "Snapshot",
  "StateDiff",
  "StructLog",
  "TimeControl",
  "TraceBounds",
  "TraceFilter",
  "TraceOf",
  "TraceOnStateRequest",
  "TraceResults",
  "TraceType",
  "TracedCall",
  "Transaction",
  "VmTrace",
  "Withdrawal",
];
