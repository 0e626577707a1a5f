/**
 * An outline of Solidity sources in the form of solc's AST: contracts with their bases, functions and modifiers. Servers of
 * sources give no AST, and without one no function has a name. Statements and types of variables are left out.
 */
import { type AbiItem, signatureOf } from "../../explain/abi/abi-item.ts";
import type { JsonObject } from "../../explain/source/read/json-values.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { fromUtf8, toHexDigits } from "../../primitives/platform/encodings.ts";
import { readDefinitions } from "./definitions.ts";
import { importPath } from "./import-path.ts";
import { linearized } from "./linearized.ts";
import type { OutlinedContract, OutlinedFunction } from "./outlined.ts";

const SELECTOR_BYTES = 4;

/**
 * Outlines by path.
 *
 * @param sources - texts by path
 * @param remappings - the compiler's, such as `@openzeppelin/=lib/openzeppelin/`
 * @param abi - of the contract that is explained: its functions get their selectors
 */
export function outlineSources(
  sources: ReadonlyMap<string, string>,
  remappings: readonly string[],
  abi: readonly AbiItem[],
): ReadonlyMap<string, JsonObject> {
  let lastId = 0;
  const nextId = (): number => ++lastId;
  const read = new Map(Array.from(sources, ([path, text]) => [path, readDefinitions(path, text, nextId)]));
  const imports = new Map(
    Array.from(read, ([path, source]) => [
      path,
      source.imports.flatMap((name) => importPath(name, path, { remappings, has: (of) => sources.has(of) }) ?? []),
    ]),
  );
  const contracts = [...read.values()].flatMap((source) => source.contracts);
  const lineageOf = linearized(contracts, imports);
  for (const contract of contracts) {
    const lineage = lineageOf(contract);
    contract.node.linearizedBaseContracts = lineage.map(({ id }) => id);
    for (const each of contract.functions) complete(each, lineage, abi);
  }
  return new Map(
    Array.from(read, ([path, source]) => {
      const directives = (imports.get(path) ?? []).map((absolutePath) => ({
        nodeType: "ImportDirective",
        absolutePath,
      }));
      const definitions = [...source.contracts, ...source.functions].map(({ node }) => node);
      return [path, { nodeType: "SourceUnit", nodes: [...directives, ...definitions] }];
    }),
  );
}

/** Adds what other contracts and the ABI say of a function: its modifiers and its selector. */
function complete(each: OutlinedFunction, lineage: readonly OutlinedContract[], abi: readonly AbiItem[]): void {
  const { node, name, modifiers, parameterTypes } = each;
  node.modifiers = modifiers.flatMap(({ name: called, src }) => {
    const found = lineage.flatMap(({ functions }) => functions).find((of) => of.isModifier && of.name === called);
    return found === undefined ? [] : [{ src, modifierName: { referencedDeclaration: found.node.id } }];
  });
  const item = abi.find((of) => of.kind === "function" && of.name === name && fits(of, parameterTypes));
  if (item === undefined || each.isModifier) return;
  node.functionSelector = toHexDigits(keccak256(fromUtf8(signatureOf(item))).subarray(0, SELECTOR_BYTES));
}

/** True if types of a source may be those of an ABI item: structs, enums and contracts have another name there. */
function fits({ inputs }: AbiItem, types: readonly string[]): boolean {
  const isElementary = (type: string): boolean => /^(?:u?int\d+|address|bool|string|bytes\d*)(?:\[|$)/.test(type);
  return (
    inputs.length === types.length &&
    inputs.every(({ type }, index) => {
      const own = types[index] ?? "";
      return !isElementary(own) || own === type;
    })
  );
}
