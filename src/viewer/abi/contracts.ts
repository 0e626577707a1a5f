/** Loads names of contracts, and of functions by selector. Caches them until the node was away. */
import { useLayoutEffect, useState } from "preact/hooks";
import { ask } from "../rpc/client.ts";
import { useReturns } from "../rpc/live.ts";
import type { Contract } from "../rpc/types.ts";
import { functionOf } from "./lookup.ts";
import { loadStandards } from "./standards.ts";

/** By address in lower case; null for one that the node cannot name. */
export type Contracts = ReadonlyMap<string, Contract | null>;

const NOTHING_KNOWN = { known: new Map<string, Contract | null>(), at: 0 };

/** The contracts at some addresses, as the node knows them. Empty until the node has answered. */
export function useContracts(addresses: readonly string[]): Contracts {
  const [{ known, at }, setKnown] = useState<{ readonly known: Contracts; readonly at: number }>(NOTHING_KNOWN);
  const wanted = [...new Set(addresses)].sort();
  // After a restart, other contracts may be at the same addresses.
  const returns = useReturns();
  useLayoutEffect(() => {
    let isWanted = true;
    const valid = at === returns ? known : NOTHING_KNOWN.known;
    const missing = wanted.filter((address) => !valid.has(address));
    if (missing.length === 0) return;
    void loadContracts(missing).then(
      (loaded) => isWanted && setKnown({ known: new Map([...valid, ...loaded]), at: returns }),
    );
    return () => {
      isWanted = false;
    };
  }, [wanted.join(), returns]);
  return known;
}

/** The contracts at some addresses; null for one that the node cannot name or read. */
export async function loadContracts(addresses: readonly string[]): Promise<Contracts> {
  const loaded = [...new Set(addresses)].map(
    async (address) => [address, await loadContract(address).catch(() => null)] as const,
  );
  return new Map(await Promise.all(loaded));
}

/** Loads the common standards if something has no name without them, and renders the component again then. */
export function useStandards(isNeeded: boolean): void {
  const [, setLoaded] = useState(false);
  useLayoutEffect(() => {
    if (isNeeded) void loadStandards().then(() => setLoaded(true));
  }, [isNeeded]);
}

/** True if a call of one of these transactions has no name by the contracts that the node knows. */
export function hasUnknownCall(
  calls: readonly { readonly to: string | null; readonly input: string }[],
  known: Contracts,
): boolean {
  return calls.some(
    ({ to, input }) => to !== null && known.has(to) && input !== "0x" && !functionName(known.get(to), input),
  );
}

/** Slot of a proxy's implementation (EIP-1967). */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** The contract at an address as the node knows it. A proxy also has the functions of its implementation. */
export async function loadContract(address: string): Promise<Contract | null> {
  const own = await ask<Contract | null>("hindcast_getContract", address);
  if (own === null) return null;
  const behind = await loadImplementation(address);
  const known = new Set(own.functions.map(({ selector }) => selector));
  if (behind === null) return own;
  const others = behind.functions.filter(({ selector }) => !known.has(selector));
  return {
    name: own.name,
    functions: [...own.functions, ...others],
    events: [...own.events, ...behind.events],
    errors: [...own.errors, ...behind.errors],
  };
}

/** The contract behind a proxy by EIP-1967; null if the account is no proxy, or of a contract that is not known. */
export async function loadImplementation(address: string): Promise<Contract | null> {
  const slot = await ask<string>("eth_getStorageAt", address, IMPLEMENTATION_SLOT, "latest");
  return BigInt(slot) === 0n ? null : ask<Contract | null>("hindcast_getContract", `0x${slot.slice(-40)}`);
}

/** Name of the function that call data calls; undefined if not known. */
export function functionName(contract: Contract | null | undefined, input: string): string | undefined {
  return functionOf(contract, input)?.name;
}
