/** Our precompiles against EthereumJS' on random inputs. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Hardfork } from "../../../../src/chainspec/hardforks/hardforks.ts";
import type { PrecompileSet } from "../../../../src/engines/wasm/precompiles/precompile-set.ts";
import type { Bytes } from "../../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { PRECOMPILE_INPUTS } from "../../../support/precompile-inputs.ts";
import { type Reference, referencePrecompiles } from "../../../support/reference-precompiles.ts";

/** Hardforks that add a precompile or change a price. */
export const PRICE_HARDFORKS = ["chainstart", "byzantium", "istanbul", "berlin", "cancun", "prague", "osaka"] as const;

const GAS_LIMIT = 10n ** 7n;

export class ReferenceTest {
  readonly #precompiles: PrecompileSet;
  readonly #references = new Map<Hardfork, Promise<Reference>>();

  constructor(precompiles: PrecompileSet) {
    this.#precompiles = precompiles;
  }

  /** Compares a precompile in so many runs, in all hardforks that have it. */
  async run(home: number, numRuns: number): Promise<void> {
    const hardforks = PRICE_HARDFORKS.filter((hardfork) => this.#precompiles.of(hardfork).has(home));
    const inputs = PRECOMPILE_INPUTS.get(home) as fc.Arbitrary<Bytes>;
    let successes = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...hardforks), inputs, async (hardfork, input) => {
        successes += await this.#compare(hardfork, home, input);
      }),
      { numRuns },
    );
    // A share of few runs depends on chance.
    expect(successes).toBeGreaterThan(numRuns < 100 ? 0 : numRuns / 8);
  }

  /** @returns 1 where the precompile took the input, 0 where it failed */
  async #compare(hardfork: Hardfork, home: number, input: Bytes): Promise<number> {
    const precompile = this.#precompiles.of(hardfork).get(home);
    if (precompile === undefined) throw new Error(`no precompile ${home} in ${hardfork}`);
    const reference = await this.#referenceOf(hardfork);
    const price = precompile.gas(input);
    const expected = await reference(home, input, GAS_LIMIT);
    if (price > GAS_LIMIT) {
      expect(expected.output).toBeUndefined();
      return 0;
    }
    const answer = await precompile.run(input);
    const output = "output" in answer ? encodeData(answer.output) : undefined;
    expect(output).toBe(expected.output === undefined ? undefined : encodeData(expected.output));
    if (expected.output === undefined) return 0;
    expect(price).toBe(expected.gasUsed);
    return 1;
  }

  #referenceOf(hardfork: Hardfork): Promise<Reference> {
    let reference = this.#references.get(hardfork);
    if (reference === undefined) {
      reference = referencePrecompiles(hardfork);
      this.#references.set(hardfork, reference);
    }
    return reference;
  }
}
