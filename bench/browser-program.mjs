// What is timed in Node and in a browser alike: milliseconds of each row, from a fresh import of the library on.

/** Counts down from a number of rounds: nine instructions each. */
const loop = (rounds) => `0x62${rounds.toString(16).padStart(6, "0")}5b6001900380600457600060005260206000f3`;
/** Adds 1 to slot 0, and logs it. */
const COUNTER = "0x6000546001018060005560005260206000a000";
const LOOP = `0x${"00".repeat(18)}c0de`;
const COUNTED = `0x${"00".repeat(18)}c047`;
const SMALL = "small call";
/** Instructions of a round: nine. */
const LONG_ROUNDS = 250_000;
const LONG = "call with 2,250,000 instructions";
const quantity = (value) => `0x${value.toString(16)}`;

/** The calls that EthereumJS' VM is asked as well: milliseconds of each row. */
export async function measureCalls(ask) {
  const times = {};
  const [from] = await ask("eth_accounts");
  for (const [name, code, rounds, warmUp] of [
    [SMALL, COUNTER, 300, 50],
    [LONG, loop(LONG_ROUNDS), 10, 1],
  ]) {
    const data = `0x60${(code.length / 2 - 1).toString(16).padStart(2, "0")}80600b6000396000f3${code.slice(2)}`;
    const hash = await ask("eth_sendTransaction", { from, data });
    const { contractAddress: to } = await ask("eth_getTransactionReceipt", hash);
    const call = () => ask("eth_call", { from, to, gas: quantity(29_000_000) }, "latest");
    times[name] = await average(call, rounds, warmUp);
  }
  return times;
}

async function average(run, rounds, warmUp) {
  for (let round = 0; round < warmUp; round++) await run(round);
  const begin = performance.now();
  for (let round = 0; round < rounds; round++) await run(round);
  return (performance.now() - begin) / rounds;
}

/**
 * @param {() => Promise<{ createNode: Function }>} load - imports the library
 * @param {{ lacks?: readonly string[], share?: number }} [options] - rows that it has no methods for; the share of
 * the rounds that it is given, if it is slow
 * @returns {Promise<Record<string, number>>}
 */
export async function measureAll(load, { lacks = [], share = 1 } = {}) {
  const start = performance.now();
  const { createNode } = await load();
  const node = await createNode({ accounts: 3 });
  const ask = (method, ...params) => node.provider.request({ method, params });
  const [from, to] = await ask("eth_accounts");
  await ask("eth_call", { from, to }, "latest");
  const times = { "import to first call": performance.now() - start };
  const time = async (name, rounds, run, warmUp = 1) => {
    if (lacks.includes(name)) return;
    times[name] = await average(run, Math.ceil(rounds * share), Math.ceil(warmUp * share));
  };
  await ask("hardhat_setCode", LOOP, loop(LONG_ROUNDS));
  await ask("hardhat_setCode", COUNTED, COUNTER);
  await time(SMALL, 300, () => ask("eth_call", { from, to: COUNTED }, "latest"), 50);
  await time(LONG, 10, () => ask("eth_call", { from, to: LOOP, gas: quantity(29_000_000) }, "latest"));
  const calls = Array.from({ length: 5 }, () => [{ from, to: COUNTED }, ["trace", "stateDiff", "vmTrace"]]);
  await time("trace_callMany of 5 calls", 100, () => ask("trace_callMany", calls, "latest"), 20);
  await time("automined transaction with receipt", 150, async () => {
    const hash = await ask("eth_sendTransaction", { from, to: COUNTED, gas: quantity(100_000) });
    await ask("eth_getTransactionReceipt", hash);
  });
  const hashes = [];
  for (let index = 0; index < 20; index++)
    hashes.push(await ask("eth_sendTransaction", { from, to: COUNTED, gas: quantity(100_000) }));
  await time("trace_transaction", 20, (round) => ask("trace_transaction", hashes[round % 20]));
  await time("1,000 empty blocks", 3, () => ask("hardhat_mine", quantity(1_000)));
  const raw = [];
  for (let nonce = 0; nonce < 900 * share; nonce++) {
    const price = { maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "0x1" };
    const transaction = { from, to, value: "0x1", gas: "0x5208", nonce: quantity(nonce), ...price };
    raw.push(await ask("eth_signTransaction", transaction));
  }
  await node.close();
  // Another node, which does not know who signed them.
  const pool = await createNode({ accounts: 3, mining: "manual" });
  let next = 0;
  const params = () => [raw[next++]];
  const send = () => pool.provider.request({ method: "eth_sendRawTransaction", params: params() });
  await time("raw transaction into the pool", 400, send, 50);
  // The first ones ask for the elliptic curves, which a page loads in turns of its own.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await time("raw transaction, with the curves loaded", 400, send, 50);
  await pool.close();
  return times;
}
