/** The ABIs a node knows: what wrong ones are answered with, artifact folders, and which of several explains a call. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { encodeAbiParameters, encodeEventTopics, encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { AbiRegistry } from "../../src/explain/abi/registry.ts";
import { CodeTemplate } from "../../src/explain/source/code-template.ts";
import { EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { aFolder } from "../support/a-folder.ts";
import { readBuildFile } from "./stack/corpus.ts";

const tokenAbi = parseAbi([
  "function transfer(address to, uint256 amount) returns (bool)",
  "event Transfer(address indexed from, address indexed to, uint256 amount)",
]);
const TRANSFER = decodeData(
  encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [`0x${"22".repeat(20)}`, 5n] }),
);

/** A folder with these files. */
async function aFolderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await aFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

describe("add", () => {
  it.each([
    [undefined, "abi: expected an array of ABI items, got nothing."],
    ["function f()", 'abi: expected an array of ABI items, got "function f()".'],
    [{ abi: 1 }, "abi: expected an array of ABI items, got 1."],
    [() => 1, "abi: expected an array of ABI items, got a function."],
    [[1], "abi[0]: expected an object, got 1."],
    [[{ type: "method" }], 'abi[0].type: expected one of function, event, error, constructor, got "method".'],
    [[{ type: "event" }], "abi[0].name: expected a string, got nothing."],
    [[{ type: "function", name: "f", inputs: {} }], "abi[0].inputs: expected an array, got {}."],
    [
      [{ type: "function", name: "f", inputs: [{ type: "uint7" }] }],
      'abi[0].inputs[0].type: expected an ABI type such as "uint256", got "uint7".',
    ],
    [
      [{ type: "function", name: "f", inputs: [], outputs: [{ type: "bytes33" }] }],
      'abi[0].outputs[0].type: expected an ABI type such as "uint256", got "bytes33".',
    ],
    [
      [{ type: "error", name: "E", inputs: [{ type: "tuple[]" }] }],
      "abi[0].inputs[0].components: expected the members of the tuple, got nothing.",
    ],
  ])("refuses %j", (abi, problem) => {
    const registry = new AbiRegistry();
    expect(() => registry.add(abi)).toThrow(
      `${problem} Give the JSON ABI that the compiler wrote, or an object with it as its member \`abi\`.`,
    );
    expect(registry.isEmpty).toBe(true);
  });

  it("refuses what has no JSON", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    const registry = new AbiRegistry();
    expect(() => registry.add([10n])).toThrow("abi[0]: expected an object, got 10n.");
    expect(() => registry.add(circle)).toThrow("nested more than 256 deep");
  });

  it("takes an ABI, an artifact, `uint` for `uint256`, and passes over receive and fallback", () => {
    const inputs = [
      { name: "to", type: "address" },
      { name: "amount", type: "uint" },
    ];
    const abi = [{ type: "receive" }, { type: "fallback" }, { name: "transfer", inputs }];
    for (const given of [abi, { abi }]) {
      const registry = new AbiRegistry();
      registry.add(given);
      const values = registry.decodeCall(TRANSFER)?.arguments.map(({ value }) => value);
      expect(values).toEqual([`0x${"22".repeat(20)}`, 5n]);
    }
  });

  it("asks the nearest contract first, then the one added last, and none that does not fit", () => {
    const named = (name: string, types: string[]) => [
      { type: "function", name, inputs: types.map((type, index) => ({ name: `p${index}`, type })) },
    ];
    // Two functions of one selector, found by search.
    const first = named("collate_propagate_storage", ["bytes16"]);
    const second = named("burn", ["uint256"]);
    const call = decodeData(
      encodeFunctionData({ abi: parseAbi(["function burn(uint256)"]), functionName: "burn", args: [1n << 255n] }),
    );
    const registry = new AbiRegistry();
    registry.add(second, { name: "Token", address: new Uint8Array(20) });
    registry.add(first);
    expect(registry.decodeCall(call)?.item.name).toBe("collate_propagate_storage");
    expect(registry.decodeCall(call, registry.contractAt(new Uint8Array(20), EMPTY_BYTES))?.item.name).toBe("burn");
    expect(registry.decodeCall(call.subarray(0, 20))).toBeUndefined();
    expect(registry.decodeCall(Uint8Array.of(1, 2, 3, 4))).toBeUndefined();
  });

  it("tells events of one signature apart by what is indexed", () => {
    const registry = new AbiRegistry();
    const plain = parseAbi(["event Transfer(address from, address to, uint256 amount)"]);
    registry.add(plain);
    registry.add(tokenAbi);
    const from: Hex = `0x${"11".repeat(20)}`;
    const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Transfer", args: { from, to: from } }) as Hex[];
    const data = encodeAbiParameters([{ type: "uint256" }], [7n]);
    const event = registry.decodeEvent(topics.map(decodeData), decodeData(data));
    expect(event?.arguments.map(({ value }) => value)).toEqual([from, from, 7n]);
    const all = encodeAbiParameters([{ type: "address" }, { type: "address" }, { type: "uint256" }], [from, from, 8n]);
    const unindexed = registry.decodeEvent(topics.slice(0, 1).map(decodeData), decodeData(all));
    expect(unindexed?.arguments.at(-1)?.value).toBe(8n);
    expect(registry.decodeEvent([], EMPTY_BYTES)).toBeUndefined();
  });
});

