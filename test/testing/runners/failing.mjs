// Run by runners.slow.ts with `node --test`; by itself it is no part of the suite. Its second and its fourth test fail.
import { readFileSync } from "node:fs";
import { before, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { useHindcast } from "hindcast/node-test";

const build = new URL("../../../fixtures/solidity-stacks/0.8.30-plain.json.br", import.meta.url);
const { input, output } = JSON.parse(brotliDecompressSync(readFileSync(build)).toString("utf8"));
const { abi, evm } = output.contracts["src/Vault.sol"].Vault;
const TO = `0x${"77".repeat(20)}`;
const chain = useHindcast();
const call = (data) => chain.provider.request({ method: "eth_call", params: [{ to: TO, data }] });

before(async () => {
  const node = await chain.ready();
  node.abi.addBuild(input, output);
  const code = `0x${evm.deployedBytecode.object.replace(/__.{38}/g, "0".repeat(40))}`;
  await node.provider.request({ method: "anvil_setCode", params: [TO, code] });
});

const overflow = `0x${evm.methodIdentifiers["overflow(uint256)"]}${"f".repeat(64)}`;

it("passes, though a request fails in it", async () => {
  if (!abi.some(({ name }) => name === "overflow")) throw new Error("Vault has changed");
  await call(overflow).catch(() => undefined);
});
it("fails", async () => {
  await call(overflow);
});
it("passes again", () => undefined);
it("fails by what it mined", async () => {
  const [from] = await chain.provider.request({ method: "eth_accounts" });
  const params = [{ from, to: TO, data: overflow, gas: "0x30000" }];
  const hash = await chain.provider.request({ method: "eth_sendTransaction", params });
  const { status } = await chain.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  if (status !== "0x1") throw new Error("the transaction reverted");
});
