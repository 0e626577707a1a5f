/** The calls of `fixtures/solidity-stacks/sources`, as its text has them. */
import { describe, expect, it } from "vitest";
import { readBuild } from "../../../../src/explain/source/build.ts";
import type { SourceFunction } from "../../../../src/explain/source/source-file.ts";
import { readBuildFile } from "../../stack/corpus.ts";

const { input, output } = readBuildFile("owned-0.8.30-plain");
const mine = readBuild(input, output).contracts.find(({ name }) => name === "Mine");
const graph = mine?.calls();

function functionNamed(wanted: string): SourceFunction {
  const found = mine?.lineage.flatMap(({ functions }) => functions).find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no ${wanted}`);
  return found;
}

function isOnEveryWay(between: string, caller: string, callee: string): boolean | undefined {
  return graph?.isOnEveryWay(functionNamed(between), functionNamed(caller), functionNamed(callee));
}

describe("the calls of a contract", () => {
  it("lead through a function that calls the last one alone", () => {
    expect(isOnEveryWay("_initUnchained", "initialize", "_set")).toBe(true);
    expect(isOnEveryWay("onlyInit", "initialize", "_isInit")).toBe(true);
    expect(isOnEveryWay("_init", "initialize", "_isInit")).toBe(true);
  });

  it("do not lead through a function beside which another one calls the last one", () => {
    expect(isOnEveryWay("_initUnchained", "initialize", "_isInit")).toBe(false);
    expect(isOnEveryWay("transferOwnership", "initialize", "_set")).toBe(false);
  });
});
