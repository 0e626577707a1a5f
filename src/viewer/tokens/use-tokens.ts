/** Loads what the tokens of a transaction say of themselves at its block. Each is asked once. */
import { useReturns } from "../rpc/live.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { loadToken, type Token } from "./token.ts";

/** By address in lower case. Undefined for a contract without a name or symbol. */
export type Tokens = ReadonlyMap<string, Token | undefined>;

/** Most tokens that are asked; those beyond are shown by their addresses. */
const MOST_TOKENS = 60;
/** Most answers in memory, by token and block. */
const MOST_ANSWERS = 1_000;

const tokens = new Map<string, Promise<Token | undefined>>();

/**
 * Undefined until they are loaded.
 *
 * @param block - its number as QUANTITY
 */
export function useTokens(addresses: readonly string[], block: string): Tokens | undefined {
  // After a restart, another contract may be at the same address.
  const returns = useReturns();
  const wanted = [...new Set(addresses)].slice(0, MOST_TOKENS);
  const load = async (): Promise<Tokens> => {
    const loaded = wanted.map(async (token) => [token, await loadOnce(token, block, returns)] as const);
    return new Map(await Promise.all(loaded));
  };
  return useLoaded(load, `${block} ${wanted.join()}`).value;
}

/** Of a state that the node no longer has, as on a fork of a node without it, the latest stands for it. */
function loadOnce(token: string, block: string, returns: number): Promise<Token | undefined> {
  const key = `${returns} ${block} ${token}`;
  const known = tokens.get(key);
  if (known !== undefined) return known;
  const loading = loadToken(token, block).then((found) => found ?? loadToken(token));
  const [oldest] = tokens.keys();
  if (tokens.size >= MOST_ANSWERS && oldest !== undefined) tokens.delete(oldest);
  tokens.set(key, loading);
  return loading;
}
