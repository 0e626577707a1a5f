// The chain that the fork bench forks, and a proxy before it that counts round trips.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAbiParameters, encodeFunctionData } from "viem";
import { aNode } from "./chains.mjs";

const { contracts } = JSON.parse(readFileSync(new URL("./peers/contracts.json", import.meta.url), "utf8"));
const GAS = "0x1c9c380";
const RESERVE = 10n ** 24n;
/** Accounts that swap. */
const SWAPPERS = 5;
export const LINKS = 40;
export const SLOTS = 1_000;
export const ACCOUNTS = 500;

const call = (name, functionName, ...args) => encodeFunctionData({ abi: contracts[name].abi, functionName, args });

/** A chain with the contracts of the bench, and the calls that are made on a fork of it. */
export async function aChainToFork() {
  const chain = await aNode();
  const { ask } = chain;
  const accounts = (await ask("eth_accounts")).slice(0, SWAPPERS);
  const send = async (tx) => {
    const hash = await ask("eth_sendTransaction", { from: chain.from, gas: GAS, ...tx });
    const receipt = await ask("eth_getTransactionReceipt", hash);
    if (receipt.status !== "0x1") throw new Error(`a transaction of the bench failed: ${hash}`);
    return receipt;
  };
  const deploy = async (name, ...addresses) => {
    const types = addresses.map(() => ({ type: "address" }));
    const { contractAddress } = await send({
      data: contracts[name].bytecode + encodeAbiParameters(types, addresses).slice(2),
    });
    return contractAddress;
  };
  const token = await deploy("Token");
  const proxied = await deploy("Proxy", await deploy("ProxiedToken"));
  const pair = await deploy("StoredPair", token, proxied);
  const router = await deploy("Router");
  await send({ to: router, data: call("Router", "add", token, proxied, pair) });
  await send({ to: token, data: call("Token", "transfer", pair, RESERVE) });
  await send({ to: proxied, data: call("ProxiedToken", "mint", pair, RESERVE) });
  await send({ to: pair, data: call("StoredPair", "sync") });
  for (const account of accounts) {
    await send({ to: token, data: call("Token", "transfer", account, RESERVE) });
    await send({ from: account, to: token, data: call("Token", "approve", router, RESERVE) });
  }
  const slots = await deploy("Slots");
  await send({ to: slots, data: call("Slots", "link", BigInt(LINKS)) });
  const sameCode = await deploy("Slots");
  await send({ to: sameCode, data: call("Slots", "link", BigInt(LINKS)) });
  for (let count = 0; count < SLOTS; count += 250) await send({ to: slots, data: call("Slots", "fill", 250n) });
  for (let count = 0; count < ACCOUNTS; count += 50) await send({ to: slots, data: call("Slots", "grow", 50n) });
  const swapBy = (from, index) => ({
    from,
    to: router,
    data: call("Router", "swap", token, proxied, 10n ** 18n + BigInt(index)),
  });
  const swaps = accounts.map(swapBy);
  const of = (name, to = slots) => ({ from: chain.from, to, data: call("Slots", name) });
  const [walk, walkSameCode] = [of("walk"), of("walk", sameCode)];
  const calls = { swap: swaps[0], swaps, walk, walkSameCode, sum: of("sum"), sumOthers: of("sumOthers") };
  return { ...chain, calls };
}

/**
 * Serves a node over HTTP.
 *
 * @param rules - `latencyMs` before each answer; `refused`: methods that it does not know; `callsPerSecond`: each call of
 * a batch counts, and a batch is let in whole or not at all
 */
export async function countingProxy(provider, rules) {
  const desk = { posts: [], calls: 0, tokens: rules.callsPerSecond ?? 0, filledAt: performance.now() };
  const isLetIn = (count) => {
    if (rules.callsPerSecond === undefined) return true;
    const now = performance.now();
    const filled = desk.tokens + ((now - desk.filledAt) / 1000) * rules.callsPerSecond;
    [desk.tokens, desk.filledAt] = [Math.min(rules.callsPerSecond, filled), now];
    if (desk.tokens < count) return false;
    desk.tokens -= count;
    return true;
  };
  const answer = async ({ id, method, params }) => {
    if (rules.refused?.includes(method)) {
      return { jsonrpc: "2.0", id, error: { code: -32601, message: `the method ${method} does not exist` } };
    }
    try {
      return { jsonrpc: "2.0", id, result: await provider.request({ method, params }) };
    } catch ({ code, message }) {
      return { jsonrpc: "2.0", id, error: { code, message } };
    }
  };
  const server = createServer(async (request, response) => {
    const post = { start: performance.now(), end: Number.POSITIVE_INFINITY };
    desk.posts.push(post);
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks));
    const requests = [body].flat();
    const [mayGo] = [isLetIn(requests.length), await sleep(rules.latencyMs)];
    if (mayGo) desk.calls += requests.length;
    const answers = mayGo ? await Promise.all(requests.map(answer)) : [];
    response.writeHead(mayGo ? 200 : 429, { "content-type": "application/json" });
    response.end(mayGo ? JSON.stringify(Array.isArray(body) ? answers : answers[0]) : "");
    post.end = performance.now();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    forget: () => {
      desk.posts = [];
      desk.calls = 0;
    },
    counts: () => ({ waves: wavesOf(desk.posts), posts: desk.posts.length, calls: desk.calls }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Most posts of which each began after the one before had ended. */
function wavesOf(posts) {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { start, end } of [...posts].sort((left, right) => left.end - right.end)) {
    if (start < last) continue;
    count++;
    last = end;
  }
  return count;
}
