/** Names of contracts, and of their functions by selector: asked for once, and again when the chain is another. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../rpc/client.ts";
import type { Contract } from "../rpc/types.ts";

export type Contracts = ReadonlyMap<string, Contract | null>;

/** What the node was told of the contracts at some addresses. Empty until the answers are there. */
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

/** Name of the function that call data is for; undefined where it is not known. */
export function functionName(contract: Contract | null | undefined, input: string): string | undefined {
  return contract?.functions.find(({ selector }) => input.startsWith(selector))?.name;
}
