/** Loads names of contracts, and of functions by selector. Caches them until the page shows another chain. */
import { useLayoutEffect, useState } from "preact/hooks";
import { ask } from "../rpc/client.ts";
import type { Contract } from "../rpc/types.ts";

/** By address in lower case; null for one that the node cannot name. */
export type Contracts = ReadonlyMap<string, Contract | null>;

/** The contracts at some addresses, as the node knows them. Empty until the node has answered. */
export function useContracts(addresses: readonly string[]): Contracts {
  const [known, setKnown] = useState<Contracts>(new Map());
  const wanted = [...new Set(addresses)].sort();
  useLayoutEffect(() => {
    let isWanted = true;
    const missing = wanted.filter((address) => !known.has(address));
    if (missing.length === 0) return;
    void loadContracts(missing).then((loaded) => isWanted && setKnown(new Map([...known, ...loaded])));
    return () => {
      isWanted = false;
    };
  }, [wanted.join()]);
  return known;
}

/** The contracts at some addresses; null for one that the node cannot name or read. */
export async function loadContracts(addresses: readonly string[]): Promise<Contracts> {
  const loaded = [...new Set(addresses)].map(
    async (address) => [address, await loadContract(address).catch(() => null)] as const,
  );
  return new Map(await Promise.all(loaded));
}

/** Slot of a proxy's implementation (EIP-1967). */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** The contract at an address as the node knows it. A proxy also has the functions of its implementation. */
export async function loadContract(address: string): Promise<Contract | null> {
  const own = await ask<Contract | null>("hindcast_getContract", address);
  if (own === null) return null;
  const behind = await loadImplementation(address);
  const known = new Set(own.functions.map(({ selector }) => selector));
  const others = (behind?.functions ?? []).filter(({ selector }) => !known.has(selector));
  return { ...own, functions: [...own.functions, ...others] };
}

/** The contract behind a proxy by EIP-1967; null if the account is no proxy, or of a contract that is not known. */
export async function loadImplementation(address: string): Promise<Contract | null> {
  const slot = await ask<string>("eth_getStorageAt", address, IMPLEMENTATION_SLOT, "latest");
  return BigInt(slot) === 0n ? null : ask<Contract | null>("hindcast_getContract", `0x${slot.slice(-40)}`);
}

/** Name of the function that call data calls; undefined if not known. */
export function functionName(contract: Contract | null | undefined, input: string): string | undefined {
  return contract?.functions.find(({ selector }) => input.startsWith(selector))?.name;
}
