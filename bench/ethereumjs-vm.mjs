// @ethereumjs/vm as a program embeds it: for comparing calls in process.
import { Common, Mainnet } from "@ethereumjs/common";
import { Caches, MerkleStateManager } from "@ethereumjs/statemanager";
import { bytesToHex, createAccount, createAddressFromString, hexToBytes } from "@ethereumjs/util";
import { createVM } from "@ethereumjs/vm";

const ACCOUNTS = ["0x".padEnd(42, "a1"), "0x".padEnd(42, "b2")];
const GAS = 30_000_000n;

/**
 * A VM of its own on an empty state in memory, `prague`, with the state manager's caches.
 *
 * `ask` takes as much of JSON-RPC as deploying contracts and calling them needs. Transactions are calls that are kept,
 * without fees and receipts of more than status and address. `eth_call` is `runCall` between a checkpoint and its revert.
 *
 * @returns {Promise<{ ask: (method: string, ...params: unknown[]) => Promise<unknown> }>}
 */
export async function createEthereumJsVm() {
  const common = new Common({ chain: Mainnet, hardfork: "prague" });
  const vm = await createVM({ common, stateManager: new MerkleStateManager({ common, caches: new Caches() }) });
  for (const address of ACCOUNTS) {
    await vm.stateManager.putAccount(createAddressFromString(address), createAccount({ balance: 10n ** 24n }));
  }
  const receipts = [];
  const methods = {
    eth_accounts: async () => ACCOUNTS,
    eth_call: async (call) => {
      await vm.evm.journal.checkpoint();
      const { execResult } = await run(vm, call);
      await vm.evm.journal.revert();
      endTransaction(vm);
      if (execResult.exceptionError !== undefined) throw new Error(execResult.exceptionError.error);
      return bytesToHex(execResult.returnValue);
    },
    eth_sendTransaction: async (tx) => {
      const { execResult, createdAddress } = await run(vm, tx);
      endTransaction(vm);
      const status = execResult.exceptionError === undefined ? "0x1" : "0x0";
      return (
        receipts.push({ transactionHash: receipts.length, status, contractAddress: createdAddress?.toString() }) - 1
      );
    },
    eth_getTransactionReceipt: async (hash) => receipts[hash],
  };
  const ask = (method, ...params) => {
    if (methods[method] === undefined) throw new Error(`${method} is not a matter of @ethereumjs/vm.`);
    return methods[method](...params);
  };
  return { ask };
}

function run(vm, { from, to, data = "0x", gas = GAS }) {
  return vm.evm.runCall({
    caller: createAddressFromString(from),
    to: to === undefined ? undefined : createAddressFromString(to),
    data: hexToBytes(data),
    gasLimit: BigInt(gas),
  });
}

/** As `runTx` does at its end, so that the next call begins with nothing warm. */
function endTransaction(vm) {
  vm.evm.journal.cleanJournal();
  vm.stateManager.originalStorageCache.clear();
}
