#!/usr/bin/env node
// The declared types of the package: dist/types/NAME.d.ts for each entry, made of what the compiler declared, with nothing that no
// entry reaches. test/public-types/ has the same without comments and without the methods' generated types: what users can rely on.
//
//   node .ci/declarations.mjs
//
// compares the two after a whole build, and checks that the types need no others. `npm run docs` renews test/public-types/.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import ts from "typescript";
import { BROWSER_ENTRIES, ENTRIES as NODE_ENTRIES } from "./entries.mjs";

/** A library of the language that not every project names, and that `await using` needs. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

const FROZEN = "test/public-types";
const ENTRIES = { ...NODE_ENTRIES, ...BROWSER_ENTRIES };

/** The compiler leaves the names of sources in what it declares; the plugin looks for declarations. */
const fromDeclarations = {
  name: "from-declarations",
  resolveId(specifier, importer) {
    if (importer === undefined || !specifier.startsWith(".")) return undefined;
    const path = join(dirname(importer), specifier).replace(/\.ts$/, ".d.ts");
    return existsSync(path) ? path : undefined;
  },
};

/** Writes dist/types/, from the declarations in dist/. */
export async function writeDeclarations(root) {
  const folder = join(root, "dist/types");
  rmSync(folder, { recursive: true, force: true });
  const build = await rollup({
    input: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, source]) => [name, join(root, "dist", `${source}.d.ts`)]),
    ),
    plugins: [fromDeclarations, dts()],
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    // Types may name each other in circles, and the program of a worker has none.
    onwarn: ({ code, message }) => {
      if (code !== "CIRCULAR_CHUNK" && code !== "EMPTY_BUNDLE") throw new Error(message);
    },
  });
  await build.write({
    dir: folder,
    entryFileNames: "[name].d.ts",
    chunkFileNames: "[name].d.ts",
    minifyInternalExports: false,
    banner: DISPOSABLE,
    manualChunks: (id) =>
      id.endsWith("/rpc/wire-types.generated.d.ts")
        ? "methods"
        : Object.values(ENTRIES).some((source) => id === join(root, "dist", `${source}.d.ts`))
          ? undefined
          : "library",
  });
  await build.close();
}

/** The declarations by file as users rely on them: printed anew, without comments. */
function publicTypes(root) {
  const folder = join(root, "dist/types");
  const printer = ts.createPrinter({ removeComments: true });
  return new Map(
    readdirSync(folder)
      .filter((name) => name !== "methods.d.ts")
      .sort()
      .map((name) => {
        const text = readFileSync(join(folder, name), "utf8");
        return [name, printer.printFile(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022))];
      }),
  );
}

/** Renews test/public-types/. */
export function freezeTypes(root) {
  const folder = join(root, FROZEN);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of publicTypes(root)) writeFileSync(join(folder, name), text);
}

/** Says what differs between dist/types/ and test/public-types/, a line for each file. */
function differences(root) {
  const types = publicTypes(root);
  const frozen = new Map(
    readdirSync(join(root, FROZEN)).map((name) => [name, readFileSync(join(root, FROZEN, name), "utf8")]),
  );
  return [...new Set([...types.keys(), ...frozen.keys()])].flatMap((name) => {
    const [before, after] = [frozen, types].map((files) => (files.get(name) ?? "").split("\n"));
    const line = before.findIndex((text, index) => text !== after[index]);
    if (line === -1 && before.length === after.length) return [];
    const at = line === -1 ? before.length : line;
    return [`${name}:${at + 1}: ${before[at] ?? "nothing"}\n  is now ${after[at] ?? "nothing"}`];
  });
}

/**
 * What a strict compiler says of the types in a project that has no others: neither the platform's, nor those of packages that
 * Hindcast itself uses.
 */
function complaints(root) {
  const files = ["index", "config", "mocha", "node-test", "browser", "worker"].map((name) =>
    join(root, "dist/types", `${name}.d.ts`),
  );
  const options = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
    lib: ["lib.es2022.d.ts"],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
  };
  const program = ts.createProgram(files, options);
  const imported = program
    .getSourceFiles()
    .filter(({ fileName }) => /node_modules/.test(fileName) && !/typescript\/lib/.test(fileName))
    .map(({ fileName }) => `The types of the package import ${fileName}.`);
  return [
    ...imported,
    ...ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
      const line = file === undefined ? "" : `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: `;
      return `${line}${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    }),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const wrong = complaints(root);
  if (wrong.length > 0) {
    console.error(wrong.join("\n"));
    process.exitCode = 1;
  }
  const found = differences(root);
  if (found.length > 0) {
    console.error(`The declared types of the package changed:\n${found.join("\n")}`);
    console.error(
      `If that is meant, run \`npm run docs\`, read what changes in ${FROZEN}/, and say it in CHANGELOG.md.`,
    );
    process.exitCode = 1;
  }
}
