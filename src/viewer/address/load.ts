/** Loads the data that the page of an account shows first. */
import { loadContract, loadImplementation } from "../abi/contracts.ts";
import { ask } from "../rpc/client.ts";
import type { AccountSources, Contract } from "../rpc/types.ts";
import { decimal } from "../text/format.ts";
import { loadToken, readNumber, type Token } from "./token.ts";

/** State of the account after the head. Quantities are as the node gives them. */
export interface Account {
  readonly address: string;
  readonly balance: string;
  readonly nonce: string;
  readonly code: string;
  readonly contract: Contract | null;
  /** Null if the node does not have them. */
  readonly sources: AccountSources | null;
  readonly token: Token | undefined;
  /** Of the token, with its decimal point; undefined if the contract does not return it. */
  readonly supply: string | undefined;
  /** Hash of the transaction that created it. */
  readonly creator: string | undefined;
}

/** Selector of totalSupply(). */
const SUPPLY = "0x18160ddd";

/** @throws {Error} if the text is not an address */
export async function loadAccount(address: string): Promise<Account> {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new Error("That is no address: 0x and 40 hex digits.");
  const [balance, nonce, code, own] = await Promise.all([
    ask<string>("eth_getBalance", address, "latest"),
    ask<string>("eth_getTransactionCount", address, "latest"),
    ask<string>("eth_getCode", address, "latest"),
    loadContract(address),
  ]);
  const account = { address, balance, nonce, code, contract: own };
  if (code === "0x") return { ...account, sources: null, token: undefined, supply: undefined, creator: undefined };
  const [contract, token, supply, creator, sources] = await Promise.all([
    own ?? unnamed(address),
    loadToken(address),
    readNumber(address, SUPPLY),
    findCreator(address),
    ask<AccountSources | null>("hindcast_getSources", address).catch(() => null),
  ]);
  const supplyText = supply === undefined ? undefined : decimal(supply, token?.decimals ?? 0, 6);
  return { ...account, contract, token, supply: token === undefined ? undefined : supplyText, creator, sources };
}

/** A proxy that the node does not know by its own code has the functions of its implementation, but not its name. */
async function unnamed(address: string): Promise<Contract | null> {
  const behind = await loadImplementation(address);
  return behind === null ? null : { ...behind, name: null };
}

async function findCreator(address: string): Promise<string | undefined> {
  const made = await ask<{ readonly hash: string } | null>("ots_getContractCreator", address).catch(() => null);
  return made?.hash;
}
