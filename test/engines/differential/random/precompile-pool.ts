/** Inputs of precompiles, made once, when one is first wanted: curve points and signatures take long to make. */
import fc from "fast-check";
import type { Bytes } from "../../../../src/primitives/bytes/bytes.ts";
import { fromHex } from "../../../support/assembler.ts";
import { WELL_FORMED } from "../../../support/precompile-calls.ts";
import { PRECOMPILE_INPUTS } from "../../../support/precompile-inputs.ts";
import type { Random } from "./random.ts";

/** Standard addresses of the precompiles of the newest hardfork, as numbers. */
export const PRECOMPILE_NUMBERS: readonly number[] = Array.from(WELL_FORMED.keys());

/** So many inputs are made of each. */
const POOL = 60;

export class PrecompilePool {
  readonly #seed: number;
  readonly #inputs = new Map<number, readonly Bytes[]>();

  /** @param seed - a 32-bit number: the same seed makes the same inputs */
  constructor(seed: number) {
    this.#seed = seed;
  }

  /** An input for a precompile: mostly one that is accepted. */
  pick(random: Random, precompile: number): Bytes {
    if (random.chance(0.4)) return fromHex(WELL_FORMED.get(precompile) ?? "");
    return random.pick(this.#inputsOf(precompile));
  }

  #inputsOf(precompile: number): readonly Bytes[] {
    const known = this.#inputs.get(precompile);
    if (known !== undefined) return known;
    const inputs = PRECOMPILE_INPUTS.get(precompile);
    const made = inputs === undefined ? [] : fc.sample(inputs, { seed: this.#seed, numRuns: POOL });
    this.#inputs.set(precompile, made);
    return made;
  }
}
