import { createBlockFromRLP } from "@ethereumjs/block";
import { Common, Mainnet } from "@ethereumjs/common";
import { MerkleStateManager } from "@ethereumjs/statemanager";
import { Account, Address } from "@ethereumjs/util";
import { createVM, runBlock } from "@ethereumjs/vm";
import { describe, expect, it } from "vitest";
import { devGenesis } from "../../src/chainspec/genesis/dev-genesis.ts";
import { type Hardfork, isAtLeast } from "../../src/chainspec/hardforks/hardforks.ts";
import { BUILDER_EXITS_ADDRESS, WITHDRAWAL_REQUESTS_ADDRESS } from "../../src/chainspec/system-contracts.ts";
import { createNode } from "../../src/node/create-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { REFERENCE_HARDFORKS, SELECTED_HARDFORKS } from "../support/evm.ts";
import { sweep } from "../support/seed.ts";

/** Deploys a contract that stores its call data, emits a log and sends back what it was paid. */
const INIT_CODE = "0x601a600c600039601a6000f36000356020355560006000a060006000600060003433617530f1500000";
const TIMESTAMP = 1_700_000_000n;

/** Blocks of a chain with a creation, calls that succeed, fail and refund, and transfers. */
async function someBlocks(hardfork: Hardfork): Promise<{ blocks: Uint8Array[]; accounts: Uint8Array[] }> {
  let now = TIMESTAMP;
  await using node = await createNode({
    hardfork,
    timestamp: TIMESTAMP,
    clock: () => now++,
    mining: "manual",
    accounts: 3,
  });
  const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params) as Promise<never>;
  const [from, to] = (await ask("eth_accounts")) as string[];
  const created = await ask("eth_sendTransaction", { from, data: INIT_CODE, gas: "0x80000" });
  await ask("eth_sendTransaction", { from, to, value: "0x7", gas: "0x5208" });
  await node.mine();
  const { contractAddress } = (await ask("eth_getTransactionReceipt", created)) as { contractAddress: string };
  const word = (value: number): string => value.toString(16).padStart(64, "0");
  for (const [slot, value] of [
    [1, 5],
    [1, 0],
    [2, 9],
  ] as const) {
    const data = `0x${word(slot)}${word(value)}`;
    await ask("eth_sendTransaction", { from, to: contractAddress, data, value: "0x1", gas: "0x20000" });
    await ask("eth_sendTransaction", { from: to, to: contractAddress, data, gas: "0x5600" });
    await node.mine();
  }
  // EIP-7002: the fee, and a key and an amount. EIP-8282: the fee, and a key.
  const requests = { value: "0x1", gas: "0x80000" };
  const requested = { from, to: encodeData(WITHDRAWAL_REQUESTS_ADDRESS), data: `0x${"11".repeat(56)}`, ...requests };
  if (isAtLeast(hardfork, "prague")) await ask("eth_sendTransaction", requested);
  const leaving = { from, to: encodeData(BUILDER_EXITS_ADDRESS), data: `0x${"22".repeat(48)}`, ...requests };
  if (isAtLeast(hardfork, "amsterdam")) await ask("eth_sendTransaction", leaving);
  await node.mine();
  return { blocks: [...node.exportChain()], accounts: node.accounts.map(({ address }) => address) };
}

/** EthereumJS' own VM on the same genesis. */
async function referenceVm(hardfork: Hardfork, accounts: Uint8Array[]) {
  const common = new Common({ chain: { ...Mainnet, chainId: "31337" }, hardfork });
  const stateManager = new MerkleStateManager({ common });
  const genesis = devGenesis({
    hardfork,
    chainId: 31_337n,
    accounts: accounts.map((address) => ({ address, balance: 10_000n * 10n ** 18n })),
    gasLimit: 30_000_000n,
    timestamp: TIMESTAMP,
    create2Deployer: true,
  });
  await stateManager.checkpoint();
  for (const { address, nonce, balance, code } of genesis.alloc) {
    await stateManager.putAccount(new Address(address), new Account(nonce, balance));
    if (code.length > 0) await stateManager.putCode(new Address(address), code);
  }
  await stateManager.commit();
  return { common, vm: await createVM({ common, stateManager }) };
}

describe("blocks we mine", () => {
  it.each(
    sweep(
      REFERENCE_HARDFORKS.filter((name) => !name.startsWith("bpo")),
      (hardfork) => SELECTED_HARDFORKS.has(hardfork),
    ),
  )("run in EthereumJS' VM to the same roots, receipts, gas and access lists (%s)", async (hardfork) => {
    const { blocks, accounts } = await someBlocks(hardfork);
    const { common, vm } = await referenceVm(hardfork, accounts);
    for (const bytes of blocks) {
      const block = createBlockFromRLP(bytes, { common });
      const result = await runBlock(vm, { block, skipHeaderValidation: true });
      expect(result.gasUsed).toBe(block.header.gasUsed);
      expect(result.stateRoot).toEqual(block.header.stateRoot);
      expect(result.blockLevelAccessList?.hash()).toEqual(block.header.blockAccessListHash);
    }
    expect(blocks).toHaveLength(5);
  });
});
