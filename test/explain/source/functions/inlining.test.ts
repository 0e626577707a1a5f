/** Functions whose calls a compiler may have replaced by their code, by its settings. */
import { expect, it } from "vitest";
import { readBuild } from "../../../../src/explain/source/build.ts";
import type { SourceFunction } from "../../../../src/explain/source/source-file.ts";
import { readBuildFile } from "../../stack/corpus.ts";

const OPTIMIZED = { optimizer: { enabled: true, runs: 200 } };

it.each([
  // _isInit returns a variable, _initUnchained and _check have an `if`, and _init calls _initUnchained.
  ["no optimizer", { optimizer: { enabled: false } }, ["onlyInit"]],
  ["the optimizer", OPTIMIZED, ["onlyInit", "_isInit", "_set"]],
  ["details of the optimizer", { optimizer: { details: { cse: true } } }, ["onlyInit", "_isInit", "_set"]],
  ["viaIR", { ...OPTIMIZED, viaIR: true }, ["onlyInit", "_check", "_isInit", "_init", "_initUnchained", "_set"]],
  ["unknown settings", undefined, ["onlyInit", "_check", "_isInit", "_init", "_initUnchained", "_set"]],
])("with %s are those", (_, settings, expected) => {
  const { input, output } = readBuildFile("owned-0.8.30-plain");
  const { contracts } = readBuild({ ...(input as object), settings }, output);
  const mine = contracts.find(({ name }) => name === "Mine");
  const internal = (mine?.lineage ?? [])
    .flatMap(({ functions }) => functions)
    .filter(({ name, kind }) => name.startsWith("_") || (kind === "modifier" && name === "onlyInit"));
  const mayBeInlined = (each: SourceFunction): boolean => mine?.calls().mayBeInlined(each) === true;
  expect(internal.filter(mayBeInlined).map(({ name }) => name)).toEqual(expected);
});
