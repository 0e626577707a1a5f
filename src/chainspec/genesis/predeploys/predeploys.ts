/** Contracts that applications expect at the same address on every chain, with mainnet's code: `fixtures/predeploys/README.md`. */
import { bigIntToFixedBytes } from "../../../primitives/bytes/bytes.ts";
import { decodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import { CREATE2_DEPLOYER } from "../../system-contracts.ts";
import type { GenesisAccount } from "../genesis.ts";

/** Names by which an option asks for them. */
export const PREDEPLOY_NAMES = ["multicall3", "create2", "entrypoint", "permit2"] as const;
/** A name that the option `predeploy` takes. */
export type PredeployName = (typeof PREDEPLOY_NAMES)[number];

/** OpenZeppelin's guard against reentrance: slot 2 of EntryPoint holds 1 between two calls. */
const NOT_ENTERED = { slot: bigIntToFixedBytes(2n, 32), value: Uint8Array.of(1) };

/** Codes are files of their own, loaded where they are asked for: most chains need none, and EntryPoint's has another licence. */
const ACCOUNTS: Readonly<Record<PredeployName, () => Promise<readonly GenesisAccount[]>>> = {
  multicall3: async () => {
    const { MULTICALL3_CODE } = await import("./multicall-3.ts");
    return [contract("0xca11bde05977b3631167028862be2a173976ca11", MULTICALL3_CODE)];
  },
  create2: () => Promise.resolve([CREATE2_DEPLOYER]),
  entrypoint: async () => {
    const { ENTRY_POINT_CODE } = await import("./entry-point.ts");
    const { SENDER_CREATOR_CODE } = await import("./sender-creator.ts");
    const entryPoint = contract("0x0000000071727de22e5e9d8baf0edac6f37da032", ENTRY_POINT_CODE);
    return [
      // Its nonce counts SenderCreator, which its constructor made.
      { ...entryPoint, nonce: 2n, storage: [NOT_ENTERED] },
      contract("0xefc2c1444ebcc4db75e7613d20c6a62ff67a167c", SENDER_CREATOR_CODE),
    ];
  },
  permit2: async () => {
    const { PERMIT2_CODE } = await import("./permit-2.ts");
    return [contract("0x000000000022d473030f116ddee9f6b43ac78ba3", PERMIT2_CODE)];
  },
};

/** The accounts of some of them, each once. */
export async function predeployAccounts(names: Iterable<PredeployName> = []): Promise<GenesisAccount[]> {
  return (await Promise.all([...new Set(names)].map((name) => ACCOUNTS[name]()))).flat();
}

function contract(address: Hex, code: string): GenesisAccount {
  return { address: decodeData(address), nonce: 1n, balance: 0n, code: decodeData(`0x${code}`), storage: [] };
}
