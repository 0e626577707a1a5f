/** Describes token contracts by the functions of ERC-20 and ERC-721. */
import { decodeValues } from "../abi/decode.ts";
import { ask } from "../rpc/client.ts";
import { textOfBytes } from "../text/shown.ts";

/** The name and symbol that a contract returns. Both are the contract's own words. */
export interface Token {
  readonly name: string;
  readonly symbol: string;
  /** Undefined if the contract does not return it. */
  readonly decimals: number | undefined;
}

const NAME = "0x06fdde03";
const SYMBOL = "0x95d89b41";
const DECIMALS = "0x313ce567";
/** Enough for a token, and little for a contract that wants to keep the node busy. */
const CALL_GAS = "0x7a120";

/**
 * Undefined if the contract has no name or symbol.
 *
 * @param block - a number as QUANTITY, or a tag
 */
export async function loadToken(address: string, block = "latest"): Promise<Token | undefined> {
  const [name, symbol, decimals] = await Promise.all([
    readText(address, NAME, block),
    readText(address, SYMBOL, block),
    readNumber(address, DECIMALS, block),
  ]);
  if (name === undefined || symbol === undefined) return undefined;
  return { name, symbol, decimals: decimals === undefined ? undefined : Number(decimals & 255n) };
}

/** Calls a function that returns a number or an address; undefined if it does not. */
export async function readNumber(to: string, data: string, block = "latest"): Promise<bigint | undefined> {
  const output = await call(to, data, block);
  return output !== undefined && output.length >= 66 ? BigInt(output.slice(0, 66)) : undefined;
}

/** Calls a function that returns text. Some old tokens return 32 bytes instead of a string. */
async function readText(to: string, data: string, block: string): Promise<string | undefined> {
  const output = await call(to, data, block);
  if (output === undefined) return undefined;
  if (output.length === 66) return textOfBytes(output.replace(/(?:00)+$/, ""));
  try {
    return JSON.parse(decodeValues([{ name: "", type: "string", components: [] }], output)[0] ?? "") as string;
  } catch {
    return undefined;
  }
}

/** Undefined if the call fails: then the contract is not a token, or another sort of one. */
function call(to: string, data: string, block: string): Promise<string | undefined> {
  return ask<string>("eth_call", { to, data, gas: CALL_GAS }, block).catch(() => undefined);
}
