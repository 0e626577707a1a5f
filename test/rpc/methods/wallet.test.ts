import { createWalletClient, http } from "viem";
import { expect, it } from "vitest";
import { aServedNode, BOB } from "../../support/a-node.ts";

it.each(["wallet_switchEthereumChain", "wallet_addEthereumChain"])("%s knows this chain alone", async (method) => {
  const { plain } = await aServedNode({ chainId: 77 });
  expect(await plain.ask(method, { chainId: "0x4d" })).toBeNull();
  expect((await plain.failure(method, { chainId: "0x1" })).code).toBe(4902);
});

it("permissions and assets are those of a wallet that has one chain", async () => {
  const { plain } = await aServedNode();
  const granted = [{ parentCapability: "eth_accounts", caveats: [] }];
  expect(await plain.ask("wallet_requestPermissions", { eth_accounts: {} })).toEqual(granted);
  expect(await plain.ask("wallet_getPermissions")).toEqual(granted);
  expect(await plain.ask("wallet_watchAsset", { type: "ERC20", options: {} })).toBe(true);
});

it("viem's clients watch assets, with params as EIP-747 has them", async () => {
  const { plain } = await aServedNode();
  const wallet = createWalletClient({ transport: http(plain.url, { retryCount: 0 }) });
  const options = { address: BOB, symbol: "T", decimals: 18 } as const;
  expect(await wallet.watchAsset({ type: "ERC20", options })).toBe(true);
});
