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
  /** The same by the keys of their addresses. */
  readonly #homeByKey: ReadonlyMap<string, PrecompileFunc>;
  /** Those that answer now, by key. */
  #answering: ReadonlyMap<string, PrecompileFunc>;

  constructor(atHome: Precompiles) {
    this.#atHome = atHome;
    const addresses = Array.from(atHome.keys(), (address) => decodeData(`0x${address}`));
    this.addresses = new Map(addresses.map((address) => [addressKey(address), address]));
    this.#homeByKey = byKey(atHome);
    this.#answering = this.#homeByKey;
  }

  /** The precompile that answers at an address. */
  get(address: Bytes): PrecompileFunc | undefined {
    return this.#answering.get(addressKey(address));
  }

  /** The address at which a precompile is at home, as a number; 0 for what is none. */
  homeOf(precompile: PrecompileFunc): number {
    for (const [hex, found] of this.#atHome) if (found === precompile) return Number.parseInt(hex, 16);
    return 0;
  }

  /** Lets each answer at home. Gives EthereumJS' table of that. */
  useHome(): Precompiles {
    this.#answering = this.#homeByKey;
    return this.#atHome;
  }

  /** Lets precompiles answer where a table says. Gives EthereumJS' table of that. */
  use(table: PrecompileTable): Precompiles {
    const moved: Precompiles = new Map();
    for (const [key, home] of table) {
      const precompile = this.#atHome.get(hexKey(home));
      if (precompile !== undefined) moved.set(hexKey(keyBytes(key)), precompile);
    }
    this.#answering = byKey(moved);
    return moved;
  }
}

function byKey(precompiles: Precompiles): ReadonlyMap<string, PrecompileFunc> {
  return new Map(Array.from(precompiles, ([hex, precompile]) => [addressKey(decodeData(`0x${hex}`)), precompile]));
}

/** EthereumJS' key of a precompile. */
function hexKey(address: Uint8Array): string {
  return Buffer.from(address).toString("hex");
}
