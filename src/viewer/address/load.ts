/** Loads the data that the page of an account shows first. */
import { loadContract } from "../abi/contracts.ts";
import { decodeValues } from "../abi/decode.ts";
import { ask } from "../rpc/client.ts";
import type { AccountSources, Contract } from "../rpc/types.ts";
import { decimal } from "../text/format.ts";

/** The name, symbol and supply that a token contract returns. */
export interface Token {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number | undefined;
  /** With its decimal point; undefined if the contract does not return it. */
  readonly supply: string | undefined;
}

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
  /** Hash of the transaction that created it. */
  readonly creator: string | undefined;
}

/** Selectors of the ERC-20 functions that describe a token. */
const TOKEN_CALLS = { name: "0x06fdde03", symbol: "0x95d89b41", decimals: "0x313ce567", supply: "0x18160ddd" } as const;

/** @throws {Error} if the text is not an address */
export async function loadAccount(address: string): Promise<Account> {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new Error("That is no address: 0x and 40 hex digits.");
  const [balance, nonce, code, contract] = await Promise.all([
    ask<string>("eth_getBalance", address, "latest"),
    ask<string>("eth_getTransactionCount", address, "latest"),
    ask<string>("eth_getCode", address, "latest"),
    loadContract(address),
  ]);
  const account = { address, balance, nonce, code, contract, sources: null, token: undefined, creator: undefined };
  if (code === "0x") return account;
  const [token, creator, sources] = await Promise.all([
    loadToken(address),
    findCreator(address),
    ask<AccountSources | null>("hindcast_getSources", address).catch(() => null),
  ]);
  return { ...account, token, creator, sources };
}

async function loadToken(to: string): Promise<Token | undefined> {
  const read = async (data: string, type: string): Promise<string | undefined> => {
    try {
      const output = await ask<string>("eth_call", { to, data }, "latest");
      return decodeValues([{ name: "", type, components: [] }], output)[0];
    } catch {
      // The contract is not a token, or returns something else.
      return undefined;
    }
  };
  const { name, symbol, decimals, supply } = TOKEN_CALLS;
  const [nameText, symbolText, decimalText, supplyText] = await Promise.all([
    read(name, "string"),
    read(symbol, "string"),
    read(decimals, "uint8"),
    read(supply, "uint256"),
  ]);
  if (nameText === undefined || symbolText === undefined) return undefined;
  const count = decimalText === undefined ? undefined : Number(BigInt(decimalText) & 255n);
  return {
    name: JSON.parse(nameText) as string,
    symbol: JSON.parse(symbolText) as string,
    decimals: count,
    supply: supplyText === undefined ? undefined : decimal(BigInt(supplyText), count ?? 0, 6),
  };
}

async function findCreator(address: string): Promise<string | undefined> {
  const made = await ask<{ readonly hash: string } | null>("ots_getContractCreator", address).catch(() => null);
  return made?.hash;
}
