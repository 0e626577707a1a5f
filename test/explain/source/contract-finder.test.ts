import { describe, expect, it } from "vitest";
import { readBuild } from "../../../src/explain/source/build.ts";
import type { CodeTemplate } from "../../../src/explain/source/code-template.ts";
import { ContractFinder, type FoundContract } from "../../../src/explain/source/contract-finder.ts";
import { concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { Corpus, readBuildFile } from "../stack/corpus.ts";

const build = readBuildFile("0.8.30-plain");
const finder = new ContractFinder();
finder.add(readBuild(build.input, build.output));

const templateOf = (form: "creation" | "runtime"): CodeTemplate => {
  const template = finder.all.find(({ name }) => name === "Vault")?.[form]?.template;
  if (template === undefined) throw new Error("the fixture lacks Vault");
  return template;
};
/** A code with another byte at every so many places. */
const changed = (code: Uint8Array, every: number): Uint8Array =>
  code.map((byte, index) => (index % every === 0 ? byte ^ 0xff : byte));
const nameOf = (found: FoundContract | undefined): unknown => found && [found.contract.name, found.recognition];

describe("a contract is recognised", () => {
  const { bytes, bodyLength } = templateOf("runtime");

  it("by its code, and then without its metadata", () => {
    expect(nameOf(finder.nearestRuntime(bytes))).toEqual(["Vault", "exact"]);
    const metadata = bytes.map((byte, index) => (index === bodyLength + 10 ? byte ^ 1 : byte));
    expect(nameOf(finder.nearestRuntime(metadata))).toEqual(["Vault", "withoutMetadata"]);
  });

  it("by the most similar code, if at most a tenth of it differs", () => {
    expect(nameOf(finder.nearestRuntime(changed(bytes, 20)))).toEqual(["Vault", "similar"]);
    expect(nameOf(finder.nearestRuntime(bytes.subarray(0, bodyLength - 30)))).toEqual(["Vault", "similar"]);
    expect(finder.nearestRuntime(changed(bytes, 9))).toBeUndefined();
    expect(finder.nearestRuntime(bytes.subarray(0, bodyLength / 2))).toBeUndefined();
  });

  it("only on request by similarity, because storage and coverage of another contract would be wrong", () => {
    expect(finder.findRuntime(changed(bytes, 20))).toBeUndefined();
  });

  it("by the beginning of its init code, which its constructor's arguments follow", () => {
    const init = templateOf("creation").bytes;
    const args = new Uint8Array(64).fill(7);
    expect(nameOf(finder.nearestCreation(concatBytes(init, args)))).toEqual(["Vault", "exact"]);
    expect(nameOf(finder.nearestCreation(concatBytes(changed(init, 20), args)))).toEqual(["Vault", "similar"]);
    expect(finder.nearestCreation(changed(init, 9))).toBeUndefined();
  });

  it("by the metadata at the end of its init code, without its source map", () => {
    const { bytes: init, bodyLength: length } = templateOf("creation");
    const other = changed(init, 9);
    other.set(init.subarray(length), length);
    const found = finder.nearestCreation(concatBytes(other, new Uint8Array(32)));
    expect(nameOf(found)).toEqual(["Vault", "similar"]);
    expect(found?.code.template.bytes.length).toBe(init.length);
    expect([...(found?.code.instructions.values() ?? [])].some(({ range }) => range !== undefined)).toBe(false);
    // Another contract that has it inside has more code after it.
    expect(finder.nearestCreation(concatBytes(other, new Uint8Array(53)))).toBeUndefined();
  });
});

it("shows a contract that adds no function to its base instead of the base, if their codes are equal", () => {
  const code = { object: "60016002fd", sourceMap: "" };
  const contract = { abi: [], evm: { bytecode: code, deployedBytecode: code, methodIdentifiers: {} } };
  const definition = (id: number, name: string, bases: readonly number[], nodes: readonly object[]): object => ({
    ...{ nodeType: "ContractDefinition", contractKind: "contract", src: "0:1:0" },
    ...{ id, name, linearizedBaseContracts: bases, nodes },
  });
  const own = { nodeType: "FunctionDefinition", kind: "constructor", id: 4, name: "", src: "0:1:0" };
  const namesOf = (derived: readonly object[]): unknown => {
    const nodes = [definition(1, "Same", [1, 2], derived), definition(2, "Base", [2], [own])];
    const output = {
      sources: { "a.sol": { id: 0, ast: { nodeType: "SourceUnit", nodes } } },
      contracts: { "a.sol": { Same: contract, Base: contract } },
    };
    const both = new ContractFinder();
    both.add(readBuild({ language: "Solidity", sources: { "a.sol": { content: " " } } }, output));
    const found = both.findCreation(new Uint8Array([0x60, 1, 0x60, 2, 0xfd]));
    return [found?.contract.name, found?.namesakes];
  };
  expect(namesOf([])).toEqual(["Same", ["Base"]]);
  expect(namesOf([{ ...own, id: 3 }])).toEqual(["Base", ["Same"]]);
});

it("marks every line of a contract whose code is only similar", async () => {
  const corpus = await Corpus.open("0.8.30-plain");
  const { provider } = corpus.node;
  const code = await provider.request({ method: "eth_getCode", params: [corpus.vault, "latest"] });
  const other = code.replace(Buffer.from("a reason").toString("hex"), Buffer.from("B reason").toString("hex"));
  expect(other).not.toBe(code);
  await provider.request({ method: "anvil_setCode", params: [corpus.vault, other as `0x${string}`] });
  const params = [{ to: corpus.vault, data: corpus.data("withReason") }] as const;
  const { frames, text } = await provider.request({ method: "hindcast_explainCall", params });
  expect(frames).toMatchObject([{ function: "withReason", recognition: "similar", isApproximate: true }]);
  expect(text).toContain("[line approximate; its code is only similar]");
  await corpus.node.close();
});
