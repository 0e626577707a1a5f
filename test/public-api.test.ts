/** The values that the package exports, frozen. test/public-types/ has its types: `npm run check:package` compares them. */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
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

/** Rooms whose classes no program names: a method of the node hands out values of theirs, or nothing of them. */
const INNER_ROOMS = [
  "primitives",
  "server",
  "keyring",
  "store",
  "remote",
  "state",
  "engines",
  "executor",
  "chain",
  "txpool",
  "miner",
];

describe("the types in test/public-types/", () => {
  const classes = filesIn("test/public-types")
    .flatMap((text) => [...ts.createSourceFile("types.d.ts", text, ts.ScriptTarget.ES2022, true).statements])
    .filter((statement) => ts.isClassDeclaration(statement))
    .map(({ name, heritageClauses = [], members }) => ({
      name: name?.text ?? "",
      base: heritageClauses.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0]?.expression.getText(),
      isMade: members.some((member) => ts.isConstructorDeclaration(member)),
    }));

  it("have constructors only of classes that a program can make", () => {
    const exported = new Set(Object.keys(library));
    const bases = new Set(classes.filter(({ name }) => exported.has(name)).flatMap(({ base }) => base ?? []));
    const others = classes.filter(({ name, isMade }) => isMade && !exported.has(name) && !bases.has(name));
    const advice = "this class is no value of an entry: give its constructor /** @internal */, or its types are public";
    expect(others.map(({ name }) => `${name}: ${advice}`)).toEqual([]);
  });

  it.each(INNER_ROOMS)("have no class of %s/", (room) => {
    const inner = new Set(filesIn(`src/${room}`).flatMap((text) => [...text.matchAll(CLASS)].map(([, name]) => name)));
    const advice = "a public member or constructor names it; mark that /** @internal */, or make it private";
    expect(classes.filter(({ name }) => inner.has(name)).map(({ name }) => `${name}: ${advice}`)).toEqual([]);
  });
});

const CLASS = /^export (?:abstract )?class (\w+)/gm;

/** The texts of all modules of a folder. */
function filesIn(path: string): readonly string[] {
  const folder = new URL(`../${path}/`, import.meta.url);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return names.map((name) => readFileSync(new URL(name, folder), "utf8"));
}

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
