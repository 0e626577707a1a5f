/** Artifacts that clients add, as the builds of large projects are. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createNode } from "../../../../src/index.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { isSlow } from "../../../support/seed.ts";

/** A build whose sources have a number of contracts, each with a function and an AST of some values. */
function buildOf(count: number, abiOf: (index: number) => unknown = plainAbi) {
  const names = Array.from({ length: count }, (_, index) => `C${index}`);
  const named = <Value>(make: (index: number) => Value): Record<string, Value> =>
    Object.fromEntries(names.map((name, index) => [`${name}.sol`, make(index)]));
  return {
    input: { language: "Solidity", sources: named(() => ({ content: "contract C { function f() public {} }" })) },
    output: {
      sources: named((id) => ({ id, ast: { nodeType: "SourceUnit", nodes: [definitionOf(id)] } })),
      contracts: named((index) => ({
        [names[index] as string]: {
          abi: abiOf(index),
          evm: { deployedBytecode: { object: `60${index.toString(16).padStart(4, "0")}5000` } },
        },
      })),
    },
  };
}

const plainAbi = (index: number): unknown => [{ type: "function", name: `f${index}`, inputs: [], outputs: [] }];

const definitionOf = (id: number) => ({
  nodeType: "ContractDefinition",
  id,
  name: `C${id}`,
  src: "0:38:0",
  nodes: [{ nodeType: "FunctionDefinition", id: id + 1_000, name: "f", kind: "function", src: "13:20:0" }],
});

async function aProvider() {
  const node = await createNode();
  const add = (artifact: unknown, owner?: object): Promise<string[]> =>
    node.provider.request({ method: "hindcast_addArtifact", params: [artifact, owner] as never });
  return { node, add };
}

const dataOf = (value: unknown) => encodeData(new TextEncoder().encode(JSON.stringify(value)));
const packed = (value: unknown) => encodeData(gzipSync(JSON.stringify(value)));

describe("hindcast_addArtifact", () => {
  it("takes a build of more values than other requests may have", async () => {
    const { node, add } = await aProvider();
    const names = await add(buildOf(700));
    expect(names).toHaveLength(700);
    const contract = node.abi.contractAt(undefined, new Uint8Array([0x60, 0x00, 0x07, 0x50, 0x00]));
    expect(contract?.name).toBe("C7");
    await node.close();
  });

  it.each([
    ["as it is", dataOf],
    ["gzipped", packed],
  ])("takes the text of a build, %s", async (_, form) => {
    const { node, add } = await aProvider();
    expect(await add(form(buildOf(3)))).toEqual(["C0", "C1", "C2"]);
    expect(node.abi.contractAt(undefined, new Uint8Array([0x60, 0x00, 0x02, 0x50, 0x00]))?.name).toBe("C2");
    await node.close();
  });

  it("takes the text of an ABI for an account", async () => {
    const { node, add } = await aProvider();
    const address = "0x00000000000000000000000000000000000a11ce";
    expect(await add(packed(plainAbi(1)), { name: "Alice", address })).toEqual(["Alice"]);
    await node.close();
  });

  it("says of bytes that are no JSON what it takes", async () => {
    const { node, add } = await aProvider();
    const error = { code: -32602, message: expect.stringMatching(/cannot be read.*gzipped or not/s) };
    await expect(add("0xc0ffee")).rejects.toMatchObject(error);
    await expect(add("0x1f8b0800")).rejects.toMatchObject(error);
    await node.close();
  });

  if (isSlow) {
    it("refuses a small text that unpacks to more than 64 MiB", async () => {
      const { node, add } = await aProvider();
      const bomb = encodeData(gzipSync(new Uint8Array(65 * 1024 * 1024).fill(0x20)));
      await expect(add(bomb)).rejects.toMatchObject({ code: -32005, data: { limit: 64 * 1024 * 1024, flag: null } });
      await node.close();
    });
  }

  if (isSlow) {
    it("refuses an ABI of more than 100,000 values, in a build too, and adds nothing", async () => {
      const { node, add } = await aProvider();
      const abi = Array.from({ length: 50_001 }, () => ({ type: "fallback" }));
      const error = { code: -32005, data: { limit: 100_000, flag: null } };
      await expect(add(abi, { name: "Many" })).rejects.toMatchObject(error);
      await expect(add(packed(buildOf(2, (index) => (index === 1 ? abi : []))))).rejects.toMatchObject(error);
      expect(node.abi.isEmpty).toBe(true);
      await node.close();
    });
  }

  it("refuses a text that is nested deeply", async () => {
    const { node, add } = await aProvider();
    const deep = encodeData(new TextEncoder().encode(`{"abi":${"[".repeat(100_000)}${"]".repeat(100_000)}}`));
    await expect(add(deep)).rejects.toMatchObject({ code: -32005, data: { limit: 256, flag: null } });
    await node.close();
  });
});
