/** The file of `--config-out`: accounts, keys and fees, with Anvil's member names. */
import { checksumAddress } from "../../primitives/address.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { writeFileOf } from "../options/files.ts";
import type { StartFacts } from "./output.ts";

/**
 * Writes the file.
 *
 * @param gasPrice - suggested gas price in wei per gas
 * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
 */
export async function writeConfigOut(path: string, facts: StartFacts, gasPrice: bigint): Promise<void> {
  const content = {
    available_accounts: facts.accounts.map(({ address }) => checksumAddress(address)),
    private_keys: facts.accounts.map(({ privateKey }) => encodeData(privateKey)),
    wallet: { derivation_path: facts.derivationPath, mnemonic: facts.mnemonic },
    base_fee: facts.baseFeePerGas === undefined ? null : String(facts.baseFeePerGas),
    gas_price: String(gasPrice),
    gas_limit: String(facts.gasLimit),
    genesis_timestamp: String(facts.genesisTimestamp),
  };
  await writeFileOf("--config-out", path, [Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`)]);
}
