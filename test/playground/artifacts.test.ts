import { describe, expect, it } from "vitest";
import { contractsIn } from "../../src/playground/artifacts.ts";

const ABI = [{ type: "constructor", stateMutability: "payable", inputs: [{ name: "owner", type: "address" }] }];
const OWNER = { name: "owner", type: "address", components: [] };

describe("the contracts of", () => {
  it("an artifact of Hardhat or Truffle", () => {
    const artifact = { contractName: "Vault", sourceName: "src/Vault.sol", abi: ABI, bytecode: "0x6001" };
    expect(contractsIn("any", artifact)).toEqual([
      { name: "src/Vault.sol:Vault", bytecode: "0x6001", inputs: [OWNER], isPayable: true },
    ]);
    expect(contractsIn("any", { contractName: "Vault", abi: [], bytecode: "6001" })).toEqual([
      { name: "Vault", bytecode: "0x6001", inputs: [], isPayable: false },
    ]);
  });

  it("an artifact of Foundry, which is named by its metadata, or by its file", () => {
    const artifact = { abi: ABI, bytecode: { object: "0x6001", linkReferences: {} } };
    const metadata = { settings: { compilationTarget: { "src/Vault.sol": "Vault" } } };
    expect(contractsIn("Vault", { ...artifact, metadata })).toMatchObject([{ name: "src/Vault.sol:Vault" }]);
    expect(contractsIn("Vault", artifact)).toMatchObject([{ name: "Vault", inputs: [OWNER] }]);
  });

  it("a build of Hardhat, its output alone, and the compiler's own", () => {
    const contracts = {
      "a.sol": { One: { abi: ABI, evm: { bytecode: { object: "6001" } } } },
      "b.sol": { Two: { abi: [], evm: { bytecode: { object: "6002" } } } },
    };
    for (const build of [{ output: { contracts } }, { contracts }])
      expect(contractsIn("any", build).map(({ name, bytecode }) => [name, bytecode])).toEqual([
        ["a.sol:One", "0x6001"],
        ["b.sol:Two", "0x6002"],
      ]);
  });

  it("parameters of tuples, whose members may have no name", () => {
    const pair = { type: "tuple", components: [{ name: "first", type: "uint8" }, { type: "bytes" }] };
    const abi = [{ type: "constructor", inputs: [pair] }];
    expect(contractsIn("Pair", { abi, bytecode: "0x00" })[0]?.inputs).toEqual([
      {
        name: "",
        type: "tuple",
        components: [
          { name: "first", type: "uint8", components: [] },
          { name: "", type: "bytes", components: [] },
        ],
      },
    ]);
  });
});

describe("nothing is deployed", () => {
  it.each([
    ["an interface", { abi: [], bytecode: "0x" }],
    ["a contract that waits for libraries", { abi: [], bytecode: { object: "0x6001__$abc$__00" } }],
    ["an ABI", [{ type: "function", name: "f", inputs: [] }]],
    ["a code without an ABI", { bytecode: "0x6001" }],
    ["a build whose contracts are no objects", { output: { contracts: { "a.sol": 7, "b.sol": { B: null } } } }],
    ["an empty object", {}],
  ])("of %s", (_what, document) => {
    expect(contractsIn("any", document)).toEqual([]);
  });
});
