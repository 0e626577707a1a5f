/** Where the precompiles of one hardfork answer: each at home, or where a table says. */
import type { PrecompileFunc } from "@ethereumjs/evm";
import { type Bytes, keyBytes } from "../primitives/bytes.ts";
import { decodeData } from "../primitives/hex.ts";
import { addressKey } from "../state/map-keys.ts";
import type { PrecompileTable } from "./precompile-overrides.ts";

/** EthereumJS' table: precompiles by address, in hex digits. */
type Precompiles = Map<string, PrecompileFunc>;

export class PrecompileAddresses {
  readonly #atHome: Precompiles;
  /** Where the hardfork's precompiles are at home, by key. */
  readonly addresses: ReadonlyMap<string, Bytes>;
  /** Keys of the addresses that answer now. */
  #answering: { has(key: string): boolean };

  constructor(atHome: Precompiles) {
    this.#atHome = atHome;
    const addresses = Array.from(atHome.keys(), (address) => decodeData(`0x${address}`));
    this.addresses = new Map(addresses.map((address) => [addressKey(address), address]));
    this.#answering = this.addresses;
  }

  /** True where a precompile answers. */
  has(address: Bytes): boolean {
    return this.#answering.has(addressKey(address));
  }

  /** Lets each answer at home. Gives EthereumJS' table of that. */
  useHome(): Precompiles {
    this.#answering = this.addresses;
    return this.#atHome;
  }

  /** Lets precompiles answer where a table says. Gives EthereumJS' table of that. */
  use(table: PrecompileTable): Precompiles {
    const moved: Precompiles = new Map();
    const answering = new Set<string>();
    for (const [key, home] of table) {
      const precompile = this.#atHome.get(hexKey(home));
      if (precompile === undefined) continue;
      const address = keyBytes(key);
      moved.set(hexKey(address), precompile);
      answering.add(addressKey(address));
    }
    this.#answering = answering;
    return moved;
  }
}

/** EthereumJS' key of a precompile. */
function hexKey(address: Uint8Array): string {
  return Buffer.from(address).toString("hex");
}
