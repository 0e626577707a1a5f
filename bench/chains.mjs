// The chains that benchmarks run on, made once a run.
import { createNode } from "../dist/index.js";

/** Emits LOG1 with its call data's first word as topic. */
export const LOGGER_RUNTIME = "0x60003560006000a100";
/** SSTORE of the call data's second word at its first, then a call to the identity precompile and a LOG0. */
const WORKER_RUNTIME = "0x602035600035556020600060206000600060045af160206000a000";

/** Deploys runtime code and gives its address. */
export async function deploy(ask, from, runtime) {
  const size = (runtime.length - 2) / 2;
  const initCode = `0x60${hexByte(size)}600c60003960${hexByte(size)}6000f3${runtime.slice(2)}`;
  const hash = await ask("eth_sendTransaction", { from, data: initCode });
  return (await ask("eth_getTransactionReceipt", hash)).contractAddress;
}

/** A node on a fixed clock, with a shorthand for its provider. */
export async function aNode(options = {}) {
  let now = 1_700_000_000n;
  const node = await createNode({ timestamp: now, clock: () => now++, ...options });
  const ask = (method, ...params) => node.provider.request({ method, params });
  const [from, to] = await ask("eth_accounts");
  return { node, ask, from, to };
}

/**
 * A chain of `blocks` blocks, each with one transaction; every `every`-th calls a logger and a worker contract, the
 * others transfer.
 */
export async function aChainWithLogs({ blocks, every, ...options }) {
  const { node, ask, from, to } = await aNode(options);
  const logger = await deploy(ask, from, LOGGER_RUNTIME);
  const worker = await deploy(ask, from, WORKER_RUNTIME);
  const calls = [];
  for (let index = 0; index < blocks; index++) {
    const isMatch = index % every === every - 1;
    const data = `0x${word(index)}${word(index + 1)}`;
    const call = isMatch ? { from, to: logger, data, gas: "0x30000" } : { from, to, value: "0x1", gas: "0x5208" };
    calls.push(await ask("eth_sendTransaction", call));
  }
  const work = await ask("eth_sendTransaction", { from, to: worker, data: `0x${word(1)}${word(2)}`, gas: "0x30000" });
  return { node, ask, from, to, logger, worker, work, hashes: calls };
}

export function word(value) {
  return BigInt(value).toString(16).padStart(64, "0");
}

function hexByte(value) {
  return value.toString(16).padStart(2, "0");
}
