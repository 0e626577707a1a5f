/** Loads the data that the page of an account shows first. */
import { loadContract, loadImplementation } from "../abi/contracts.ts";
import { functionsInCode } from "../abi/functions-in-code.ts";
import { ask } from "../rpc/client.ts";
import type { AccountSources, Contract } from "../rpc/types.ts";
import { decimal } from "../text/format.ts";
import { loadToken, readNumber, type Token } from "../tokens/token.ts";

/** State of the account after the head. Quantities are as the node gives them. */
export interface Account {
  readonly address: string;
  readonly balance: string;
  readonly nonce: string;
  readonly code: string;
  /** Address whose code the account runs (EIP-7702). */
  readonly delegate: string | undefined;
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

/** Code of an account that runs another's (EIP-7702): a mark and the address. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/;

/** @throws {Error} if the text is not an address */
export async function loadAccount(address: string): Promise<Account> {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new Error("This is not an address: expected 0x and 40 hex digits.");
  const [balance, nonce, code, own] = await Promise.all([
    ask<string>("eth_getBalance", address, "latest"),
    ask<string>("eth_getTransactionCount", address, "latest"),
    ask<string>("eth_getCode", address, "latest"),
    loadContract(address),
  ]);
  const target = DELEGATION.exec(code)?.[1];
  const delegate = target === undefined ? undefined : `0x${target}`;
  const account = { address, balance, nonce, code, delegate, contract: own };
  if (code === "0x") return { ...account, sources: null, token: undefined, supply: undefined, creator: undefined };
  const running = delegate ?? address;
  const [contract, token, supply, creator, sources] = await Promise.all([
    own ?? contractBehind(running, delegate, code),
    loadToken(address),
    readNumber(address, SUPPLY),
    delegate === undefined ? findCreator(address) : undefined,
    ask<AccountSources | null>("hindcast_getSources", running).catch(() => null),
  ]);
  const supplyText = supply === undefined ? undefined : decimal(supply, token?.decimals ?? 0, 6);
  return { ...account, contract, token, supply: token === undefined ? undefined : supplyText, creator, sources };
}

/** The contract that the account delegates to, or the one behind a proxy, or what the code itself shows. */
async function contractBehind(running: string, delegate: string | undefined, code: string): Promise<Contract | null> {
  if (delegate !== undefined)
    return (await loadContract(delegate)) ?? functionsInCode(await ask("eth_getCode", running, "latest"));
  return (await unnamed(running)) ?? functionsInCode(code);
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
