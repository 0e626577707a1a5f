/** Names of methods that several development nodes have under prefixes of their own. */

/** `anvil_`, `hardhat_` and `ganache_`: the modes of viem's test client. */
export function inEveryMode<const Word extends string>(word: Word) {
  return [`anvil_${word}`, `hardhat_${word}`, `ganache_${word}`] as const;
}
