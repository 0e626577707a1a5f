/** Loads names of contracts, and of functions by selector. Caches them until the page shows another chain. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../rpc/client.ts";
import type { Contract } from "../rpc/types.ts";

/** By address in lower case; null for one that the node cannot name. */
export type Contracts = ReadonlyMap<string, Contract | null>;

/** The contracts at some addresses, as the node knows them. Empty until the node has answered. */
export function useContracts(addresses: readonly string[]): Contracts {
  const [known, setKnown] = useState<Contracts>(new Map());
  const wanted = [...new Set(addresses)].sort();
  useEffect(() => {
    let isWanted = true;
    const missing = wanted.filter((address) => !known.has(address));
    if (missing.length === 0) return;
    const answers = missing.map(async (address) => {
      const contract = await ask<Contract | null>("hindcast_getContract", address).catch(() => null);
      return [address, contract] as const;
    });
    void Promise.all(answers).then((entries) => isWanted && setKnown(new Map([...known, ...entries])));
    return () => {
      isWanted = false;
    };
  }, [wanted.join()]);
  return known;
}

/** Name of the function that call data calls; undefined if not known. */
export function functionName(contract: Contract | null | undefined, input: string): string | undefined {
  return contract?.functions.find(({ selector }) => input.startsWith(selector))?.name;
}