describe("addArtifacts", () => {
  const code = "0x6001600255";

  it("reads Hardhat's and Foundry's folders and knows contracts by their code", async () => {
    const folder = await aFolderWith({
      "contracts/Token.sol/Token.json": {
        contractName: "Token",
        abi: tokenAbi,
        bytecode: "0x60aa",
        deployedBytecode: code,
      },
      "contracts/Token.sol/Token.dbg.json": { buildInfo: "x" },
      "contracts/IToken.sol/IToken.json": {
        contractName: "IToken",
        abi: tokenAbi,
        bytecode: "0x",
        deployedBytecode: "0x",
      },
      "Vault.sol/Vault.json": { abi: [], bytecode: { object: "0x60bb" }, deployedBytecode: { object: `${code}00` } },
      "build-info/huge.json": "not read",
      "artifacts.d.ts": "not read",
      "notes.json": { hello: "world" },
    });
    const registry = new AbiRegistry();
    expect(await registry.addArtifacts(folder)).toEqual(["Vault", "IToken", "Token"]);
    expect(registry.contractAt(undefined, decodeData(code))?.name).toBe("Token");
    expect(registry.contractAt(undefined, decodeData(`${code}00`))?.name).toBe("Vault");
    expect(registry.contractAt(undefined, decodeData("0x00"))).toBeUndefined();
    const made = registry.contractOf(decodeData("0x60bb0102"));
    expect(made?.contract.name).toBe("Vault");
    expect(made?.arguments).toEqual(Uint8Array.of(1, 2));
    // An interface has no code, which is no reason to take every account without code for it.
    expect(registry.contractAt(undefined, EMPTY_BYTES)).toBeUndefined();
  });

  it.each([
    ["build-info itself", "build-info"],
    ["a folder with nothing else but build-info", ""],
  ])("takes the contracts of %s, with their sources", async (_name, named) => {
    const folder = await aFolderWith({ "build-info/one.json": readBuildFile("0.8.30-plain") });
    const registry = new AbiRegistry();
    expect(await registry.addArtifacts(join(folder, named))).toContain("Vault");
    const contracts = await registry.builds.contractsWhere(() => true, []);
    const vault = contracts.all.find(({ name }) => name === "Vault")?.runtime?.template.bytes;
    expect(registry.contractAt(undefined, vault ?? EMPTY_BYTES)?.name).toBe("Vault");
  });

  it("says why build-info has no contracts", async () => {
    const folder = await aFolderWith({ "build-info/one.json": { id: "1", source_id_to_path: {} } });
    const path = join(folder, "build-info", "one.json");
    await expect(new AbiRegistry().addArtifacts(join(folder, "build-info"))).rejects.toMatchObject({
      code: "NO_ARTIFACTS",
      message: `There is no contract in ${join(folder, "build-info")}. ${path} has no input or output of the compiler. Set build_info = true and ast = true in foundry.toml, and build with --force. Compile first, and name Hardhat's folder artifacts or Foundry's folder out.`,
    });
  });

  it("names the file with a wrong ABI, and adds nothing then", async () => {
    const folder = await aFolderWith({ "A.json": { abi: tokenAbi }, "B.json": { abi: [{ type: "event" }] } });
    const registry = new AbiRegistry();
    await expect(registry.addArtifacts(folder)).rejects.toMatchObject({
      code: "INVALID_ABI",
      message: expect.stringContaining(`${join(folder, "B.json")}: abi[0].name: expected a string, got nothing.`),
    });
    expect(registry.isEmpty).toBe(true);
  });

  it("says when a folder is not there, holds no artifacts, or a file is no JSON", async () => {
    const registry = new AbiRegistry();
    await expect(registry.addArtifacts("/nowhere/at/all")).rejects.toMatchObject({ code: "FILE_NOT_READABLE" });
    await expect(registry.addArtifacts(await aFolderWith({ "notes.json": {} }))).rejects.toMatchObject({
      code: "NO_ARTIFACTS",
    });
    await expect(registry.addArtifacts(await aFolderWith({ "A.json": "{" }))).rejects.toMatchObject({
      code: "FILE_NOT_READABLE",
      message: expect.stringContaining("A.json"),
    });
  });
});

describe("code of an artifact", () => {
  const parsed = (object: string): CodeTemplate | undefined => CodeTemplate.parse({ object }, true);

  it("matches with its immutables and libraries filled in, and nothing else", () => {
    const library = "12".repeat(20);
    const immutable = "34".repeat(32);
    const template = parsed(`0x60017f${"00".repeat(32)}73__$${"a".repeat(34)}$__00`);
    if (template === undefined) throw new Error("not parsed");
    const code = (last: string): Uint8Array => decodeData(`0x60017f${immutable}73${library}${last}`);
    expect(template.matches(code("00"))).toBe(true);
    expect(template.matches(code("01"))).toBe(false);
    expect(template.matches(code("0000"))).toBe(false);
    expect(template.begins(code("0000"))).toBe(true);
  });

  it("has no gaps in what other instructions push", () => {
    const template = parsed(`0x607f${"00".repeat(32)}5b`);
    expect(template?.matches(decodeData(`0x607f${"00".repeat(32)}5b`))).toBe(true);
    expect(template?.matches(decodeData(`0x607f${"11".repeat(32)}5b`))).toBe(false);
    const behind = parsed(`0x61737f7f${"00".repeat(32)}5b`);
    expect(behind?.matches(decodeData(`0x61737f7f${"11".repeat(32)}5b`))).toBe(true);
  });

  it("is not read from other text", () => {
    expect(parsed("0x123")).toBeUndefined();
    expect(parsed("hello")).toBeUndefined();
    expect(parsed("")).toBeUndefined();
  });
});
