/** Where the precompiles of one hardfork answer: each at home, or where a table says. */
import type { PrecompileFunc } from "@ethereumjs/evm";
import { type Bytes, keyBytes } from "../primitives/bytes.ts";
import { decodeData } from "../primitives/hex.ts";
import { addressKey } from "../state/map-keys.ts";
import type { PrecompileTable } from "./precompile-overrides.ts";

/** EthereumJS' table: precompiles by address, in hex digits. */
type Precompiles = Map<string, PrecompileFunc>;

export class PrecompileAddresses {
  readonly atHome: Precompiles;
  /** Where the hardfork's precompiles are at home, by key. */
  readonly addresses: ReadonlyMap<string, Bytes>;

  constructor(atHome: Precompiles) {
    this.atHome = atHome;
    const addresses = Array.from(atHome.keys(), (address) => decodeData(`0x${address}`));
    this.addresses = new Map(addresses.map((address) => [addressKey(address), address]));
  }

  /** EthereumJS' table with precompiles where another says. */
  movedTo(table: PrecompileTable): Precompiles {
    const moved: Precompiles = new Map();
    for (const [key, home] of table) {
      const precompile = this.atHome.get(hexKey(home));
      if (precompile !== undefined) moved.set(hexKey(keyBytes(key)), precompile);
    }
    return moved;
  }
}

/** EthereumJS' key of a precompile. */
export function hexKey(address: Uint8Array): string {
  return Buffer.from(address).toString("hex");
}
