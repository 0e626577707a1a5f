/** Limits a compiler's input and output to some contracts, so that they can be sent or stored. */
import type { BuiltContract, CompilerDocuments } from "./build.ts";
import { isObject, type JsonObject, objectOf } from "./read/json-values.ts";
import { importsOf } from "./read/read-ast.ts";

/** Members of a contract's output that {@link readBuild} reads. */
const CONTRACT_MEMBERS = ["abi", "storageLayout", "transientStorageLayout"];
const CODE_MEMBERS = ["object", "sourceMap", "ethdebug", "linkReferences", "immutableReferences"];
/** Settings that decide how code and sources correspond. */
const SETTINGS = ["optimizer", "viaIR", "evmVersion"];

/** Keeps the contracts, their sources, the sources that those import, and the settings that the code depends on. */
export function trimDocuments(
  { input, output }: CompilerDocuments,
  contracts: readonly Pick<BuiltContract, "name" | "path">[],
): CompilerDocuments {
  const { language, sources: texts, settings } = objectOf(input);
  const { sources, contracts: built } = objectOf(output);
  const paths = reachable(
    contracts.map(({ path }) => path),
    objectOf(sources),
  );
  const trimmed: Record<string, Record<string, unknown>> = {};
  for (const { path, name } of contracts) {
    trimmed[path] = { ...trimmed[path], [name]: trimContract(objectOf(objectOf(objectOf(built)[path])[name])) };
  }
  return {
    input: {
      language,
      sources: pick(objectOf(texts), paths),
      ...(isObject(settings) ? { settings: pick(settings, SETTINGS) } : {}),
    },
    output: { sources: pick(objectOf(sources), paths), contracts: trimmed },
  };
}

function trimContract(contract: JsonObject): JsonObject {
  const { bytecode, deployedBytecode, methodIdentifiers } = objectOf(contract.evm);
  return {
    ...pick(contract, CONTRACT_MEMBERS),
    evm: {
      bytecode: pick(objectOf(bytecode), CODE_MEMBERS),
      deployedBytecode: pick(objectOf(deployedBytecode), CODE_MEMBERS),
      methodIdentifiers,
    },
  };
}

/** The paths and those that their sources import, directly or not. All paths if the build has no AST. */
function reachable(paths: readonly string[], sources: JsonObject): readonly string[] {
  const found = new Set(paths);
  for (const path of found) {
    const { ast } = objectOf(sources[path]);
    if (!isObject(ast)) return Object.keys(sources);
    for (const imported of importsOf(ast)) found.add(imported);
  }
  return [...found];
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]));
}
