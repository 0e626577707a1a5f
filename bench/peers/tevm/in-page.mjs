// Tevm with as much of a node as `npm run bench -- browser` asks: its client, accounts of its own, and their signatures.
import "./globals.mjs";
import { createMemoryClient } from "@tevm/memory-client";
import { PREFUNDED_ACCOUNTS as accounts } from "@tevm/utils";

/** A client in the form of a node of Hindcast. */
export async function createNode({ mining = "auto" } = {}) {
  const client = createMemoryClient({ miningConfig: { type: mining } });
  await client.tevmReady();
  const own = {
    eth_accounts: async () => accounts.map(({ address }) => address),
    eth_signTransaction: async ([{ from, to, value, gas, nonce, maxFeePerGas, maxPriorityFeePerGas }]) =>
      accounts
        .find(({ address }) => address === from)
        .signTransaction({
          type: "eip1559",
          chainId: await client.getChainId(),
          to,
          value: BigInt(value),
          gas: BigInt(gas),
          nonce: Number(nonce),
          maxFeePerGas: BigInt(maxFeePerGas),
          maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
        }),
    hardhat_setCode: (params) => client.request({ method: "anvil_setCode", params }),
    hardhat_mine: (params) => client.request({ method: "anvil_mine", params }),
  };
  return {
    provider: { request: ({ method, params }) => own[method]?.(params) ?? client.request({ method, params }) },
    close: async () => undefined,
  };
}
