/** Finds contracts by their names, among the accounts of the latest state. */
import { ask } from "../rpc/client.ts";
import type { Contract, Hex } from "../rpc/types.ts";

interface AccountRange {
  readonly accounts: Readonly<Record<string, { readonly address?: Hex; readonly codeHash: Hex }>>;
  /** In base64. */
  readonly next?: string;
}

/** Pages of 256 accounts that are read at most. */
const MOST_PAGES = 40;
const EMPTY_CODE_HASH = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

/** The addresses that were found. */
export interface NamedContracts {
  readonly addresses: readonly Hex[];
  /** False if the node has more accounts than were read. */
  readonly isComplete: boolean;
}

/**
 * @param name - name of the contract, in any case
 * @throws {RpcError} if the node cannot list accounts, as on a fork of another chain
 */
export async function findContracts(name: string): Promise<NamedContracts> {
  const wanted = name.toLowerCase();
  const addresses: Hex[] = [];
  let start: string | undefined = "0x";
  for (let page = 0; page < MOST_PAGES && start !== undefined; page++) {
    const { accounts, next }: AccountRange = await ask("debug_accountRange", "latest", start, 256, true, true);
    const coded = Object.values(accounts).flatMap(({ address, codeHash }) =>
      address === undefined || codeHash === EMPTY_CODE_HASH ? [] : [address],
    );
    const contracts = await Promise.all(coded.map((address) => ask<Contract | null>("hindcast_getContract", address)));
    addresses.push(...coded.filter((_, index) => contracts[index]?.name?.toLowerCase() === wanted));
    start = next === undefined ? undefined : hexOfBase64(next);
  }
  return { addresses, isComplete: start === undefined };
}

function hexOfBase64(text: string): string {
  return `0x${Array.from(atob(text), (char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join("")}`;
}
