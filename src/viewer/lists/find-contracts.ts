/** Finds contracts by their names, among the accounts of the latest state. */

import { ask } from "../rpc/client.ts";
import type { Contract, Hex } from "../rpc/types.ts";
import { type AccountPage, accountPage } from "./account-range.ts";

/** Pages of 256 accounts that are read at most. */
const MOST_PAGES = 40;

/** The addresses that were found. */
export interface NamedContracts {
  readonly addresses: readonly Hex[];
  /** False if the node has more accounts than were read. */
  readonly isComplete: boolean;
}

/** How a search is followed and stopped. */
export interface Search {
  readonly signal: AbortSignal;
  /** Called with the number of accounts that were looked at so far. */
  readonly onProgress: (count: number) => void;
}

/**
 * @param name - name of the contract, in any case
 * @throws {RpcError} if the node cannot list accounts, as on a fork of another chain
 */
export async function findContracts(name: string, { signal, onProgress }: Search): Promise<NamedContracts> {
  const wanted = name.toLowerCase();
  const addresses: Hex[] = [];
  let start: string | undefined = "0x";
  let count = 0;
  for (let page = 0; page < MOST_PAGES && start !== undefined && !signal.aborted; page++) {
    const { accounts, next }: AccountPage = await accountPage(start);
    const coded = accounts.flatMap(({ address, hasCode }) => (hasCode && address !== undefined ? [address] : []));
    const contracts = await Promise.all(coded.map((address) => ask<Contract | null>("hindcast_getContract", address)));
    addresses.push(...coded.filter((_, index) => contracts[index]?.name?.toLowerCase() === wanted));
    count += accounts.length;
    onProgress(count);
    start = next;
  }
  return { addresses, isComplete: start === undefined };
}
