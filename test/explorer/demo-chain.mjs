/**
 * A chain with something to look at: tokens, a pool behind a proxy, swaps, failures that are caught and that are not, a reorg.
 */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { encodeDeployData, encodeFunctionData, parseEther } from "viem";

/** Of EIP-1559 transactions; as much as the calls here need. */
const GAS = "0x2dc6c0";

/** The build of fixtures/explorer. */
export function readMarket() {
  const compressed = readFileSync(new URL("../../fixtures/explorer/market.json.br", import.meta.url));
  return JSON.parse(brotliDecompressSync(compressed).toString("utf8"));
}

/** Sends transactions of a node's accounts to the contracts of the build. */
export class Market {
  /** @param {{ provider: any, abi: any }} node */
  constructor(node) {
    const build = readMarket();
    node.abi.addBuild(build);
    this.node = node;
    this.contracts = Object.assign({}, ...Object.values(build.output.contracts));
  }

  /** @returns {Promise<any>} */
  ask(method, ...params) {
    return this.node.provider.send(method, params);
  }

  async open() {
    this.accounts = await this.ask("eth_accounts");
    return this;
  }

  /** Deploys a contract and gives its address. */
  async deploy(name, ...args) {
    const { abi, evm } = this.contracts[name];
    const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
    const hash = await this.ask("eth_sendTransaction", { from: this.accounts[0], data, gas: GAS });
    return (await this.ask("eth_getTransactionReceipt", hash)).contractAddress;
  }

  /** Data of a call of a function. */
  data(contract, functionName, ...args) {
    return encodeFunctionData({ abi: this.contracts[contract].abi, functionName, args });
  }

  /** Sends a call and gives the transaction's hash. */
  send(contract, to, functionName, args = [], more = {}) {
    const data = this.data(contract, functionName, ...args);
    return this.ask("eth_sendTransaction", { from: this.accounts[0], to, data, gas: GAS, ...more });
  }
}

/**
 * Builds the chain of a node that mines each transaction.
 *
 * @returns what tests look for: addresses of contracts, hashes of transactions
 */
export async function buildDemo(node) {
  const market = await new Market(node).open();
  const { accounts } = market;
  const [alice, bob] = accounts;
  const gold = await market.deploy("Token", "Gold", "GLD");
  const silver = await market.deploy("Token", "Silver", "SLV");
  const logic = await market.deploy("Pool");
  const pool = await market.deploy("Proxy", logic);
  const router = await market.deploy("Router");
  const worker = await market.deploy("Worker");
  await market.send("Pool", pool, "initialize", [gold, silver]);
  for (const token of [gold, silver]) {
    await market.send("Token", token, "mint", [pool, parseEther("50000")]);
    await market.send("Token", token, "mint", [alice, parseEther("1000")]);
    await market.send("Token", token, "approve", [router, parseEther("900")]);
    await market.send("Token", token, "approve", [pool, parseEther("90")]);
  }
  const { deed, items } = await mintCollectibles(market);
  await market.send("Pool", pool, "sync");
  await market.ask("eth_sendTransaction", { from: alice, to: bob, value: "0x1bc16d674ec80000" });
  const swap = await market.send("Pool", pool, "swap", [true, parseEther("10"), 0n, alice]);
  const hops = [true, false, true].map((zeroForOne) => ({ pool, zeroForOne, token: zeroForOne ? gold : silver }));
  const routed = await market.send("Router", router, "route", [hops, parseEther("25"), parseEther("20")], {
    value: "0xde0b6b3a7640000",
  });
  const failed = await market.send("Pool", pool, "swap", [false, parseEther("5"), parseEther("9"), alice]);
  const poor = await market.send("Token", gold, "transfer", [bob, parseEther("1")], { from: accounts[3] });
  const manyBlock = await sendTogether(market, gold, bob);
  return {
    market,
    gold,
    silver,
    pool,
    logic,
    router,
    worker,
    deed,
    items,
    swap,
    routed,
    failed,
    poor,
    manyBlock,
    alice,
    bob,
  };
}

/** Tokens with ids for the first account: one that it gives away again, one that it keeps, and two in a batch. */
async function mintCollectibles(market) {
  const [alice, bob] = market.accounts;
  const deed = await market.deploy("Deed");
  for (const id of [2n, 3n]) await market.send("Deed", deed, "mint", [alice, id]);
  await market.send("Deed", deed, "transferFrom", [alice, bob, 2n]);
  const items = await market.deploy("Items");
  await market.send("Items", items, "mint", [alice, 7n, 5n]);
  await market.send("Items", items, "mintBatch", [alice, [8n, 9n], [6n, 0n]]);
  return { deed, items };
}

/** Several transactions in one block. Gives its number. */
async function sendTogether(market, token, to) {
  await market.ask("evm_setAutomine", false);
  for (let count = 0; count < 6; count++) {
    await market.send("Token", token, "transfer", [to, BigInt(count + 1) * 10n ** 17n]);
    await market.ask("eth_sendTransaction", { from: market.accounts[2], to, value: "0x16345785d8a0000" });
  }
  await market.ask("evm_mine");
  await market.ask("evm_setAutomine", true);
  return market.ask("eth_blockNumber");
}

/** Takes the last block off and mines two others: its transactions wait again. */
export async function reorganize(market) {
  await market.ask("anvil_reorg", 1, []);
  await market.ask("evm_mine");
}
