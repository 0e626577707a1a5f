/**
 * The rooms and packages that `import "hindcast"` loads, frozen. Reading and compiling them is most of the time until a
 * first call, so that a new one here should be needed by every program. What only some need comes by `import()`.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "rolldown/utils";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../src/", import.meta.url));

const PACKAGES = ["lru-cache", "zod"];

const ROOMS = [
  ".",
  "chain",
  "chain/blocks",
  "chain/files",
  "chain/prefetch",
  "chain/read",
  "chain/rules",
  "chain/write",
  "chainspec",
  "chainspec/genesis",
  "chainspec/hardforks",
  "chainspec/header",
  "chainspec/transaction",
  "engines/wasm",
  "errors",
  "evm",
  "executor",
  "explain",
  "explain/abi",
  "explain/console",
  "explain/coverage",
  "explain/render",
  "explain/source",
  "explain/stack",
  "explain/storage",
  "keyring",
  "miner",
  "node",
  "node/arguments",
  "node/fork",
  "node/options",
  "primitives",
  "primitives/bytes",
  "primitives/curves",
  "primitives/hash",
  "primitives/json",
  "primitives/platform",
  "primitives/rlp",
  "primitives/validation",
  "rpc",
  "rpc/encode",
  "rpc/methods",
  "rpc/openrpc",
  "rpc/port",
  "rpc/requests",
  "rpc/schema",
  "services/control",
  "services/query",
  "services/simulate",
  "services/submit",
  "state",
  "state/derived",
  "state/fork",
  "state/trie",
  "state/working",
  "store",
  "store/backends",
  "store/codecs",
  "tracer",
  "tracer/formats",
  "tracer/inspect",
  "tracer/script",
  "txpool",
];

/** What is imported by a file when it is loaded: neither types nor `import()`. */
function staticImports(file: string): string[] {
  const { body } = parseSync(file, readFileSync(join(source, file), "utf8")).program;
  return body.flatMap((statement) => {
    if (statement.type === "ImportDeclaration" && statement.importKind !== "type") return [statement.source.value];
    const isExport = statement.type === "ExportNamedDeclaration" || statement.type === "ExportAllDeclaration";
    return isExport && statement.exportKind !== "type" && statement.source ? [statement.source.value] : [];
  });
}

function loaded(entry: string): { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const specifier of staticImports(file)) {
      if (specifier.startsWith(".")) waiting.push(join(dirname(file), specifier));
      else if (!specifier.startsWith("node:")) packages.add(specifier);
    }
  }
  return { files, packages };
}

/** The folder of a file, two levels deep. */
const roomOf = (file: string): string => dirname(file).split("/").slice(0, 2).join("/");

const { files, packages } = loaded("index.ts");

it("loads these packages", () => {
  expect([...packages].sort()).toEqual(PACKAGES);
});

it("loads these rooms", () => {
  expect([...new Set([...files].map(roomOf))].sort()).toEqual(ROOMS);
});
