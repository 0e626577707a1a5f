/** The README's claims about client libraries: they accept the provider as it is. */
import { BrowserProvider, parseEther as ether } from "ethers";
import { createPublicClient, createWalletClient, custom, http, parseEther } from "viem";
import { foundry } from "viem/chains";
import { expect, it } from "vitest";
import { ALICE, aNode, aServedNode, BOB } from "../support/a-node.ts";

it("viem sends and reads through node.provider", async () => {
  const node = await aNode();
  const transport = custom(node.provider);
  const wallet = createWalletClient({ chain: foundry, transport });
  const reader = createPublicClient({ chain: foundry, transport });
  const hash = await wallet.sendTransaction({ account: ALICE, to: BOB, value: parseEther("1.5") });
  const receipt = await reader.getTransactionReceipt({ hash });
  expect(receipt).toMatchObject({ status: "success", blockNumber: 1n, gasUsed: 21_000n });
  expect(await reader.getBalance({ address: BOB })).toBe(parseEther("10001.5"));
});

it("viem names a revert's reason over HTTP", async () => {
  const { plain } = await aServedNode();
  const reader = createPublicClient({ chain: foundry, transport: http(plain.url) });
  // Runs as init code: stores Error("no") in memory and reverts with it.
  const reason = `08c379a0${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6e6f".padEnd(64, "0")}`;
  const copyAndRevert = "6064600c60003960646000fd";
  await expect(reader.call({ data: `0x${copyAndRevert}${reason}` })).rejects.toThrow("no");
});

it("ethers sends and reads through node.provider", async () => {
  const node = await aNode();
  const provider = new BrowserProvider(node.provider);
  const signer = await provider.getSigner(ALICE);
  const sent = await signer.sendTransaction({ to: BOB, value: ether("0.5") });
  const receipt = await sent.wait();
  expect(receipt).toMatchObject({ status: 1, blockNumber: 1 });
  expect(await provider.getBalance(BOB)).toBe(ether("10000.5"));
  provider.destroy();
});
