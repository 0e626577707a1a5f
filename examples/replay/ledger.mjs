// Deploys a library and a contract that is linked to it, and pays into the contract twice.
import { readFileSync } from "node:fs";

const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));

/** A contract with a fee of 25 per mille, and the hashes of two deposits. */
export async function deployLedger({ provider }) {
  const [owner, alice, bob] = await provider.request({ method: "eth_accounts" });
  const send = async (transaction) => {
    const hash = await provider.request({
      method: "eth_sendTransaction",
      params: [{ gas: "0x1e8480", ...transaction }],
    });
    return provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  };
  const { contractAddress: library } = await send({ from: owner, data: read("Rates").bytecode.object });
  const linked = read("Ledger").bytecode.object.replaceAll(/__.{38}/g, library.slice(2));
  const { contractAddress: ledger } = await send({ from: owner, data: `${linked}${"19".padStart(64, "0")}` });
  const deposit = (from, value) => send({ from, to: ledger, value, data: "0xd0e30db0" });
  const receipts = [await deposit(alice, "0x3e8"), await deposit(bob, "0x9c40")];
  return { ledger, deposits: receipts.map(({ transactionHash }) => transactionHash) };
}
