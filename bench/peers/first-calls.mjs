// What the first test of a suite asks a node that has just started: ten methods, each for the first time.

/** Stores 42 in slot 0 and returns nothing. */
const CREATION = "0x602a60005500";

/**
 * Asks a fresh node.
 *
 * @returns {Promise<number>} milliseconds of the ten requests, one after the other
 * @throws {Error} where an answer is wrong
 */
export async function timeFirstCalls(ask) {
  const start = performance.now();
  const [from, to] = await ask("eth_accounts");
  const balance = await ask("eth_getBalance", from, "latest");
  const { number } = await ask("eth_getBlockByNumber", "latest", false);
  const gas = await ask("eth_estimateGas", { from, to, value: "0x1" });
  const hash = await ask("eth_sendTransaction", { from, to, value: "0x1", gas: "0x5208" });
  const receipt = await receiptOf(ask, hash);
  const nonce = await ask("eth_getTransactionCount", from, "latest");
  const output = await ask("eth_call", { from, data: CREATION }, "latest");
  const logs = await ask("eth_getLogs", { fromBlock: "0x0", toBlock: "latest" });
  const id = await ask("evm_snapshot");
  const ms = performance.now() - start;
  const isRight =
    [BigInt(balance) > 0n, BigInt(number) === 0n, BigInt(gas) >= 21_000n, receipt.status === "0x1"].every(Boolean) &&
    [BigInt(nonce) === 1n, output === "0x", logs.length === 0, BigInt(id) >= 0n].every(Boolean);
  if (!isRight) throw new Error("a first call has another answer");
  return ms;
}

/** Some nodes answer before the transaction stands in a block. */
async function receiptOf(ask, hash) {
  for (;;) {
    const receipt = await ask("eth_getTransactionReceipt", hash);
    if (receipt !== null) return receipt;
  }
}
