// The chain that every node of the comparison gets: the same contracts, the same transactions, in the same order.
import { readFileSync } from "node:fs";
import { encodeAbiParameters, encodeFunctionData } from "viem";
import { LOOPS } from "./instruction-rows.mjs";

const { contracts } = JSON.parse(readFileSync(new URL("./contracts.json", import.meta.url), "utf8"));

export const BLOCKS = 2_000;
/** Every so many blocks one calls the contract that is looked for. */
export const EVERY = 200;
export const MATCHES = BLOCKS / EVERY;
export const DENSE_LOGS = 10_000;
const LOGS_PER_CALL = 500;
const GAS = "0x1c9c380";
/** Slots that the benches of storage read. */
export const SLOTS = 1_000;
/** The pair's initial amount of each token, and the amount that a swap pays in. */
export const RESERVE = 10n ** 24n;
export const SWAPPED = 10n ** 18n;
/** Rounds of the loop whose steps are traced: 200,000 steps and some. */
export const ROUNDS = 11_200n;
/** After so long, a transaction is not waited for any more. */
const MINED_WITHIN_MS = 60_000;

export const call = (name, functionName, ...args) =>
  encodeFunctionData({ abi: contracts[name].abi, functionName, args });

/** Deploys and fills; gives the node with what the rows need to know. */
export async function furnish(node) {
  const { ask } = node;
  const [from, other] = await ask("eth_accounts");
  const send = (tx) => receiptOf(ask, { from, gas: GAS, ...tx });
  const deploy = async (name, types = [], values = []) => {
    const args = encodeAbiParameters(
      types.map((type) => ({ type })),
      values,
    );
    const { contractAddress } = await send({ data: contracts[name].bytecode + args.slice(2) });
    return contractAddress;
  };
  const token = await deploy("Token");
  const second = await deploy("Token");
  const pair = await deploy("Pair", ["address", "address"], [token, second]);
  const work = await deploy("Work");
  const noted = await deploy("Work");
  const verifier = await deploy("Groth16");
  const loops = {};
  for (const [kind, data] of Object.entries(LOOPS)) loops[kind] = (await send({ data })).contractAddress;
  await send({ to: token, data: call("Token", "transfer", pair, RESERVE) });
  await send({ to: second, data: call("Token", "transfer", pair, RESERVE) });
  await send({ to: pair, data: call("Pair", "sync") });
  await send({ to: token, data: call("Token", "approve", pair, 10n ** 30n) });
  for (let first = 0; first < SLOTS; first += 250) {
    await send({ to: work, data: call("Work", "storeCold", BigInt(first), 250n) });
  }
  const swap = await send({ to: pair, data: call("Pair", "swap", SWAPPED) });
  const steps = await send({ to: work, data: call("Work", "rounds", ROUNDS) });
  const transactions = { swap: swap.transactionHash, steps: steps.transactionHash };
  return { ...node, from, other, token, pair, work, noted, verifier, loops, ...transactions };
}

/** A block for each transfer; every {@link EVERY}-th calls the contract that the rows look for. Then many logs. */
export async function lengthen(node) {
  const { ask, from, other, noted } = node;
  const first = BigInt(await ask("eth_blockNumber")) + 1n;
  for (let index = 0; index < BLOCKS; index++) {
    const isMatch = index % EVERY === EVERY - 1;
    const data = call("Work", "note", BigInt(index));
    await receiptOf(
      ask,
      isMatch ? { from, to: noted, data, gas: GAS } : { from, to: other, value: "0x1", gas: "0x5208" },
    );
  }
  const sparse = { fromBlock: first, toBlock: first + BigInt(BLOCKS) - 1n };
  for (let count = 0; count < DENSE_LOGS; count += LOGS_PER_CALL) {
    await receiptOf(ask, { from, to: node.work, data: call("Work", "noteMany", BigInt(LOGS_PER_CALL)), gas: GAS });
  }
  const dense = { fromBlock: sparse.toBlock + 1n, toBlock: BigInt(await ask("eth_blockNumber")) };
  return { ...node, sparse, dense };
}

/** Sends and waits until the transaction stands in a block, however the node mines. */
export async function receiptOf(ask, tx) {
  const hash = await ask("eth_sendTransaction", tx);
  const receipt = await until(() => ask("eth_getTransactionReceipt", hash));
  if (receipt.status !== "0x1") throw new Error(`a transaction of the bench failed: ${hash}`);
  return receipt;
}

/**
 * Asks again and again until there is an answer.
 *
 * @throws {Error} where there is none for too long
 */
export async function until(question) {
  const startedAt = performance.now();
  for (;;) {
    const answer = await question();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() - startedAt > MINED_WITHIN_MS) throw new Error("waited in vain");
  }
}
