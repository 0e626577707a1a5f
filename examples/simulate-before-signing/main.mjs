import { readFileSync } from "node:fs";
import { createNode } from "hindcast";
import { encodeDeployData, encodeFunctionData, formatEther, maxUint256, parseEther } from "viem";
import { simulate } from "./simulate.mjs";

const build = JSON.parse(readFileSync(new URL("Swap.json", import.meta.url), "utf8"));
const { Token, Pool } = build.output.contracts["Swap.sol"];

// The chain of the wallet: two tokens, and a pool that swaps one for the other.
const chain = await createNode({ accounts: 2 });
const [alice, stranger] = await chain.provider.request({ method: "eth_accounts" });
const send = async (to, data) => {
  const hash = await chain.provider.request({ method: "eth_sendTransaction", params: [{ from: alice, to, data }] });
  return (await chain.provider.request({ method: "eth_getTransactionReceipt", params: [hash] })).contractAddress;
};
const deploy = ({ abi, evm }, ...args) =>
  send(undefined, encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args }));
const call = ({ abi }, functionName, ...args) => encodeFunctionData({ abi, functionName, args });
const [gold, silver] = [await deploy(Token, "GLD"), await deploy(Token, "SLV")];
const pool = await deploy(Pool, gold, silver);
for (const token of [gold, silver]) await send(token, call(Token, "mint", pool, parseEther("1000")));
await send(gold, call(Token, "mint", alice, parseEther("50")));
await send(gold, call(Token, "approve", pool, parseEther("30")));
await send(pool, call(Pool, "sync"));

// The wallet: a node that forks that chain, and proves what it reads. It is told of the contracts, which gives names.
const wallet = await createNode({ fork: { provider: chain.provider, verify: true } });
wallet.abi.addBuild(build);
const names = { [alice]: "you", [stranger]: "a stranger", [gold]: "GLD", [silver]: "SLV", [pool]: "pool" };
const amountOf = (value) => (BigInt(value) === maxUint256 ? "all your" : formatEther(BigInt(value)));

for (const [title, to, data] of [
  ["Swap 10 GLD", pool, call(Pool, "swap", parseEther("10"), parseEther("9"))],
  ["Swap 10 GLD for 10 SLV", pool, call(Pool, "swap", parseEther("10"), parseEther("10"))],
  ["Claim your reward", gold, call(Token, "approve", stranger, maxUint256)],
]) {
  console.log(title);
  const {
    failure,
    assets = [],
    approvals = [],
    storage = [],
  } = await simulate(wallet.provider, { from: alice, to, data });
  if (failure !== undefined) console.log(`  would fail: ${failure}`);
  for (const { kind, token, account, amount } of assets)
    if (kind === "erc20") console.log(`  ${names[account]}: ${amountOf(amount)} ${names[token]}`);
  for (const { token, spender, amount } of approvals)
    console.log(`  ${names[spender]} may then spend ${amountOf(amount)} ${names[token]}`);
  for (const { account, name, before, after } of storage)
    if (account === pool) console.log(`  pool.${name}: ${before} to ${after}`);
}
await Promise.all([wallet.close(), chain.close()]);
