import { expect, it } from "vitest";
import { type BannerFacts, buildBanner, listeningLine } from "../../../src/cli/output/banner.ts";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";

const facts: BannerFacts = {
  version: "1.2.3",
  accounts: [
    {
      address: decodeData("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"),
      privateKey: decodeData("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"),
      balance: 10_000n * 10n ** 18n + 1n,
    },
    {
      address: decodeData("0x70997970c51812dc3a010c7d01b50e0d17dc79c8"),
      privateKey: decodeData("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"),
      balance: 5n * 10n ** 16n,
    },
  ],
  mnemonic: "test test test test test test test test test test test junk",
  derivationPath: "m/44'/60'/0'/0/",
  chainId: 31_337n,
  hardfork: "osaka",
  engine: "wasm",
  dialect: undefined,
  baseFeePerGas: 1_000_000_000n,
  gasLimit: 30_000_000n,
  genesisTimestamp: 1_700_000_000n,
  genesisNumber: 0n,
  headNumber: 0n,
  dataDir: undefined,
  fork: undefined,
  shared: false,
};

const headings = (text: string) => [...text.matchAll(/^(.+)\n=+$/gm)].map(([, title]) => title);

it("lists accounts, keys, wallet and chain in the order people know", () => {
  const banner = buildBanner(facts);
  expect(headings(banner)).toEqual([
    "Available Accounts",
    "Private Keys",
    "Wallet",
    "Chain ID",
    "Hardfork",
    "Engine",
    "Base Fee",
    "Gas Limit",
    "Genesis Timestamp",
    "Genesis Number",
  ]);
  expect(banner).toMatch(/^hindcast 1\.2\.3\n/);
});

it("shows checksummed addresses with their balance, and keys under the same numbers", () => {
  const lines = buildBanner(facts).split("\n");
  expect(lines).toContain("(0) 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 (10000.000000000000000001 ETH)");
  expect(lines).toContain("(1) 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 (0.050000000000000000 ETH)");
  expect(lines).toContain("(0) 0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
  expect(lines).toContain("Mnemonic:          test test test test test test test test test test test junk");
  expect(lines).toContain("Derivation path:   m/44'/60'/0'/0/");
});

it("says nothing of keys when there are no accounts", () => {
  const banner = buildBanner({ ...facts, accounts: [] });
  expect(headings(banner)[0]).toBe("Chain ID");
  expect(banner).not.toContain("Mnemonic");
});

it("leaves out base fee and hardfork of a chain that has none, or many", () => {
  const titles = headings(buildBanner({ ...facts, baseFeePerGas: undefined, hardfork: undefined }));
  expect(titles).not.toContain("Base Fee");
  expect(titles).not.toContain("Hardfork");
});

it.each([
  ["osaka", "osaka"],
  ["bpo2", "bpo2"],
  ["amsterdam", "amsterdam (experimental)"],
])("shows the hardfork %s as %s", (hardfork, text) => {
  expect(buildBanner({ ...facts, hardfork })).toContain(`\nHardfork\n========\n${text}\n`);
});

it("names the head of a chain that has blocks", () => {
  expect(buildBanner({ ...facts, headNumber: 54n })).toContain("Head Number\n===========\n54\n");
});

it("says what a data folder does not keep", () => {
  const banner = buildBanner({ ...facts, dataDir: "./chain" });
  expect(banner).toContain("./chain\nNot stored there: pending transactions, snapshots, filters, impersonation.");
});

it("ends with the address, an IPv6 one in brackets", () => {
  expect(listeningLine("127.0.0.1", 8545)).toBe("Listening on 127.0.0.1:8545");
  expect(listeningLine("::1", 1)).toBe("Listening on [::1]:1");
});
