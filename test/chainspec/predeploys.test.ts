/** Predeployed contracts against what their deployments on mainnet leave: `fixtures/predeploys/README.md`. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { InvalidParamsError } from "../../src/errors/hindcast-error.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import { ALICE, aNode, aServedNode, NOBODY, wordText } from "../support/a-node.ts";
import { send } from "../support/contracts.ts";

const CREATE2_DEPLOYER = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";
const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";
const ENTRY_POINT = "0x0000000071727de22e5e9d8baf0edac6f37da032";
const SENDER_CREATOR = "0xefc2c1444ebcc4db75e7613d20c6a62ff67a167c";
const ALL = ["multicall3", "create2", "entrypoint", "permit2"] as const;

/** What mainnet's deployments sent to the CREATE2 deployer, without the code. */
const SALTS = {
  permit2: "0000000000000000000000000000000000000000d3af2663da51c10215000000",
  entrypoint: "90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3",
} as const;

function initCode(name: keyof typeof SALTS): string {
  const file = new URL(`../../fixtures/predeploys/${name}.hex`, import.meta.url);
  return readFileSync(file, "utf8").replaceAll("\n", "");
}

async function accountOf({ provider }: HindcastNode, address: Hex) {
  return {
    code: await provider.request({ method: "eth_getCode", params: [address] }),
    nonce: await provider.request({ method: "eth_getTransactionCount", params: [address] }),
    storageHash: (await provider.request({ method: "eth_getProof", params: [address, [], "latest"] })).storageHash,
  };
}

describe("predeployed contracts", () => {
  it("are what mainnet's deployments leave at mainnet's addresses: code, nonce and storage", async () => {
    const mainnet = await aNode({ chainId: 1, hardfork: "cancun" });
    for (const name of ["permit2", "entrypoint"] as const) {
      await send(mainnet, { to: CREATE2_DEPLOYER, data: `0x${SALTS[name]}${initCode(name)}` });
    }
    const node = await aNode({ predeploy: ALL, hardfork: "london" });
    for (const address of [PERMIT2, ENTRY_POINT, SENDER_CREATOR] as const) {
      const account = await accountOf(node, address);
      expect(account.code.length).toBeGreaterThan(500);
      expect(account).toEqual(await accountOf(mainnet, address));
    }
  });

  it.each([
    [MULTICALL3, "0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891"],
    [CREATE2_DEPLOYER, "0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989"],
  ] as const)("%s has the code whose hash mainnet has there", async (address, hash) => {
    const { code } = await accountOf(await aNode({ predeploy: ALL }), address);
    expect(encodeData(keccak256(decodeData(code)))).toBe(hash);
  });

  it("work: Multicall3 tells the chain id, Permit2 its domain on this chain", async () => {
    const { plain } = await aServedNode({ predeploy: ["multicall3", "permit2"], chainId: 31_337 });
    // getChainId()
    expect(await plain.ask("eth_call", { to: MULTICALL3, data: "0x3408e470" })).toBe(wordText(31_337));
    const separator = keccak256(
      decodeData(
        `${encodeData(keccak256(new TextEncoder().encode("EIP712Domain(string name,uint256 chainId,address verifyingContract)")))}${encodeData(
          keccak256(new TextEncoder().encode("Permit2")),
        ).slice(2)}${wordText(31_337).slice(2)}${"00".repeat(12)}${PERMIT2.slice(2)}`,
      ),
    );
    // DOMAIN_SEPARATOR()
    expect(await plain.ask("eth_call", { to: PERMIT2, data: "0x3644e515" })).toBe(encodeData(separator));
  });

  it("are not there unless they are asked for", async () => {
    const node = await aNode({ create2Deployer: false });
    for (const address of [MULTICALL3, PERMIT2, ENTRY_POINT, CREATE2_DEPLOYER] as const) {
      expect((await accountOf(node, address)).code).toBe("0x");
    }
    const asked = await aNode({ create2Deployer: false, predeploy: ["create2"] });
    expect((await accountOf(asked, CREATE2_DEPLOYER)).code).not.toBe("0x");
  });

  it("come to a fork of a chain that has none of them, and leave what it has", async () => {
    const upstream = await aServedNode({ create2Deployer: false });
    await upstream.plain.ask("anvil_setCode", PERMIT2, "0x00");
    const fork = await aNode({ fork: { url: upstream.plain.url, cache: false }, predeploy: ["multicall3", "permit2"] });
    const { provider } = fork;
    expect(await provider.request({ method: "eth_call", params: [{ to: MULTICALL3, data: "0x3408e470" }] })).toBe(
      wordText(31_337),
    );
    expect(await provider.request({ method: "eth_getCode", params: [PERMIT2] })).toBe("0x00");
  });

  it("are refused under a name that there is not, and beside a genesis", async () => {
    await expect(aNode({ predeploy: ["permit3"] as never })).rejects.toThrow(InvalidParamsError);
    await expect(aNode({ genesis: { alloc: {} }, predeploy: ["permit2"] })).rejects.toThrow("a genesis settles it");
  });
});

describe("accounts by private key", () => {
  const KEY = `0x${"11".repeat(32)}` as const;
  const ADDRESS = "0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a";

  it("take the place of the mnemonic's, each with its balance", async () => {
    const other = `0x${"22".repeat(32)}`;
    const { plain } = await aServedNode({ accounts: [{ privateKey: KEY, balance: 7n }, { privateKey: other }] });
    const [first, second] = await plain.ask<[Hex, Hex]>("eth_accounts");
    expect(first).toBe(ADDRESS);
    expect(await plain.ask("eth_getBalance", first, "latest")).toBe("0x7");
    expect(await plain.ask("eth_getBalance", second, "latest")).toBe("0x21e19e0c9bab2400000");
    expect(await plain.ask("eth_getBalance", ALICE, "latest")).toBe("0x0");
    await plain.ask("eth_sendTransaction", { from: second, to: NOBODY, value: "0x5" });
    expect(await plain.ask("eth_getBalance", NOBODY, "latest")).toBe("0x5");
  });

  it("are funded on a fork, too", async () => {
    const upstream = await aServedNode();
    const fork = { url: upstream.plain.url, cache: false };
    const node = await aNode({ fork, accounts: [{ privateKey: KEY, balance: 9n }] });
    expect(await node.provider.request({ method: "eth_getBalance", params: [ADDRESS, "latest"] })).toBe("0x9");
  });

  it.each([
    ["zero", [{ privateKey: wordText(0) }], "no key of secp256k1"],
    ["a short one", [{ privateKey: "0x11" }], "a list of { privateKey, balance }"],
    ["one that is there twice", [{ privateKey: KEY }, { privateKey: KEY }], "the same key"],
    ["a balance that is no bigint", [{ privateKey: KEY, balance: 5 }], "a list of { privateKey, balance }"],
  ])("refuse %s, and do not show a key", async (_name, accounts, message) => {
    const opening = aNode({ accounts: accounts as never });
    await expect(opening).rejects.toThrow(message);
  });
});
