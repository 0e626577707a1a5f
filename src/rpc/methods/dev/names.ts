/** The names under which development nodes offer one thing: the same word behind each one's prefix. */

/** `anvil_`, `hardhat_` and `ganache_`: the modes of viem's test client. */
export function inEveryMode<const Word extends string>(word: Word) {
  return [`anvil_${word}`, `hardhat_${word}`, `ganache_${word}`] as const;
}
