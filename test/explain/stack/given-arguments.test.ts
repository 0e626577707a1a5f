import { afterAll, beforeAll, expect, it } from "vitest";
import { stackText } from "../../../src/explain/stack/stack-text.ts";
import { ALICE } from "../../support/a-node.ts";
import { Corpus } from "./corpus.ts";

let corpus: Corpus;
beforeAll(async () => {
  corpus = await Corpus.open("0.8.30-plain");
});
afterAll(() => corpus.node.close());

const textOf = async (name: string, args: readonly unknown[]): Promise<string> => {
  const stack = await corpus.node.solidityStack(await corpus.send({ data: corpus.data(name, args) }));
  return stack === undefined ? "" : stackText(stack);
};

it("are shown for a function that is called from outside", async () => {
  expect(await textOf("limited", [101n])).toContain("at Vault.limited(value: 101) (src/Vault.sol:");
});

it("are shown for the outermost of several calls of a function only", async () => {
  const lines = (await textOf("recursive", [2n])).split("\n").filter((line) => line.includes("recursive ("));
  expect(lines).toHaveLength(2);
  expect(await textOf("recursive", [2n])).toContain("at Vault.recursive(depth: 2) (src/Vault.sol:");
});

it("are shown for constructors, and for calls by other contracts", async () => {
  const created = await textOf("creates", [1n]);
  expect(created).toContain("at Fragile.constructor(value: 1) (src/Vault.sol:");
  expect(created).toContain("at Vault.creates(value: 1) (src/Vault.sol:");
  expect(await textOf("callsProxy", [1n])).toContain("proxied(value: 1) (src/Vault.sol:");
});

it("are written as in call trees", async () => {
  const text = await textOf("decodes", [`0x${"ab".repeat(31)}`]);
  expect(text).toContain(`at Vault.decodes(data: 0x${"ab".repeat(31)}) (`);
  const [line = ""] = (await textOf("slices", [`0x${"ab".repeat(4)}`]))
    .split("\n")
    .filter((each) => each.includes("at "));
  expect(line).toContain("(data: 0xabababab)");
});

it("are part of the answers over JSON-RPC, and null for internal functions", async () => {
  const params = [{ from: ALICE, to: corpus.vault, data: corpus.data("recursive", [1n]) }] as const;
  const { frames } = await corpus.node.provider.request({ method: "hindcast_explainCall", params });
  expect(frames.map((frame) => frame.arguments)).toEqual([[{ name: "depth", type: "uint256", value: "1" }], null]);
});
