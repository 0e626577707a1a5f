// Deploys the vault and asks it for more than it has.
import { readFileSync } from "node:fs";

const { bytecode } = JSON.parse(readFileSync(new URL("out/Vault.sol/Vault.json", import.meta.url), "utf8"));
// withdraw(1e18)
const WITHDRAWAL = "0x2e1a7d4d0000000000000000000000000000000000000000000000000de0b6b3a7640000";

/** Sends both transactions, and gives the hash of the second, which fails. */
export async function withdrawTooMuch(provider) {
  const [from] = await provider.request({ method: "eth_accounts" });
  // With a gas limit of its own a transaction that fails is mined; without one, its estimate fails.
  const send = (tx) => provider.request({ method: "eth_sendTransaction", params: [{ from, gas: "0x30d40", ...tx }] });
  const deployed = await send({ data: bytecode.object });
  const { contractAddress } = await provider.request({ method: "eth_getTransactionReceipt", params: [deployed] });
  return send({ to: contractAddress, data: WITHDRAWAL });
}
