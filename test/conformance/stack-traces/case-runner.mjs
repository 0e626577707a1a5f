// Runs one case of EDR's on a node of its own: deploys, calls, and compares the stack traces of what fails.
import { callData, constructorArguments, differenceOf, edrFrames } from "./edr-frames.mjs";

const CHAIN = { hardfork: "cancun", gasLimit: 10_000_000n, baseFeePerGas: 0n, accounts: 1, balance: 10n ** 30n };
const DEFAULT_GAS = 4_000_000;
const GAS_PRICE = "0xa";

const hex = (number) => `0x${BigInt(number).toString(16)}`;

/** The output without contracts that a case wants to be unknown: their names begin with `Ignored`. */
function knownContracts(output) {
  const contracts = Object.entries(output.contracts).map(([path, list]) => [
    path,
    Object.fromEntries(Object.entries(list).filter(([name]) => !name.startsWith("Ignored"))),
  ]);
  return { ...output, contracts: Object.fromEntries(contracts) };
}

/** Init code with the addresses of the libraries that it needs. */
function linked({ object, linkReferences }, libraries, addresses) {
  let digits = object;
  for (const [file, names] of Object.entries(linkReferences ?? {})) {
    for (const [name, places] of Object.entries(names)) {
      const address = addresses[libraries[file][name]].slice(2);
      for (const { start, length } of places) {
        digits = digits.slice(0, start * 2) + address + digits.slice((start + length) * 2);
      }
    }
  }
  return digits;
}

/**
 * The first difference of a case, or undefined.
 *
 * @param createNode - the library's
 * @param build - `{ input, output }` of the compiler
 * @param mode - plain, opt or ir: how it was compiled, and so what is compared
 */
export async function runCase(createNode, { transactions }, build, mode) {
  const node = await createNode(CHAIN);
  try {
    node.abi.addBuild(build.input, knownContracts(build.output));
    const chain = { node, build, deployed: [] };
    for (const [index, transaction] of transactions.entries()) {
      const difference = await runTransaction(chain, index, transaction, mode);
      if (difference !== undefined) return `transaction ${index}: ${difference}`;
    }
    return undefined;
  } finally {
    await node.close();
  }
}

async function runTransaction(chain, index, transaction, mode) {
  const { node, deployed } = chain;
  const request = transaction.contract === undefined ? callOf(chain, transaction) : deploymentOf(chain, transaction);
  const { value = 0, gas = DEFAULT_GAS, stackTrace, consoleLogs } = transaction;
  const printed = [];
  const stop = node.onConsoleLog(({ text }) => printed.push(text));
  const [{ address: from }] = node.accounts;
  const params = [{ from: toHex(from), value: hex(value), gas: hex(gas), gasPrice: GAS_PRICE, ...request.fields }];
  const hash = await node.provider.request({ method: "eth_sendTransaction", params }).catch((error) => {
    if (error.data?.hash !== undefined) return error.data.hash;
    if (error.txHash !== undefined) return error.txHash;
    throw error;
  });
  stop();
  const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  deployed[index] = { address: receipt.contractAddress, abi: request.abi };
  const lines = consoleLogs?.map((values) => values.join(" "));
  if (lines !== undefined && lines.join("\n") !== printed.join("\n")) return `prints ${JSON.stringify(printed)}`;
  if (stackTrace === undefined) return receipt.status === "0x1" ? undefined : "fails";
  if (receipt.status === "0x1") return "succeeds";
  return differenceOf(edrFrames(await node.solidityStack(hash)), stackTrace, mode);
}

const toHex = (address) => (typeof address === "string" ? address : `0x${Buffer.from(address).toString("hex")}`);

function callOf({ deployed }, transaction) {
  const { address, abi } = deployed[transaction.to];
  return { abi, fields: { to: address, data: callData(abi, transaction) } };
}

function deploymentOf({ build, deployed }, { file, contract, params, libraries = {} }) {
  const { abi, evm } = build.output.contracts[file][contract];
  const addresses = deployed.map((entry) => entry?.address);
  const code = linked(evm.bytecode, libraries, addresses);
  return { abi, fields: { data: `0x${code}${constructorArguments(abi, params)}` } };
}
